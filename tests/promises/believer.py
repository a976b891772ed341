"""Processes that are killed while they judge. Run as a script by the P2 suite of beliefs; see `main`.

One process imports the program once, reads its phrases, and forks a listener for every job.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from omoide.actors.directives.stated import take_apart
from omoide.protocols.evidence import Signal
from omoide.protocols.ports import Feedback, FeedbackRequest, Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity
from omoide.protocols.settings import Settings
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine

TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)
SAID_AT = 1_772_442_000.0


class Believer(OfflineEngine):
    """A mind that makes one judgement, and reads answers by their first word."""

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        return Synthesis(text=f"Sam is fond of green tea, by {len(request.facts)} facts.", entity=Entity.OWNER)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        signal = Signal.DENIED if request.turn.text.startswith("No") else Signal.CONFIRMED
        return [Feedback(reflection=reflection.id, signal=signal) for reflection in request.reflections]


async def believe(job: dict[str, Any]) -> None:
    """Hear facts, bring their judgement up, hear the answers, with a kill at the named point on the way."""
    failpoints = ArmedFailpoints()
    if job.get("kill"):
        failpoints.arm(job["kill"], Fault.KILL, skip=job["skip"])
    settings = Settings(data_dir=Path(job["data_dir"]))
    async with open_runtime(settings, failpoints=failpoints, model=Believer()) as runtime:
        character = await runtime.character("yui", owner="Sam")
        for number, text in enumerate(TEAS):
            await character.hear(text, message_id=f"fact-{number}", said_at=SAID_AT + number)
        await character.settle()
        for number, answer in enumerate(("Yes, I am.", "Yes, still.", "No, not any more.")):
            await character.say(
                "You are fond of green tea.",
                surfaced=["green tea"],
                message_id=f"line-{number}",
                said_at=SAID_AT + 100 + number,
            )
            await character.settle()
            await character.hear(answer, message_id=f"answer-{number}", said_at=SAID_AT + 100 + number)
            await character.settle()


def run(job: dict[str, Any]) -> bool:
    """Do one job in a process of its own; return whether it was killed."""
    pid = os.fork()
    if not pid:
        try:
            trio.run(believe, job)
        except BaseException as error:  # noqa: BLE001 - a forked child must never return into its parent's code
            sys.stderr.write(f"believer: {error!r}\n")
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def main() -> None:
    """Do the JSON list of jobs on standard input and print whether each was killed, as a JSON list."""
    take_apart("Hello")
    sys.stdout.write(json.dumps([run(job) for job in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
