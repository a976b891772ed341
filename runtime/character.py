"""A character as the host program sees it: hear, say, recall, settle, status and what is stored."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from ..actors.character import ReportHealth
from ..actors.kernel import ChildState, ChildStatus
from ..protocols.errors import ActorCrashedError, ActorSuspendedError, InvalidRequestError, OutsideError
from ..protocols.events import Event
from ..protocols.messages import (
    Describe,
    DiscardOp,
    Drain,
    Drained,
    Hear,
    QueueEmbeddings,
    Recall,
    Receipt,
    Recollection,
    Reply,
    Request,
    RetryOp,
    Say,
    Tick,
    Utterance,
)
from ..protocols.ports import Counts, Journal
from ..protocols.records import Fact, OpId, Profile, Speaker, Turn, TurnId
from ..protocols.scopes import PRIVATE, parse_subject, parse_subjects
from ..protocols.settings import LimitSettings
from ..protocols.text import check_text
from ..protocols.vectors import VectorCounts, space_of
from ..protocols.work import OpState, OutboxOp
from .briefed import Briefed
from .changes import Changes
from .corrected import Corrected
from .erasable import Erasable
from .guarded import Guarded
from .handle import text_of, texts_of
from .reflective import Reflective
from .scoped import Scoped

logger = logging.getLogger(__name__)

MAX_LOCALE_CHARS: Final = 35
"""Longest language tag (RFC 5646, section 4.4.1)."""

MAX_NUMBER: Final = 2**63 - 1
"""Largest whole number that a journal can be asked for: SQLite's."""


class RoleStatus(Struct, frozen=True, kw_only=True):
    """Health of one role."""

    state: str
    restarts: int
    last_error: str


class CharacterStatus(Struct, frozen=True, kw_only=True):
    """Health of one character. `degraded` names what doesn't work right now: roles, and the `model`.

    `directives` counts those in force. `strong_memory` says whether it is on. `vectors` counts what has a vector
    of the embedding model and what waits for one; None where there is no model. `warnings` say what a person
    should look at; they name no term.
    """

    name: str
    counts: Counts
    degraded: tuple[str, ...]
    roles: dict[str, RoleStatus]
    directives: int = 0
    strong_memory: bool = True
    vectors: VectorCounts | None = None
    warnings: tuple[str, ...] = ()


class Character(Guarded, Briefed, Reflective, Corrected, Erasable, Scoped):
    """A handle on one character. Cheap to make and to keep; the character itself comes and goes from memory."""

    async def hear(
        self,
        text: str,
        *,
        speaker: Speaker | None = None,
        subject: str = PRIVATE,
        trust: float | str | None = None,
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what somebody said, and return once it can't be lost any more.

        Never waits for a model: what the words mean is worked out in the background.

        Args:
            text: the words.
            speaker: who spoke, by the host's word; None is the owner.
            subject: where it was said, such as `private` or `group:<platform>:<id>`.
            trust: where the host lets the speaker's trust start: the tier that a human gave the account (`admin`,
                `trusted`, `normal` or `none`), or a number from 0 to 1, which never counts for more than
                `trust.reported_max`. What the pool of accounts knows of them moves it a little. None abstains.
            said_at: when it was said, in seconds since the epoch; None is now.
            message_id: the host's id; the same message heard again is the same turn.

        Raises:
            CallerError: if a part of the envelope is malformed; the message says which.
            StorageError: if the disk refused; nothing was stored.
        """
        return await self._ask(
            "scribe",
            Hear(
                utterance=Utterance(
                    text=text,
                    speaker=speaker,
                    subject=parse_subject(subject),
                    trust=trust,
                    said_at=said_at,
                    id=message_id,
                ),
            ),
        )

    async def say(
        self,
        text: str,
        *,
        subject: str = PRIVATE,
        surfaced: Sequence[str] = (),
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what the character itself said, and return once it can't be lost any more.

        Args:
            text: the words.
            subject: where it was said.
            surfaced: the reflections of that subject that the words brought up, each by its id or by words that
                its text contains. What the person says next is taken as their answer to them.
            said_at: when it was said, in seconds since the epoch; None is now.
            message_id: the host's id; the same message said again is the same turn.

        Raises:
            CallerError: if a part of the envelope is malformed; the message says which.
            StorageError: if the disk refused; nothing was stored.
        """
        return await self._ask(
            "scribe",
            Say(
                utterance=Utterance(
                    text=text,
                    subject=parse_subject(subject),
                    said_at=said_at,
                    id=message_id,
                    surfaced=texts_of("surfaced", surfaced),
                ),
            ),
        )

    async def recall(
        self,
        query: str,
        *,
        subjects: Sequence[str] | None = None,
        limit: int | None = None,
        said: str | None = None,
        time: str | None = None,
    ) -> Recollection:
        """Return what is remembered about `query`, best first; `.text` of it is for a model's tool result.

        Where memory can't answer right now, nothing is found and `degraded` names `recall`: a conversation goes on
        without it.

        What is about a topic that the person banned is left out, unless the person raised the topic in this
        turn. A sentence of the query that is a wish not to hear of something, or to forget it, finds nothing.

        Args:
            query: any words; a blank query finds nothing, unless a time is asked for.
            subjects: what the caller may read, at most eight; None is `private` alone.
            limit: most hits wanted.
            said: the person's words of this turn, where the query isn't made of them; empty where nobody
                asked. None takes the query for them.
            time: only what is of this time, or with a blank query what is nearest to it: YYYY, YYYY-MM,
                YYYY-MM-DD, an ISO time (its day), two of these joined by `/` or `..`, or words such as
                "last summer". One that can't be read finds nothing, and `degraded` names `time`.

        Raises:
            CallerError: if the query, the subjects, the limit or the time are malformed.
        """
        asked = Recall(
            query=query,
            said=said,
            subjects=parse_subjects(subjects),
            limit=self._runtime.settings.recall.limit if limit is None else _whole_number("limit", limit),
            time=_time(time),
        )
        try:
            return await self._answer("recall", asked)
        except OutsideError as error:
            logger.warning("character.recall_unavailable", extra={"error": type(error).__name__})
            return Recollection(degraded=("recall",))

    async def describe(
        self,
        *,
        owner: str | None = None,
        locale: str | None = None,
        card: Sequence[str] | None = None,
    ) -> Profile:
        """Replace what is given of the character's profile, and return the whole.

        Raises:
            InvalidTextError: if a part is no text that can be stored.
            InvalidRequestError: if the card is no list.
        """
        described = description(self._runtime.settings.limits, owner=owner, locale=locale, card=card)
        return await self._ask("scribe", described)

    async def drain(self) -> Drained:
        """Do the background work that is due now; returns when the rest falls due, and how much is parked.

        Periodic work that is due is done too, and what lacks a vector is embedded. A role that queues such work
        and has crashed holds nothing else up: it queues what was due once it is back.
        """
        await self._ask_if_well("keeper", Tick())
        while True:
            drained = await self._await_reply("outbox", Drain(), None)
            queued = await self._ask_if_well("embedding", QueueEmbeddings())
            if queued is None or not queued.due:
                return drained

    async def settle(self) -> Drained:
        """Return once no background work is left; waits for retries. Parked work is counted in the reply."""
        while (drained := await self.drain()).next_at is not None:
            await self._runtime.clock.sleep_until(drained.next_at)
        return drained

    async def _ask_if_well(self, role: str, request: Request[Reply]) -> Reply | None:
        try:
            return await self._ask(role, request)
        except (ActorCrashedError, ActorSuspendedError) as error:
            logger.warning("character.role_unavailable", extra={"role": role, "error": type(error).__name__})
            return None

    async def facts(self, *, subjects: Sequence[str] | None = None) -> tuple[Fact, ...]:
        """Return the facts in force, in order of storing; of all subjects for None."""
        async with self.resident() as resident:
            return await resident.journal.facts(subjects=None if subjects is None else parse_subjects(subjects))

    async def turns(
        self, *, newest: int, subjects: Sequence[str] | None = None, before: str | None = None
    ) -> tuple[Turn, ...]:
        """Return the newest turns, oldest first; of all subjects for None.

        Args:
            newest: how many at most.
            subjects: where they were said; None is everywhere.
            before: id of a turn: only what came before it, so that a page follows another. None is before one
                that isn't stored.
        """
        async with self.resident() as resident:
            return await resident.journal.turns(
                subjects=None if subjects is None else parse_subjects(subjects),
                newest=_whole_number("newest", newest),
                before=None if before is None else TurnId(text_of("before", before)),
            )

    async def events(self, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        """Return journal entries with a seq above `after`, oldest first."""
        async with self.resident() as resident:
            return await resident.journal.events(
                after=_whole_number("after", after),
                limit=None if limit is None else _whole_number("limit", limit),
            )

    def changes(self, *, after: int = 0) -> Changes:
        """Return the stream of what changes from now on, and of what did since an entry.

        Args:
            after: seq of the last entry that isn't wanted; 0 begins with the first.
        """
        return Changes(self, _whole_number("after", after))

    async def outbox(
        self, *, states: Sequence[OpState] = (OpState.PENDING, OpState.PARKED)
    ) -> tuple[OutboxOp, ...]:
        """Return background work in these states, in order."""
        async with self.resident() as resident:
            return await resident.journal.ops(states=_states(states))

    async def retry(self, op: str) -> OutboxOp:
        """Send parked work again.

        Raises:
            NotFoundError: if there is no such op.
            InvalidRequestError: if it isn't parked.
        """
        return await self._ask("outbox", RetryOp(op=OpId(text_of("op", op))))

    async def discard(self, op: str) -> OutboxOp:
        """Give up pending or parked work for good.

        Raises:
            NotFoundError: if there is no such op.
            InvalidRequestError: if it is neither pending nor parked.
        """
        return await self._ask("outbox", DiscardOp(op=OpId(text_of("op", op))))

    async def status(self) -> CharacterStatus:
        """Return the health of the character."""
        async with self.resident() as resident:
            roles: Mapping[str, ChildStatus] = await resident.supervisor.aask(ReportHealth(), timeout_s=None)
            directives = await self.directives()
            warning = self._bound_warning(directives)
            return CharacterStatus(
                name=self.name,
                counts=await resident.journal.counts(),
                degraded=(
                    *(name for name, role in roles.items() if role.state is not ChildState.RUNNING),
                    *(("model",) if self._runtime.minds.is_left_alone(self.name) else ()),
                ),
                roles={
                    name: RoleStatus(
                        state=role.state.value,
                        restarts=role.restarts,
                        last_error=role.last_error or "",
                    )
                    for name, role in roles.items()
                },
                directives=len(directives),
                vectors=await self._vectors(resident.journal),
                strong_memory=(await resident.journal.profile()).weak_since is None,
                warnings=(warning,) if warning else (),
            )

    async def _vectors(self, journal: Journal) -> VectorCounts | None:
        embedder = self._runtime.embedder
        return None if embedder is None else await journal.vector_counts(space_of(embedder))


def description(
    limits: LimitSettings, *, owner: str | None, locale: str | None, card: Sequence[str] | None
) -> Describe:
    """Return what is to be set of a character's profile.

    Raises:
        InvalidTextError: if a part is no text that can be stored.
        InvalidRequestError: if the card is no list.
    """
    if owner is not None:
        owner = check_text(owner, max_chars=limits.name_chars, what="owner", setting="limits.name_chars")
    if locale is not None:
        locale = check_text(locale, max_chars=MAX_LOCALE_CHARS, what="locale")
    entries = None if card is None else texts_of("card", card)
    if entries is not None:
        checked = partial(check_text, max_chars=limits.text_chars, what="card entry", setting="limits.text_chars")
        entries = tuple(map(checked, entries))
    return Describe(owner=owner, locale=locale, card=entries)


def _states(value: Sequence[object]) -> tuple[OpState, ...]:
    if isinstance(value, Sequence) and all(isinstance(state, OpState) for state in value):
        return tuple(state for state in value if isinstance(state, OpState))
    raise InvalidRequestError(f"states is a list of OpState, got {value!r:.60}")


def _time(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidRequestError(f"time is a text such as '2023-05' or 'last summer', got {value!r:.60}")
    return value.strip()


def _whole_number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidRequestError(f"{name} is a whole number, got {value!r:.60}")
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise InvalidRequestError(f"{name} is a whole number of at most 63 bits, got {value:.3e}")
    return value
