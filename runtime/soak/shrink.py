"""From a plan that breaks a promise to a short one that does: delta debugging on its steps.

The minimising algorithm of Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), with
two cuts before it that a conversation allows: what comes after the failure, and other characters.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import trio
from msgspec.structs import replace

from .driver import play
from .plan import AnyStep, Plan, Settle
from .process import COMMAND
from .run import Run

Item = TypeVar("Item")

TRIES_AT_A_FAILURE: Final = 2
"""How often a shorter plan is played before it counts as one that breaks nothing: kills hit by chance."""


async def minimised(items: Sequence[Item], fails: Callable[[Sequence[Item]], Awaitable[bool]]) -> list[Item]:
    """Return a part of the items that still fails, and of which no smaller chunk can be left out.

    Args:
        items: what fails.
        fails: returns whether a part of them does, in their order.
    """
    left, chunks = list(items), 2
    while len(left) >= 2:
        size = -(-len(left) // chunks)
        for start in range(0, len(left), size):
            rest = left[:start] + left[start + size :]
            if rest and await fails(rest):
                left, chunks = rest, max(chunks - 1, 2)
                break
        else:
            if size == 1:
                break
            chunks = min(len(left), chunks * 2)
    return left


class Shrinker:
    """Makes the plan of a run that broke a promise shorter.

    Args:
        run: the run.
        command: what starts the process under test.
        for_s: longest time that it may take, in seconds.

    Attributes:
        plan: the shortest plan found so far.
        plays: how many were played.
    """

    def __init__(self, run: Run, *, command: Sequence[str] = COMMAND, for_s: float = 120.0) -> None:
        self._violation = run.violations[0]
        self._command = command
        self._for_s = for_s
        self.plays = 0
        until = self._violation.step or len(run.steps)
        steps = (*run.steps[:until], Settle(who=self._violation.who)) if self._violation.who else tuple(run.steps)
        self.plan = replace(run.plan, steps=steps, turns=None, for_s=None, rate=None)

    async def shrink(self) -> Plan:
        """Return the shortest plan that was found in time."""
        with trio.move_on_after(self._for_s):
            if not await self._fails(self.plan.steps):
                self.plan = replace(self.plan, rate=20.0)
            who = self._violation.who
            alone = [step for step in self.plan.steps if getattr(step, "who", who) == who]
            await self._fails(alone)
            await minimised(self.plan.steps, self._fails)
        return self.plan

    async def _fails(self, steps: Sequence[AnyStep]) -> bool:
        plan = replace(self.plan, steps=tuple(steps))
        for _ in range(TRIES_AT_A_FAILURE):
            self.plays += 1
            run: Run = await play(plan, command=self._command)
            if any(one.promise == self._violation.promise for one in run.violations):
                self.plan = plan
                return True
        return False
