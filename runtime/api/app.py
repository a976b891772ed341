"""The ASGI application: who calls, what they carry, what they get back.

Knows HTTP and the endpoints; must not know what a single endpoint does.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote, unquote_to_bytes

import msgspec
import trio
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ... import __version__
from ...protocols.encoding import encoded
from ...protocols.errors import (
    ActorDeadError,
    InvalidRequestError,
    OmoideError,
)
from ...protocols.settings import ServerSettings
from ..changes import Changes
from ..host import Runtime
from .bodies import ChangesQuery, Fields, NoFields
from .capability import LOCAL, Capability, Tokens
from .endpoints import ENDPOINTS, Call, Endpoint
from .metrics import CONTENT_TYPE, Metrics
from .openapi import openapi_document
from .problems import Problem, answer, problem_of

logger = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

JSON: Final = "application/json"
HEARTBEAT_S: Final = 15.0
"""Silence after which a stream of changes says that it is alive, in seconds."""


class Door:
    """The application of one runtime.

    Args:
        runtime: whose characters are served.
        tokens: what the bearers of tokens may do; None lets every caller do everything.
        settings: the server's limits.
    """

    def __init__(self, runtime: Runtime, tokens: Tokens | None, settings: ServerSettings) -> None:
        self._runtime = runtime
        self._tokens = tokens
        self._settings = settings
        self._metrics = Metrics()
        self._closing = trio.Event()

    def application(self) -> ASGIApp:
        """Return the ASGI application."""
        pages = {
            "/health": {"GET": self._watched("health", self._health)},
            "/metrics": {"GET": self._watched("metrics", self._show_metrics)},
            "/v1/openapi.json": {"GET": self._watched("openapi", self._describe)},
            "/v1/characters/{name}/changes": {"GET": self._watched("changes", self._stream)},
        }
        for endpoint in ENDPOINTS:
            handler = self._watched(endpoint.name, partial(self._run, endpoint))
            pages.setdefault(endpoint.path, {})[endpoint.method] = handler
        routes = [Route(path, _by_method(handlers), methods=list(handlers)) for path, handlers in pages.items()]
        return _whole_segments(Starlette(routes=routes, exception_handlers={HTTPException: _refusal}))

    def close(self) -> None:
        """End the streams of changes, so that a server which stops needn't wait for them."""
        self._closing.set()

    def _watched(self, operation: str, handler: Handler) -> Handler:
        """Return the handler with its errors as answers, within the time that a request has, and counted."""

        async def run(request: Request) -> Response:
            began = trio.current_time()
            response = await self._answer(operation, handler, request)
            self._metrics.count(operation, response.status_code, trio.current_time() - began)
            return response

        return run

    async def _answer(self, operation: str, handler: Handler, request: Request) -> Response:
        try:
            with trio.fail_after(self._settings.request_timeout_s):
                return await handler(request)
        except OmoideError as error:
            problem = problem_of(error)
            if problem.status >= 500:
                logger.warning("http.failed", extra={"operation": operation, "error": type(error).__name__})
            return answer(problem)
        except trio.TooSlowError:
            return answer(_problem(503, f"no answer within {self._settings.request_timeout_s:g} s: try again"))
        except ClientDisconnect:
            return Response(status_code=499)

    async def _run(self, endpoint: Endpoint[Any], request: Request) -> Response:
        capability = self._capability(request)
        if endpoint.needs_everything:
            capability.check_everything()
        carried = (
            _fields(request.query_params, endpoint.takes)
            if endpoint.method == "GET" or endpoint.takes is NoFields
            else _decoded(await self._body(request), endpoint.takes)
        )
        call = Call(
            runtime=self._runtime,
            capability=capability,
            name=unquote(request.path_params.get("name", "")),
            part=unquote(request.path_params.get("part", "")),
        )
        return Response(encoded(await endpoint.run(call, carried)), media_type=JSON)

    async def _body(self, request: Request) -> bytes:
        limit, body = self._settings.body_bytes, bytearray()
        async with aclosing(request.stream()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > limit:
                    raise HTTPException(413, f"a request's body has at most {limit:,} bytes")
        return bytes(body)

    def _capability(self, request: Request) -> Capability:
        return LOCAL if self._tokens is None else self._tokens.of(request.headers.get("authorization"))

    async def _health(self, _: Request) -> Response:
        status = await self._runtime.status()
        degraded = sorted({trouble for character in status.characters for trouble in character.degraded})
        return _json({"status": "degraded" if degraded else "ok", "degraded": degraded})

    async def _show_metrics(self, request: Request) -> Response:
        self._capability(request)
        return Response(self._metrics.page(await self._runtime.status()), media_type=CONTENT_TYPE)

    async def _describe(self, _: Request) -> Response:
        return _json(openapi_document(ENDPOINTS, version=__version__))

    async def _stream(self, request: Request) -> Response:
        capability = self._capability(request)
        capability.check_everything()
        name = unquote(request.path_params["name"])
        capability.check_character(name)
        after = _fields(request.query_params, ChangesQuery).after
        if resumed := request.headers.get("last-event-id"):
            after = _decoded(resumed.encode(), int)
        character = await self._runtime.character(name, create=False)
        return StreamingResponse(self._events(character.changes(after=after)), media_type="text/event-stream")

    async def _events(self, changes: Changes) -> AsyncIterator[bytes]:
        while not self._closing.is_set():
            event = None
            with trio.move_on_after(HEARTBEAT_S):
                try:
                    event = await _unless(self._closing, changes)
                except ActorDeadError:
                    return
            if event is not None:
                yield event
            elif not self._closing.is_set():
                yield b": still here\n\n"


def _by_method(handlers: Mapping[str, Handler]) -> Handler:
    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return handle


def _whole_segments(application: ASGIApp) -> ASGIApp:
    """Return the application with each segment of a path whole, though a name in it may hold a slash.

    Segments arrive percent-encoded; here they are brought to one form, in which a slash within one stays encoded.
    """

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes | None = scope.get("raw_path")
        if raw is not None:
            segments = raw.partition(b"?")[0].split(b"/")
            scope = {**scope, "path": "/".join(quote(unquote_to_bytes(one), safe="") for one in segments)}
        await application(scope, receive, send)

    return run


async def _unless(closing: trio.Event, changes: Changes) -> bytes | None:
    """Return the next change as a server-sent event, or None once the server is closing."""
    found: list[bytes] = []

    async def take() -> None:
        event = await anext(changes)
        data = encoded(event).decode()
        found.append(f"id: {event.seq}\nevent: {event.kind}\ndata: {data}\n\n".encode())
        nursery.cancel_scope.cancel()

    async def watch() -> None:
        await closing.wait()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        nursery.start_soon(watch)
    return found[0] if found else None


def _fields(query: QueryParams, kind: type[Fields]) -> Any:  # noqa: ANN401 - an instance of `kind`
    """Return the fields that a query string gives; a field of several values may be repeated."""
    several = {field.name for field in msgspec.structs.fields(kind) if "tuple" in str(field.type)}
    given = {name: query.getlist(name) if name in several else query[name] for name in query}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidRequestError(f"the query string isn't what this takes: {error}") from error


def _decoded(body: bytes, kind: type) -> Any:  # noqa: ANN401 - an instance of `kind`
    try:
        return msgspec.json.decode(body or b"null", type=kind)
    except msgspec.MsgspecError as error:
        raise InvalidRequestError(f"the request's body isn't what this takes: {error}") from error
    except UnicodeError as error:
        raise InvalidRequestError("the request's body isn't UTF-8") from error


def _json(document: object) -> Response:
    return Response(msgspec.json.encode(document), media_type=JSON)


def _problem(status: int, detail: str) -> Problem:
    return Problem(type="about:blank", title="The request can't be served", status=status, detail=detail)


def _refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = answer(_problem(error.status_code, error.detail))
    response.headers.update(error.headers or {})
    return response
