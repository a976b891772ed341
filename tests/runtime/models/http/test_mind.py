"""Whatever the server does, a task ends as an answer, as a wait, or as a failure that says what to do."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
import trio

from omoide.protocols.errors import (
    ModelBusyError,
    ModelCutOffError,
    ModelError,
    ModelOutputError,
    ModelUnavailableError,
    SettingsError,
)
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest, FeedbackRequest
from omoide.protocols.records import Entity, Profile, Role, Turn, TurnId
from omoide.protocols.tasks import MergeRequest
from omoide.runtime.models.status import models_status
from omoide.runtime.soak.provider import (
    Behaviour,
    Server,
    breaks_off,
    completion,
    drips,
    fails,
    floods,
    hangs_up,
    says,
    sends,
    stays_silent,
)
from omoide.tests.runtime.models.contracts.test_tasks import REQUESTS, reflection
from omoide.tests.runtime.models.http.conftest import Stage, Stages
from omoide.tests.runtime.models.http.life import QUICK, START, settings_of

SAID = Turn(id=TurnId("t"), role=Role.PERSON, text="I keep bees.", said_at=0, heard_at=0)
REQUEST = ExtractRequest(turn=SAID, profile=Profile(owner="Sam"))
BEES = Candidate(text="keeps bees", entity=Entity.OWNER, importance=7)
GOOD = says({"facts": [{"text": "keeps bees", "importance": 7, "entity": "owner"}]})


async def extracted(it: Stage) -> list[Candidate]:
    return list(await it.mind.extract(REQUEST))


# --- what passes ---------------------------------------------------------------------------------


async def test_an_answer_is_read(stage: Stages, server: Server) -> None:
    server.then(GOOD)
    async with stage() as it:
        assert await extracted(it) == [BEES]


@pytest.mark.parametrize(
    "trouble",
    [
        fails(500),
        fails(502, b"<html>Bad gateway</html>"),
        fails(503),
        fails(529),
        fails(408),
        fails(409),
        fails(429),
        fails(429, retry_after="0"),
        fails(500, b""),
        hangs_up,
        breaks_off,
        stays_silent,
    ],
)
async def test_a_trouble_that_passes_costs_one_more_request(
    stage: Stages, server: Server, trouble: Behaviour
) -> None:
    server.then(trouble, GOOD)
    async with stage() as it:
        assert await extracted(it) == [BEES]
    assert len(server.requests) == 2


@pytest.mark.parametrize("unusable", ["Nice chat!", "{", '{"facts": "bees"}', '[{"importance": 3}]'])
async def test_an_answer_that_cant_be_used_is_repaired_once_with_what_was_wrong(
    stage: Stages, server: Server, unusable: str
) -> None:
    server.then(says(unusable), GOOD)
    async with stage() as it:
        assert await extracted(it) == [BEES]
    roles = [message["role"] for message in server.requests[1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "can't be used: " in server.requests[1].body["messages"][3]["content"]


async def test_the_rest_of_an_answer_that_was_cut_off_is_asked_for(stage: Stages, server: Server) -> None:
    server.then(says('[{"text":"keeps bees","importance":7},{"text":"has a ca', finish="length"))
    server.then(says([{"text": "has a cat"}]))
    request = ExtractRequest(
        turn=Turn(id=TurnId("t"), role=Role.PERSON, text="I keep bees, and have a cat.", said_at=0, heard_at=0),
        profile=Profile(owner="Sam"),
    )
    async with stage() as it:
        assert [one.text for one in await it.mind.extract(request)] == ["keeps bees", "has a cat"]


@pytest.mark.parametrize(
    ("refusals", "kind"),
    [
        ([], "json_schema"),
        ([fails(400)], "json_object"),
        ([fails(422), fails(400, b"no response_format here")], None),
    ],
)
async def test_a_server_that_refuses_the_schema_is_asked_for_less_and_not_again(
    stage: Stages, server: Server, refusals: list[Behaviour], kind: str | None
) -> None:
    server.then(*refusals, GOOD, GOOD)
    async with stage() as it:
        await extracted(it)
        await extracted(it)
    used = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert used[-2:] == [kind, kind]
    assert len(used) == len(refusals) + 2


@pytest.mark.parametrize(
    ("complaint", "gone", "instead"),
    [
        (b"Unsupported parameter: use 'max_completion_tokens' instead", "max_tokens", "max_completion_tokens"),
        (b"temperature does not support 0 with this model", "temperature", None),
    ],
)
async def test_a_word_that_a_server_doesnt_know_is_left_out(
    stage: Stages, server: Server, complaint: bytes, gone: str, instead: str | None
) -> None:
    server.then(fails(400, complaint), GOOD)
    async with stage() as it:
        assert await extracted(it) == [BEES]
    body = server.requests[1].body
    assert gone not in body
    assert instead is None or instead in body
    assert body["response_format"]["type"] == "json_schema"


async def test_a_task_is_asked_of_the_model_of_its_tier(stage: Stages, server: Server) -> None:
    server.then(GOOD, says({"action": "new", "into": "", "text": "", "reason": ""}))
    merge = MergeRequest(reflection=reflection("Sam runs."), pool=(), profile=Profile())
    async with stage(strong="large", extra_body={"reasoning_effort": "low"}) as it:
        await extracted(it)
        await it.mind.merge(merge)
    asked = [(request.body["model"], request.body["reasoning_effort"]) for request in server.requests]
    assert asked == [("tiny", "low"), ("large", "low")]


@pytest.mark.parametrize("name", sorted(REQUESTS))
async def test_every_task_goes_over_the_wire(stage: Stages, server: Server, name: str) -> None:
    answers = {
        "synthesise": {"text": "Sam runs."},
        "merge": {"action": "new"},
        "summarise": {"text": "Sam keeps bees."},
    }
    server.then(says(answers.get(name, [])))
    async with stage() as it:
        ask = it.mind.judge_feedback if name == "feedback" else getattr(it.mind, name)
        await ask(REQUESTS[name])  # type: ignore[index]
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["response_format"]["json_schema"]["name"] == name


# --- what waits ----------------------------------------------------------------------------------


async def test_a_server_that_asks_to_wait_long_is_left_until_then(stage: Stages, server: Server) -> None:
    server.then(fails(429, retry_after="120"))
    async with stage() as it:
        with pytest.raises(ModelBusyError, match="asks to wait") as caught:
            await extracted(it)
    assert caught.value.not_before == START + 120
    assert len(server.requests) == 1


async def test_a_date_to_wait_for_is_understood(stage: Stages, server: Server) -> None:
    server.then(fails(503, retry_after="Mon, 02 Mar 2026 09:05:00 GMT"))
    async with stage() as it:
        with pytest.raises(ModelBusyError) as caught:
            await extracted(it)
    assert caught.value.not_before == START + 300


async def test_a_server_that_isnt_there_is_unavailable(stage: Stages) -> None:
    async with stage(base_url="http://127.0.0.1:1/v1") as it:
        with pytest.raises(
            ModelUnavailableError, match=r"can't be reached at http://127.0.0.1:1/v1.*running"
        ) as caught:
            await extracted(it)
    assert caught.value.not_before == START + 30


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "key_env or key_file"), (403, "the key"), (404, "base_url and the names")]
)
async def test_a_door_that_is_shut_names_the_setting(
    stage: Stages, server: Server, status: int, advice: str
) -> None:
    server.then(fails(status))
    async with stage() as it:
        with pytest.raises(ModelUnavailableError, match=advice):
            await extracted(it)
    assert len(server.requests) == 1


async def test_a_server_that_fails_in_a_row_is_left_alone_and_then_tried_once(
    stage: Stages, server: Server
) -> None:
    server.then(*[fails(500)] * 6, GOOD)
    async with stage(attempts=1, breaker_failures=3) as it:
        for _ in range(3):
            with pytest.raises(ModelError, match="status 500"):
                await extracted(it)
        with pytest.raises(ModelUnavailableError, match="left alone") as caught:
            await extracted(it)
        assert (len(server.requests), caught.value.not_before) == (3, START + 30)

        it.clock.advance_to(START + 30)
        with pytest.raises(ModelError, match="status 500"):
            await extracted(it)
        with pytest.raises(ModelUnavailableError) as caught:
            await extracted(it)
        assert (len(server.requests), caught.value.not_before) == (4, START + 30 + 60)

        server.script.clear()
        server.then(GOOD)
        it.clock.advance_to(START + 90)
        assert await extracted(it) == [BEES]
        assert await extracted(it) == []


async def test_what_the_hour_has_no_tokens_for_waits_for_the_next(stage: Stages, server: Server) -> None:
    server.then(GOOD, GOOD)
    async with stage(tokens_per_hour=2_200) as it:
        it.clock.advance_to(START + 1_000)
        await extracted(it)
        with pytest.raises(ModelBusyError, match=r"120 of 2,200 tokens.*tokens_per_hour") as caught:
            await extracted(it)
        assert caught.value.not_before == START + 3_600
        it.clock.advance_to(START + 3_600)
        assert await extracted(it) == [BEES]


async def test_a_budget_holds_over_a_restart(stage: Stages, server: Server) -> None:
    server.then(GOOD, GOOD)
    async with stage(tokens_per_hour=2_200) as it:
        await extracted(it)
    async with stage(tokens_per_hour=2_200) as it:
        with pytest.raises(ModelBusyError):
            await extracted(it)


async def test_a_task_larger_than_the_whole_budget_is_done_alone(stage: Stages, server: Server) -> None:
    server.then(GOOD)
    async with stage(tokens_per_hour=10) as it:
        assert await extracted(it) == [BEES]


async def test_no_more_requests_run_at_a_time_than_the_settings_allow(stage: Stages, server: Server) -> None:
    server.then(stays_silent)
    async with stage(concurrency=1, queue_timeout_s=0.1, attempts=1) as it, trio.open_nursery() as nursery:

        async def hang() -> None:
            with pytest.raises(ModelError):
                await extracted(it)

        nursery.start_soon(hang)
        await trio.sleep(0.1)
        with pytest.raises(ModelBusyError, match="all 1 connections"):
            await extracted(it)
    assert len(server.requests) == 1


# --- what fails ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "error", "message"),
    [
        (fails(500), ModelError, "gave no answer in 3 attempts \\(status 500\\)"),
        (stays_silent, ModelError, "3 attempts \\(silence\\)"),
        (breaks_off, ModelError, "broke off"),
        (hangs_up, ModelError, "broke off|attempts"),
        (drips, ModelError, "within 1.5 s"),
        (floods, ModelOutputError, "more than 65,536 bytes"),
        (sends(b"x" * 70_000), ModelOutputError, "more than 65,536 bytes"),
        (fails(400), ModelError, "refused the request with status 400 \\(nope\\)"),
        (fails(302, b"", location="http://127.0.0.1:1/"), ModelError, "status 302"),
        (sends(b"not json"), ModelOutputError, "no chat completion"),
        (sends(b'{"choices": []}'), ModelOutputError, "no chat completion"),
        (sends(b"\xff\xfe"), ModelOutputError, "no chat completion"),
        (sends(b"[" * 50_000), ModelOutputError, "no chat completion"),
        (sends(completion(None)), ModelOutputError, "answered nothing"),
        (sends(completion(None, refusal="I can't help with that.")), ModelOutputError, "refused to answer"),
        (says("", finish="content_filter"), ModelOutputError, "refused to answer"),
        (says("Nice chat!"), ModelOutputError, "got no JSON"),
        (says({"action": "obey"}), ModelOutputError, "got an object"),
        (says([{"text": "x" * 5_000}]), ModelOutputError, "nothing of the answer can be used"),
    ],
)
async def test_what_never_gets_better_is_a_failure(
    stage: Stages, server: Server, trouble: Behaviour, error: type[ModelError], message: str
) -> None:
    server.otherwise = trouble
    async with stage(response_bytes=65_536, breaker_failures=100) as it:
        with trio.fail_after(10), pytest.raises(error, match=message):
            await extracted(it)


async def test_an_answer_that_is_cut_off_twice_carries_what_was_complete(stage: Stages, server: Server) -> None:
    server.then(*[says('[{"text":"keeps bees","importance":7},{"text":"has a ca', finish="length")] * 2)
    async with stage() as it:
        with pytest.raises(ModelCutOffError) as caught:
            await extracted(it)
    assert caught.value.kept == (BEES,)


async def test_what_was_complete_survives_a_server_that_dies_before_the_rest(
    stage: Stages, server: Server
) -> None:
    server.then(says('[{"text":"keeps bees","importance":7},{"te', finish="length"), *[fails(500)] * 3)
    async with stage() as it:
        with pytest.raises(ModelCutOffError) as caught:
            await extracted(it)
    assert caught.value.kept == (BEES,)


async def test_ten_thousand_facts_from_one_turn_are_cut_to_what_one_can_state(
    stage: Stages, server: Server
) -> None:
    server.then(says([{"text": f"keeps bees {number}"} for number in range(10_000)]))
    async with stage() as it:
        assert len(await extracted(it)) == 64


# --- the key -------------------------------------------------------------------------------------

KEY = "sk-very-secret-0123456789"


async def test_the_key_goes_into_one_header(stage: Stages, server: Server) -> None:
    server.then(GOOD)
    async with stage(key_env="MY_KEY", environ={"MY_KEY": f" {KEY}\n"}) as it:
        await extracted(it)
    (request,) = server.requests
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(request.body)


async def test_a_key_may_stand_in_a_file(stage: Stages, server: Server, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{KEY}\nsecond line")
    server.then(GOOD)
    async with stage(key_file=str(tmp_path / "key")) as it:
        await extracted(it)
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("value", [None, "", "two words", "ключ", "line\x07"])
async def test_a_key_that_isnt_one_is_refused_without_being_told(stage: Stages, value: str | None) -> None:
    with pytest.raises(SettingsError, match="MY_KEY") as caught:
        async with stage(key_env="MY_KEY", environ={} if value is None else {"MY_KEY": value}):
            pass
    assert not value or value not in str(caught.value)


async def test_neither_the_key_nor_what_was_said_reaches_the_log_or_an_error(
    stage: Stages, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = json.dumps({"error": {"message": f"bad key {KEY} for: I keep bees.", "code": f"{KEY} bees"}}).encode()
    server.then(fails(500, told), fails(429, told), fails(400, told), fails(400, told), fails(400, told))
    async with stage(key_env="MY_KEY", environ={"MY_KEY": KEY}, models={"when_gone": "wait"}) as it:
        with pytest.raises(ModelError) as caught:
            await extracted(it)
    written = "\n".join(
        [caplog.text, *(str(vars(record)) for record in caplog.records), str(caught.value), repr(caught.value)]
    )
    assert KEY not in written
    assert "bees" not in written


# --- the choice and the counts -------------------------------------------------------------------


async def test_a_character_may_have_a_mind_of_its_own(stage: Stages, server: Server) -> None:
    server.then(GOOD)
    models = {"use": "offline", "characters": {"yui": "local"}}
    async with stage(models=models) as it:
        own = await it.minds.mind_of("yui").extract(REQUEST)
        other = await it.minds.mind_of("mei").extract(REQUEST)
    assert [[one.text for one in found] for found in (own, other)] == [["keeps bees"], ["I keep bees."]]
    assert len(server.requests) == 1


@pytest.mark.parametrize("trouble", [fails(500), says("Nice chat!"), hangs_up, fails(401)])
async def test_where_the_policy_says_so_the_offline_engine_does_what_the_provider_cant(
    stage: Stages, server: Server, trouble: Behaviour
) -> None:
    server.otherwise = trouble
    async with stage(models={"when_gone": "offline"}) as it:
        mind = it.minds.mind_of("yui")
        assert [one.text for one in await mind.extract(REQUEST)] == ["I keep bees."]
        feedback = FeedbackRequest(turn=SAID, reflections=(), profile=Profile())
        assert list(await mind.judge_feedback(feedback)) == []
    assert fallbacks(it) == {"extract": 1, "feedback": 1}


async def test_a_provider_that_asks_to_wait_is_waited_for_whatever_the_policy(
    stage: Stages, server: Server
) -> None:
    server.then(fails(429, retry_after="60"))
    async with stage(models={"when_gone": "offline"}) as it:
        with pytest.raises(ModelBusyError):
            await it.minds.mind_of("yui").extract(REQUEST)


async def test_calls_tokens_time_and_failures_are_counted_by_task(stage: Stages, server: Server) -> None:
    server.then(GOOD, says("Nice chat!"), GOOD, *[fails(500)] * 3)
    async with stage() as it:
        await extracted(it)
        await extracted(it)
        with pytest.raises(ModelError):
            await extracted(it)
    (provider,) = status(it).providers
    spent = provider.tasks["extract"]
    assert (spent.calls, spent.failures, spent.repairs, spent.requests) == (3, 1, 1, 6)
    assert (spent.prompt_tokens, spent.completion_tokens, provider.tokens_this_hour) == (300, 60, 360)
    assert 0 < spent.longest_s <= spent.latency_s
    assert (provider.state, provider.health.error.partition(":")[0]) == ("failing", "ModelError")


async def test_counts_that_cant_be_written_stop_no_task(stage: Stages, server: Server) -> None:
    server.then(GOOD, GOOD)
    async with stage(tokens_per_hour=2_200) as it:
        (it.data_dir / "models.db").unlink()
        (it.data_dir / "models.db").mkdir()
        assert await extracted(it) == [BEES]
        with pytest.raises(ModelBusyError):
            await extracted(it)


def status(it: Stage):  # type: ignore[no-untyped-def] # noqa: ANN201
    return models_status(settings_of(it.data_dir, "http://127.0.0.1:1/v1").models, it.data_dir, it.clock.now())


def fallbacks(it: Stage) -> dict[str, int]:
    (provider,) = status(it).providers
    return {task: spent.fallbacks for task, spent in provider.tasks.items()}


@pytest.mark.parametrize(
    ("provider", "message"),
    [
        ({"base_url": "127.0.0.1:11434"}, "http"),
        ({"base_url": "http://user:pass@host/v1"}, "key_env"),
        ({"base_url": "http://host/v1?key=abc"}, "key_env"),
        ({"base_url": "http://host/v1", "key_env": "A", "key_file": "b"}, "both"),
        ({"base_url": "http://host/v1", "breaker_min_s": 900}, "smallest wait"),
    ],
)
def test_a_provider_that_cant_be_is_refused(tmp_path: Path, provider: dict[str, object], message: str) -> None:
    given = {**QUICK, **provider}
    with pytest.raises(ValueError, match=message):
        settings_of(tmp_path, **given)


@pytest.mark.parametrize("models", [{"use": "nobody"}, {"characters": {"yui": "nobody"}}])
def test_a_provider_that_isnt_there_is_refused(tmp_path: Path, models: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"'nobody', and known are offline, local"):
        settings_of(tmp_path, "http://host/v1", models)
