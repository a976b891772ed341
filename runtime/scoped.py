"""What a host asks about whose memory is whose: what a turn may read, and a model's call of the recall tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..actors.keeper.messages import FindStale, Restored, RestoreSubject, StaleSubject
from ..protocols.errors import InvalidRequestError, InvalidTextError
from ..protocols.messages import Describe, Recall, Recollection
from ..protocols.readable import readable_by_turn
from ..protocols.records import Profile, Speaker
from ..protocols.scopes import Subject, parse_subject, parse_subjects
from ..protocols.text import check_text
from .handle import Handle

RECALL_TOOL: Final[Mapping[str, Any]] = {
    "type": "function",
    "function": {
        "name": "recall_memory",
        "description": "Look up what is remembered about something, in the words that it was said in.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What to look for."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}
"""The tool that a host offers its model, as JSON schema; `Character.answer_tool` answers its calls."""


class Scoped(Handle):
    """The part of a character's handle that says who may read what."""

    async def subjects_for(self, where: str, *, speaker: Speaker | None = None) -> tuple[Subject, ...]:
        """Return the subjects that may be read for a turn, in order of priority: for `recall` and `briefing`.

        For a group that is the group, the member who speaks, and those who spoke there last. Members are among
        them only while member memory is on, which is looked up each time.

        Args:
            where: the subject of the conversation, such as `group:<platform>:<id>`.
            speaker: who speaks; None is the owner.

        Raises:
            InvalidSubjectError: if `where` is blank or malformed; then don't ask for memory at all.
        """
        readable_by_turn(where, speaker, (), members=True, most_recent=0)
        scopes = self._runtime.settings.scopes
        async with self.resident() as resident:
            profile = await resident.journal.profile()
            turns = await resident.journal.turns(subjects=(parse_subject(where),), newest=scopes.recent_messages)
        return readable_by_turn(
            where,
            speaker,
            [turn.speaker for turn in reversed(turns)],
            members=scopes.members if profile.member_memory is None else profile.member_memory,
            most_recent=scopes.recent_members,
        )

    async def set_member_memory(self, on: bool) -> Profile:  # noqa: FBT001 - as with a switch, the only argument
        """Switch the memory of a group's members on or off, from the next turn on and durably.

        Off, `subjects_for` names no member. What was learned of them stays, and is read again once it is on.

        Raises:
            InvalidRequestError: if `on` is neither true nor false.
            StorageError: if the disk refused; nothing was changed.
        """
        if not isinstance(on, bool):
            raise InvalidRequestError(f"member memory is switched on by true and off by false, got {on!r:.60}")
        return await self._ask("scribe", Describe(member_memory=on))

    async def stale_subjects(self) -> tuple[StaleSubject, ...]:
        """Return the groups and participants whose memory would be put away now, with their last additions.

        What is done with them is `scopes.stale`'s to say. Nothing is changed.
        """
        return await self._ask("keeper", FindStale())

    async def restore_subject(self, subject: str) -> Restored:
        """Bring back what was put away of a group or participant, and return how much that was.

        Raises:
            InvalidSubjectError: if the subject is malformed.
            StorageError: if the disk refused; nothing was changed.
        """
        return await self._ask("keeper", RestoreSubject(subject=parse_subject(subject)))

    async def answer_tool(
        self, arguments: object, *, subjects: Sequence[str] | None = None, said: str | None = None
    ) -> Recollection:
        """Answer a model that called `RECALL_TOOL`. Only its query is read: whose memory is the host's to say.

        Whatever else the model sends, such as subjects or a limit, changes nothing, and what is no query finds
        nothing.

        Args:
            arguments: what the model sent.
            subjects: what the caller may read, as `subjects_for` returns it; None is `private` alone.
            said: the person's words of this turn. None takes the query for them.

        Raises:
            CallerError: if the subjects or `said` are malformed.
        """
        readable = parse_subjects(subjects)
        query = arguments.get("query") if isinstance(arguments, Mapping) else None
        if not isinstance(query, str) or not query.strip():
            return Recollection()
        settings = self._runtime.settings
        try:
            query = check_text(query[: settings.limits.query_chars], max_chars=settings.limits.query_chars)
        except InvalidTextError:
            return Recollection()
        return await self._ask(
            "recall", Recall(query=query, said=said, subjects=readable, limit=settings.recall.limit)
        )
