"""A text that is gated over HTTP while it is still being written, by a client on a real socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import trio

from omoide.runtime.api.capability import Capability
from omoide.tests.runtime.api.served import Served, serving, write_tokens

YUI = "/v1/characters/yui"


class Speaker:
    """A client that sends a text piece by piece, and takes what comes back while it does."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._received = b""
        self.head = b""

    async def write(self, piece: bytes) -> None:
        await self._stream.send_all(b"%x\r\n%b\r\n" % (len(piece), piece))

    async def end(self) -> None:
        await self._stream.send_all(b"0\r\n\r\n")

    async def answer(self) -> bytes:
        """Return the head of the answer."""
        while b"\r\n\r\n" not in self._received:
            await self._more()
        self.head, _, self._received = self._received.partition(b"\r\n\r\n")
        return self.head.partition(b"\r\n")[0]

    async def line(self) -> Any:
        """Return the next line of the answer's body, each of which comes in a chunk of its own."""
        if not self.head:
            await self.answer()
        while b"\n\r\n" not in self._received:
            await self._more()
        chunk, _, self._received = self._received.partition(b"\n\r\n")
        return json.loads(chunk.partition(b"\r\n")[2])

    async def _more(self) -> None:
        with trio.fail_after(10):
            received = await self._stream.receive_some()
        assert received, "the server hung up"
        self._received += received


@asynccontextmanager
async def speaking(served: Served, query: str = "") -> AsyncIterator[Speaker]:
    """Yield a client that has begun, and hangs up at the end of the block."""
    address = served.url.removeprefix("http://")
    host, port = address.rsplit(":", 1)
    async with await trio.open_tcp_stream(host, int(port)) as stream:
        await stream.send_all(
            f"POST {YUI}/gate-stream{query} HTTP/1.1\r\nHost: {address}\r\n"
            "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        yield Speaker(stream)


@pytest.fixture
async def held(served: Served, client: httpx.AsyncClient) -> Served:
    """The server, whose character was asked not to mention two people."""
    await client.post(f"{YUI}/hear", json={"text": "Please never mention Marcus. 絶対に「雪子」の話はしないで。"})
    await client.post(f"{YUI}/directives", json={"term": "雪子"})
    return served


async def test_a_sentence_comes_back_while_the_next_is_still_being_written(held: Served) -> None:
    async with speaking(held) as speaker:
        await speaker.write(b"It is sunny. Let's")
        first = await speaker.line()
        await speaker.write(b" go!")
        await speaker.end()

        lines = [first, await speaker.line(), await speaker.line()]

    assert lines == [{"spoken": "It is sunny. "}, {"spoken": "Let's go!"}, {"dropped": []}]


@pytest.mark.parametrize(
    ("text", "spoken", "dropped"),
    [
        ("It is sunny. Marcus called. Go on!", "It is sunny. Go on!", "Marcus called. "),
        ("そうだね。雪子が来たよ。行こう。", "そうだね。行こう。", "雪子が来たよ。"),
    ],
)
async def test_what_is_banned_never_leaves_however_the_text_is_cut(
    text: str, spoken: str, dropped: str, held: Served
) -> None:
    async with speaking(held) as speaker:
        for byte in text.encode():
            await speaker.write(bytes([byte]))
        await speaker.end()

        lines = [await speaker.line()]
        while "dropped" not in lines[-1]:
            lines.append(await speaker.line())

    assert "".join(line["spoken"] for line in lines[:-1]) == spoken
    assert lines[-1] == {"dropped": [{"start": text.index(dropped), "text": dropped}]}


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("", {"spoken": "Marcus is fine."}),
        ("&unprompted=true", {"dropped": [{"start": 0, "text": "Marcus is fine."}]}),
    ],
)
async def test_what_the_person_raised_may_be_named_in_an_answer_alone(
    query: str, line: object, held: Served
) -> None:
    async with speaking(held, f"?said={quote('How is Marcus?')}{query}") as speaker:
        await speaker.write(b"Marcus is fine.")
        await speaker.end()

        assert await speaker.line() == line


async def test_a_ban_that_is_given_meanwhile_holds_from_the_next_sentence(
    held: Served, client: httpx.AsyncClient
) -> None:
    async with speaking(held) as speaker:
        await speaker.write(b"Golf is fun. And")
        first = await speaker.line()
        await client.post(f"{YUI}/hear", json={"text": "Please stop mentioning golf."})
        await speaker.write(b" golf is great. ")
        await speaker.end()

        second = await speaker.line()

    assert (first, second) == (
        {"spoken": "Golf is fun. "},
        {"dropped": [{"start": 13, "text": "And golf is great. "}]},
    )


async def test_a_client_that_hangs_up_leaves_nothing_said_and_others_are_served(
    held: Served, client: httpx.AsyncClient
) -> None:
    async with speaking(held) as speaker:
        await speaker.write(b"It is sunny. And then we")
        await speaker.line()

    turns = (await client.get(f"{YUI}/turns")).json()["items"]
    assert [turn["role"] for turn in turns] == ["person"]
    async with speaking(held) as other:
        await other.write(b"It is sunny.")
        await other.end()
        assert await other.line() == {"spoken": "It is sunny."}


@pytest.mark.parametrize(
    ("piece", "detail"),
    [
        (b"a" * 65, "a text has at most 64 bytes"),
        (b"It is \xff sunny. ", "the text isn't UTF-8"),
        (b"It is", "no more of the text came within 1 s"),
    ],
    ids=["too long", "not UTF-8", "never ends"],
)
async def test_a_text_that_is_not_gated_to_its_end_breaks_off_with_the_reason(
    piece: bytes, detail: str, tmp_path: Path
) -> None:
    async with serving(tmp_path / "data", body_bytes=64, request_timeout_s=1) as served:
        async with served.client() as client:
            with trio.fail_after(60):
                while (await client.post(f"{YUI}/hear", json={"text": "Hello."})).status_code == 503:
                    pass  # the first request brings the character into memory, and may take longer
        async with speaking(served) as speaker:
            await speaker.write(piece)

            problem = (await speaker.line())["problem"]

    assert (problem["status"], problem["detail"]) == (400, detail)


@pytest.mark.parametrize("query", ["?subject=group", "?subjects=private", "?unprompted=maybe"])
async def test_a_wrong_request_is_refused_before_any_text(query: str, held: Served) -> None:
    async with speaking(held, query) as speaker:
        assert (await speaker.answer()).startswith(b"HTTP/1.1 400 ")


async def test_a_character_that_is_not_there_has_no_gate(served: Served) -> None:
    async with speaking(served) as speaker:
        assert (await speaker.answer()).startswith(b"HTTP/1.1 404 ")


async def test_a_token_gates_what_is_said_where_it_may_speak_alone(tmp_path: Path) -> None:
    tokens = write_tokens(tmp_path / "tokens.toml", [Capability(name="bot", sha256="", subjects=("group:qq:77",))])
    async with serving(tmp_path / "data", tokens_file=tokens) as served, served.client("bot") as client:
        refused = await client.post(f"{YUI}/gate-stream", content=b"Hello.")

    assert (refused.status_code, refused.json()["type"]) == (403, "urn:omoide:error:NotAllowedError")
