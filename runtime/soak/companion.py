"""One character as the harness talks to it: its steps, one after the other, each held against its oracle."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from . import protocol
from .asking import Asker
from .grammar import Act, draft, marker, sentence
from .oracle import Fault, Oracle, State, Statement
from .plan import AnyStep, Ask, Move, Passivate, Reject, Retire, Settle, Talk, Tamper
from .protocol import (
    Brief,
    Counted,
    Done,
    Examine,
    Examined,
    Found,
    Gate,
    Hear,
    Heard,
    Look,
    Recall,
    Shown,
    Stream,
    Told,
)
from .run import Notes, Run

if TYPE_CHECKING:  # else a soak without a bus would need its library
    from .bus import Letter

PROBES: Final = 3
"""Statements of each kind that are asked for whenever a character has settled."""

SETTLINGS: Final = 4
"""How often work is done again that a fault may have hit, before what is left of it counts."""

SCRUBBED_LATER: Final = "file: bytes of what was erased"
"""How the doctor's finding begins that breaks nothing: the bytes go once nobody reads the shared file any more."""

QUEUED: Final = 8
"""Steps that wait for one character; then the plan waits."""


@dataclass(frozen=True, slots=True)
class World:
    """What the characters of one run share.

    Attributes:
        asker: how the process under test is asked.
        run: the record.
        notes: where broken promises are noted.
        folder: where exports go.
        chance: decides which statements are asked for.
        provider_left_s: returns for how many seconds the provider goes on to misbehave.
        steady_now: returns the time of a clock that never jumps, in seconds since the epoch.
    """

    asker: Asker
    run: Run
    notes: Notes
    folder: Path
    chance: random.Random
    provider_left_s: Callable[[], float]
    steady_now: Callable[[], float]


class Companion:
    """One character: what it was told, and the steps that wait for it.

    Args:
        name: the character's.
        world: what it shares with others.
    """

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self.send, self._receive = trio.open_memory_channel[tuple[int, AnyStep]](QUEUED)
        self._oracle = Oracle()
        self._world = world
        self._number = 0
        self._moves = 0
        self._sent: tuple[Talk, Letter] | None = None

    async def live(self) -> None:
        """Do the steps that come, until it is retired or none will come."""
        async for number, step in self._receive:
            self._number = number
            await self._do(step)
            if isinstance(step, Retire):
                return

    async def _do(self, step: AnyStep) -> None:
        match step:
            case Talk():
                await self._talk(step)
            case Ask():
                await self._ask(step)
            case Reject():
                await self._reject(step)
            case Settle():
                await self._settle(thorough=self._world.chance.random() < 1 / 3)
            case Passivate():
                await self._insist(protocol.Passivate(who=self.name), Done)
            case Retire():
                await self._settle(thorough=True)
                await self._leave_bus()
                await self._insist(protocol.Retire(who=self.name), Done)
            case Move() | Tamper() if self._oracle.heard:
                await self._handle_files(step)
            case _:
                return

    # --- talking ---------------------------------------------------------------------------------

    async def _talk(self, step: Talk) -> None:
        request = Hear(
            who=step.who,
            text=sentence(step.family, step.act, step.item),
            place=step.place,
            by=step.by,
            id=step.id,
            said_at=self._world.steady_now() - step.late_s,
        )
        # The owner is introduced with the first word, which the bus has no command for.
        by_bus = step.bus and bool(self._oracle.heard)
        answers = await (self._send(step, request) if by_bus else self._say(step, request))
        for heard, is_first in answers:
            sure = is_first and step.copies == 1
            self._hold(self._oracle.told(step, heard.turn, repeated=heard.repeated, is_first=sure))
        if sum(not heard.repeated for heard, _ in answers) > 1:
            self._broken("P2", f"message {step.id} was new more than once", (step.id,))
        if step.act in {Act.BAN, Act.LIFT}:
            await self._hold_gates(self._oracle.statement(step.family, step.item, step.place, step.by))

    async def _say(self, step: Talk, request: Hear) -> list[tuple[Heard, bool]]:
        """Say something to the process itself; returns the receipts, and which came at the first attempt."""
        answers: list[tuple[Heard, bool]] = []

        async def deliver() -> None:
            asker = self._world.asker
            answers.append(await asker.insist_counting(self.name, self._number, request, Heard))

        async with trio.open_nursery() as nursery:
            for _ in range(step.copies):
                nursery.start_soon(deliver)
        return answers

    async def _send(self, step: Talk, request: Hear) -> list[tuple[Heard, bool]]:
        """Say something over the bus, and then what went over it before once more, which must change nothing.

        No receipt is known to be of the first attempt: the server may deliver a command again on its own.
        """
        from .bus import letter_of  # noqa: PLC0415 - the library of an extra

        letter, before = letter_of(request), self._sent
        asker = self._world.asker
        receipts = await asker.insist_by_bus(self.name, self._number, letter, copies=step.copies)
        self._sent = step, letter
        if step.echo and before is not None:
            earlier, stale = before
            for heard in await asker.insist_by_bus(self.name, self._number, stale):
                self._hold(self._oracle.told(earlier, heard.turn, repeated=heard.repeated, is_first=False))
                if not heard.repeated:
                    self._broken("P2", f"message {earlier.id} was new more than once", (heard.turn,))
        return [(heard, False) for heard in receipts]

    async def _leave_bus(self) -> None:
        """Have the bus forget its commands: those that it still has would bring an erased character back."""
        if self._sent is not None:
            await self._world.asker.purge(self.name)

    async def _reject(self, step: Reject) -> None:
        text = sentence(step.family, Act.STATE, step.item)
        request = protocol.Reject(who=self.name, text=text, place=step.place)
        rejected, is_first = await self._world.asker.insist_counting(self.name, self._number, request, Counted)
        for one in self._oracle.statements.values():
            if (one.family, one.item, one.place) == (step.family, step.item, step.place) and one.state is not None:
                one.state = State.GONE if rejected.count else (one.state if is_first else State.UNKNOWN)

    # --- asking ----------------------------------------------------------------------------------

    async def _ask(self, step: Ask) -> None:
        places = (step.place,)
        match step.what:
            case "recall":
                query = sentence(step.family, Act.STATE, step.item)
                found = await self._insist(Recall(who=self.name, query=query, places=places, limit=8), Found)
                self._hold(self._oracle.judge_hits(found.hits, places, asked=query))
            case "briefing":
                told = await self._insist(Brief(who=self.name, places=places, cue=marker(step.item)), Told)
                self._hold(self._oracle.judge_scope([told.text], places))
            case "gate" | "stream":
                for one in list(self._oracle.statements.values()):
                    if (one.family, one.item, one.place) == (step.family, step.item, step.place):
                        await self._hold_gates(one)

    async def _hold_gates(self, one: Statement) -> None:
        """Hold both gates to a ban, at once after it was given or lifted: it waits for no background work."""
        line, word = draft(one.family, one.item), marker(one.item)
        half = len(line) // 2
        verdict = await self._insist(Gate(who=self.name, draft=line, place=one.place), Told)
        chunks = (line[:half], line[half:])
        spoken = await self._insist(Stream(who=self.name, chunks=chunks, place=one.place), Told)
        self._hold(())
        if one.banned and verdict.text == "allow":
            self._broken("P4", f"{word!r} is banned, and the gate lets it through")
        if one.banned and word in spoken.text:
            self._broken("P4", f"{word!r} is banned, and was streamed")
        if not one.banned and word not in spoken.text:
            self._broken("P4", f"{word!r} is not banned, and the stream keeps it back")

    # --- settling --------------------------------------------------------------------------------

    async def _settle(self, *, thorough: bool) -> None:
        if not self._oracle.heard:
            return
        for _ in range(SETTLINGS):
            parked = await self._insist(protocol.Settle(who=self.name), Counted)
            shown = await self._insist(Look(who=self.name), Shown)
            if not (parked.count or shown.pending):
                break
            await trio.sleep(self._world.provider_left_s())
        if parked.count:
            self._broken("P9", f"work stays parked: {parked.which[0]}", parked.which)
        self._hold(self._oracle.judge(shown))
        await self._probe()
        if thorough:
            examined = await self._insist(Examine(who=self.name), Examined)
            self._hold(Fault("P7", one) for one in examined.findings if not one.startswith(SCRUBBED_LATER))

    async def _probe(self) -> None:
        """Ask for some of what must come out, and of what must not."""
        for one in self._some(lambda one: one.state in {State.DENIED, State.GONE}):
            found = await self._recalled(one, limit=20)
            told = await self._insist(Brief(who=self.name, places=(one.place,), cue=one.text), Told)
            texts = [*((hit.id, hit.text) for hit in found.hits), ("", told.text)]
            self._hold(self._oracle.judge_denied(texts, one.place))
            self._hold(self._oracle.judge_scope([told.text], (one.place,)))
        for one in self._some(lambda one: one.state is State.HELD and not one.banned):
            found = await self._recalled(one, limit=3)
            if not any(marker(one.item) in hit.text for hit in found.hits):
                ids = tuple(hit.id for hit in found.hits)
                self._broken("P5", f"{one.text!r} of {one.place} isn't recalled there", ids)
        for one in self._some(lambda one: one.banned):
            await self._hold_ban(one)

    async def _hold_ban(self, one: Statement) -> None:
        query, places = one.text.replace(marker(one.item), ""), (one.place,)
        found = await self._insist(Recall(who=self.name, query=query, places=places, limit=50, said=""), Found)
        told = await self._insist(Brief(who=self.name, places=places, cue=query), Told)
        self._hold(self._oracle.judge_hits(found.hits, places, asked=""))
        if marker(one.item) in told.text:
            self._broken("P4", f"{marker(one.item)!r} is banned and was in a briefing")
        await self._hold_gates(one)

    async def _recalled(self, one: Statement, *, limit: int) -> Found:
        request = Recall(who=self.name, query=one.text, places=(one.place,), limit=limit)
        found = await self._insist(request, Found)
        self._hold(self._oracle.judge_hits(found.hits, (one.place,), asked=one.text))
        return found

    def _some(self, wanted: Callable[[Statement], bool]) -> list[Statement]:
        found = [one for one in self._oracle.statements.values() if wanted(one)]
        return self._world.chance.sample(found, min(PROBES, len(found)))

    # --- files -----------------------------------------------------------------------------------

    async def _handle_files(self, step: Move | Tamper) -> None:
        if isinstance(step, Move):
            self._moves += 1
            folder = self._world.folder / f"export {self.name} {self._moves}"
            await self._leave_bus()
            await self._insist(protocol.Move(who=self.name, folder=str(folder)), Done)
            return
        examined = await self._insist(protocol.Tamper(who=self.name), Examined)
        self._hold(())
        if not any(finding.startswith("chain") for finding in examined.findings):
            self._broken("P7", "a changed event passes as part of the chain")

    # --- what is found ---------------------------------------------------------------------------

    async def _insist(self, request: protocol.AnyRequest, wanted: type[protocol.AnswerT]) -> protocol.AnswerT:
        return await self._world.asker.insist(self.name, self._number, request, wanted)

    def _hold(self, faults: Iterable[Fault]) -> None:
        self._world.run.checks += 1
        for fault in faults:
            self._broken(fault.promise, fault.message, fault.ids)

    def _broken(self, promise: str, message: str, ids: tuple[str, ...] = ()) -> None:
        self._world.notes.broken(promise, self.name, self._number, message, ids)
