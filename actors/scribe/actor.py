"""The scribe role: what was said, and everything that must land together with it.

Takes `Hear`, `Say` (replies `Receipt`), `AddDirective`, `RemoveDirective` (the directives), `Describe`,
`SwitchStrongMemory` (`Profile`) and `StoreMemo` from compaction (`MemoStored`). Where a turn voices a wish, it
sends `PrepareWishes` to directives and `PrepareForgetting` to dedup, and commits their parts with the turn; an
edit of the directives goes the same way.

It holds but a copy of what was erased, and how much was said in each subject since its memo, its review and the
look at the character's own words, so that it knows when to have these made. A turn is on disk before its receipt,
and a crash loses only what was not acknowledged. A turn without a wish needs no other role: where the host says
how far somebody else is trusted, it asks trust (`Weigh`), and goes on with an abstention if there is no answer.
One whose wish can't be prepared is refused, because its receipt would promise what doesn't hold. Restart:
permanent.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import ClassVar, Final, TypeAlias, assert_never

import trio
from msgspec.structs import asdict, replace

from ...protocols.erasure import Erasure, bars_turn
from ...protocols.errors import ErasedError, OmoideError
from ...protocols.events import (
    DirectiveDeleted,
    DirectiveGiven,
    DirectiveLifted,
    FactRetracted,
    MemoDropped,
    MemoWritten,
    ProfileSet,
    TurnHeard,
    TurnSaid,
)
from ...protocols.memos import ConversationMemo, dropped, memo_id
from ...protocols.messages import (
    Commit,
    Committed,
    Describe,
    Hear,
    Prepared,
    PrepareForgetting,
    PrepareWishes,
    Receipt,
    Say,
)
from ...protocols.records import Directive, Profile, Turn, TurnId
from ...protocols.records import Role as Side
from ...protocols.scopes import Subject
from ...protocols.secrets import kinds_in
from ...protocols.trust import account_key, base_of
from ...protocols.work import (
    AnyWork,
    CompactWindow,
    CountMentions,
    ExtractSelf,
    ExtractTurn,
    JudgeTurn,
    RecordSurfaced,
    ReportMessage,
    ReviewWindow,
    SyncCard,
    op_id,
)
from ..directives.messages import AddDirective, Edit, PrepareEdit, RemoveDirective
from ..directives.stated import understand
from ..directives.wishes import Ban, Forget, Lift
from ..role import Peer, Role, Surroundings, delivered
from ..signals.judgements import may_move_evidence
from ..trust.messages import Weigh, Weighed
from .envelope import idempotency_of, open_envelope, surfaced_by, without_secrets
from .messages import MemoStored, StoreMemo, SwitchStrongMemory
from .tally import Tally

logger = logging.getLogger(__name__)

Asked: TypeAlias = Hear | Say | Describe | SwitchStrongMemory | StoreMemo | AddDirective | RemoveDirective

INLINE_CHARS: Final = 4_096
"""Longest text that is looked through for secrets on the event loop: some 20 ms where it is all digits."""

POINTED_AT_TURNS: Final = 16
"""Turns among which the one is looked for that "forget that" points at; further back nobody points."""


class Scribe(Role):
    """Makes what is said durable, with the work that it implies, in one commit."""

    role: ClassVar[str] = "scribe"
    accepts: ClassVar[tuple[type, ...]] = (
        Hear,
        Say,
        Describe,
        SwitchStrongMemory,
        StoreMemo,
        AddDirective,
        RemoveDirective,
    )

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._erasures: tuple[Erasure, ...] | None = None
        self._tallies: dict[Subject, Tally] = {}

    async def receive(self, message: Asked) -> Receipt | Profile | MemoStored | tuple[Directive, ...]:
        """Handle one message; the reply comes after the commit."""
        match message:
            case Hear():
                surfaced_by(message.utterance, Side.PERSON, redacts=self._redacts)
                return await self._hear(await self._open(message, Side.PERSON), message)
            case Say():
                turn = await self._open(message, Side.CHARACTER)
                return await self._store(
                    turn,
                    Commit(
                        actor=self.role,
                        cause=turn.id,
                        changes=(TurnSaid(turn=turn),),
                        enqueues=(
                            *_work_of_saying(
                                turn, surfaced_by(message.utterance, turn.role, redacts=self._redacts)
                            ),
                            *await self._due(turn),
                        ),
                        idempotency=idempotency_of(turn),
                        cursor=message.cursor,
                    ),
                )
            case Describe():
                return await self._describe(message)
            case SwitchStrongMemory():
                return await self._switch(on=message.on)
            case StoreMemo():
                return await self._store_memo(message)
            case AddDirective() | RemoveDirective():
                return await self._edit(message)
            case _:
                assert_never(message)

    async def _open(self, message: Hear | Say, side: Side) -> Turn:
        envelope = partial(
            open_envelope,
            message.utterance,
            side,
            fresh_id=self.world.new_id(),
            now=self.world.clock.now(),
            settings=self.world.settings,
        )
        # The check at the door is linear, but a long text would hold others up.
        text = getattr(message.utterance, "text", None)
        is_long = isinstance(text, str) and len(text) > INLINE_CHARS
        turn = await trio.to_thread.run_sync(envelope) if is_long else envelope()
        if message.utterance.said_at is not None:  # else it is said now, and comes after every erasure
            self._refuse_erased(turn, await self._erased())
        return turn

    async def _erased(self) -> tuple[Erasure, ...]:
        """Return what was erased; an erasure ends this life of the role, so that it is read once."""
        if self._erasures is None:
            self._erasures = await self.world.journal.records(Erasure)
        return self._erasures

    def _refuse_erased(self, turn: Turn, erasures: tuple[Erasure, ...]) -> None:
        if (erasure := bars_turn(erasures, turn)) is not None:
            raise ErasedError(
                f"what was said in {turn.subject!r} until {erasure.at:.3f} s was erased ({erasure.id}), and "
                f"this was said at {turn.said_at:.3f} s: it isn't taken in. Leave it out, or import an export"
            )

    async def _hear(self, envelope: Turn, message: Hear) -> Receipt:
        weighed = await self._weighed(envelope, message.utterance.trust)
        turn, parts = await self._parts(replace(envelope, trust=weighed.trust))
        return await self._store(
            turn,
            Commit(
                actor=self.role,
                cause=turn.id,
                changes=(TurnHeard(turn=turn), *(change for part in parts for change in part.changes)),
                enqueues=(
                    *_work_of_hearing(turn, counts=weighed.counts),
                    *(work for part in parts for work in part.enqueues),
                    *await self._due(turn),
                ),
                idempotency=idempotency_of(envelope),
                cursor=message.cursor,
            ),
            notes=(*_redacted(turn), *(note for part in parts for note in part.notes)),
        )

    async def _weighed(self, envelope: Turn, trust: float | str | None) -> Weighed:
        """Return how far the speaker is believed: by the host's word and by what is known of the account."""
        base = base_of(trust, self.world.settings.trust)
        if envelope.speaker is None or base is None:
            return Weighed(trust=envelope.trust)
        try:
            request = Weigh(speaker=envelope.speaker, base=base)
            return await self.ask("trust", request, timeout_s=self.world.settings.trust.wait_s)
        except OmoideError as error:
            logger.warning("scribe.trust_abstains", extra={"error": type(error).__name__})
            return Weighed(trust=None)

    async def _parts(self, turn: Turn) -> tuple[Turn, tuple[Prepared, ...]]:
        """Return a turn with the wishes that it voices, and what these change in what other roles own."""
        wishes = (await understand(turn.text)).wishes
        parts: list[Prepared] = []
        timeout_s = self.world.settings.actors.reply_timeout_s
        if any(isinstance(wish, Ban | Lift) for wish in wishes):
            parts.append(await self.ask("directives", PrepareWishes(turn=turn), timeout_s=timeout_s))
        forgets = [wish for wish in wishes if isinstance(wish, Forget)]
        objects = [wish.object for wish in forgets if not wish.bare]
        if any(wish.bare for wish in forgets):
            objects += await self._said_before(turn)
        if objects:
            wish_to_forget = PrepareForgetting(turn=turn, objects=tuple(objects))
            forgetting = await self.ask("dedup", wish_to_forget, timeout_s=timeout_s)
            # What it notes are the texts that it forgets, which the receipt tells from the events.
            parts.append(replace(forgetting, notes=()))
        if forgets:
            parts += await self._without_memo(turn)
        return replace(turn, wishes=bool(wishes), forgets=tuple(objects)), tuple(parts)

    async def _said_before(self, turn: Turn) -> list[str]:
        """Return what the same person said just before, which is what "forget that" points at."""
        turns = await self.world.journal.turns(subjects=(turn.subject,), newest=POINTED_AT_TURNS)
        mine = [
            earlier.text
            for earlier in turns
            if earlier.role is Side.PERSON and earlier.id != turn.id and _account(earlier) == _account(turn)
        ]
        return mine[-1:]

    async def _edit(self, edit: Edit) -> tuple[Directive, ...]:
        if isinstance(edit, AddDirective):
            names = (self._stored(name) for name in edit.aliases)
            edit = replace(edit, term=self._stored(edit.term), aliases=tuple(names))
        part = await self.ask(
            "directives", PrepareEdit(edit=edit), timeout_s=self.world.settings.actors.reply_timeout_s
        )
        committed = await self.commit(
            delivered(Commit(actor=self.role, cause="interface", changes=part.changes), edit.delivery)
        )
        return _directives(committed)

    async def _store(self, turn: Turn, commit: Commit, *, notes: tuple[str, ...] = ()) -> Receipt:
        committed = await self.commit(commit)
        if not committed.repeated:
            # Not before: what is due with a turn that isn't stored is due with the next one.
            self._tallies[turn.subject], _ = (await self._tally(turn.subject)).after(turn, self.world.settings)
        return Receipt(
            turn=turn.id,
            role=turn.role,
            seq=committed.events[0].seq,
            heard_at=_heard_at(committed, turn.heard_at),
            repeated=committed.repeated,
            directives=_directives(committed),
            forgotten=_forgotten(committed),
            notes=() if committed.repeated else notes,
        )

    @property
    def _redacts(self) -> bool:
        return self.world.settings.secrets.redact

    def _stored(self, text: str) -> str:
        """Return a text of the host as it is stored."""
        return without_secrets(text, redacts=self._redacts)

    # --- the recent window -----------------------------------------------------------------------

    async def _due(self, turn: Turn) -> tuple[AnyWork, ...]:
        """Return the work that enough was said for, with this turn."""
        _, work = (await self._tally(turn.subject)).after(turn, self.world.settings)
        return work

    async def _tally(self, subject: Subject) -> Tally:
        tally = self._tallies.get(subject)
        if tally is None:
            tally = self._tallies[subject] = await self._counted(subject)
        return tally

    async def _counted(self, subject: Subject) -> Tally:
        """Return how much was said, as far as the newest turns tell: a life that ended had its own count."""
        journal = self.world.journal
        memo = await journal.record(ConversationMemo, memo_id(subject))
        turns = await journal.turns(subjects=(subject,), newest=self.world.settings.window.most)
        covered = next((at + 1 for at, one in enumerate(turns) if memo is not None and one.id == memo.upto), 0)
        own = tuple(one.id for one in turns if one.role is Side.CHARACTER)
        heard = tuple(one.id for one in turns if one.role is Side.PERSON)
        return Tally(
            uncovered=len(turns) - covered,
            own=await self._not_looked_at(own),
            unreviewed=await self._unreviewed(subject, heard),
        )

    async def _not_looked_at(self, own: tuple[TurnId, ...]) -> tuple[TurnId, ...]:
        """Return which of the character's newest lines came after the last look, which its op tells.

        Where that isn't found, as after another `signals.self_turns`, some lines are looked at once more.
        """
        most = self.world.settings.signals.self_turns
        for at in range(len(own), max(len(own) - most, most - 1), -1):
            look = ExtractSelf(turns=own[at - most : at])
            if await self.world.journal.op(op_id(look)) is not None:
                return own[at:]
        return own[max(len(own) - most + 1, 0) :]

    async def _unreviewed(self, subject: Subject, heard: tuple[TurnId, ...]) -> int:
        """Return how many of the newest turns of people came after the one with which a review was due last.

        Its op tells. One that the keeper queued, because people fell silent, is of another cause and counts for
        nothing here.
        """
        window = self.world.settings.window
        most = min(len(heard), window.review_after - 1) if window.review else 0
        for count, turn in enumerate(reversed(heard[len(heard) - most :])):
            op = await self.world.journal.op(op_id(ReviewWindow(subject=subject, turn=turn)))
            if op is not None and op.cause == turn:
                return count
        return most

    async def _without_memo(self, turn: Turn) -> tuple[Prepared, ...]:
        """Return that the memo goes, since it may tell what a person asks to forget, and is made anew."""
        memo = await self.world.journal.record(ConversationMemo, memo_id(turn.subject))
        tally = self._tallies.get(turn.subject, Tally())
        in_the_making = tally.uncovered >= self.world.settings.window.kept
        if memo is None and not in_the_making:
            return ()
        gone = dropped(memo, turn.subject, self.world.clock.now(), reason=turn.id)
        remade = memo is not None and memo.text
        work = (CompactWindow(subject=turn.subject, turn=turn.id),) if remade else ()
        return (Prepared(changes=(MemoDropped(memo=gone),), enqueues=work),)

    async def _store_memo(self, message: StoreMemo) -> MemoStored:
        journal, memo = self.world.journal, message.memo
        known = await journal.record(ConversationMemo, memo.id)
        turns = await journal.turns(subjects=(memo.subject,), newest=self.world.settings.window.most_turns)
        holds = known == message.base and {one.id for one in turns}.issuperset(message.rests_on)
        committed = await self.commit(
            Commit(
                actor=self.role,
                cause=message.op,
                changes=(MemoWritten(memo=memo),) if holds else (),
                settles=(message.op,),
            )
        )
        return MemoStored(stored=holds and not committed.repeated)

    # --- the profile -----------------------------------------------------------------------------

    async def _describe(self, described: Describe) -> Profile:
        # Whoever describes a part may have looked at the whole before another part was changed.
        known = await self.world.journal.profile()
        given = {name: value for name, value in asdict(described).items() if value is not None}
        profile = replace(known, **given)
        profile = replace(profile, owner=self._stored(profile.owner), card=tuple(map(self._stored, profile.card)))
        if known != profile:
            await self.commit(
                Commit(
                    actor=self.role,
                    cause="describe",
                    changes=(ProfileSet(profile=profile),),
                    enqueues=(SyncCard(setting=self.world.new_id()),),
                )
            )
        return profile

    async def _switch(self, *, on: bool) -> Profile:
        """Switch strong memory. What is off already stays off since then."""
        known = await self.world.journal.profile()
        if (known.weak_since is None) is on:
            return known
        profile = replace(known, weak_since=None if on else self.world.clock.now())
        cause = f"strong_memory:{'on' if on else 'off'}"
        await self.commit(Commit(actor=self.role, cause=cause, changes=(ProfileSet(profile=profile),)))
        return profile


def _redacted(turn: Turn) -> tuple[str, ...]:
    """Return what the person can be told where a turn is stored without what was secret in it."""
    kinds = kinds_in(turn.text)
    return (f"not stored, because it is secret: {', '.join(kinds)}",) if kinds else ()


def _work_of_hearing(turn: Turn, *, counts: bool) -> tuple[AnyWork, ...]:
    """Return the work that a person's turn implies; only some turns can say anything of what is believed.

    Args:
        turn: the turn.
        counts: whether a message of its speaker adds to their trust.
    """
    work: list[AnyWork] = [ExtractTurn(turn=turn.id)]
    if may_move_evidence(turn):
        work.append(JudgeTurn(turn=turn.id))
    account = account_key(turn.speaker) if counts and turn.speaker is not None else None
    if account is not None:
        work.append(ReportMessage(account=account, turn=turn.id))
    return tuple(work)


def _work_of_saying(turn: Turn, surfaced: tuple[str, ...]) -> tuple[AnyWork, ...]:
    count = CountMentions(turn=turn.id)
    return (RecordSurfaced(turn=turn.id, surfaced=surfaced), count) if surfaced else (count,)


def _heard_at(committed: Committed, default: float) -> float:
    match committed.events[0].change:
        case TurnHeard(turn=turn) | TurnSaid(turn=turn):
            return turn.heard_at
        case _:
            return default


def _account(turn: Turn) -> str:
    return "" if turn.speaker is None else turn.speaker.key


def _directives(committed: Committed) -> tuple[Directive, ...]:
    """Return the directives that a commit changed, each as it is after it."""
    changed = {
        event.change.directive.id: event.change.directive
        for event in committed.events
        if isinstance(event.change, DirectiveGiven | DirectiveLifted | DirectiveDeleted)
    }
    return tuple(changed.values())


def _forgotten(committed: Committed) -> tuple[str, ...]:
    return tuple(event.change.fact.text for event in committed.events if isinstance(event.change, FactRetracted))
