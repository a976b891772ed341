"""Processes that are killed while they listen. Run as a script by the promise tests; see `main`.

One process imports the program once and forks a listener for every round, so that hundreds of real
kills take seconds. It is single-threaded, and Trio runs in the forked listeners alone.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
from pathlib import Path
from typing import Any

import trio

from omoide.actors.directives.phrasebook import phrasebook
from omoide.protocols.settings import Settings
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime

CHARACTER = "yui"
SAID_AT = 1_772_442_000.0


def statement(number: int) -> str:
    """Return the text of a message; every third says again what an earlier one said, in other clothes."""
    if number % 3 == 2:
        return f"MY friend number {number - 1} lives in   Bergen!"
    return f"My friend number {number} lives in Bergen."


async def listen(settings: Settings, first: int, last: int, acks: int, failpoints: ArmedFailpoints) -> None:
    """Hear messages `first` to `last`, write each one's number to `acks` once it is acknowledged, then settle."""
    async with open_runtime(settings, failpoints=failpoints) as runtime:
        character = await runtime.character(CHARACTER)
        for number in range(first, last):
            await character.hear(statement(number), message_id=f"m{number}", said_at=SAID_AT + number)
            os.write(acks, b"%d\n" % number)
        await character.settle()


def fork_listener(
    settings: Settings, first: int, last: int, *, kill_at: str | None = None, skip: int = 0
) -> tuple[int, int]:
    """Start a listener. Returns its pid and the pipe on which it acknowledges."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    failpoints = ArmedFailpoints()
    if kill_at is not None:
        failpoints.arm(kill_at, Fault.KILL, skip=skip)
    try:
        trio.run(listen, settings, first, last, writing, failpoints)
    except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
        sys.stderr.write(f"listener: {error!r}\n")
        os._exit(1)
    os._exit(0)


def read_acks(pipe: int) -> list[int]:
    """Return every acknowledged number of a listener that is gone."""
    with os.fdopen(pipe) as lines:
        return [int(line) for line in lines]


def kill_at_random(settings: Settings, rounds: int, seed: int) -> dict[str, object]:
    """Kill a listener `rounds` times, each a random moment after it came up; return what was acknowledged."""
    chance = random.Random(seed)
    acknowledged: set[int] = set()
    kills = 0
    while kills < rounds:
        first = max(acknowledged, default=-1) + 1
        pid, pipe = fork_listener(settings, first, first + 10_000)
        select.select([pipe], [], [], 30)
        select.select([], [], [], chance.uniform(0, 0.05))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        kills += os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        acknowledged.update(read_acks(pipe))
    return {"kills": kills, "acknowledged": [SAID_AT + number for number in sorted(acknowledged)]}


def listen_once(settings: Settings, messages: int, *, kill_at: str | None, skip: int) -> dict[str, object]:
    """Let a listener hear some messages and settle, or kill itself at a named point on the way."""
    pid, pipe = fork_listener(settings, 0, messages, kill_at=kill_at, skip=skip)
    _, status = os.waitpid(pid, 0)
    return {
        "killed": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "acknowledged": [SAID_AT + number for number in read_acks(pipe)],
    }


def run(job: dict[str, Any]) -> dict[str, object]:
    """Do one job and return its result."""
    settings = Settings.model_validate({"data_dir": Path(job["data_dir"]), "storage": {"layout": job["layout"]}})
    if "rounds" in job:
        return kill_at_random(settings, job["rounds"], job["seed"])
    return listen_once(settings, job["messages"], kill_at=job.get("kill"), skip=job.get("skip", 0))


def main() -> None:
    """Do the JSON list of jobs on standard input and print the JSON list of their results."""
    phrasebook()  # compiled once, before the forks
    sys.stdout.write(json.dumps([run(job) for job in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
