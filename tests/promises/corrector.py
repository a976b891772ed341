"""Processes that are killed in the middle of a correction. Run as a script by the P3 suite; see `main`.

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
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime


async def correct(job: dict[str, Any]) -> None:
    """Hear what is believed at first, then what corrects it, with a kill at the named point on the way."""
    failpoints = ArmedFailpoints()
    async with open_runtime(Settings(data_dir=Path(job["data_dir"])), failpoints=failpoints) as runtime:
        character = await runtime.character("yui", owner="Sam")
        await character.hear(job["believed"], message_id="first", said_at=1.0)
        await character.settle()
        # The journal's first commit from here on is the turn itself, without which there is nothing to correct.
        failpoints.arm(job["kill"], Fault.KILL, skip=job["kill"].startswith("journal."))
        await character.hear(job["corrected"], message_id="second", said_at=2.0)
        await character.settle()


def run(job: dict[str, Any]) -> bool:
    """Do one job in a process of its own; return whether it was killed."""
    pid = os.fork()
    if not pid:
        try:
            trio.run(correct, job)
        except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
            sys.stderr.write(f"corrector: {error!r}\n")
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def main() -> None:
    """Do the JSON list of jobs on standard input and print whether each was killed, as a JSON list."""
    sys.stdout.write(json.dumps([run(job) for job in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
