"""Text that a model is still writing, gated as it comes: the text in pieces, and what may be spoken back as lines.

Knows how such a stream is written; must not know what is banned.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import msgspec
import trio
from msgspec import Struct
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ...protocols.errors import InvalidRequestError, OmoideError
from ..guarded import GateStream
from .problems import Problem, problem_of

MEDIA_TYPE: Final = "application/x-ndjson"

_encoder: Final = msgspec.json.Encoder()


class Spoken(Struct, frozen=True, kw_only=True):
    """Whole sentences that may be spoken now."""

    spoken: str


class HeldBack(Struct, frozen=True, kw_only=True):
    """A sentence that must not be spoken, and where it began in the whole text, in code points."""

    start: int
    text: str


class Ended(Struct, frozen=True, kw_only=True):
    """The last line of a text that was gated to its end: what was held back of it."""

    dropped: tuple[HeldBack, ...]


class BrokenOff(Struct, frozen=True, kw_only=True):
    """The last line of one that wasn't: nothing more of it may be spoken."""

    problem: Problem


LINES: Final = (Spoken, Ended, BrokenOff)
"""What a line of the answer may be."""


class Duplex(StreamingResponse):
    """An answer in pieces, which are made while the body of its request still comes."""

    def __init__(self, pieces: AsyncGenerator[bytes], media_type: str) -> None:
        super().__init__(pieces, media_type=media_type)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI calls
        """Send it. Starlette's own would read the request's body, in wait for the client to hang up."""
        async with aclosing(self._pieces):
            await self.stream_response(send)


async def gated_lines(
    stream: GateStream, pieces: AsyncGenerator[bytes], *, most_bytes: int, piece_timeout_s: float
) -> AsyncGenerator[bytes]:
    """Yield the lines that answer a text. Nothing more comes once the client has hung up.

    Args:
        stream: the gate.
        pieces: the text in UTF-8, cut anywhere.
        most_bytes: longest text.
        piece_timeout_s: longest wait for the next piece, in seconds.
    """
    text = aclosing(_text(pieces, most_bytes, piece_timeout_s))
    try:
        async with aclosing(pieces), text as chunks, aclosing(stream.over(chunks)) as sentences:
            async for sentence in sentences:
                yield _line(Spoken(spoken=sentence))
        dropped = tuple(HeldBack(start=one.start, text=one.text) for one in stream.dropped)
        yield _line(Ended(dropped=dropped))
    except OmoideError as error:
        yield _line(BrokenOff(problem=problem_of(error)))
    except ClientDisconnect:
        return


async def _text(pieces: AsyncIterator[bytes], most_bytes: int, piece_timeout_s: float) -> AsyncGenerator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    size = 0
    try:
        while (piece := await _next(pieces, piece_timeout_s)) is not None:
            size += len(piece)
            if size > most_bytes:
                raise InvalidRequestError(f"a text has at most {most_bytes:,} bytes")
            if chunk := decoder.decode(piece):
                yield chunk
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise InvalidRequestError("the text isn't UTF-8") from error


async def _next(pieces: AsyncIterator[bytes], timeout_s: float) -> bytes | None:
    try:
        with trio.fail_after(timeout_s):
            return await anext(pieces, None)
    except trio.TooSlowError as error:
        raise InvalidRequestError(f"no more of the text came within {timeout_s:g} s") from error


def _line(line: Spoken | Ended | BrokenOff) -> bytes:
    return _encoder.encode(line) + b"\n"
