"""The command, in this process where that will do and in one of its own where it won't."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from omoide.runtime.cli.application import app
from omoide.tests.processes import running

LINKS = Path(__file__).resolve().parents[3] / ".links"


@dataclass(frozen=True)
class Ended:
    """How the command ended."""

    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[Any]:
        """What stdout holds as JSON, one document a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Omoide:
    """The `omoide` command over one data folder."""

    data: Path

    def __call__(self, *args: str, stdin: bytes = b"", code: int | None = 0, **environ: str) -> Ended:
        """Run it to its end in this process; with `code`, that has to be how it ends."""
        done = CliRunner().invoke(app, args, stdin, self.environ(**environ), prog_name="omoide")
        return _checked(Ended(done.exit_code, done.stdout, done.stderr), code)

    def process(self, *args: str, stdin: bytes = b"", code: int | None = 0, **environ: str) -> Ended:
        """Run it to its end in a process of its own."""
        done = subprocess.run(
            self.line(*args),
            input=stdin,
            env=self.environ(**environ),
            capture_output=True,
            timeout=60,
            check=False,
        )
        return _checked(Ended(done.returncode, done.stdout.decode(), done.stderr.decode()), code)

    @contextmanager
    def start(self, *args: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start it with pipes on all of its streams; at the end it has ended, killed where the block failed."""
        with running(
            self.line(*args),
            env=self.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            yield process

    def line(self, *args: str) -> Sequence[str]:
        """Return the command line."""
        return [sys.executable, "-m", "omoide", *args]

    def environ(self, **more: str) -> dict[str, str]:
        """Return an environment in which the command finds the program and its data."""
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("OMOIDE_")}
        path = os.pathsep.join(filter(None, (str(LINKS), kept.get("PYTHONPATH"))))
        return {**kept, "PYTHONPATH": path, "OMOIDE_DATA": str(self.data), **more}


def _checked(ended: Ended, code: int | None) -> Ended:
    if code is not None:
        assert ended.code == code, ended
    return ended
