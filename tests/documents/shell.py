"""A shell in which the lines of a page are typed, one after the other, in a folder and with data of its own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from omoide.tests.documents.pages import ROOT
from omoide.tests.runtime.cli.command_line import Omoide

PATIENCE_S: Final = 30.0

SERVERS: Final = {
    "omoide serve": "--port {7077} --json",
    "omoide bus nats": "--url nats://127.0.0.1:{4222} --json",
    "omoide bus mqtt": "--port {1883} --json",
    "nats-server": "--port {4222}",
    "mosquitto": "-p {1883}",
}
"""Lines that don't end by themselves, and what is added to leave alone who listens at the usual ports."""

ALTERED: Final = {
    "make": ("make", f"make -n -C {shlex.quote(str(ROOT))}", "it would set up an environment and run this suite"),
    "omoide soak": ("omoide soak", "omoide soak --print-plan", "tests/runtime/soak plays some, minutes long"),
    "omoide erase": ("omoide erase", "omoide erase --yes", "nobody is there to be asked"),
    "omoide import backups/yui": ("yui", "yui --data elsewhere", "another machine has another folder"),
    "echo": ("curl", "curl --fail-with-body -sS --max-time 20", "as for curl"),
    "curl": ("curl", "curl --fail-with-body -sS --max-time 20", "a refusal has to show in the exit code"),
}
"""Beginnings of lines that are typed with a change: what is replaced, by what, and why. """

NOT_TYPED: Final = {
    ".ci/run": "it runs this suite",
    "pip install": "it downloads; that the extras exist is a test of its own",
    "ollama": "a program of others that downloads a model",
    "vllm": "a program of others that downloads a model",
    "llama-server": "a program of others that needs a model",
    "omoide --config omoide.toml models try": "it needs a model, as tests/runtime/cli/test_models.py has",
}
"""Beginnings of lines that no test types, and why."""


@dataclass
class Shell:
    """Types lines as they stand, and answers with their exit codes; servers run until the next one or the end."""

    folder: Path
    printed: str = ""
    ports: dict[int, int] = field(default_factory=dict)
    servers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.omoide = Omoide(self.folder / "data")
        for name in ("bin/omoide", ".venv/bin/omoide"):
            script = self.folder / name
            script.parent.mkdir(parents=True)
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m omoide "$@"\n')
            script.chmod(0o700)
        beside = str(Path(sys.executable).parent)
        self.environ = self.omoide.environ(
            OMOIDE_BUS__NATS__URL=f"nats://127.0.0.1:{self.port(4222)}",
            PATH=os.pathsep.join((str(self.folder / "bin"), beside, os.environ["PATH"], "/usr/sbin")),
        )

    def type(self, line: str, stdin: str = "") -> int:
        """Type a line, and return how it ends: its exit code, 0 for a server that listens."""
        typed = self.altered(line)
        words = shlex.split(typed)
        if shutil.which(words[0], path=self.environ["PATH"]) is None and words[0] != ".venv/bin/omoide":
            pytest.skip(f"{words[0]} isn't installed")
        if any(line.startswith(server) for server in SERVERS):
            return self.serve(words)
        if words[0].endswith("omoide") and not re.search(r"[|<>&$]|omoide mcp", typed):
            with chdir(self.folder):
                ended = self.omoide(*words[1:], stdin=stdin.encode(), code=None)
            self.printed = ended.out + ended.err
            return ended.code
        done = self.run("bash", "-c", typed, stdin=stdin)
        self.printed = done.stdout + done.stderr
        return done.returncode

    def run(self, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program in the folder to its end."""
        return subprocess.run(
            command,
            input=stdin,
            cwd=self.folder,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def altered(self, line: str) -> str:
        """Return what is typed for a line: as ALTERED says, to a port of its own, and of an id that exists."""
        for beginning, (old, new, _) in ALTERED.items():
            if line.startswith(beginning):
                line = line.replace(old, new, 1)
        line = line.replace("localhost:7077", f"localhost:{self.port(7077)}")
        return re.sub(r"\b(fact|op)_1f2e3d4c5b6a", lambda shown: self.some_id(shown[1]), line)

    def some_id(self, kind: str) -> str:
        """Return the id of a record that is there, in the place of one that a page makes up."""
        listed = self.omoide({"fact": "facts", "op": "outbox"}[kind], "yui", "--json").documents
        return str(listed[0]["id"])

    def port(self, usual: int) -> int:
        """Return the port that stands for a usual one here."""
        if usual not in self.ports:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.ports[usual] = probe.getsockname()[1]
        return self.ports[usual]

    def serve(self, words: list[str]) -> int:
        """Start a server in the place of the one of that name, and return once it listens, or how it ended."""
        options = next(options for name, options in SERVERS.items() if " ".join(words).startswith(name))
        (usual,) = map(int, re.findall(r"\{(\d+)\}", options))
        self.stop(words[0])
        server = self.servers[words[0]] = subprocess.Popen(
            [*words, *options.replace(f"{{{usual}}}", str(self.port(usual))).split()],
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE if words[0] == "omoide" else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if server.stdout is not None:
            self.printed = server.stdout.readline()
            return 0 if self.printed.startswith("{") else server.wait(PATIENCE_S)
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_S:
            try:
                socket.create_connection(("127.0.0.1", self.port(usual)), timeout=1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return 0
        return 1

    def stop(self, name: str) -> None:
        """End the server of that name in order, if it runs."""
        if name in self.servers:
            with self.servers.pop(name) as server:
                server.terminate()

    def close(self) -> None:
        """End all servers."""
        for name in list(self.servers):
            self.stop(name)
