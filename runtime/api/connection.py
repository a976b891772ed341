"""What is done to every request and answer before an endpoint has a say: paths, and connections that must end."""

from __future__ import annotations

from urllib.parse import quote, unquote_to_bytes

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def whole_segments(application: ASGIApp) -> ASGIApp:
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


def closing_unread(application: ASGIApp) -> ASGIApp:
    """Return the application, which ends a connection where it answers before it has read the whole body.

    The rest of the body would else be waited for, and the next request of the connection with it.
    """

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        unread = b"content-length" in names or b"transfer-encoding" in names

        async def noting() -> Message:
            nonlocal unread
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                unread = False
            return message

        async def ending(message: Message) -> None:
            if unread and message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        await application(scope, noting, ending)

    return run
