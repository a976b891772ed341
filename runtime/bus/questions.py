"""Answering what changes nothing: many questions at a time, none of which waits for a command. Knows no bus."""

from __future__ import annotations

import logging
from collections.abc import Callable

import trio

from ...protocols.errors import OmoideError, OutsideError
from ..host import Runtime
from .commands import Received, carry_out
from .status import Counts

logger = logging.getLogger(__name__)


class Questions:
    """Answers the questions of one bus; those beyond `bus.asks` at a time are told to come again.

    Args:
        runtime: whose characters are asked.
        nursery: holds the answering.
        counts: what the bus did.
        answer: gives a question its result or error; it must not block.
    """

    def __init__(
        self, runtime: Runtime, nursery: trio.Nursery, counts: Counts, answer: Callable[[Received, object], None]
    ) -> None:
        self._runtime = runtime
        self._nursery = nursery
        self._counts = counts
        self._answer = answer
        self._asking = 0

    def put(self, question: Received) -> None:
        """Begin to answer a question, if anybody waits for the answer and the bus isn't leaving."""
        if not question.answer_to or self._nursery.cancel_scope.cancel_called:
            return
        if self._asking >= self._runtime.settings.bus.asks:
            self._answer(question, OutsideError(f"{self._asking} questions are being answered: ask again soon"))
            return
        self._asking += 1
        self._nursery.start_soon(self._answer_one, question)

    async def _answer_one(self, question: Received) -> None:
        try:
            result: object = await carry_out(self._runtime, question, only_asks=True)
        except OmoideError as error:
            result = error
        except Exception as error:  # noqa: BLE001 - a fault of the program's own must not end the bus
            logger.warning("bus.question_failed", extra={"error": type(error).__name__})
            result = error
        finally:
            self._asking -= 1
        self._counts.answered += 1
        self._answer(question, result)
