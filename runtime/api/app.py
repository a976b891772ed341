"""The ASGI application: who calls, what they carry, what they get back.

Knows HTTP and the endpoints; must not know what a single endpoint does.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from math import inf
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from ... import __version__
from ...protocols.encoding import encoded
from ...protocols.errors import OmoideError
from ...protocols.settings import ServerSettings
from ..host import Runtime
from . import moving, speaking, streaming
from .bodies import ChangesQuery, GateStreamQuery
from .capability import LOCAL, Capability, Tokens
from .connection import closing_unread, refusing_strangers, whole_segments
from .endpoint import ONE, Call, Endpoint
from .endpoints import ENDPOINTS
from .metrics import CONTENT_TYPE, Metrics
from .neko import Answer, Neko
from .openapi import openapi_document
from .problems import Problem, answer, problem_of
from .reading import Reader, fields_of, resumed_after

logger = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

JSON: Final = "application/json"


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
        pages: dict[str, dict[str, Handler]] = {}
        timeout = self._settings.request_timeout_s
        for endpoint in ENDPOINTS:
            reader = Reader(endpoint.takes, endpoint.method, self._settings)
            run = partial(self._run, endpoint, reader)
            handler = self._watched(endpoint.name, run, timeout_s=timeout)
            pages.setdefault(endpoint.path, {})[endpoint.method] = handler
        for path, method, operation, handler, timeout_s in (
            ("/health", "GET", "health", self._health, timeout),
            ("/metrics", "GET", "metrics", self._show_metrics, timeout),
            ("/v1/openapi.json", "GET", "openapi", self._describe, timeout),
            (f"{ONE}/changes", "GET", "changes", self._stream, timeout),
            (f"{ONE}/gate-stream", "POST", "gateStream", self._gate_stream, timeout),
            (f"{ONE}/export", "GET", "export", self._export, None),
            (f"{ONE}/import", "POST", "import", self._import, None),
        ):
            pages[path] = {method: self._watched(operation, handler, timeout_s=timeout_s)}
        if self._settings.neko:
            for path, (method, answering) in Neko(self._settings).routes().items():
                handler = self._watched("neko", partial(self._compatible, answering), timeout_s=timeout)
                pages[path] = {method: handler}
        routes = [Route(path, _by_method(handlers), methods=list(handlers)) for path, handlers in pages.items()]
        application = Starlette(routes=routes, exception_handlers={HTTPException: _refusal})
        guarded = refusing_strangers(application, local=self._tokens is None)
        return whole_segments(closing_unread(guarded))

    def close(self) -> None:
        """End the streams of changes, so that a server which stops needn't wait for them."""
        self._closing.set()

    def _watched(self, operation: str, handler: Handler, *, timeout_s: float | None = None) -> Handler:
        """Return the handler with its errors as answers, within the time that a request has, and counted."""

        async def run(request: Request) -> Response:
            began = trio.current_time()
            response = await self._answer(operation, handler, request, timeout_s)
            self._metrics.count(operation, response.status_code, trio.current_time() - began)
            return response

        return run

    async def _answer(
        self, operation: str, handler: Handler, request: Request, timeout_s: float | None
    ) -> Response:
        try:
            with trio.fail_after(inf if timeout_s is None else timeout_s):
                return await handler(request)
        except OmoideError as error:
            problem = problem_of(error)
            if problem.status >= 500:
                logger.warning("http.failed", extra={"operation": operation, "error": type(error).__name__})
            return answer(problem)
        except trio.TooSlowError:
            within_s = self._settings.request_timeout_s
            return answer(_problem(503, f"no answer within {within_s:g} s: try again", retry_after_s=1))
        except ClientDisconnect:
            return Response(status_code=499)

    async def _run(self, endpoint: Endpoint[Any], reader: Reader[Any], request: Request) -> Response:
        call = self._call(request)
        if endpoint.needs_everything:
            call.capability.check_everything()
        carried = await reader.read(request)
        return _json(await endpoint.run(call, carried))

    async def _compatible(self, answering: Answer, request: Request) -> Response:
        return await answering(self._call(request), request)

    def _call(self, request: Request) -> Call:
        return Call(
            runtime=self._runtime,
            capability=self._capability(request),
            name=unquote(request.path_params.get("name", "")),
            part=unquote(request.path_params.get("part", "")),
        )

    def _capability(self, request: Request) -> Capability:
        return LOCAL if self._tokens is None else self._tokens.of(request.headers.get("authorization"))

    async def _health(self, _: Request) -> Response:
        status = await self._runtime.status()
        troubles = {trouble for character in status.characters for trouble in character.degraded}
        troubles.update(f"bus:{bus.kind}" for bus in status.buses if bus.stalled or not bus.connected)
        degraded = sorted(troubles)
        return _json({"status": "degraded" if degraded else "ok", "degraded": degraded})

    async def _show_metrics(self, request: Request) -> Response:
        self._capability(request)
        return Response(self._metrics.page(await self._runtime.status()), media_type=CONTENT_TYPE)

    async def _describe(self, _: Request) -> Response:
        return _json(openapi_document(ENDPOINTS, version=__version__))

    async def _stream(self, request: Request) -> Response:
        call = self._call(request)
        call.capability.check_everything()
        after = fields_of(request.query_params, ChangesQuery, frozenset()).after
        resumed = resumed_after(request.headers.get("last-event-id"))
        character = await call.character()
        changes = character.changes(after=after if resumed is None else resumed)
        return StreamingResponse(streaming.server_sent(changes, self._closing), media_type=streaming.MEDIA_TYPE)

    async def _gate_stream(self, request: Request) -> Response:
        call = self._call(request)
        query = fields_of(request.query_params, GateStreamQuery, frozenset())
        subject = call.capability.check_subject(query.subject)
        character = await call.character()
        stream = character.gate_stream(unprompted=query.unprompted, subject=subject, said=query.said)
        await stream.push("")  # what fails, fails here, while it can still be told as a problem
        lines = speaking.gated_lines(
            stream,
            request.stream(),
            most_bytes=self._settings.body_bytes,
            piece_timeout_s=self._settings.request_timeout_s,
        )
        return speaking.Duplex(lines, speaking.MEDIA_TYPE)

    async def _export(self, request: Request) -> Response:
        call = self._call(request)
        call.capability.check_everything()
        pieces = moving.export_lines(call)
        first = await anext(pieces)  # what fails, fails here, while it can still be told as a problem
        return StreamingResponse(_continued(first, pieces), media_type=moving.MEDIA_TYPE)

    async def _import(self, request: Request) -> Response:
        call = self._call(request)
        call.capability.check_everything()
        async with aclosing(request.stream()) as pieces:
            report = await moving.import_lines(
                call,
                pieces,
                most_bytes=self._settings.import_bytes,
                piece_timeout_s=self._settings.request_timeout_s,
            )
        return _json(report)


async def _continued(first: bytes, pieces: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    async with aclosing(pieces):
        yield first
        async for piece in pieces:
            yield piece


def _by_method(handlers: Mapping[str, Handler]) -> Handler:
    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return handle


def _json(document: object) -> Response:
    return Response(encoded(document), media_type=JSON)


def _problem(status: int, detail: str, *, retry_after_s: int | None = None) -> Problem:
    title = "The request can't be served"
    return Problem(type="about:blank", title=title, status=status, detail=detail, retry_after_s=retry_after_s)


def _refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = answer(_problem(error.status_code, error.detail))
    response.headers.update(error.headers or {})
    return response
