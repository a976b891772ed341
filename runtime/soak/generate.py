"""From a seed to the steps of a soak: who says what to whom, what is asked, and what fails meanwhile.

The same plan gives the same steps, however fast they are taken. Pure but for the seeded chance.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from .grammar import FAMILIES, MARKERS, Act
from .plan import (
    AnyStep,
    Ask,
    Bus,
    Clock,
    Crash,
    Disk,
    FaultKind,
    Kill,
    KillAt,
    Misbehaviour,
    Model,
    Move,
    Passivate,
    Plan,
    Reject,
    Restart,
    Retire,
    Settle,
    Talk,
    Tamper,
)

PRIVATE: Final = "private"
MEMBERS: Final = ("", "alice", "bob")
"""Who talks in a group; the owner has no account."""

POINTS: Final = (
    *("scribe.before_commit", "scribe.after_commit", "journal.before_commit", "journal.after_commit"),
    *("outbox.before_attempt", "extraction.extracted", "dedup.received", "dedup.before_commit"),
    *("dedup.after_commit", "signals.received", "signals.judged", "reflection.received", "keeper.received"),
)
"""Failpoints that every conversation reaches."""

CRASHES: Final = (
    *("scribe.*", "journal.received", "outbox.*", "extraction.*", "dedup.*", "signals.*", "recall.*"),
    *("directives.*", "briefing.*", "keeper.*", "reflection.*", "compaction.*", "persona.*"),
)

WEIGHTS: Final = {
    "state": 30,
    "again": 6,
    "deny": 8,
    "affirm": 4,
    "forget": 3,
    "ban": 5,
    "lift": 3,
    "crowd": 6,
    "chat": 4,
    "recall": 12,
    "briefing": 3,
    "gate": 5,
    "stream": 3,
    "reject": 2,
    "settle": 3,
    "passivate": 1,
    "tamper": 1,
    "move": 0.5,
}
"""How often each thing is done, relative to the others."""

CROWD: Final = 6
"""Lines with the words of one statement that others say elsewhere."""

LATE_S: Final = 900.0
"""Longest delay of a message, in seconds of the host's clock."""

JUMPS_S: Final = (-600.0, -60.0, 60.0, 3_600.0, 90_000.0)


class _Item(Struct):
    """A statement that was made: its marker, its family, where and by whom, and whether others use its words."""

    number: int
    family: int
    place: str
    by: str
    crowded: bool = False
    forgotten: bool = False
    banned: bool = False


class _Life:
    """One character, from its first word until it is retired."""

    def __init__(self, name: str, slot: int) -> None:
        self.name = name
        self.places = (PRIVATE, f"group:soak:{slot}", f"group:soak:{slot}b")
        self.items: list[_Item] = []
        self.said = 0


class Generator:
    """Makes the steps of a plan, one by one and without end."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._chance = random.Random(plan.seed)  # noqa: S311 - reproducible, not secret
        self._markers = itertools.count(self._chance.randrange(MARKERS))
        self._ids = itertools.count(1)
        self._names = itertools.count(1)
        self._lives = [self._born(slot) for slot in range(plan.characters)]

    def steps(self) -> Iterator[AnyStep]:
        """Yield the steps."""
        absent = {FaultKind.DELIVERY} if self._plan.bus else {FaultKind.DELIVERY, FaultKind.BUS}
        kinds = [self._fault_of(kind) for kind in self._plan.faults if kind not in absent]
        while True:
            if kinds and self._chance.random() < 1 / self._plan.every:
                yield self._chance.choice(kinds)()
            slot = self._chance.randrange(len(self._lives))
            life = self._lives[slot]
            if life.said >= self._plan.life:
                yield Retire(who=life.name)
                self._lives[slot] = self._born(slot)
                continue
            (what,) = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
            yield from self._done(life, what)

    def _born(self, slot: int) -> _Life:
        return _Life(f"yui {next(self._names)}", slot)

    def _done(self, life: _Life, what: str) -> Iterator[AnyStep]:
        match what:
            case "state":
                yield self._state(life)
            case "crowd":
                yield from self._crowd(life)
            case "chat":
                yield self._talk(life, self._new(life, keep=False), Act.CHAT)
            case "settle":
                yield Settle(who=life.name)
            case "passivate":
                yield Passivate(who=life.name)
            case "tamper":
                yield Tamper(who=life.name)
            case "move":
                yield Move(who=life.name)
            case _ if life.items:
                yield from self._about(life, self._chance.choice(life.items), what)
            case _:
                yield self._state(life)

    def _about(self, life: _Life, item: _Item, what: str) -> Iterator[AnyStep]:
        match what:
            case "recall" | "briefing" | "gate" | "stream":
                yield Ask(who=life.name, what=what, family=item.family, item=item.number, place=item.place)
            case "reject" if not (item.forgotten or item.crowded):
                item.forgotten = True
                yield Reject(who=life.name, family=item.family, item=item.number, place=item.place)
            case "forget" if not (item.forgotten or item.crowded or item.banned):
                item.forgotten = True
                yield self._talk(life, item, Act.FORGET)
            case "ban" if not item.crowded:
                item.banned = True
                yield self._talk(life, item, Act.BAN)
            case "lift" if item.banned:
                item.banned = False
                yield self._talk(life, item, Act.LIFT)
            case "affirm" if not item.forgotten:
                yield self._talk(life, item, Act.AFFIRM)
            case "deny":
                yield self._talk(life, item, Act.DENY)
            case _:
                yield self._talk(life, item, Act.STATE)

    def _state(self, life: _Life) -> Talk:
        return self._talk(life, self._new(life), Act.STATE, fresh=True)

    def _crowd(self, life: _Life) -> Iterator[Talk]:
        """Have something said in private, and the same words used by others in a group.

        Each is somebody else, so that none of them affirms what another denies.
        """
        item = self._new(life, place=PRIVATE)
        item.crowded = True
        yield self._talk(life, item, Act.STATE)
        others = [family for family in range(len(FAMILIES)) if family != item.family]
        for guest, family in enumerate(self._chance.sample(others, CROWD)):
            elsewhere = _Item(item.number, family, life.places[1], f"guest{guest}", crowded=True)
            life.items.append(elsewhere)
            yield self._talk(life, elsewhere, Act.STATE)

    def _new(self, life: _Life, *, place: str | None = None, keep: bool = True) -> _Item:
        where = self._chance.choice(life.places) if place is None else place
        by = "" if where == PRIVATE else self._chance.choice(MEMBERS)
        item = _Item(next(self._markers) % MARKERS, self._chance.randrange(len(FAMILIES)), where, by)
        if keep:
            life.items.append(item)
        return item

    def _talk(self, life: _Life, item: _Item, act: Act, *, fresh: bool = False) -> Talk:
        life.said += 1
        late_s, copies = 0.0, 1
        if FaultKind.DELIVERY in self._plan.faults:
            copies = self._chance.choice((1, 1, 1, 1, 1, 2, 3))
            # What is said of a statement later must not overtake it: which of two holds is decided by when
            # they were said, and a late one would be the older.
            late_s = round(self._chance.uniform(0, LATE_S), 1) if fresh and self._chance.random() < 1 / 8 else 0.0
        by_bus = self._plan.bus is not None and self._chance.random() < 1 / 2
        return Talk(
            who=life.name,
            act=act,
            family=item.family,
            item=item.number,
            place=item.place,
            by=item.by,
            id=f"m{next(self._ids)}",
            late_s=late_s,
            copies=copies,
            bus=by_bus,
            echo=by_bus and FaultKind.DELIVERY in self._plan.faults and self._chance.random() < 1 / 4,
        )

    def _fault_of(self, kind: FaultKind) -> Callable[[], AnyStep]:
        return {
            FaultKind.KILL: self._kill,
            FaultKind.CRASH: lambda: Crash(point=self._chance.choice(CRASHES)),
            FaultKind.MODEL: self._model,
            FaultKind.DISK: self._disk,
            FaultKind.CLOCK: lambda: Clock(by_s=self._chance.choice(JUMPS_S)),
            FaultKind.RESTART: Restart,
            FaultKind.BUS: lambda: Bus(for_s=round(self._chance.uniform(0, 0.5), 2)),
        }[kind]

    def _kill(self) -> AnyStep:
        if self._chance.random() < 0.5:
            return KillAt(point=self._chance.choice(POINTS), skip=self._chance.randrange(8))
        return Kill(after_s=round(self._chance.uniform(0, 0.3), 3))

    def _model(self) -> Model:
        return Model(how=self._chance.choice(tuple(Misbehaviour)), for_s=round(self._chance.uniform(0.2, 2.0), 2))

    def _disk(self) -> Disk:
        for_s = round(self._chance.uniform(0.2, 1.5), 2)
        if self._chance.random() < 0.5:
            return Disk(for_s=for_s, limit=self._chance.choice((0, 65_536, 400_000)))
        return Disk(for_s=for_s, wait_s=round(self._chance.uniform(0.005, 0.1), 3))
