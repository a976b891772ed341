"""How an application gets to be listened to: an address that can't be had, and clients that hold up the end.

Hypercorn speaks HTTP. It waits without end, and shielded from cancellation, for a client that doesn't read its
answers, so what accepts connections for it is here, and gives it streams that don't.
"""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final

import trio
from hypercorn.config import Config
from hypercorn.trio.lifespan import Lifespan
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import AppWrapper, ConnectionState, LifespanState
from hypercorn.utils import repr_socket_addr, wrap_app
from starlette.types import ASGIApp

from ...protocols.errors import AddressError

_PIECE_BYTES: Final = 1 << 16
"""What is sent at once, in bytes: somebody who takes so much in time is reading."""

_REASONS: Final = {
    errno.EADDRINUSE: "another program listens there",
    errno.EADDRNOTAVAIL: "it is no address of this machine",
    errno.EACCES: "listening there is not permitted",
}


async def start_listening(
    nursery: trio.Nursery, application: ASGIApp, config: Config, *, until: Callable[[], Awaitable[None]]
) -> str:
    """Serve an application in a nursery, and return its base URL once connections are accepted.

    Args:
        nursery: where it runs.
        application: what is served.
        config: where to listen, and for how long what.
        until: returns when the server is to stop.

    Raises:
        AddressError: if the address can't be listened at.
    """
    try:
        address: str = await nursery.start(_serve, application, config, until)
    except BaseException as error:
        refused = next((one for one in _leaves(error) if isinstance(one, OSError)), None)
        if refused is None:
            raise
        why = _REASONS.get(refused.errno or 0, refused.strerror)
        raise AddressError(
            f"{config.bind[0]} can't be listened at, since {why}: stop that program, or name another --port"
            if refused.errno == errno.EADDRINUSE
            else f"{config.bind[0]} can't be listened at, since {why}: name another --host or --port"
        ) from error
    return address


class PatientStream(trio.abc.HalfCloseableStream):
    """A connection that is closed when the other end takes nothing of what is sent to it for too long.

    Args:
        stream: the connection.
        patience_s: how long, in seconds.
    """

    def __init__(self, stream: trio.SocketStream, patience_s: float) -> None:
        self.socket = stream.socket
        self._stream = stream
        self._patience_s = patience_s

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of it.

        Raises:
            BrokenResourceError: if the connection is closed by the other end, or here for want of patience.
        """
        view = memoryview(data)
        for at in range(0, len(view), _PIECE_BYTES):
            with trio.move_on_after(self._patience_s) as waiting:
                await self._stream.send_all(view[at : at + _PIECE_BYTES])
            if waiting.cancelled_caught:
                self.hang_up()
                raise trio.BrokenResourceError("the other end reads nothing")

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the other end may take something."""
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Return what has come, empty at the end."""
        return await self._stream.receive_some(max_bytes)

    async def send_eof(self) -> None:
        """Tell the other end that nothing more comes."""
        await self._stream.send_eof()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    def hang_up(self) -> None:
        """Close it at once, whoever waits for it."""
        self.socket.close()


async def _serve(
    application: ASGIApp,
    config: Config,
    until: Callable[[], Awaitable[None]],
    *,
    task_status: trio.TaskStatus[str],
) -> None:
    """Run an application and its lifespan, and accept connections for it until it is time to stop."""
    wrapped = wrap_app(application, config.wsgi_max_body_size, "asgi")  # type: ignore[arg-type] # other words for ASGI
    state: LifespanState = {}
    lifespan = Lifespan(wrapped, config, state)
    async with trio.open_nursery() as nursery:
        await nursery.start(lifespan.handle_lifespan)
        await lifespan.wait_for_startup()
        await _accept(wrapped, config, state, until, task_status)
        await lifespan.wait_for_shutdown()
        nursery.cancel_scope.cancel()


async def _accept(
    application: AppWrapper,
    config: Config,
    state: LifespanState,
    until: Callable[[], Awaitable[None]],
    task_status: trio.TaskStatus[str],
) -> None:
    """Accept connections until it is time to stop; then let what is under way end, and hang up on the rest."""
    context, streams = WorkerContext(None), set[PatientStream]()

    async def serve_one(accepted: trio.SocketStream) -> None:
        stream = PatientStream(accepted, config.keep_alive_timeout)
        streams.add(stream)
        try:
            await TCPServer(application, config, context, ConnectionState(state.copy()), stream)  # type: ignore[arg-type] # it says TLS and takes both
        finally:
            streams.discard(stream)

    async def hang_up() -> None:
        await trio.sleep(config.graceful_timeout)
        for stream in streams:
            stream.hang_up()

    async with trio.open_nursery() as ending:
        async with trio.open_nursery() as connections:
            (plain,) = config.create_sockets().insecure_sockets
            plain.listen(config.backlog)
            listener = trio.SocketListener(trio.socket.from_stdlib_socket(plain))
            async with listener, trio.open_nursery() as accepting:
                accepting.start_soon(
                    partial(trio.serve_listeners, serve_one, [listener], handler_nursery=connections)
                )
                task_status.started(f"http://{repr_socket_addr(plain.family, plain.getsockname())}")
                await until()
                accepting.cancel_scope.cancel()
            await context.terminated.set()
            connections.cancel_scope.deadline = trio.current_time() + config.graceful_timeout
            ending.start_soon(hang_up)
        ending.cancel_scope.cancel()


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error
