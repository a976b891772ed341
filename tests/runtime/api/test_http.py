"""What the HTTP server takes and answers, over real sockets."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import trio

from omoide.protocols.errors import SettingsError
from omoide.protocols.settings import ServerSettings, Settings
from omoide.runtime.api.capability import Capability
from omoide.runtime.api.serve import serve
from omoide.tests.runtime.api.served import Served, serving, write_tokens

YUI = "/v1/characters/yui"


async def hear(client: httpx.AsyncClient, text: str, **more: object) -> httpx.Response:
    return await client.post(f"{YUI}/hear", json={"text": text, **more})


async def settled(client: httpx.AsyncClient) -> None:
    with trio.fail_after(20):
        while (await client.get(f"{YUI}/outbox")).json()["items"]:  # noqa: ASYNC110 - it is asked, and never tells
            await trio.sleep(0.02)


async def test_what_was_heard_is_recalled(client: httpx.AsyncClient) -> None:
    await hear(client, "My sister Ingrid lives in Bergen.")
    await settled(client)

    found = await client.post(f"{YUI}/recall", json={"query": "where does my sister live", "limit": 1})

    assert [hit["text"] for hit in found.json()["hits"]] == ["My sister Ingrid lives in Bergen."]


async def test_the_same_message_again_is_the_same_turn(client: httpx.AsyncClient) -> None:
    first = (await hear(client, "I own a kayak.", message_id="m1")).json()

    again = (await hear(client, "I own a kayak.", message_id="m1")).json()

    assert (again["turn"], again["repeated"]) == (first["turn"], True)


async def test_a_message_id_with_other_words_is_a_conflict(client: httpx.AsyncClient) -> None:
    await hear(client, "I own a kayak.", message_id="m1")

    answer = await hear(client, "I own a canoe.", message_id="m1")

    assert (answer.status_code, answer.json()["type"]) == (409, "urn:omoide:error:IdempotencyConflictError")


async def test_a_banned_topic_is_blocked_until_the_directive_is_deleted(client: httpx.AsyncClient) -> None:
    await hear(client, "Please stop mentioning Marcus.")
    draft = {"draft": "How is Marcus?", "unprompted": True}
    banned = (await client.post(f"{YUI}/gate", json=draft)).json()["verdict"]

    await client.delete(f"{YUI}/directives/Marcus")

    assert [banned, (await client.post(f"{YUI}/gate", json=draft)).json()["verdict"]] == ["block", "allow"]


async def test_a_rejected_fact_is_recalled_no_more(client: httpx.AsyncClient) -> None:
    await hear(client, "I live in Lisbon.")
    await settled(client)
    (fact,) = (await client.get(f"{YUI}/facts")).json()["items"]

    await client.post(f"{YUI}/records/{fact['id']}/reject")

    assert (await client.get(f"{YUI}/facts")).json()["items"] == []


async def test_what_is_erased_is_in_no_event(client: httpx.AsyncClient) -> None:
    await hear(client, "My diary lies under the floorboard.")
    await settled(client)

    erased = await client.post(f"{YUI}/erase", json={"words": "floorboard"})

    assert erased.status_code == 200
    assert "floorboard" not in (await client.get(f"{YUI}/events")).text


async def test_the_journal_comes_in_pages(client: httpx.AsyncClient) -> None:
    for item in ("kayak", "canoe", "raft"):
        await hear(client, f"I own a {item}.")
    await settled(client)
    everything = (await client.get(f"{YUI}/events", params={"limit": 1000})).json()["items"]

    pages, after = [], 0
    while after is not None:
        page = (await client.get(f"{YUI}/events", params={"after": after, "limit": 2})).json()
        pages += page["items"]
        after = page["next_after"]

    assert pages == everything


@pytest.mark.parametrize("name", ["Dr. Mio/v2.. 猫", "100% näive?", "a#b"])
async def test_a_character_may_have_any_name(client: httpx.AsyncClient, name: str) -> None:
    path = f"/v1/characters/{quote(name, safe='')}"
    await client.post(f"{path}/hear", json={"text": "I own a kayak."})

    status = await client.get(path)

    assert (status.json()["name"], (await client.get("/v1/characters")).json()) == (name, {"characters": [name]})


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "Expected `object`"),
        (b"{", "truncated"),
        (b"[]", "Expected `object`"),
        (b'{"text": 7}', "$.text"),
        (b'{"text": "hi", "colour": "red"}', "colour"),
        (b'{"text": "\xff"}', "UTF-8"),
        (b'{"text": "hi", "subject": "group:qq"}', "group:qq"),
        (b'{"text": "hi", "subject": ""}', "subject"),
        (b'{"text": "hi", "trust": 7}', "trust"),
        (b'{"text": ""}', "empty"),
    ],
)
async def test_a_malformed_utterance_is_a_problem_that_says_what_and_makes_no_character(
    client: httpx.AsyncClient, body: bytes, says: str
) -> None:
    answer = await client.post(f"{YUI}/hear", content=body)

    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert says in answer.json()["detail"]
    assert (await client.get("/v1/characters")).json() == {"characters": []}


async def test_a_character_that_nobody_made_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/characters/nobody/facts")

    assert (answer.status_code, answer.json()["type"]) == (404, "urn:omoide:error:UnknownCharacterError")


async def test_an_unknown_path_and_a_wrong_method_are_problems(client: httpx.AsyncClient) -> None:
    answers = [await client.get("/v2"), await client.post(f"{YUI}/facts")]

    assert [(one.status_code, one.json()["status"]) for one in answers] == [(404, 404), (405, 405)]


async def test_a_body_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, body_bytes=100) as served, served.client() as client:
        answers = [await hear(client, "a" * 20), await hear(client, "a" * 200)]

    assert [answer.status_code for answer in answers] == [200, 413]


async def test_changes_are_streamed_from_where_a_client_left_off(tmp_path: Path) -> None:
    kinds: list[str] = []
    async with serving(tmp_path) as served, served.client() as client:
        await hear(client, "I own a kayak.")
        seen = (await client.get(f"{YUI}/events")).json()["items"][-1]["seq"]

        async with client.stream("GET", f"{YUI}/changes", headers={"Last-Event-ID": str(seen)}) as stream:
            await hear(client, "I own a canoe.")
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    kinds.append(json.loads(line.removeprefix("data: "))["kind"])
                if kinds.count("turn_heard") == 1:
                    served.stopping.set()

    assert kinds.count("turn_heard") == 1


async def test_a_stream_of_changes_ends_when_the_server_stops(tmp_path: Path) -> None:
    async with serving(tmp_path) as served, served.client() as client:
        await hear(client, "I own a kayak.")
        async with client.stream("GET", f"{YUI}/changes") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            served.stopping.set()

            with trio.fail_after(4):
                rest = [line async for line in lines]

    assert any(line.startswith("data: ") for line in rest)


async def test_a_request_that_is_under_way_is_answered_when_the_server_stops(tmp_path: Path) -> None:
    body = b'{"text": "I own a kayak."}'
    head = f"POST {YUI}/hear HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    async with serving(tmp_path) as served:
        host, port = served.url.removeprefix("http://").rsplit(":", 1)
        stream = await trio.open_tcp_stream(host, int(port))
        await stream.send_all(head + body[:10])
        async with served.client() as client:
            await client.get("/health")

        served.stopping.set()
        await stream.send_all(body[10:])

        assert (await stream.receive_some()).startswith(b"HTTP/1.1 200")
        await stream.aclose()


async def test_a_client_that_hangs_up_in_the_middle_of_a_body_harms_nobody(served: Served) -> None:
    host, port = served.url.removeprefix("http://").rsplit(":", 1)
    for _ in range(20):
        half = await trio.open_tcp_stream(host, int(port))
        await half.send_all(
            b"POST /v1/characters/yui/hear HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
        )
        await half.aclose()

    async with served.client() as client:
        answer = await hear(client, "I own a kayak.")

    assert answer.status_code == 200


async def test_health_and_metrics_tell_counts_and_no_words(client: httpx.AsyncClient) -> None:
    await hear(client, "My cat is called Mochi.")
    await settled(client)

    health, metrics = (await client.get("/health")).json(), (await client.get("/metrics")).text

    assert health == {"status": "ok", "degraded": []}
    assert "omoide_resident_facts 1.0" in metrics
    assert "Mochi" not in metrics


async def test_every_operation_is_described(client: httpx.AsyncClient) -> None:
    document = (await client.get("/v1/openapi.json")).json()

    operations = [one for path in document["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations) >= 20


async def test_another_address_than_loopback_needs_tokens(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, server=ServerSettings(host="0.0.0.0", port=0))  # noqa: S104 - refused

    with pytest.raises(SettingsError, match="omoide token"):
        await serve(settings, stop=trio.sleep_forever, on_listening=print)


async def test_after_a_body_that_is_too_long_the_client_can_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, body_bytes=100_000) as served, served.client() as client:
        refused = await hear(client, "a" * 300_000)

        answer = await hear(client, "I own a kayak.")

    assert (refused.status_code, answer.status_code) == (413, 200)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
        ({"Host": "evil.example:7077"}, 403),
        ({"Host": "localhost:7077"}, 200),
        ({"Host": "[::1]:7077"}, 200),
        ({"Host": "localhost:7077", "Origin": "http://localhost:7077"}, 200),
        ({"Host": "localhost:7077", "Origin": "http://localhost:8000"}, 403),
    ],
)
async def test_a_page_that_a_browser_has_open_does_not_speak_as_the_owner(
    client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    answer = await client.post(f"{YUI}/hear", content=b'{"text": "I am the owner."}', headers=headers)

    assert answer.status_code == status


async def test_a_server_with_tokens_is_called_by_any_name_that_it_has(tmp_path: Path) -> None:
    tokens = write_tokens(tmp_path / "tokens.toml", [Capability(name="kitchen", sha256="")])
    async with serving(tmp_path / "data", tokens_file=tokens) as served, served.client("kitchen") as client:
        answers = [
            await client.get("/v1/characters", headers={"Host": "memory.example"}),
            await client.get(
                "/v1/characters", headers={"Host": "memory.example", "Origin": "https://evil.example"}
            ),
        ]

    assert [answer.status_code for answer in answers] == [200, 403]
