"""P8: no model, a slow one, a dead one: the conversation goes on, and memory catches up later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from omoide.protocols.work import OpState
from omoide.runtime.soak.provider import (
    Behaviour,
    Server,
    breaks_off,
    drips,
    fails,
    floods,
    hangs_up,
    says,
    serving,
    stays_silent,
)
from omoide.tests.runtime.models.http.life import Life, living

HOT_S = 2.0
"""Longest that any step of a conversation may take here, in seconds: far less than a model's 60, and far more than
a loaded machine needs for the step itself."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that misbehaves on order."""
    with serving() as it:
        yield it


async def converse(it: Life) -> dict[str, float]:
    """Do once everything that a conversation waits for, and return how long each took, in seconds."""
    character = it.character
    spans: dict[str, float] = {}

    async def step(name: str, call: object) -> None:
        began = trio.current_time()
        await call  # type: ignore[misc]
        spans[name] = trio.current_time() - began

    await step("hear", character.hear("I like tea. Please never mention my ex again."))
    await step("hear more", character.hear("And I have a cat."))
    await step("gate", character.gate("How is your ex?", unprompted=True))
    await step("say", character.say("What is your cat called?"))
    await step("recall", character.recall("tea"))
    await step("briefing", character.briefing(cue="tea"))
    await step("directives", character.directives())
    await step("status", character.status())
    return spans


@pytest.mark.parametrize(
    "trouble", [stays_silent, drips, floods, hangs_up, breaks_off, fails(500), fails(429), says("Nice chat!")]
)
async def test_a_conversation_goes_on_whatever_the_model_does(
    tmp_path: Path, server: Server, trouble: Behaviour
) -> None:
    server.otherwise = trouble
    async with living(tmp_path, server, task_timeout_s=60, read_timeout_s=60, attempts=2) as it:
        first = await converse(it)
        with trio.move_on_after(0.3):  # the model is being asked by now
            await it.character.drain()
        second = await converse(it)
    assert server.requests
    assert max(first.values(), default=0) < HOT_S
    assert max(second.values(), default=0) < HOT_S


async def test_a_conversation_goes_on_while_a_judgement_is_being_made(tmp_path: Path, server: Server) -> None:
    runs = [f"I run by the river on day {number}" for number in range(5)]
    server.then(*(says([{"text": text, "importance": 7}]) for text in runs))
    server.otherwise = stays_silent
    async with living(tmp_path, server, task_timeout_s=60, read_timeout_s=60) as it:
        for text in runs:
            await it.character.hear(text)
        with trio.move_on_after(1):
            await it.character.drain()
        spans = await converse(it)
    assert server.requests[5].body["response_format"]["json_schema"]["name"] == "synthesise"
    assert max(spans.values()) < HOT_S


async def test_what_was_heard_meanwhile_is_learned_once_the_model_is_back(tmp_path: Path, server: Server) -> None:
    server.otherwise = fails(503)
    async with living(tmp_path, server) as it:
        await converse(it)
        with trio.move_on_after(0.5):
            await it.character.drain()
        assert await it.facts() == []
    server.otherwise = says([{"text": "likes tea"}, {"text": "has a cat"}])
    async with living(tmp_path, server) as it:
        it.clock.advance_to(it.clock.now() + 600)
        await it.settle()
        assert sorted(await it.facts()) == ["has a cat", "likes tea"]
        assert await it.work(OpState.PENDING, OpState.PARKED) == ()


async def test_closing_waits_for_no_model(tmp_path: Path, server: Server) -> None:
    server.otherwise = stays_silent
    async with living(tmp_path, server, task_timeout_s=60, read_timeout_s=60) as it:
        await it.character.hear("I like tea.")
        await trio.sleep(0.2)
        began = trio.current_time()
    assert server.requests
    assert trio.current_time() - began < HOT_S


async def test_a_character_whose_model_is_slow_keeps_no_other_waiting(tmp_path: Path, server: Server) -> None:
    server.otherwise = stays_silent
    models = {"use": "offline", "characters": {"yui": "local"}}
    async with living(tmp_path, server, models=models, task_timeout_s=60, read_timeout_s=60) as it:
        await it.character.hear("I like tea.")
        other = await it.runtime.character("mei", owner="Mia")
        await other.hear("I have a dog.")
        with trio.fail_after(10):
            await other.settle()
        assert [fact.text for fact in await other.facts()] == ["I have a dog."]
    assert server.requests
