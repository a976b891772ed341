"""What is done to every request and answer before an endpoint has a say: paths, and connections that must end."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote, unquote_to_bytes

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...protocols.errors import NotAllowedError
from .problems import answer, problem_of


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


def refusing_strangers(application: ASGIApp, *, local: bool) -> ASGIApp:
    """Return the application, which answers no page of another site that a browser on this machine has open.

    A browser sends some requests without asking whether it may, and says in `Origin` for which site. Where a name
    is made to point at this machine (DNS rebinding), that site is the request's own `Host`.

    Args:
        application: what answers else.
        local: whether callers need no token, being on this machine; then `Host` has to name this machine.
    """

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        host, origin = headers.get(b"host", b"").decode("latin-1"), headers.get(b"origin", b"").decode("latin-1")
        if origin and origin.partition("://")[2] != host:
            stranger = f"a page of {origin} may not call: the server answers programs, and pages of its own"
        elif local and host and not _names_this_machine(host):
            stranger = f"the request is for {host}, which is no name of this machine: call 127.0.0.1 or localhost"
        else:
            await application(scope, receive, send)
            return
        await answer(problem_of(NotAllowedError(stranger)))(scope, receive, send)

    return run


def _names_this_machine(host: str) -> bool:
    name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


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
