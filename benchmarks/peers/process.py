"""A driver in a process of its own, that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from .environments import CHECKOUT, HERE, Peer

_QUIET: Final = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False", "HF_HUB_OFFLINE": "1"}


class DriverError(Exception):
    """A driver ended when it should have answered; the message holds the end of what it printed."""


class Driver:
    """A running driver. Leaving the block ends it in order; `kill` ends it at once."""

    def __init__(self, peer: Peer, python: Path, store: Path) -> None:
        self._log = (store.parent / f"{store.name}.log").open("ab+")
        environment = os.environ | _QUIET | {
            "PYTHONPATH": os.pathsep.join((str(HERE), str(CHECKOUT / ".links"))),
            "MEM0_DIR": str(store.parent / "mem0"),
        }  # fmt: skip
        self._process = subprocess.Popen(  # noqa: S603
            [python, "-m", peer.driver, store, *peer.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
        )
        self.answer()

    def ask(self, **request: object) -> dict[str, Any]:
        """Send a request and return its answer.

        Raises:
            DriverError: if the driver ended instead.
        """
        self.send(**request)
        return self.answer()

    def send(self, **request: object) -> None:
        """Send a request without waiting for its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(request) + "\n").encode())
        self._process.stdin.flush()

    def kill(self) -> int:
        """Kill the process with SIGKILL and return how many more answers it had written."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        return sum(line.endswith(b"\n") for line in self._process.stdout.read().splitlines(keepends=True))

    def resident_mib(self) -> float:
        """Return the memory that the process holds now, in MiB (Linux)."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1_024
        raise DriverError("the system tells no VmRSS of the driver; this benchmark runs on Linux")

    def answer(self) -> dict[str, Any]:
        """Return the next answer.

        Raises:
            DriverError: if the driver ended instead.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise DriverError(self._log.read().decode(errors="replace")[-2_000:])
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()
