"""The directives role: what the person asked not to hear of, and the gates that hold to it.

Takes `PrepareWishes` and `PrepareEdit` (reply `Prepared`, which the scribe commits), `JudgeDraft` (`Verdict`),
`OpenGate` (`Opening`) and `ShowBlock` (text). Sends nothing.

It decides every change of a directive and commits none: its part lands in the scribe's commit, with the turn
that voiced it, and the scribe commits one at a time, so that no part is prepared from what another changes.
It holds the directives and what was said last in the subjects that were asked about, with the seq of the
journal that they reflect, and takes in what was committed since before each answer: what a receipt
acknowledged holds for the next gate. A crash loses nothing: all is read again. Restart: permanent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias, TypeVar, assert_never
from zoneinfo import ZoneInfo

import trio

from ...protocols.events import (
    AnyDirectiveChange,
    DirectiveDeleted,
    DirectiveDropped,
    DirectiveGiven,
    DirectiveLifted,
    Event,
    TurnHeard,
    TurnSaid,
)
from ...protocols.messages import Prepared, PrepareWishes
from ...protocols.records import Directive, Turn
from ...protocols.records import Role as Side
from ...protocols.scopes import Subject
from ..role import Peer, Role, Surroundings
from .audience import FIRST_READ, Audience, is_enough
from .bounds import bound, drop
from .changes import LaterLift, entered, is_late, removed, said_when, voiced, without_name
from .folding import fold_term
from .gates import Verdict, gate, without_repeating
from .messages import (
    AddDirective,
    JudgeDraft,
    OpenGate,
    Opening,
    PrepareEdit,
    ShowBlock,
)
from .phrasebook import phrasebook
from .prompt import prompt_block
from .standing import Standing, topics_raised
from .stated import understand
from .wishes import Ban, Lift, Wish

INLINE_CHARS: Final = 8_192
"""Longest draft that is judged on the event loop (characters): some 3 ms; a longer one goes to a thread."""

AUDIENCES_KEPT: Final = 64
"""Subjects whose last turns are kept in memory; those of another are read again when it is asked about."""

CATCH_UP_EVENTS: Final = 2_000
"""Events that are taken in one by one; further behind than that, the views are read instead."""

ROOM_MADE: Final = (
    "{count} directives that hold no more were dropped, so that no more than {stored} are kept: "
    "their events still tell of them"
)
"""The note of a receipt by which others made room. It names no term."""

Answer = TypeVar("Answer")

Asked: TypeAlias = PrepareWishes | PrepareEdit | JudgeDraft | OpenGate | ShowBlock


class Directives(Role):
    """Decides what a wish changes, and holds what is said to what was wished."""

    role: ClassVar[str] = "directives"
    accepts: ClassVar[tuple[type, ...]] = (PrepareWishes, PrepareEdit, JudgeDraft, OpenGate, ShowBlock)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._standing = Standing()
        self._audiences: dict[Subject, Audience] = {}
        self._reflects_seq: int | None = None

    async def on_start(self) -> None:
        """Have the phrases compiled, so that the first sentence heard doesn't wait for it."""
        await trio.to_thread.run_sync(phrasebook)

    async def receive(self, message: Asked) -> Prepared | Verdict | Opening | str:
        """Answer one question, from what is committed now."""
        self.reach("received")
        await self._catch_up()
        match message:
            case PrepareWishes() | PrepareEdit():
                return await self._prepare(message)
            case JudgeDraft():
                return await self._judge(message)
            case OpenGate():
                return await self._open(message)
            case ShowBlock():
                return await self._show(message)
            case _:
                assert_never(message)

    async def _prepare(self, message: PrepareWishes | PrepareEdit) -> Prepared:
        stored, settings = self._standing.directives, self.world.settings.directives
        changes: tuple[AnyDirectiveChange, ...]
        match message:
            case PrepareWishes(turn=turn):
                wishes = await self._wishes_of(turn)
                later = await self._lifted_later(turn) if any(isinstance(one, Ban) for one in wishes) else ()
                zone = ZoneInfo(self.world.settings.time_zone)
                changes = voiced(turn, wishes, stored, settings, later=later, zone=zone)
            case PrepareEdit(edit=edit):
                now = self.world.clock.now()
                if isinstance(edit, AddDirective):
                    changes = (entered(edit.term, edit.aliases, stored, now, settings),)
                else:
                    changes = removed(edit.name, stored, now)
            case _:
                assert_never(message)
        return self._within_bounds(changes)

    async def _lifted_later(self, turn: Turn) -> tuple[LaterLift, ...]:
        """Return what the same speaker allowed after a turn that is heard late; nothing for one that isn't."""
        said_at = said_when(turn)
        if not is_late(turn) or said_at >= (await self._audience(turn.subject)).said_at:
            return ()
        turns = await self.world.journal.turns(subjects=(turn.subject,), newest=FIRST_READ)
        after = [one for one in turns if one.role is Side.PERSON and said_when(one) > said_at]
        heard = [(said_when(one), await understand(one.text)) for one in after if _account(one) == _account(turn)]
        return tuple(
            LaterLift(wish, at) for at, understood in heard for wish in understood.wishes if isinstance(wish, Lift)
        )

    def _within_bounds(self, changes: tuple[AnyDirectiveChange, ...]) -> Prepared:
        """Return changes with those of the directives that make room for them, and a note of what is too many."""
        changed = {change.directive.id: change.directive for change in changes}
        after = {**self._standing.directives, **changed}
        bounded = bound(tuple(after.values()), self.world.clock.now(), self.world.settings.directives.stored)
        gone = tuple(
            DirectiveDropped(directive=drop(directive))
            for directive in bounded.lapsed_removed
            if directive.id not in changed
        )
        notes = [ROOM_MADE.format(count=len(gone), stored=self.world.settings.directives.stored)] if gone else []
        if bounded.warning and any(isinstance(change, DirectiveGiven) for change in changes):
            notes.append(bounded.warning)
        return Prepared(changes=(*changes, *gone), notes=tuple(notes))

    async def _wishes_of(self, turn: Turn) -> tuple[Wish, ...]:
        """Return the wishes of a turn, with the topics of its pronouns where they are plain from what was said."""
        wishes = (await understand(turn.text)).wishes
        if any(isinstance(wish, Ban | Lift) and wish.bare for wish in wishes):
            before = tuple((await self._audience(turn.subject)).lately)
            wishes = (await understand(turn.text, before=before)).wishes
        own = fold_term(self.world.character)
        return tuple(without_name(wish, own) if isinstance(wish, Ban) else wish for wish in wishes)

    async def _judge(self, message: JudgeDraft) -> Verdict:
        if not message.draft or message.draft.isspace():
            return Verdict(verdict="allow")
        matcher = self._standing.matcher((message.subject,), self.world.clock.now())
        if message.unprompted:
            verdict = await _inline(message.draft, lambda: gate(message.draft, matcher, unprompted=True))
            if verdict.verdict != "allow":
                return verdict
            corpus, now = (await self._audience(message.subject)).corpus, self.world.clock.now()
            repetition = await _inline(message.draft, lambda: corpus.judge(message.draft, now))
            return without_repeating(verdict, repetition)
        verdict = await _inline(message.draft, lambda: gate(message.draft, matcher, unprompted=False))
        if verdict.verdict == "allow":
            return verdict
        raised = await topics_raised(await self._said(message.subject, message.said), matcher)
        if not raised:
            return verdict
        return await _inline(message.draft, lambda: gate(message.draft, matcher, unprompted=False, raised=raised))

    async def _open(self, message: OpenGate) -> Opening:
        matcher = self._standing.matcher((message.subject,), self.world.clock.now())
        known = message.known
        if known is not None and known.matcher is matcher:
            return known
        if message.unprompted:
            return Opening(matcher=matcher, raised=frozenset(), said="")
        said = await self._said(message.subject, message.said) if known is None else known.said
        return Opening(matcher=matcher, raised=await topics_raised(said, matcher), said=said)

    async def _show(self, message: ShowBlock) -> str:
        locale = message.locale
        if locale is None:
            locale = (await self.world.journal.profile()).locale
        now = self.world.clock.now()
        readable = tuple(
            directive
            for directive in self._standing.in_force(message.subjects, now)
            if directive.subject in message.subjects
        )
        return prompt_block(readable, locale, shown=self.world.settings.directives.shown)

    async def _said(self, subject: Subject, said: str | None) -> str:
        return (await self._audience(subject)).said if said is None else said

    async def _audience(self, subject: Subject) -> Audience:
        """Return what was said last in a subject, read from its turns where it isn't known."""
        audience = self._audiences.pop(subject, None)
        if audience is None:
            settings, newest = self.world.settings.repetition, FIRST_READ
            turns = await self.world.journal.turns(subjects=(subject,), newest=newest)
            while not is_enough(turns, newest, settings):
                newest *= 4
                turns = await self.world.journal.turns(subjects=(subject,), newest=newest)
            audience = Audience(settings, turns)
            while len(self._audiences) >= AUDIENCES_KEPT:
                del self._audiences[next(iter(self._audiences))]
        self._audiences[subject] = audience
        return audience

    async def _catch_up(self) -> None:
        newest = self.world.journal.last_seq
        if self._reflects_seq is None or newest - self._reflects_seq > CATCH_UP_EVENTS:
            self._audiences = {}
            # The seq is taken first: an event that is already in the records is folded once more, to no effect.
            self._standing = Standing(await self.world.journal.records(Directive))
            self._reflects_seq = newest
        elif self._reflects_seq < newest:
            for event in await self.world.journal.events(after=self._reflects_seq):
                self._take(event)
                self._reflects_seq = event.seq

    def _take(self, event: Event) -> None:
        match event.change:
            case (
                DirectiveGiven(directive=directive)
                | DirectiveLifted(directive=directive)
                | DirectiveDeleted(directive=directive)
                | DirectiveDropped(directive=directive)
            ):
                self._standing.take(directive)
            case TurnHeard(turn=turn) | TurnSaid(turn=turn):
                if (audience := self._audiences.get(turn.subject)) is not None:
                    audience.take(turn)
            case _:
                return


async def _inline(text: str, work: Callable[[], Answer]) -> Answer:
    """Return what the work on a text returns, done in a thread where the text is long."""
    return work() if len(text) <= INLINE_CHARS else await trio.to_thread.run_sync(work)


def _account(turn: Turn) -> str:
    return "" if turn.speaker is None else turn.speaker.key
