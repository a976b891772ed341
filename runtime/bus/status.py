"""How a bus is doing, as `status`, `/health` and `/metrics` tell it: counts, and no word of anybody."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct


class BusStatus(Struct, frozen=True, kw_only=True):
    """How one bus is doing.

    `lag` counts commands that are in the stream and not applied, as far as is known, and `in_flight` those of them
    that are here already. `stalled` counts characters whose next command fails and is tried again. `missed` are
    commands that the stream dropped before they were read, and `erased` those whose character was erased after
    they were sent. `told` are events that were published since the start,
    and `untold` those that wait. `dead_letters` counts by reason; `answered` are questions.
    """

    kind: str
    connected: bool
    since: float
    reconnects: int = 0
    lag: int = 0
    in_flight: int = 0
    applied: int = 0
    repeated: int = 0
    erased: int = 0
    retried: int = 0
    stalled: int = 0
    missed: int = 0
    answered: int = 0
    told: int = 0
    untold: int = 0
    dead_letters: dict[str, int] = {}
    error: str = ""


@dataclass(slots=True)
class Counts:
    """What a bus counts while it runs."""

    applied: int = 0
    repeated: int = 0
    erased: int = 0
    retried: int = 0
    missed: int = 0
    answered: int = 0
    told: int = 0
    dead_letters: dict[str, int] = field(default_factory=dict)

    def bury(self, reason: str) -> None:
        """Count one dead letter."""
        self.dead_letters[reason] = self.dead_letters.get(reason, 0) + 1
