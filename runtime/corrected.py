"""What a host asks of a character's memory of what is wrong: to reject, to affirm, and to explain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..protocols.errors import InvalidRequestError, NotFoundError
from ..protocols.explanations import Explanation, explain
from ..protocols.messages import Decide, Decided
from .handle import Handle, text_of

KEEPERS: Final[Mapping[str, str]] = {"fact": "dedup", "rej": "dedup", "ref": "reflection"}
"""The role that decides about a record, by the kind that its id begins with."""

NOT_STANDING: Final = frozenset({"retracted", "superseded", "disputed", "lifted", "denied", "merged", "archived"})
"""Statuses in which a record of whatever kind isn't in force."""

SHOWN: Final = 5
"""Most records that a message about several names."""


class Corrected(Handle):
    """The part of a character's handle that corrects and explains."""

    async def reject(self, record_id: str) -> Decided:
        """Reject what is stored under an id: it is retracted, and what it says doesn't come back.

        Raises:
            NotFoundError: if nothing that can be rejected has that id.
        """
        return await self._ask(keeper_of(record_id), Decide(record=record_id, affirms=False))

    async def affirm(self, record_id: str) -> Decided:
        """Affirm what is stored under an id, though it was denied before: what held it back is lifted.

        Raises:
            NotFoundError: if nothing that can be affirmed has that id.
        """
        return await self._ask(keeper_of(record_id), Decide(record=record_id, affirms=True))

    async def explain(self, what: str) -> tuple[Explanation, ...]:
        """Return why something is remembered as it is, and since when.

        Args:
            what: an id, the beginning of one, or words of the text; words may name several records.

        Raises:
            InvalidRequestError: if that is no text.
            NotFoundError: if nothing matches.
        """
        text_of("what", what)
        async with self.resident() as resident:
            events = await resident.journal.events()
            profile = await resident.journal.profile()
        found = explain(
            what,
            events,
            now=self._runtime.clock.now(),
            settings=self._runtime.settings.evidence,
            owner=profile.owner,
        )
        if not found:
            raise NotFoundError(f"nothing that {self.name} remembers has the id or the words {what!r}")
        return found

    async def meant(self, what: str, *, affirms: bool) -> str:
        """Return the id of the one record that an id, the beginning of one, or words mean for a decision.

        Raises:
            NotFoundError: if nothing matches that can be rejected or affirmed.
            InvalidRequestError: if several do.
        """
        fitting = await self.matching(what, affirms=affirms)
        if len(fitting) > 1:
            listed = ", ".join(f"{one.id} ({one.text!r:.60})" for one in fitting[:SHOWN])
            raise InvalidRequestError(
                f"{len(fitting)} memories match {what!r}: write more of it, or an id: {listed}"
            )
        return fitting[0].id

    async def matching(self, what: str, *, affirms: bool) -> tuple[Explanation, ...]:
        """Return the records that an id, the beginning of one, or words may mean for a decision, at least one.

        Words mean what is in force where it is to be rejected, and what isn't where it is to be affirmed, if there
        is any.

        Args:
            what: an id, the beginning of one, or words of the text.
            affirms: whether it is to be affirmed.

        Raises:
            NotFoundError: if nothing matches that can be rejected or affirmed.
        """
        known = tuple(one for one in await self.explain(what) if _kind(one.id) in KEEPERS)
        if not known:
            raise NotFoundError(f"nothing that can be rejected or affirmed has the words {what!r}")
        return tuple(one for one in known if (one.status in NOT_STANDING) is affirms) or known


def _kind(record_id: str) -> str:
    return record_id.partition("_")[0]


def keeper_of(record_id: str) -> str:
    """Return the role that decides about what is stored under an id.

    Raises:
        NotFoundError: if none does.
    """
    role = KEEPERS.get(_kind(text_of("record_id", record_id)))
    if role is None:
        raise NotFoundError(
            f"{record_id!r} is no id of something that can be rejected or affirmed: `omoide explain` finds ids by"
            " words"
        )
    return role
