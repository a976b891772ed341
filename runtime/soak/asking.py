"""How a harness asks a process that is killed and starved meanwhile: again and again, until it answers.

What fails is sent again with the same id, as a host does that wants it stored. Only what is refused although
nothing fails any more breaks a promise.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import trio

from .keeper import HostKeeper
from .process import HostDiedError
from .protocol import AnswerT, AnyAnswer, AnyRequest, Hear, Heard, Refused
from .run import Enough, Notes, Run

if TYPE_CHECKING:  # else a soak without a bus would need its library
    from .bus import BusClient, Letter

PATIENCE_S: Final = 60.0
"""How long something may be refused after the last fault that could be the cause, in seconds."""

HEAR_LIMIT_S: Final = 30.0
"""Longest time that an acknowledgement may take, in seconds, however the provider and the machine are."""

_FIRST_WAIT_S: Final = 0.02
_LONGEST_WAIT_S: Final = 1.0

_OURS: Final = "InjectedFaultError"
"""The defect that is none of the runtime's."""


class Asker:
    """Asks on behalf of the characters, and times what it hears.

    Args:
        keeper: the process under test.
        run: where refusals and times are counted.
        notes: where it notes what is refused for no reason.
        disk_until: returns until when the disk is spoiled, on the monotonic clock.
        bus: the message bus, if there is one.

    Attributes:
        recent_ms: the times of acknowledgements since somebody took them away, in ms.
    """

    def __init__(
        self,
        keeper: HostKeeper,
        run: Run,
        notes: Notes,
        disk_until: Callable[[], float],
        bus: BusClient | None = None,
    ) -> None:
        self.recent_ms: list[float] = []
        self._keeper = keeper
        self._run = run
        self._notes = notes
        self._disk_until = disk_until
        self._bus = bus

    async def insist(self, who: str, step: int, request: AnyRequest, wanted: type[AnswerT]) -> AnswerT:
        """Return an answer of the wanted kind that is none of a fault's."""
        answer, _ = await self.insist_counting(who, step, request, wanted)
        return answer

    async def insist_counting(
        self, who: str, step: int, request: AnyRequest, wanted: type[AnswerT]
    ) -> tuple[AnswerT, bool]:
        """Return an answer that is none of a fault's, and whether it came at the first attempt.

        Raises:
            Enough: if it is refused, and nothing fails.
        """
        patience, attempts, wait_s = time.monotonic() + PATIENCE_S, 0, _FIRST_WAIT_S
        while True:
            attempts += 1
            host = await self._keeper.host()
            asked = time.monotonic()
            try:
                answer = await host.ask(request)
            except HostDiedError:
                patience = time.monotonic() + PATIENCE_S
            else:
                if isinstance(request, Hear):
                    self._time(who, step, time.monotonic() - asked, is_first=attempts == 1)
                refused = self._why_refused(answer)
                if not refused:
                    assert isinstance(answer, wanted), answer
                    return answer, attempts == 1
                for_good = isinstance(answer, Refused) and answer.whose != "outside" and answer.error != _OURS
                if for_good or time.monotonic() > max(patience, self._disk_until() + PATIENCE_S):
                    what = type(request).__name__
                    self._notes.broken("P9", who, step, f"{what} is refused and nothing fails: {refused}")
                    raise Enough
            await trio.sleep(wait_s)
            wait_s = min(_LONGEST_WAIT_S, wait_s * 2)

    async def insist_by_bus(self, who: str, step: int, letter: Letter, *, copies: int = 1) -> list[Heard]:
        """Have a command applied that goes over the bus, and return the receipts that came, at least one.

        An answer may get lost with the server or with the process; then the command is sent again.

        Raises:
            Enough: if it is refused, or not answered, and nothing fails.
        """
        assert self._bus is not None, "a plan without a bus sends nothing over one"
        patience, failed = time.monotonic() + PATIENCE_S, self._failures()
        while True:
            answers: list[Heard | Refused] = []
            with trio.move_on_after(PATIENCE_S):
                answers = await self._bus.deliver(letter, copies=copies)
            refusals = [answer for answer in answers if isinstance(answer, Refused)]
            for refusal in refusals:
                self._run.refused[refusal.error] += 1
            if answers and not refusals:
                self._run.by_bus += 1
                return [answer for answer in answers if isinstance(answer, Heard)]
            for_good = any(one.whose != "outside" and _OURS not in one.message for one in refusals)
            if (failures := self._failures()) != failed:
                patience, failed = time.monotonic() + PATIENCE_S, failures
            if for_good or time.monotonic() > max(patience, self._disk_until() + PATIENCE_S):
                why = f"{refusals[0].error}: {refusals[0].message}" if refusals else "no answer comes"
                what = f"message {letter.id} was sent over the bus and nothing fails"
                self._notes.broken("P9", who, step, f"{what}: {why}")
                raise Enough
            await trio.sleep(_LONGEST_WAIT_S)

    async def purge(self, who: str) -> None:
        """Take a character's commands out of the message bus, where all of them were applied."""
        assert self._bus is not None, "a plan without a bus has nothing to purge"
        await self._bus.purge(who)

    def _failures(self) -> tuple[int, int]:
        """Return how often the process and the server of the bus were started so far."""
        return len(self._keeper.recoveries_s), 0 if self._bus is None else self._bus.server.restarts

    def _why_refused(self, answer: AnyAnswer) -> str:
        """Return why an answer is none, or an empty text."""
        if isinstance(answer, Refused):
            self._run.refused[answer.error] += 1
            return f"{answer.error}: {answer.message}"
        missing = {"recall", "briefing"} & set(getattr(answer, "degraded", ()))
        return f"degraded: {', '.join(sorted(missing))}" if missing else ""

    def _time(self, who: str, step: int, took_s: float, *, is_first: bool) -> None:
        if is_first:
            self.recent_ms.append(took_s * 1e3)
            self._run.hears_ms.append(took_s * 1e3)
        if took_s > HEAR_LIMIT_S and time.monotonic() > self._disk_until() + took_s:
            self._notes.broken("P8", who, step, f"an acknowledgement took {took_s:.1f} s")
