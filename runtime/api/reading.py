"""How what a request carries becomes the fields of an endpoint: decoders that are made once, and their errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final, Generic, TypeVar

import msgspec
import trio
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...protocols.errors import InvalidRequestError
from ...protocols.settings import ServerSettings
from .bodies import Fields, NoFields

F = TypeVar("F", bound=Fields)

_SEQ: Final = msgspec.json.Decoder(int)


class Reader(Generic[F]):
    """Reads what requests to one endpoint carry.

    Args:
        kind: the fields that it takes.
        method: of the endpoint; the fields of a GET are in the query string.
        settings: the server's limits.
    """

    def __init__(self, kind: type[F], method: str, settings: ServerSettings) -> None:
        self._kind = kind
        self._in_query = method == "GET" or kind is NoFields
        self._several = several_of(kind)
        self._decoder = msgspec.json.Decoder(kind)
        self._settings = settings

    async def read(self, request: Request) -> F:
        """Return the fields that a request carries.

        Raises:
            HTTPException: if the body is too long, or doesn't come.
            InvalidRequestError: if they aren't what the endpoint takes.
        """
        if self._in_query:
            return fields_of(request.query_params, self._kind, self._several)
        body = await body_of(request, self._settings)
        return decoded(body, self._decoder)


async def body_of(request: Request, settings: ServerSettings) -> bytes:
    """Return the body of a request.

    Raises:
        HTTPException: if it is longer than `body_bytes`, or nothing more of it comes within `idle_s`.
    """
    body = bytearray()
    async with aclosing(request.stream()) as chunks:
        while (chunk := await _next(chunks, settings.idle_s)) is not None:
            body += chunk
            if len(body) > settings.body_bytes:
                raise HTTPException(413, f"a request's body has at most {settings.body_bytes:,} bytes")
    return bytes(body)


async def _next(chunks: AsyncIterator[bytes], within_s: float) -> bytes | None:
    with trio.move_on_after(within_s):
        return await anext(chunks, None)
    raise HTTPException(408, f"no more of the request's body came within {within_s:g} s")


def several_of(kind: type[Fields]) -> frozenset[str]:
    """Return the names of the fields that may be repeated in a query string."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if "tuple" in str(field.type))


def fields_of(query: QueryParams, kind: type[F], several: frozenset[str]) -> F:
    """Return the fields that a query string gives; one of `several` values may be repeated.

    Raises:
        InvalidRequestError: if one is unknown or malformed.
    """
    given = {name: query.getlist(name) if name in several else query[name] for name in query}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"the query string isn't what this takes: {error}") from error


def decoded(body: bytes, decoder: msgspec.json.Decoder[F]) -> F:
    """Return a body's fields.

    Raises:
        InvalidRequestError: if it is no JSON, or not of that kind.
    """
    try:
        return decoder.decode(body or b"null")
    except msgspec.MsgspecError as error:
        raise InvalidRequestError(f"the request's body isn't what this takes: {error}") from error
    except UnicodeError as error:
        raise InvalidRequestError("the request's body isn't UTF-8") from error


def resumed_after(header: str | None) -> int | None:
    """Return the seq of the last entry that a client of a stream says it has; None where it says nothing.

    Raises:
        InvalidRequestError: if that is no seq.
    """
    if not header:
        return None
    try:
        return _SEQ.decode(header.encode())
    except msgspec.MsgspecError as error:
        raise InvalidRequestError(f"Last-Event-ID is the seq of an entry, got {header!r:.60}") from error
