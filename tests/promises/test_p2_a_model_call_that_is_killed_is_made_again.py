"""P1, P2: whenever the process dies while a model is being asked, each turn is learned once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from omoide.protocols.work import OpState
from omoide.runtime.soak.provider import Behaviour, Server, says, serving, stays_silent
from omoide.tests.processes import running
from omoide.tests.runtime.models.http.life import living

THINKER = Path(__file__).with_name("thinker.py")
TEXTS = ("I like tea.", "I have a cat.", "I play the cello.")
FACTS = {"tea": "likes tea", "cat": "has a cat", "cello": "plays the cello"}


def learns(handler: object) -> None:
    """Answer with the fact of the turn that is asked about."""
    said = handler.server.requests[-1].body["messages"][1]["content"]  # type: ignore[attr-defined]
    (fact,) = [fact for word, fact in FACTS.items() if word in said]
    says([{"text": fact}])(handler)  # type: ignore[arg-type]


@pytest.mark.kill
@pytest.mark.parametrize(
    "before_the_kill",
    [
        [stays_silent],
        [learns, stays_silent],
        [says('[{"text":"likes tea"},{"te', finish="length"), stays_silent],
        [learns, learns, learns],
    ],
)
async def test_each_turn_is_learned_once(tmp_path: Path, before_the_kill: list[Behaviour]) -> None:
    with serving() as server:
        server.then(*before_the_kill)
        server.otherwise = stays_silent
        kill_while_it_thinks(tmp_path, server, len(before_the_kill))
    with serving() as server:
        server.otherwise = learns
        later = time.time() + 3_600  # noqa: TID251 - the dead process went by the wall clock
        async with living(tmp_path, server, start=later) as it:
            await it.settle()
            assert sorted(await it.facts()) == sorted(FACTS.values())
            assert await it.work(OpState.PENDING, OpState.PARKED) == ()
            kinds = [event.kind for event in await it.character.events()]
            assert (kinds.count("turn_heard"), kinds.count("fact_added")) == (3, 3)


def kill_while_it_thinks(data_dir: Path, server: Server, requests: int) -> None:
    """Have a process hear the texts, and kill it once the server got so many requests."""
    job = json.dumps({"data_dir": str(data_dir), "base_url": server.base_url, "texts": TEXTS})
    with running([sys.executable, THINKER, job], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"heard\n"
            deadline = time.monotonic() + 30
            while len(server.requests) < requests and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(server.requests) >= requests
        finally:
            process.kill()
