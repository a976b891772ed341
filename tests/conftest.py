"""What tests of several packages share."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

Seconds = Callable[[Callable[[], object]], float]


@pytest.fixture(scope="session")
def cpu_seconds() -> Seconds:
    """Measure the CPU time of a call, for ratios within one run: the best of five, without collections.

    A garbage collection costs by what the whole test run has allocated, and wall time by what else the
    machine does; neither says anything of the call.
    """

    def measure(call: Callable[[], object]) -> float:
        spans = []
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                started = time.thread_time()
                call()
                spans.append(time.thread_time() - started)
        finally:
            gc.enable()
        return min(spans)

    return measure
