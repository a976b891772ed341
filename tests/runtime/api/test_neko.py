"""The routes of N.E.K.O.'s memory server: its paths, bodies and answers, and promises that hold on them too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from omoide.runtime.api.capability import Capability
from omoide.tests.runtime.api.served import serving, write_tokens


@pytest.fixture
async def neko(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(tmp_path / "data", neko=True) as served, served.client() as client:
        yield client


def history(*said: tuple[str, object]) -> dict[str, str]:
    return {"input_history": json.dumps([{"role": role, "content": content} for role, content in said])}


TEA = (
    "user",
    [{"type": "text", "text": "My sister Ingrid lives in Bergen."}, {"type": "image_url", "image_url": "x"}],
)
REPLY = ("assistant", "Bergen is lovely!")


async def settled(client: httpx.AsyncClient) -> None:
    await client.post("/v1/characters/小天/settle", json={})


async def test_what_is_cached_is_in_the_next_dialog_and_is_found(neko: httpx.AsyncClient) -> None:
    cached = (await neko.post("/cache/小天", json=history(TEA, REPLY, ("system", "be nice")))).json()
    await settled(neko)

    dialog = await neko.get("/new_dialog/小天")
    found = (await neko.post("/query_memory/小天", json={"query": "where does the sister live"})).json()

    assert cached == {"status": "cached", "count": 2}
    assert (dialog.headers["content-type"].split(";")[0], "Bergen" in dialog.text) == ("text/plain", True)
    assert [(one["text"], one["tier"]) for one in found["results"]] == [
        ("My sister Ingrid lives in Bergen.", "fact")
    ]
    assert set(found) == {"results", "query", "candidates_total", "elapsed_ms"}
    assert set(found["results"][0]) == {
        *("id", "text", "tier", "entity", "score", "created_at", "event_start_at", "event_end_at"),
    }


@pytest.mark.parametrize(("path", "status"), [("process", "processed"), ("renew", "processed")])
async def test_an_increment_is_appended(neko: httpx.AsyncClient, path: str, status: str) -> None:
    answer = await neko.post(f"/{path}/小天", json=history(TEA))

    assert answer.json() == {"status": status}
    assert "Bergen" in (await neko.get("/get_recent_history/小天")).json()


async def test_settling_appends_only_what_was_not_cached(neko: httpx.AsyncClient) -> None:
    await neko.post("/cache/小天", json=history(TEA, REPLY))

    answers = [
        (await neko.post("/settle/小天", json=history())).json(),
        (await neko.post("/settle/小天", json=history(TEA, REPLY, ("user", "I like tea.")))).json(),
    ]

    turns = (await neko.get("/v1/characters/小天/turns")).json()["items"]
    assert answers == [{"status": "settled"}] * 2
    assert [turn["text"] for turn in turns] == [TEA[1][0]["text"], REPLY[1], "I like tea."]


async def test_a_failure_is_in_the_body_where_its_callers_look(neko: httpx.AsyncClient) -> None:
    answer = await neko.post("/cache/小天", json={"input_history": "no json"})

    assert (answer.status_code, answer.json()["status"]) == (200, "error")
    assert "input_history" in answer.json()["message"]


@pytest.mark.parametrize("said", [(), (("system", "Be brief."),), (("user", "a" * 100_001),)])
async def test_a_character_comes_into_being_with_words_that_can_be_taken_and_with_nothing_less(
    neko: httpx.AsyncClient, said: tuple[tuple[str, str], ...]
) -> None:
    await neko.post("/cache/小天", json=history(*said))

    assert (await neko.get("/v1/characters")).json() == {"characters": []}


async def test_an_unknown_character_has_an_empty_dialog_and_no_gap(neko: httpx.AsyncClient) -> None:
    dialog, gap = await neko.get("/new_dialog/nobody"), await neko.get("/last_conversation_gap/nobody")

    assert (dialog.status_code, dialog.text, gap.json()) == (200, "", {"gap_seconds": -1})


async def test_a_query_with_subjects_reads_these_and_with_none_nothing(neko: httpx.AsyncClient) -> None:
    await neko.post("/cache/小天", json=history(TEA))
    said = {"text": "Our picnic is at the lake.", "subject": "group:qq:77"}
    await neko.post("/v1/characters/小天/hear", json=said)
    await settled(neko)

    async def found(**asked: object) -> list[str]:
        answer = await neko.post("/query_memory/小天", json={"query": "sister picnic Bergen lake", **asked})
        return sorted(one["text"][:4] for one in answer.json()["results"])

    group = {"subject_kind": "group_chat", "subject_id": "qq:77"}
    assert await found() == ["My s"]
    assert await found(subjects=[group]) == ["Our "]
    assert await found(subjects=[group], include_legacy_private=True) == ["My s", "Our "]
    assert await found(subjects=[]) == await found(subjects=[], include_legacy_private=True) == []


async def test_a_time_that_cannot_be_read_is_left_out_beside_a_query(neko: httpx.AsyncClient) -> None:
    await neko.post("/cache/小天", json=history(TEA))
    await settled(neko)

    answer = await neko.post("/query_memory/小天", json={"query": "sister", "time": "whenever"})

    assert len(answer.json()["results"]) == 1


async def test_a_ban_holds_on_these_routes_too(neko: httpx.AsyncClient) -> None:
    await neko.post(
        "/cache/小天", json=history(("user", "My ex Marcus plays golf."), ("user", "Never mention Marcus."))
    )
    await settled(neko)

    found = (await neko.post("/query_memory/小天", json={"query": "who plays golf"})).json()

    assert found["results"] == []


async def test_routine_calls_of_the_application_are_answered(neko: httpx.AsyncClient) -> None:
    await neko.post("/cache/小天", json=history(TEA))

    answers = [
        (await neko.get("/followup_topics/小天")).json(),
        (await neko.post("/record_surfaced/小天", json={"reflection_ids": ["ref_1"]})).json(),
        (await neko.post("/cache/小天", json=history(REPLY))).json(),
        (await neko.post("/reflect/小天")).json(),
        (await neko.post("/cancel_correction/小天")).json(),
        (await neko.post("/release_character/小天")).json(),
        (await neko.post("/reload")).json()["status"],
        (await neko.get("/health")).json()["status"],
    ]

    assert answers == [
        {"topics": []},
        {"ok": True},
        {"status": "cached", "count": 1},
        {"reflection": None, "auto_transitions": 0},
        {"status": "no_task"},
        {"status": "success", "character_name": "小天"},
        "success",
        "ok",
    ]


async def test_without_the_switch_the_routes_are_not_there(client: httpx.AsyncClient) -> None:
    assert (await client.post("/cache/小天", json=history(TEA))).status_code == 404


async def test_where_tokens_are_set_these_routes_need_one_that_speaks_as_the_owner(tmp_path: Path) -> None:
    tokens = write_tokens(
        tmp_path / "tokens.toml",
        [
            Capability(name="app", sha256=""),
            Capability(name="bot", sha256="", accounts=("qq:1",), subjects=("group:qq:7",)),
        ],
    )
    async with serving(tmp_path / "data", tokens_file=tokens, neko=True) as served:
        statuses = []
        for token in (None, "bot", "app"):
            async with served.client(token) as client:
                statuses.append((await client.post("/cache/yui", json=history(TEA))).status_code)

    assert statuses == [401, 403, 200]
