"""A Trio loop in a thread of its own with a runtime open in it, for programs that have another loop or none.

Owns the thread, how a call gets in and its outcome out, and what a cancellation or an interrupt of the caller
does to the call. The classes that hosts see are in `blocking.py` and `aio.py`.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

import trio

from ..actors.kernel.future import SIGNALS_NOTICED_S
from ..protocols.errors import ActorDeadError
from .host import Runtime

T = TypeVar("T")


class _Call(Generic[T]):
    """One call on its way through the loop: cancelled by `scope`, done when `outcome` is."""

    def __init__(self, function: Callable[[], Awaitable[T]]) -> None:
        self._function = function
        self.begun = False
        self.scope = trio.CancelScope()
        self.outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
        # A future that runs can't be cancelled from outside: the scope is the one way to end a call.
        self.outcome.set_running_or_notify_cancel()

    async def run(self) -> None:
        try:
            with self.scope:
                self.outcome.set_result(await self._function())
        except Exception as error:  # noqa: BLE001 - raised in the thread that waits for it
            self.outcome.set_exception(error)
        finally:
            self.close()

    def drop(self) -> None:
        """End the call, also one that an interrupt kept from being handed to the loop."""
        self.scope.cancel()
        if not self.begun:
            self.close()

    def close(self) -> None:
        """Let a caller that still waits know that nothing more comes."""
        if not self.outcome.done():
            self.outcome.set_exception(ActorDeadError("the runtime was closed: open it again to go on"))


class LoopThread:
    """A thread with a loop and an open runtime.

    Args:
        opening: opens the runtime.
    """

    def __init__(self, opening: AbstractAsyncContextManager[Runtime]) -> None:
        self._opening = opening
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="omoide-loop")
        self._runtime: Runtime | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._calls: trio.Nursery | None = None
        self._leave: trio.Event | None = None
        self._failure: BaseException | None = None

    def start(self) -> Runtime:
        """Start the thread, and return the runtime once it is open.

        Raises:
            OmoideError: whatever opening it raises.
        """
        self._thread.start()
        self._started.wait()
        if self._runtime is None:
            self.stop()
            raise ActorDeadError("the runtime ended while it was being opened: open it again")
        return self._runtime

    def stop(self) -> None:
        """Close the runtime in order and end the thread; calls that are under way end with `ActorDeadError`.

        Raises:
            BaseException: what ended the loop, if something did before.
        """
        if self._thread.ident is None:
            return
        self._started.wait()
        if self._token is not None and self._leave is not None:
            # A loop that has ended by itself needs no telling: what ended it is raised below.
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._leave.set)
        self._thread.join()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def call(self, function: Callable[[], Awaitable[T]]) -> T:
        """Run an async function in the loop, wait, and return its result. An interrupt cancels it.

        Raises:
            ActorDeadError: if the runtime is closed.
        """
        call = _Call(function)
        try:
            self._submit(call)
            while not concurrent.futures.wait((call.outcome,), SIGNALS_NOTICED_S).done:
                pass
            return call.outcome.result()
        except BaseException:
            self._cancel(call)
            raise

    async def acall(self, function: Callable[[], Awaitable[T]]) -> T:
        """Run an async function in the loop from asyncio, and return its result. A cancellation cancels it.

        Raises:
            ActorDeadError: if the runtime is closed.
        """
        call = _Call(function)
        self._submit(call)
        waiter = asyncio.wrap_future(call.outcome)
        try:
            return await asyncio.shield(waiter)
        except asyncio.CancelledError:
            self._cancel(call)
            await asyncio.wait([waiter])
            # What the call came to is of no use to a caller that has been cancelled; asking marks it as seen.
            waiter.exception()
            raise

    def _submit(self, call: _Call[T]) -> None:
        if self._token is None:
            raise ActorDeadError("the runtime isn't open: enter its block first")
        try:
            self._token.run_sync_soon(self._begin, call)
        except trio.RunFinishedError:
            call.close()

    def _begin(self, call: _Call[T]) -> None:
        if self._calls is None or self._calls.cancel_scope.cancel_called:
            call.close()
        elif not call.outcome.done():
            call.begun = True
            self._calls.start_soon(call.run)

    def _cancel(self, call: _Call[T]) -> None:
        if self._token is not None and not call.outcome.done():
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(call.drop)
            concurrent.futures.wait([call.outcome])

    def _run(self) -> None:
        try:
            trio.run(self._main)
        except BaseException as error:  # noqa: BLE001 - raised in the thread that waits for it
            self._failure = error
        finally:
            self._started.set()

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._leave = trio.Event()
        async with self._opening as runtime, trio.open_nursery() as calls:
            self._calls = calls
            self._runtime = runtime
            self._started.set()
            await self._leave.wait()
            calls.cancel_scope.cancel()
