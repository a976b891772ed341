"""Processes that are killed while they hear what not to mention. Run as a script by the P4 suite; see `main`.

One process imports the program once and forks a listener for every job.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import trio

from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime


async def listen(job: dict[str, Any], acks: int) -> None:
    """Learn from the first lines, hear the last one, and be killed: at the named point, or after its receipt."""
    failpoints = ArmedFailpoints()
    settings = Settings.model_validate({"data_dir": Path(job["data_dir"]), **job.get("settings", {})})
    async with open_runtime(settings, clock=VirtualClock(job["now"]), failpoints=failpoints) as runtime:
        character = await runtime.character("yui", owner="Sam")
        *before, last = job["lines"]
        for line in before:
            await character.hear(line)
        await character.settle()
        if job["kill"]:
            failpoints.arm(job["kill"], Fault.KILL)
        await character.hear(last)
        os.write(acks, b"+")
        os.kill(os.getpid(), signal.SIGKILL)


def run(job: dict[str, Any]) -> dict[str, bool]:
    """Do one job in a process of its own; return whether it was killed and the last line acknowledged."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        try:
            trio.run(listen, job, writing)
        except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
            sys.stderr.write(f"forbidder: {error!r}\n")
        os._exit(1)
    os.close(writing)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as acks:
        acknowledged = acks.read() == b"+"
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return {"killed": killed, "acknowledged": acknowledged}


def main() -> None:
    """Do the JSON list of jobs on standard input and print the JSON list of their results."""
    sys.stdout.write(json.dumps([run(job) for job in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
