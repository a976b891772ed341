"""Processes that are killed in the middle of an erasure. Run as a script by the P10 suite; see `main`.

One process imports the program once and forks an eraser for every job.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import trio

from omoide.protocols.erasure import EraseSubject, Target
from omoide.protocols.scopes import parse_subject
from omoide.protocols.settings import Settings
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime


async def erase(job: dict[str, Any]) -> None:
    """Erase a subject, or the whole character where none is named, with a kill at the named point on the way."""
    failpoints = ArmedFailpoints()
    failpoints.arm(job["kill"], Fault.KILL)
    target: Target | None = EraseSubject(parse_subject(job["subject"])) if job["subject"] else None
    async with open_runtime(Settings.model_validate(job["settings"]), failpoints=failpoints) as runtime:
        await runtime.erase("yui", target)


def run(job: dict[str, Any]) -> bool:
    """Do one job in a process of its own; return whether it was killed."""
    pid = os.fork()
    if not pid:
        try:
            trio.run(erase, job)
        except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
            sys.stderr.write(f"eraser: {error!r}\n")
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def main() -> None:
    """Do the JSON list of jobs on standard input and print whether each was killed, as a JSON list."""
    sys.stdout.write(json.dumps([run(job) for job in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
