"""The turn loop of a voice app: what is spoken, what an interruption drops, and what is recorded of it."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.runtime import aio, host

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


@pytest.mark.parametrize("kind", ["trio", "asyncio"])
def test_the_page_shows_the_example_that_is_run(kind: str) -> None:
    page = (ROOT / "docs" / "how-to" / "voice-app.md").read_text()

    assert f'```python title="voice_{kind}.py"\n{(EXAMPLES / f"voice_{kind}.py").read_text()}```' in page


def example(kind: str, model: Any = None) -> dict[str, Any]:
    """Return the example's names, with another model in the place of its own."""
    names = runpy.run_path(str(EXAMPLES / f"voice_{kind}.py"))
    if model is not None:
        names["turn"].__globals__["model"] = model
    return names


async def endless(_: str) -> AsyncGenerator[str]:
    while True:
        yield "It goes on. "


async def failing(_: str) -> AsyncGenerator[str]:
    yield "One moment. Let me"
    raise ConnectionError


async def on_trio(folder: Path, model: Any, **room: int) -> tuple[BaseException | None, list[str]]:
    names, failure = example("trio", model), None
    async with host.open_runtime(folder) as runtime:
        yui = await runtime.character("yui")
        try:
            await names["turn"](yui, "Go on.", names["Room"](**room))
        except BaseExceptionGroup as group:
            failure = group
        return failure, [turn.text for turn in await yui.turns(newest=5)]


async def on_asyncio(folder: Path, model: Any, **room: int) -> tuple[BaseException | None, list[str]]:
    names, failure = example("asyncio", model), None
    async with aio.open_runtime(folder) as runtime:
        yui = await runtime.character("yui")
        try:
            await names["turn"](yui, "Go on.", names["Room"](**room))
        except BaseExceptionGroup as group:
            failure = group
        return failure, [turn.text for turn in await yui.turns(newest=5)]


def run(kind: str, folder: Path, model: Any, **room: int) -> tuple[BaseException | None, list[str]]:
    if kind == "trio":
        return trio.run(lambda: on_trio(folder, model, **room))
    return asyncio.run(on_asyncio(folder, model, **room))


@pytest.mark.parametrize("kind", ["trio", "asyncio"])
def test_an_interruption_ends_a_model_that_never_would_and_records_what_was_heard(
    kind: str, tmp_path: Path
) -> None:
    assert run(kind, tmp_path, endless, interrupted_after=4) == (None, ["Go on.", "It goes on. It"])


@pytest.mark.parametrize("kind", ["trio", "asyncio"])
def test_nothing_is_recorded_where_nothing_was_heard(kind: str, tmp_path: Path) -> None:
    async def silent(_: str) -> AsyncGenerator[str]:
        for chunk in list[str]():
            yield chunk

    assert run(kind, tmp_path, silent) == (None, ["Go on."])


@pytest.mark.parametrize("kind", ["trio", "asyncio"])
def test_a_model_that_fails_in_the_middle_is_told_and_what_was_heard_is_recorded(
    kind: str, tmp_path: Path
) -> None:
    failure, turns = run(kind, tmp_path, failing)

    assert isinstance(failure, BaseExceptionGroup)
    assert failure.subgroup(ConnectionError) is not None
    assert turns[0] == "Go on."
    assert "Let me" not in turns[-1]
