"""A plan: what a soak does, as data that is printed, kept and played again.

A plan without steps is made up from its seed as it runs; one with steps does these alone. The same plan does the
same things in the same order. What the machine decides, such as which instruction a kill hits, is not in it.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import yaml
from msgspec import Struct

from ...protocols.errors import InvalidRequestError, OutsideError
from .grammar import Act

FORMAT: Final = 1


class FaultKind(StrEnum):
    """What a soak can make fail."""

    KILL = "kill"
    CRASH = "crash"
    MODEL = "model"
    DISK = "disk"
    CLOCK = "clock"
    DELIVERY = "delivery"
    RESTART = "restart"
    BUS = "bus"
    """Of a plan with a bus alone."""


class Misbehaviour(StrEnum):
    """How a provider of language models misbehaves."""

    FAILS = "fails"
    LIMITS = "limits"
    BABBLES = "babbles"
    HANGS_UP = "hangs-up"
    BREAKS_OFF = "breaks-off"
    IS_SILENT = "is-silent"
    IS_SLOW = "is-slow"


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """Base of every step."""


class Talk(Step, frozen=True, kw_only=True, tag="talk"):
    """Somebody says something to a character.

    `who` is the character, `act`, `family` and `item` make the sentence, `place` is the subject, `by` the account
    of the speaker, empty for the owner. `id` is the host's id of the message. It was said `late_s` seconds before
    it is delivered, and is delivered `copies` times at once. `bus` sends it over the message bus instead of to the
    process itself; `echo` then sends what last went to this character over the bus once more after it.
    """

    who: str
    act: Act
    family: int
    item: int
    place: str
    id: str
    by: str = ""
    late_s: float = 0.0
    copies: int = 1
    bus: bool = False
    echo: bool = False


class Ask(Step, frozen=True, kw_only=True, tag="ask"):
    """Something is asked of a character's memory, about the marker `item`, in `place`."""

    who: str
    what: Literal["recall", "briefing", "gate", "stream"]
    family: int
    item: int
    place: str


class Settle(Step, frozen=True, kw_only=True, tag="settle"):
    """A character's work is done, and then all that it knows is held against what it was told."""

    who: str


class Reject(Step, frozen=True, kw_only=True, tag="reject"):
    """The owner rejects a statement in the interface, if it is believed."""

    who: str
    family: int
    item: int
    place: str


class Passivate(Step, frozen=True, kw_only=True, tag="passivate"):
    """A character leaves memory."""

    who: str


class Move(Step, frozen=True, kw_only=True, tag="move"):
    """A character is exported, erased and imported again."""

    who: str


class Retire(Step, frozen=True, kw_only=True, tag="retire"):
    """A character is held against what it was told for the last time, and erased."""

    who: str


class Tamper(Step, frozen=True, kw_only=True, tag="tamper"):
    """One entry of a copy of a character's journal is changed; the doctor must tell."""

    who: str


class Kill(Step, frozen=True, kw_only=True, tag="kill"):
    """The process is killed, `after_s` seconds from now, whatever it does then."""

    after_s: float = 0.0


class KillAt(Step, frozen=True, kw_only=True, tag="kill-at"):
    """The process kills itself at a failpoint, after passing it `skip` times."""

    point: str
    skip: int = 0


class Crash(Step, frozen=True, kw_only=True, tag="crash"):
    """The actor that next passes a failpoint crashes."""

    point: str


class Model(Step, frozen=True, kw_only=True, tag="model"):
    """The provider of the language model misbehaves for so many seconds."""

    how: Misbehaviour
    for_s: float


class Disk(Step, frozen=True, kw_only=True, tag="disk"):
    """The disk takes no file longer than `limit` bytes, or every commit waits `wait_s`, for so many seconds."""

    for_s: float
    limit: int | None = None
    wait_s: float = 0.0


class Clock(Step, frozen=True, kw_only=True, tag="clock"):
    """The host's clock jumps by so many seconds, forward or back."""

    by_s: float


class Restart(Step, frozen=True, kw_only=True, tag="restart"):
    """The runtime is closed in order and opened again."""


class Bus(Step, frozen=True, kw_only=True, tag="bus"):
    """The server of the message bus is killed, and started again after so many seconds."""

    for_s: float


AnyFault: TypeAlias = Kill | KillAt | Crash | Model | Disk | Clock | Restart | Bus

AnyStep: TypeAlias = (
    Talk
    | Ask
    | Settle
    | Reject
    | Passivate
    | Move
    | Retire
    | Tamper
    | Kill
    | KillAt
    | Crash
    | Model
    | Disk
    | Clock
    | Restart
    | Bus
)


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a soak does.

    Attributes:
        format: version of this format.
        seed: what conversations and faults are made of.
        layout: of the storage.
        minds: who thinks: rules, a provider at loopback, or both, each for every other character.
        bus: message bus that half of what is said goes over; None for none.
        characters: how many live at a time.
        turns: after how many steps it ends; None for no bound.
        for_s: after how many seconds it ends; None for no bound.
        rate: steps a second; None for as fast as it goes.
        speed: seconds of the host's clock in one second.
        life: things said to a character before it is retired and another takes its place.
        faults: what is made to fail.
        every: steps from one fault to the next, on average.
        steps: what is done; empty to make it up from the seed.
    """

    format: int = FORMAT
    seed: int = 1
    layout: Literal["per-character", "shared"] = "per-character"
    minds: Literal["offline", "provider", "both"] = "both"
    bus: Literal["nats"] | None = None
    characters: int = 6
    turns: int | None = None
    for_s: float | None = None
    rate: float | None = 40.0
    speed: float = 120.0
    life: int = 120
    faults: tuple[FaultKind, ...] = tuple(FaultKind)
    every: float = 40.0
    steps: tuple[AnyStep, ...] = ()


def read_plan(path: Path) -> Plan:
    """Return the plan of a file, in YAML or JSON.

    Raises:
        OutsideError: if it can't be read.
        InvalidRequestError: if it holds no plan; the message says what is wrong and where.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise OutsideError(f"{path} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidRequestError(f"{path} is not UTF-8") from error
    try:
        plan: Plan = msgspec.convert(yaml.safe_load(text), Plan)
    except yaml.YAMLError as error:
        raise InvalidRequestError(f"{path} is no YAML: {error}") from error
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"{path} holds no plan: {error}") from error
    if plan.format != FORMAT:
        raise InvalidRequestError(f"{path} has format {plan.format}; this program reads format {FORMAT}")
    if plan.bus is None and any(_needs_bus(step) for step in plan.steps):
        raise InvalidRequestError(f"{path} has steps that need a message bus: write `bus: nats` into it")
    return plan


def _needs_bus(step: AnyStep) -> bool:
    return isinstance(step, Bus) or (isinstance(step, Talk) and step.bus)


def write_plan(plan: Plan) -> str:
    """Return a plan as YAML, a step a line."""
    raw: dict[str, Any] = msgspec.to_builtins(plan)
    raw["format"] = plan.format
    raw["seed"] = plan.seed
    steps = raw.pop("steps", [])
    head = yaml.safe_dump(raw, allow_unicode=True, sort_keys=False)
    if not steps:
        return head
    lines = [f"- {msgspec.json.encode(step).decode()}" for step in steps]
    return "\n".join([f"{head}steps:", *lines, ""])
