"""A process that a test starts, which doesn't outlive a test that fails."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def running(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process as `subprocess.Popen` does; at the end it has ended, killed where the block failed."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise
