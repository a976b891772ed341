"""What a token allows: each refusal beside what is allowed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from omoide.protocols.errors import SettingsError
from omoide.runtime.api.capability import Capability, read_tokens
from omoide.tests.runtime.api.served import Served, serving, write_tokens

YUI = "/v1/characters/yui"
OWNER = Capability(name="owner-token", sha256="", subjects=("*",), accounts=("*",), everything=True)
BOT = Capability(
    name="bot-token", sha256="", characters=("yui",), subjects=("group:qq:77",), accounts=("qq:1001",)
)
ALICE = {"platform": "qq", "account": "1001"}


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Served]:
    tokens = write_tokens(tmp_path / "tokens.toml", [OWNER, BOT])
    async with serving(tmp_path / "data", tokens_file=tokens) as running:
        async with running.client("owner-token") as client:
            await client.post(f"{YUI}/hear", json={"text": "My safe is behind the painting."})
        yield running


@pytest.mark.parametrize("token", [None, "bot-token2", "Bearer", "owner-tokem"])
async def test_without_a_known_token_nothing_is_answered(guarded: Served, token: str | None) -> None:
    async with guarded.client(token) as client:
        answer = await client.get(f"{YUI}/facts")

    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_a_bot_speaks_as_whom_and_where_its_token_says(guarded: Served) -> None:
    async with guarded.client("bot-token") as client:
        answer = await client.post(
            f"{YUI}/hear", json={"text": "Hello all.", "speaker": ALICE, "subject": "group:qq:77"}
        )

    assert answer.status_code == 200


@pytest.mark.parametrize(
    "widened",
    [
        {"subject": "private"},
        {"subject": "group:qq:88"},
        {"speaker": None},
        {"speaker": {"platform": "qq", "account": "1002"}},
        {"trust": 1.0},
    ],
)
async def test_a_body_cannot_widen_what_a_token_allows(guarded: Served, widened: dict[str, object]) -> None:
    body = {"text": "I am the owner.", "speaker": ALICE, "subject": "group:qq:77"} | widened
    async with guarded.client("bot-token") as client:
        answer = await client.post(f"{YUI}/hear", json=body)

    assert answer.status_code == 403


@pytest.mark.parametrize("subjects", [None, ["private"], ["group:qq:77", "private"]])
async def test_what_a_token_may_not_read_is_not_recalled(guarded: Served, subjects: list[str] | None) -> None:
    async with guarded.client("bot-token") as client:
        answer = await client.post(f"{YUI}/recall", json={"query": "safe painting", "subjects": subjects})

    assert (answer.status_code, "painting" in answer.text) == (403, False)


async def test_a_bot_recalls_from_its_group_alone(guarded: Served) -> None:
    async with guarded.client("bot-token") as client:
        answer = await client.post(f"{YUI}/recall", json={"query": "safe painting", "subjects": ["group:qq:77"]})

    assert (answer.status_code, answer.json()["hits"]) == (200, [])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{YUI}/events"),
        ("GET", f"{YUI}/directives"),
        ("GET", f"{YUI}/outbox"),
        ("GET", f"{YUI}/changes"),
        ("GET", f"{YUI}/explain?what=safe"),
        ("POST", f"{YUI}/records/fact_1/reject"),
        ("DELETE", YUI),
    ],
)
async def test_what_is_not_one_subjects_needs_everything(guarded: Served, method: str, path: str) -> None:
    async with guarded.client("bot-token") as client:
        answer = await client.request(method, path)

    assert (answer.status_code, "everything" in answer.json()["detail"]) == (403, True)


async def test_a_token_is_for_its_characters_alone(guarded: Served) -> None:
    async with guarded.client("owner-token") as client:
        await client.post("/v1/characters/rin/hear", json={"text": "I own a kayak."})
    async with guarded.client("bot-token") as client:
        listed = (await client.get("/v1/characters")).json()
        answer = await client.get("/v1/characters/rin")

    assert (listed, answer.status_code) == ({"characters": ["yui"]}, 403)


@pytest.mark.parametrize(
    "text", ["", "[[token]]\nname = 'x'", "[[token]]\nname='x'\nsha256=''\ncolour='red'", "["]
)
def test_a_tokens_file_that_is_wrong_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=r"tokens\.toml"):
        read_tokens(path)


async def test_a_token_reads_the_subjects_of_its_own(guarded: Served) -> None:
    async with guarded.client("bot-token") as client:
        answers: list[httpx.Response] = [
            await client.get(f"{YUI}/turns", params={"subject": subject})
            for subject in ("group:qq:77", "private", "member:qq:77:1001")
        ]

    assert [answer.status_code for answer in answers] == [200, 403, 403]
