"""`omoide models try` shows one task as it went, and `omoide status` how the providers do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.runtime.soak.provider import Behaviour, Server, fails, says, serving
from omoide.tests.runtime.cli.command_line import Omoide

BEES = says({"facts": [{"text": "keeps bees", "importance": 7, "entity": "owner"}]})


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that misbehaves on order."""
    with serving() as it:
        yield it


@pytest.fixture
def at_server(server: Server, tmp_path: Path) -> list[str]:
    """Options by which the command finds the server."""
    config = tmp_path / "omoide.toml"
    config.write_text(
        f'[models]\nuse = "local"\n[models.providers.local]\nbase_url = "{server.base_url}"\nfast = "tiny"\n'
        "backoff_min_s = 0.01\nbackoff_max_s = 0.02\nbackoff_jitter_s = 0.0\n"
    )
    return ["--config", str(config)]


def test_one_task_is_shown_with_prompt_answer_result_and_time(
    omoide: Omoide, server: Server, at_server: list[str]
) -> None:
    server.then(BEES)
    out = omoide("models", "try", "I keep bees.", *at_server).out
    assert "You keep the long-term memory of Yui" in out
    assert "Sam | I keep bees." in out
    assert '{"facts": [{"text": "keeps bees"' in out
    assert " 7 owner        keeps bees" in out
    assert "1 request, 100 + 20 tokens" in out


def test_it_is_told_as_json(omoide: Omoide, server: Server, at_server: list[str]) -> None:
    server.then(says("Nice chat!"), BEES)
    (document,) = omoide("models", "try", "I keep bees.", "--json", *at_server).documents
    trial = document["trial"]
    assert (document["provider"], trial["answers"][0], len(trial["answers"])) == ("local", "Nice chat!", 2)
    assert [fact["text"] for fact in trial["result"]] == ["keeps bees"]
    assert trial["spent"]["repairs"] == 1


def test_a_failure_is_shown_and_ends_with_1(omoide: Omoide, server: Server, at_server: list[str]) -> None:
    server.otherwise = fails(401)
    ended = omoide("models", "try", *at_server, code=1)
    assert "refuses the key: check key_env or key_file" in ended.out


def test_what_a_model_answers_commands_no_terminal(omoide: Omoide, server: Server, at_server: list[str]) -> None:
    server.otherwise = says("\x1b[2J{}")
    assert "\x1b" not in omoide("models", "try", *at_server, code=1).out


def test_the_offline_engine_can_be_tried_too(omoide: Omoide) -> None:
    assert "I keep bees." in omoide("models", "try", "I keep bees.").out


def test_a_provider_that_isnt_there_is_named_with_those_that_are(omoide: Omoide, at_server: list[str]) -> None:
    ended = omoide("models", "try", "--provider", "cloud", *at_server, code=2)
    assert "'cloud'" in ended.err
    assert "offline, local" in ended.err


def test_status_tells_how_the_providers_do(omoide: Omoide, server: Server, at_server: list[str]) -> None:
    assert "unused" in omoide("status", *at_server).out
    server.then(BEES)
    omoide("models", "try", *at_server)
    out = omoide("status", *at_server).out
    assert "Mind: local. When a provider is gone: its work waits in the outbox." in out
    assert "ready; 120 tokens this hour" in out
    assert "extract\t1\t0\t0\t0\t1\t100 + 20" in out
    server.otherwise = fails(500)
    omoide("models", "try", *at_server, code=1)
    (document,) = omoide("status", "--json", *at_server).documents
    (provider,) = document["models"]["providers"]
    assert (provider["state"], provider["tasks"]["extract"]["failures"]) == ("failing", 1)


def test_a_misspelt_setting_of_a_provider_is_named(omoide: Omoide, tmp_path: Path) -> None:
    config = tmp_path / "omoide.toml"
    config.write_text('[models.providers.local]\nbase_url = "http://h/v1"\nfast = "m"\ntemprature = 1\n')
    ended = omoide("status", "--config", str(config), code=2)
    assert "models.providers.local.temprature" in ended.err


def test_a_provider_may_come_from_the_environment(omoide: Omoide, server: Server) -> None:
    server.then(BEES)
    ended = omoide(
        "models",
        "try",
        "I keep bees.",
        OMOIDE_MODELS__USE="local",
        OMOIDE_MODELS__PROVIDERS__LOCAL__BASE_URL=server.base_url,
        OMOIDE_MODELS__PROVIDERS__LOCAL__FAST="tiny",
        OMOIDE_MODELS__PROVIDERS__LOCAL__KEY_ENV="MY_KEY",
        MY_KEY="secret",
    )
    assert "keeps bees" in ended.out
    assert server.requests[0].headers["Authorization"] == "Bearer secret"


@pytest.mark.parametrize(
    ("trouble", "told", "state"),
    [
        (fails(429, retry_after="600"), "local asks to wait for 600 s (status 429)", "waiting"),
        (fails(401), "local refuses the key: check key_env or key_file", "failing"),
    ],
)
def test_who_waits_for_work_that_waits_is_told_why_and_for_how_long(
    omoide: Omoide, server: Server, at_server: list[str], trouble: Behaviour, told: str, state: str
) -> None:
    server.otherwise = trouble
    omoide("hear", "yui", "I keep bees.", *at_server)
    ended = omoide("settle", "yui", "--within", "4", *at_server, code=1)
    assert told in ended.err
    assert "it is kept" in ended.err
    (document,) = omoide("status", "--json", *at_server).documents
    (provider,) = document["models"]["providers"]
    assert provider["state"] == state


def test_a_character_has_the_mind_that_the_settings_name_for_it(
    omoide: Omoide, server: Server, at_server: list[str]
) -> None:
    with Path(at_server[1]).open("a", encoding="utf-8") as config:
        config.write('[models.characters]\nmei = "offline"\n')
    server.otherwise = BEES
    for name in ("yui", "mei"):
        omoide("hear", name, "I keep bees.", *at_server)
        omoide("settle", name, *at_server)
    assert len(server.requests) == 1


def test_where_the_policy_says_so_rules_do_the_work_of_a_provider_that_is_gone(
    omoide: Omoide, server: Server, at_server: list[str]
) -> None:
    config = Path(at_server[1])
    config.write_text(config.read_text().replace("[models]", '[models]\nwhen_gone = "offline"'))
    server.otherwise = fails(500)
    omoide("hear", "yui", "I keep bees.", *at_server)
    omoide("settle", "yui", *at_server)
    assert "I keep bees." in omoide("facts", "yui", *at_server).out
    assert "the offline engine does its work" in omoide("status", *at_server).out
