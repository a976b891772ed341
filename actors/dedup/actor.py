"""The dedup role, writer of the facts and of the rejections.

Takes `Learn` (replies `Learned`), `RunOp` for work that rejects a value (replies `OpDone`), `Decide` (replies
`Decided`) and `PrepareForgetting` (replies `Prepared`, which whoever asks commits).

It holds the facts of the subjects that it was asked about last, and follows the journal before each message, so
that what a message costs doesn't grow with what is stored; a crash loses nothing. Rules are idempotent, so that
repeats and another order of arrival end in the same facts. What a message changes, and the settling of its op, are
one commit: a correction is there as a whole or not at all. Restart: permanent.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, TypeVar, assert_never
from zoneinfo import ZoneInfo

import trio
from msgspec.structs import replace

from ...protocols.clauses.afterthoughts import puts_right
from ...protocols.erasure import Erasure, barred_ids
from ...protocols.errors import DefectError, NotFoundError
from ...protocols.events import AnyChange, FactAdded, FactRepeated, record_ids_of, record_of
from ...protocols.facts import speaker_key
from ...protocols.messages import (
    Commit,
    Decide,
    Decided,
    Learn,
    Learned,
    NearValue,
    OpDone,
    Prepared,
    PrepareForgetting,
    RunOp,
)
from ...protocols.records import (
    Fact,
    FactId,
    FactStatus,
    OpId,
    PersonaEntry,
    Profile,
    Reflection,
    Rejection,
    RejectionId,
    Turn,
    TurnId,
)
from ...protocols.scopes import Subject
from ...protocols.work import ForgetTopic, RecogniseValue, RejectValue, ReportAttestation
from ..precedence import in_steps
from ..role import Peer, Role, Surroundings, delivered
from ..trust.identifying import persons_among
from .arbitration import arbitrate, attestations
from .corrections import Occasion, reject
from .decisions import changed_ids, decide
from .elsewhere import denials_elsewhere, deny_elsewhere, places, reject_elsewhere
from .follow_up import follow_up
from .forgetting import forget
from .learning import Heard, contradicting, is_bare, learn, stated_facts
from .ledger import Ledger
from .recognising import Wording, quotes, recognise, wordings_of
from .second_thoughts import (
    TURNS_AROUND,
    SecondThought,
    as_meant,
    second_thought,
    second_thought_on_a_line,
    taken_back_by,
)
from .spoken import Spoken, spoken_in
from .stored import StoredFacts
from .talk import last_said, line_answered, wishes_since

Outcome = TypeVar("Outcome")

INLINE_RECORDS: Final = 64
"""Most facts and rejections of a subject compared on the event loop: some 20 ms where none was read before."""

SUBJECTS_KEPT: Final = 32
"""Subjects whose facts are held: those of the talk that goes on."""


class Dedup(Role):
    """Stores what is new in a turn's candidates, and corrects what is believed."""

    role: ClassVar[str] = "dedup"
    accepts: ClassVar[tuple[type, ...]] = (Learn, RunOp, Decide, PrepareForgetting)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._stored: OrderedDict[Subject, StoredFacts] = OrderedDict()
        self._reflects_seq = 0

    async def receive(
        self, message: Learn | RunOp | Decide | PrepareForgetting
    ) -> Learned | OpDone | Decided | Prepared:
        """Handle one message."""
        self.reach("received")
        match message:
            case Learn():
                return await self._learn(message)
            case RunOp():
                return await self._run(message)
            case Decide():
                return await self._decide(message)
            case PrepareForgetting():
                return await self._prepare_forgetting(message)
            case _:
                assert_never(message)

    async def _learn(self, message: Learn) -> Learned:
        turn = message.turn
        ledger = await self._open(turn.subject)
        occasion = self._occasion(turn)
        heard = await self._heard(message, ledger)
        speakers = {"", speaker_key(turn), *(speaker.key for speaker in ledger.speakers())}
        bound = await persons_among(self, speakers)
        reports = await self._compare(
            ledger,
            lambda: self._take_in(ledger, occasion, heard, message.near, bound),
            reads=len(ledger) if heard.corrects or heard.later or message.near else ledger.unread,
        )
        await self._forgotten_since(message.op, turn, ledger)
        elsewhere = await self._elsewhere(occasion, heard.spoken, ledger)
        changes = await self._not_erased(message.op, (*ledger.changes(), *elsewhere))
        if not (changes or message.settles):
            return Learned()
        committed = await self.commit(
            Commit(
                actor=self.role,
                cause=message.op,
                changes=changes,
                settles=(message.op,) if message.settles else (),
                enqueues=(*follow_up(message.turn.id, changes), *reports),
            ),
        )
        if committed.repeated:
            return Learned(already_settled=True)
        return Learned(
            added=sum(isinstance(change, FactAdded) for change in changes),
            repeated=sum(isinstance(change, FactRepeated) for change in changes),
        )

    async def _heard(self, message: Learn, ledger: Ledger) -> Heard:
        """Return a turn and what a mind makes of it, with all that was said around it and bears on it."""
        turn, candidates, journal = message.turn, message.candidates, self.world.journal
        before = await journal.turns(subjects=(turn.subject,), newest=TURNS_AROUND, before=turn.id)
        second = second_thought(turn, before)
        if second is None and puts_right(turn.text) and (line := await line_answered(journal, turn)):
            found = second_thought_on_a_line(turn, line, ledger)
            if found is not None:
                second, meant = found
                candidates = (*candidates, meant)
        spoken = self._spoken(as_meant(turn, second), ledger)
        contradicting_turns = await self._compare(
            ledger,
            lambda: contradicting(ledger, turn, candidates, self.world.clock.now()),
            reads=ledger.unread,
        )
        later = [await journal.turn(turn_id) for turn_id in contradicting_turns]
        return Heard(
            turn=as_meant(turn, second),
            spoken=spoken,
            candidates=candidates,
            second=second,
            takers=await self._takers(turn, before),
            line=await line_answered(journal, turn) if is_bare(spoken) else "",
            later=tuple((one, self._spoken(one, ledger)) for one in later if one is not None),
            zone=ZoneInfo(self.world.settings.time_zone),
            denied=denials_elsewhere(await journal.records(Rejection), turn.subject, speaker_key(turn)),
        )

    async def _takers(self, turn: Turn, before: Sequence[Turn]) -> tuple[tuple[Turn, SecondThought], ...]:
        """Return the turns heard since that take back what a turn said."""
        newest = await self.world.journal.turns(subjects=(turn.subject,), newest=TURNS_AROUND)
        places = [at for at, one in enumerate(newest) if one.id == turn.id]
        return taken_back_by(turn, (*before, turn, *newest[places[0] + 1 :])) if places else ()

    async def _forgotten_since(self, op_id: OpId, turn: Turn, ledger: Ledger) -> None:
        """Forget what people asked to forget while the turn waited to be learned: their wishes came first."""
        op = await self.world.journal.op(op_id)
        if op is None or op.not_before <= op.enqueued_at:
            return
        believed = await self.world.journal.records(Reflection)
        for wish in await wishes_since(self.world.journal, turn):
            await self._compare(ledger, partial(forget, ledger, self._occasion(wish), wish.forgets, believed))

    async def _elsewhere(
        self, occasion: Occasion, spoken: tuple[Spoken, ...], ledger: Ledger
    ) -> tuple[AnyChange, ...]:
        """Return what a person's denial changes where else they said the same."""
        own = spoken[0] if spoken else None
        if own is None or not (own.denials or own.corrections):
            return ()
        made = tuple(
            one
            for one in ledger.rejections()
            if one.cause == occasion.cause and one.by == one.about == occasion.by and one.lifted_at is None
        )
        return await self._in_other_places(
            occasion,
            occasion.by,
            ledger.names,
            lambda there, denial: deny_elsewhere(there, denial, own, made),
        )

    async def _in_other_places(
        self, occasion: Occasion, by: str, names: tuple[str, ...], rule: Callable[[Ledger, Occasion], None]
    ) -> tuple[AnyChange, ...]:
        """Return what a rule changes of what a person said in other places than an occasion's."""
        facts = await self.world.journal.facts(statuses=tuple(FactStatus))
        rejections = await self.world.journal.records(Rejection)
        changes: list[AnyChange] = []
        for subject, theirs in places(facts, occasion.subject, by).items():
            there = Ledger(theirs, (one for one in rejections if one.subject == subject), names)
            await self._compare(there, partial(rule, there, replace(occasion, subject=subject)))
            changes.extend(there.changes())
        return tuple(changes)

    def _take_in(
        self,
        ledger: Ledger,
        occasion: Occasion,
        heard: Heard,
        near: tuple[NearValue, ...],
        bound: Mapping[str, str],
    ) -> tuple[ReportAttestation, ...]:
        """Take in a turn, and return what it says of how far others are to be believed."""
        for value in near:
            candidates = [heard.candidates[place] for place in value.candidates]
            recognise(ledger, RejectionId(value.rejection), wordings_of(heard.turn, candidates))
        reports = attestations(ledger, heard.turn, heard.candidates)
        stated = stated_facts(heard.turn, heard.candidates, occasion.now, heard.zone)
        learn(ledger, occasion, heard)
        arbitrate(ledger, stated, self.world.settings.trust, bound)
        return reports

    async def _not_erased(self, op_id: OpId, changes: tuple[AnyChange, ...]) -> tuple[AnyChange, ...]:
        """Return the changes without what was erased while the work for it waited."""
        erasures = await self.world.journal.records(Erasure)
        op = await self.world.journal.op(op_id) if erasures else None
        barred = barred_ids(erasures, op.seq) if op else frozenset()
        return tuple(change for change in changes if barred.isdisjoint(record_ids_of(record_of(change))[:1]))

    async def _run(self, message: RunOp) -> OpDone:
        op, by = message.op, ""
        match op.work:
            case RejectValue():
                changes = await self._reject(op.work, op.enqueued_at)
                turn = TurnId(op.work.cause)
            case ForgetTopic():
                changes = await self._forget(op.work)
                turn = op.work.turn
            case RecogniseValue():
                changes = await self._recognise(op.work)
                turn, by = TurnId(op.id), str(op.id)
            case work:
                raise DefectError(f"dedup was given {work.key}")
        await self.commit(
            Commit(
                actor=self.role,
                cause=op.id,
                changes=changes,
                settles=(op.id,),
                enqueues=follow_up(turn, changes, by=by),
            ),
        )
        return OpDone()

    async def _reject(self, work: RejectValue, asked_at: float) -> tuple[AnyChange, ...]:
        turn = await self.world.journal.turn(TurnId(work.cause))
        ledger = await self._open(work.subject)
        if turn is None:
            occasion = self._chosen(work.subject, asked_at, work.cause)
        else:
            occasion = replace(self._occasion(turn), subject=work.subject)
        await self._compare(
            ledger,
            lambda: reject(
                ledger,
                occasion,
                work.text,
                entity=work.entity,
                about=occasion.by,
                names=_called(turn, ledger),
            ),
        )
        return ledger.changes()

    async def _forget(self, work: ForgetTopic) -> tuple[AnyChange, ...]:
        turn = await self.world.journal.turn(work.turn)
        if turn is None:
            return ()
        ledger = await self._open(work.subject)
        believed = await self.world.journal.records(Reflection)
        await self._compare(ledger, lambda: forget(ledger, self._occasion(turn), work.objects, believed))
        return ledger.changes()

    async def _recognise(self, work: RecogniseValue) -> tuple[AnyChange, ...]:
        journal = self.world.journal
        rejection = await journal.record(Rejection, work.rejection)
        if rejection is None or rejection.lifted_at is not None:
            return ()
        ledger = await self._open(rejection.subject)
        wordings = [
            Wording(
                text=fact.text,
                entity=fact.entity,
                speaker=speaker_key(fact),
                said_at=await self._said_at(fact),
            )
            for record in work.records
            if (fact := ledger.fact(FactId(record))) is not None
        ]
        for record in work.records:
            belief = await journal.record(Reflection, record) or await journal.record(PersonaEntry, record)
            if belief is not None and belief.subject == rejection.subject:
                wordings.append(Wording(text=belief.text, entity=belief.entity))
        await self._compare(ledger, lambda: recognise(ledger, rejection.id, wordings))
        return ledger.changes()

    async def _said_at(self, fact: Fact) -> float | None:
        """Return when the speaker last said a fact in just its words, or None where a mind worded it."""
        for source in sorted(fact.sources, key=lambda one: one.said_at, reverse=True):
            turn = await self.world.journal.turn(source.turn)
            if turn is not None and quotes(turn.text, fact.text):
                return turn.said_at
        return None

    async def _decide(self, message: Decide) -> Decided:
        subject = await self._subject_of(message.record)
        ledger = await self._open(subject)
        cause = f"request_{self.world.new_id()}"
        occasion = self._chosen(subject, await self._after_what_was_said(ledger, subject), cause)
        await self._compare(ledger, lambda: decide(ledger, occasion, message.record, affirms=message.affirms))
        changes = (*ledger.changes(), *await self._rejected_elsewhere(ledger, occasion, message.record))
        if changes or message.delivery is not None:
            follow = follow_up(TurnId(cause), changes)
            commit = Commit(actor=self.role, cause=cause, changes=changes, enqueues=follow)
            await self.commit(delivered(commit, message.delivery))
        return Decided(records=changed_ids(message.record, changes))

    async def _after_what_was_said(self, ledger: Ledger, subject: Subject) -> float:
        """Return a time behind all that was heard or chosen before a choice in the interface.

        Where the clock was set back, what was said last stands after now; whoever chooses has heard it all the
        same, and what is learned of it only later must not undo the choice.
        """
        said = await last_said(self.world.journal, subject)
        chosen = (one.disputed_at if one.lifted_at is None else one.lifted_at for one in ledger.rejections())
        return max(self.world.clock.now(), math.nextafter(said, math.inf), *chosen)

    async def _rejected_elsewhere(self, ledger: Ledger, occasion: Occasion, record: str) -> tuple[AnyChange, ...]:
        """Return what a choice in the interface changes where else the same person said the same of themself."""
        fact = ledger.fact(FactId(record))
        made = tuple(
            one
            for one in ledger.rejections()
            if one.cause == occasion.cause
            and one.lifted_at is None
            and (fact is None or one.about == speaker_key(fact))
        )
        changes: list[AnyChange] = []
        for by in dict.fromkeys(one.about for one in made):
            own = tuple(one for one in made if one.about == by)
            changes += await self._in_other_places(occasion, by, ledger.names, partial(reject_elsewhere, made=own))
        return tuple(changes)

    async def _prepare_forgetting(self, message: PrepareForgetting) -> Prepared:
        turn = message.turn
        ledger = await self._open(turn.subject)
        believed = await self.world.journal.records(Reflection)
        wish = self._occasion(turn)
        texts = await self._compare(ledger, lambda: forget(ledger, wish, message.objects, believed))
        changes = ledger.changes()
        # Who asks commits this while other work goes on here, and turns from before may not be learned yet:
        # the same wish once more, from the outbox, finds what slipped in between.
        late = ForgetTopic(turn=turn.id, subject=turn.subject, objects=message.objects)
        return Prepared(changes=changes, enqueues=(late, *follow_up(turn.id, changes)), notes=texts)

    def _spoken(self, turn: Turn, ledger: Ledger) -> tuple[Spoken, ...]:
        return spoken_in(turn, ledger.names, ledger.speakers(), ledger.names_given_by(speaker_key(turn)))

    async def _subject_of(self, record: str) -> Subject:
        facts = await self.world.journal.facts_by_id((FactId(record),))
        found = facts.get(FactId(record)) or await self.world.journal.record(Rejection, record)
        if found is None:
            raise NotFoundError(
                f"nothing is stored under {record!r}: `omoide facts NAME` lists the facts, and `omoide explain`"
                " finds them by their words"
            )
        return found.subject

    async def _open(self, subject: Subject) -> Ledger:
        profile = await self.world.journal.profile()
        names = (profile.owner,) if profile.owner else ()
        await self._follow()
        stored = self._stored.get(subject)
        if stored is None:
            facts = await self.world.journal.facts(subjects=(subject,), statuses=tuple(FactStatus))
            stored = self._stored[subject] = await in_steps(partial(StoredFacts.filed, facts, names))
            if len(self._stored) > SUBJECTS_KEPT:
                self._stored.popitem(last=False)
        self._stored.move_to_end(subject)
        rejections = await self.world.journal.records(Rejection)
        return Ledger(stored, (one for one in rejections if one.subject == subject), names)

    async def _follow(self) -> None:
        """Take in what was committed since the last message."""
        last = self.world.journal.last_seq
        if not self._stored:
            self._reflects_seq = last
        elif self._reflects_seq < last:
            for event in await self.world.journal.events(after=self._reflects_seq):
                record = None if event.change is None else record_of(event.change)
                if record is None or isinstance(record, Profile):
                    self._stored.clear()
                elif isinstance(record, Fact) and record.subject in self._stored:
                    self._stored[record.subject].put(record)
                self._reflects_seq = event.seq

    def _occasion(self, turn: Turn) -> Occasion:
        return Occasion(
            at=turn.said_at,
            cause=turn.id,
            by=speaker_key(turn),
            subject=turn.subject,
            disputation=self.world.settings.evidence.denied,
            now=self.world.clock.now(),
        )

    def _chosen(self, subject: Subject, at: float, cause: str) -> Occasion:
        return Occasion(
            at=at,
            cause=cause,
            subject=subject,
            disputation=self.world.settings.evidence.denied,
            now=self.world.clock.now(),
        )

    async def _compare(self, ledger: Ledger, rule: Callable[[], Outcome], *, reads: int | None = None) -> Outcome:
        """Return what a rule returns, applied in a thread where much may have to be read for it.

        Args:
            ledger: what is stored.
            rule: the rule.
            reads: most facts that it reads, None for all.
        """
        if len(ledger.rejections()) + (len(ledger) if reads is None else reads) <= INLINE_RECORDS:
            return rule()
        return await trio.to_thread.run_sync(rule)


def _called(turn: Turn | None, ledger: Ledger) -> tuple[str, ...]:
    """Return what the speaker of a turn is called; the owner's names where there is no turn."""
    if turn is None or turn.speaker is None:
        return ledger.names
    return (turn.speaker.label,) if turn.speaker.label else ()
