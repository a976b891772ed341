"""What people complain of in systems that ask a model, with a server that does it to us."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.protocols.work import ExtractTurn, OpState
from omoide.runtime.soak.provider import Server, fails, says, serving
from omoide.tests.runtime.models.http.life import living

TEA = says([{"text": "likes tea", "importance": 6}])


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that misbehaves on order."""
    with serving() as it:
        yield it


async def test_facts_before_the_cut_are_kept_and_the_op_is_not_done(tmp_path: Path, server: Server) -> None:
    """mem0#5428: the answer met its limit, and all facts of the batch were dropped."""
    cut_off = says('[{"text":"likes tea"},{"text":"has a ca', finish="length")
    server.then(cut_off, cut_off)
    async with living(tmp_path, server) as it:
        await it.character.hear("I like tea and I have a cat.")
        await it.character.drain()
        assert await it.facts() == ["likes tea"]
        assert [op.attempts for op in await it.work(OpState.PENDING) if isinstance(op.work, ExtractTurn)] == [1]

        server.then(says([{"text": "likes tea"}, {"text": "has a cat"}]))
        await it.settle()
        assert await it.facts() == ["likes tea", "has a cat"]
        assert await it.work(OpState.PENDING, OpState.PARKED) == ()


@pytest.mark.parametrize(
    "answer",
    [
        'Sure {ok}: [{"text": "likes tea"}]',
        r'[{"text": "likes tea \ud83d"}]',
        r'[{"text": "likes tea"}, {"text": "\d \x"}]',
    ],
)
async def test_prose_and_bad_escapes_cost_no_fact(tmp_path: Path, server: Server, answer: str) -> None:
    """mem0#5998 and #4540."""
    server.then(says(answer))
    async with living(tmp_path, server) as it:
        await it.hear("I like tea.")
        assert await it.facts() == ["likes tea"]


async def test_unreadable_output_is_never_done_with_nothing(tmp_path: Path, server: Server) -> None:
    server.otherwise = says("{")
    async with living(tmp_path, server) as it:
        await it.hear("I like tea.")
        (op,) = await it.work(OpState.PARKED)
        assert "ModelOutputError: expected an object with the list" in op.error


async def test_a_server_that_is_busy_twice_costs_no_fact(tmp_path: Path, server: Server) -> None:
    """hindsight#1833: a 429 was swallowed, and the op completed with no fact."""
    server.then(fails(429, retry_after="60"), fails(429, retry_after="60"), TEA)
    async with living(tmp_path, server) as it:
        await it.hear("I like tea.")
        assert await it.facts() == ["likes tea"]
    assert len(server.requests) == 3


async def test_a_busy_server_is_not_asked_before_its_time_and_costs_no_attempt(
    tmp_path: Path, server: Server
) -> None:
    server.then(fails(429, retry_after="600"))
    async with living(tmp_path, server) as it:
        await it.character.hear("I like tea.")
        await it.character.drain()
        (op,) = await it.work(OpState.PENDING)
        assert (op.attempts, op.not_before - op.enqueued_at) == (0, 600)
        assert "asks to wait" in op.error


@pytest.mark.parametrize(("policy", "facts", "parked"), [("wait", [], 1), ("offline", ["I like tea."], 0)])
async def test_a_model_that_only_chats_is_told_so_and_then_the_policy_decides(
    tmp_path: Path, server: Server, policy: str, facts: list[str], parked: int
) -> None:
    """OpenViking#1541: plain text instead of JSON, and the same prompt again until it was given up."""
    server.otherwise = says("Nice chat!")
    async with living(tmp_path, server, models={"when_gone": policy}) as it:
        await it.hear("I like tea.")
        assert await it.facts() == facts
        assert len(await it.work(OpState.PARKED)) == parked
    first, second, *_ = server.requests
    assert "Nice chat!" not in first.said
    assert "got no JSON" in second.said


async def test_a_fact_keeps_its_language(tmp_path: Path, server: Server) -> None:
    """mem0#3707 and EverOS#53: stored in another language than it was spoken in."""
    server.then(says([{"text": "allergic to peanuts"}]), says([{"text": "对花生过敏"}]))
    async with living(tmp_path, server) as it:
        await it.hear("我对花生过敏")
        assert await it.facts() == ["对花生过敏"]
    assert "not in the language" in server.requests[1].said


async def test_what_nobody_said_is_not_stored(tmp_path: Path, server: Server) -> None:
    """mem0#4573."""
    server.then(says([{"text": "is 32 years old"}, {"text": "likes tea"}]))
    async with living(tmp_path, server) as it:
        await it.hear("I like tea.")
        assert await it.facts() == ["likes tea"]


async def test_a_turn_costs_one_call_and_calls_are_counted(tmp_path: Path, server: Server) -> None:
    """mem0#2813, agno#2931: many model calls a turn."""
    server.otherwise = says({"facts": []})
    async with living(tmp_path, server) as it:
        await it.hear(*(f"The weather was fine on day {number}." for number in range(5)))
        (provider,) = (await it.runtime.status()).models.providers
        assert {task: spent.calls for task, spent in provider.tasks.items()} == {"extract": 5}
    assert len(server.requests) == 5


async def test_what_the_budget_has_no_room_for_is_done_in_the_next_hour(tmp_path: Path, server: Server) -> None:
    server.otherwise = TEA
    async with living(tmp_path, server, tokens_per_hour=2_200) as it:
        await it.character.hear("I like tea.")
        await it.character.hear("Really, I like tea.")
        await it.character.drain()
        assert len(server.requests) == 1
        (waiting,) = [op for op in await it.work(OpState.PENDING) if op.error]
        assert (waiting.attempts, waiting.not_before % 3_600) == (0, 0)
        await it.settle()
        assert await it.work(OpState.PENDING, OpState.PARKED) == ()
    assert len(server.requests) == 2


async def test_a_model_that_is_left_alone_is_named_in_the_status(tmp_path: Path, server: Server) -> None:
    server.otherwise = fails(500)
    async with living(tmp_path, server, breaker_failures=3) as it:
        assert (await it.character.status()).degraded == ()
        await it.character.hear("I like tea.")
        await it.character.drain()
        assert (await it.character.status()).degraded == ("model",)
        server.otherwise = TEA
        await it.settle()
        assert (await it.character.status()).degraded == ()


async def test_a_provider_that_comes_back_finds_all_work_waiting(tmp_path: Path, server: Server) -> None:
    server.otherwise = fails(401)
    async with living(tmp_path, server) as it:
        await it.character.hear("I like tea.")
        await it.settle(rounds=20)
        assert [op.attempts for op in await it.work(OpState.PENDING)] == [0]
        (provider,) = (await it.runtime.status()).models.providers
        assert provider.state in {"failing", "left alone"}
        assert "refuses the key" in provider.health.error
        server.otherwise = TEA
        await it.settle()
        assert await it.facts() == ["likes tea"]
