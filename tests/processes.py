"""A process that a test starts, which outlives neither a test that fails nor its time."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, Final

LIMIT_S: Final = 240.0
"""Longest time that a process of a test may run, in seconds; the longest one that is right takes a tenth of it."""


@contextmanager
def running(
    command: Sequence[str | Path], *, limit_s: float = LIMIT_S, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start a process as `subprocess.Popen` does; at the end it has ended, killed where the block failed.

    So is one that runs longer than `limit_s` seconds: whoever waits for its output or its end waits no longer, and
    the test fails.
    """
    overdue: list[bool] = []

    def end() -> None:
        overdue.append(True)
        process.kill()

    with subprocess.Popen(command, **options) as process:
        timer = Timer(limit_s, end)
        timer.start()
        try:
            yield process
            process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            timer.cancel()
            timer.join()
    assert not overdue, f"the process had to be killed after {limit_s:g} s"
