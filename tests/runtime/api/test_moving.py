"""Characters that come and go whole over HTTP, and what is answered while one is being brought in."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir
from typing import NoReturn

import httpx
import pytest
import trio

from omoide.runtime.api.capability import Capability
from omoide.runtime.store import paths, schema
from omoide.tests.runtime.api.served import serving, write_tokens

YUI = "/v1/characters/yui"
MIO = "/v1/characters/mio"


async def hear(client: httpx.AsyncClient, text: str, path: str = YUI) -> httpx.Response:
    return await client.post(f"{path}/hear", json={"text": text})


async def pieces(body: bytes, size: int = 1_000) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


@pytest.fixture
async def exported(client: httpx.AsyncClient) -> bytes:
    await hear(client, "My sister Ingrid lives in Bergen.")
    await hear(client, "Please stop mentioning Marcus.")
    await client.post(f"{YUI}/settle", json={})
    return (await client.get(f"{YUI}/export")).raise_for_status().content


async def test_what_comes_out_goes_in_again_under_another_name(client: httpx.AsyncClient, exported: bytes) -> None:
    report = (await client.post(f"{MIO}/import", content=pieces(exported))).raise_for_status().json()

    assert (report["character"], report["exported_as"], report["folder"]) == ("mio", "yui", "")
    both = [(await client.get(f"{one}/turns")).json()["items"] for one in (YUI, MIO)]
    assert both[0] == both[1]
    assert [one["term"] for one in (await client.get(f"{MIO}/directives")).json()["items"]] == ["Marcus"]


async def test_an_export_of_an_import_is_the_same_again(client: httpx.AsyncClient, exported: bytes) -> None:
    await client.delete(YUI)
    await client.post(f"{YUI}/import", content=exported)

    again = (await client.get(f"{YUI}/export")).content

    assert exported.split(b"\n")[1:] == again.split(b"\n")[1:], "all but the manifest, which tells the time"


@pytest.mark.parametrize("size", [1, 7, 65_536])
async def test_lines_may_be_cut_anywhere(client: httpx.AsyncClient, exported: bytes, size: int) -> None:
    small = exported[: exported.index(b'{"file":"outbox')] if size == 1 else exported

    answer = await client.post(f"{MIO}/import", content=pieces(small, size))

    assert answer.status_code == (400 if size == 1 else 200), answer.text


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda body: body[:-20], "cut off"),
        (lambda body: body.replace(b"Bergen", b"Bremen"), "SHA-256 differs"),
        (lambda body: body.replace(b'"turns.json"', b'"../../evil"'), "isn't expected"),
        (lambda _: b"", "cut off"),
        (lambda _: b'{"text": "hi"}\n', "no export"),
        (lambda _: b"\xff\xfe\n", "no export"),
        (lambda _: b"x" * 2_000_000, "no export"),
    ],
)
async def test_a_damaged_import_leaves_nothing(
    client: httpx.AsyncClient, exported: bytes, damage: object, says: str
) -> None:
    assert callable(damage)

    answer = await client.post(f"{MIO}/import", content=damage(exported))

    assert (answer.headers["content-type"], answer.status_code) == ("application/problem+json", 400)
    assert says in answer.json()["detail"]
    assert gettempdir() not in answer.text
    assert (await client.get("/v1/characters")).json() == {"characters": ["yui"]}


async def test_a_full_disk_is_told_without_where_the_server_unpacks(
    client: httpx.AsyncClient, exported: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> NoReturn:
        raise OSError(errno.ENOSPC, "full", str(path))

    monkeypatch.setattr(paths, "create_private", refuse)

    answer = await client.post(f"{MIO}/import", content=exported)

    assert answer.status_code == 507
    assert "no space is left for what is sent" in answer.json()["detail"]


async def test_a_character_that_exists_is_not_changed(client: httpx.AsyncClient, exported: bytes) -> None:
    answer = await client.post(f"{YUI}/import", content=exported)

    assert (answer.status_code, "stored here already" in answer.text) == (400, True)


async def test_a_longer_body_than_the_server_takes_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, import_bytes=1_000) as served, served.client() as client:
        await hear(client, "I own a kayak.")
        body = (await client.get(f"{YUI}/export")).content

        answer = await client.post(f"{MIO}/import", content=body)

    assert (answer.status_code, "server.import_bytes" in answer.text) == (400, True)


async def test_a_token_without_everything_neither_exports_nor_imports(tmp_path: Path) -> None:
    bot = Capability(name="bot", sha256="", subjects=("*",), accounts=("*",))
    owner = Capability(
        name="own", sha256="", characters=("yui",), subjects=("*",), accounts=("*",), everything=True
    )
    tokens = write_tokens(tmp_path / "tokens.toml", [bot, owner])
    async with serving(tmp_path / "data", tokens_file=tokens) as served:
        async with served.client("own") as client:
            await hear(client, "I own a kayak.")
            body = (await client.get(f"{YUI}/export")).raise_for_status().content
            outside = await client.post(f"{MIO}/import", content=body)
        async with served.client("bot") as client:
            refused = [await client.get(f"{YUI}/export"), await client.post(f"{MIO}/import", content=body)]

    assert [one.status_code for one in (outside, *refused)] == [403, 403, 403]


async def test_while_a_character_is_imported_others_go_on_and_it_says_when_to_try_again(
    client: httpx.AsyncClient, exported: bytes
) -> None:
    first, rest = exported[:5_000], exported[5_000:]
    meanwhile: list[httpx.Response] = []

    async def slowly() -> AsyncIterator[bytes]:
        yield first
        with trio.fail_after(10):
            while (refused := await client.get(MIO)).status_code != 409:  # noqa: ASYNC110 - it is asked
                await trio.sleep(0.01)
        meanwhile.extend([refused, await hear(client, "Hello?", MIO), await hear(client, "Hello?")])
        yield rest

    done = await client.post(f"{MIO}/import", content=slowly())

    assert [one.status_code for one in (*meanwhile, done)] == [409, 409, 200, 200]
    problem = meanwhile[1].json()
    assert problem["type"] == "urn:omoide:error:RestrictedError"
    assert (meanwhile[1].headers["retry-after"], problem["retry_after_s"]) == ("2", 2)
    assert (await hear(client, "Hello!", MIO)).status_code == 200


async def test_while_a_file_is_brought_up_to_date_its_character_says_when_to_try_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with serving(data) as served, served.client() as client:
        await hear(client, "I own a kayak.")
    (database,) = data.glob("*/memory.db")
    answers: dict[str, httpx.Response] = {}

    async def ask(client: httpx.AsyncClient, which: str) -> None:
        answers[which] = await client.get(f"{YUI}/turns")

    with closing(sqlite3.connect(database, isolation_level=None)) as older:
        older.execute(f"DROP TABLE {schema.TABLES[-1]}")
        older.execute(f"PRAGMA user_version = {schema.LATEST - 1}")
        async with serving(data) as served, served.client() as client, trio.open_nursery() as nursery:
            older.execute("BEGIN IMMEDIATE")  # so that the migration has to wait
            nursery.start_soon(ask, client, "first")
            with trio.fail_after(4):
                while "meanwhile" not in answers or answers["meanwhile"].status_code != 409:
                    await trio.sleep(0.05)
                    await ask(client, "meanwhile")
            older.execute("ROLLBACK")

    assert (answers["meanwhile"].headers["retry-after"], answers["first"].status_code) == ("2", 200)
