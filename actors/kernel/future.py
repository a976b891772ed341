"""A reply that isn't there yet: a Pykka future that can be awaited from Trio and from asyncio.

It owns one outcome and whoever waits for it. It must not know of actors or mailboxes. It may be set
and read from any thread; what a callback does wrong stays in the log.
"""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pykka
import trio

from ...protocols.errors import CallerError
from .crash_site import crash_site
from .errors import AskTimeoutError
from .loop_kind import LoopKind, loop_kind, refuse_to_block

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType

    ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]

__all__ = ["Future"]

logger = logging.getLogger(__name__)

SIGNALS_NOTICED_S: Final = 0.5
"""Longest that a thread waits at a stretch for something without end, in seconds.

An interrupt that comes as a wait begins, or that another thread of the process gets, is seen when that ends.
"""

_PENDING: Final = object()


class Future(pykka.Future[Any]):
    """A handle to a value which is available now or later.

    `await future` works in a Trio task and in an asyncio task, in any thread; `get()` blocks a plain
    thread. The futures that Pykka derives (`map`, `filter`, `join`, `reduce`) are lazy and synchronous:
    awaiting one computes it in a worker thread.
    """

    # On the class, so that a future costs three attributes: one is made for every ask.
    _get_hook: Callable[[float | None], Any] | None = None
    _get_hook_result: Any = pykka.Future()._get_hook_result  # noqa: SLF001 - Pykka's own "unset"
    _callbacks: list[Callable[[Future], object]] | None = None
    _error: BaseException | None = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: Any = _PENDING

    def __repr__(self) -> str:
        return f"<Future {'set' if self.done() else 'pending'}>"

    def done(self) -> bool:
        """Return whether the future holds a value or an exception."""
        return self._value is not _PENDING

    def set(self, value: Any = None) -> None:
        """Set the value; once.

        Args:
            value: what the waiters get.

        Raises:
            CallerError: the future is already set.
        """
        self._settle(value, None)

    def set_exception(self, exc_info: ExcInfo | BaseException | None = None) -> None:
        """Set an exception, which the waiters get raised; once.

        Args:
            exc_info: an exception, or Pykka's triple, or None for the exception being handled.

        Raises:
            CallerError: the future is already set, or there is no exception to set.
        """
        if exc_info is None:
            exc_info = sys.exc_info()
        error = exc_info if isinstance(exc_info, BaseException) else (exc_info[1] or exc_info[0])
        if isinstance(error, type):
            error = error()
        if error is None:
            raise CallerError("set_exception() got no exception and none is being handled")
        self._settle(None, error)

    def add_done_callback(self, callback: Callable[[Future], object]) -> None:
        """Call `callback(future)` when the future is set; at once if it is.

        It runs in the setter's thread and must not block. What it raises is logged and harms nobody.
        """
        with self._lock:
            if self._value is _PENDING:
                if self._callbacks is None:
                    self._callbacks = []
                self._callbacks.append(callback)
                return
        self._call(callback)

    def remove_done_callback(self, callback: Callable[[Future], object]) -> None:
        """Forget a callback that was added; do nothing if it has run or was never added."""
        with self._lock:
            if self._callbacks is not None and callback in self._callbacks:
                self._callbacks.remove(callback)

    def get(self, *, timeout: float | None = None) -> Any:
        """Return the value, blocking a plain thread until it is there.

        Args:
            timeout: seconds to wait; None waits without end.

        Returns:
            The value.

        Raises:
            WouldDeadlockError: the value isn't there and this thread runs an event loop.
            AskTimeoutError: the time ran out.
            BaseException: the exception that was set.
        """
        if self.done():
            return self._unwrap()
        refuse_to_block("Future.get()", "use `await future`")
        if self._get_hook is not None:
            return super().get(timeout=timeout)
        arrived = threading.Event()

        def arrive(_future: Future) -> None:
            arrived.set()

        self.add_done_callback(arrive)
        if not _comes(arrived, timeout):
            self.remove_done_callback(arrive)
            raise AskTimeoutError(f"no answer within {timeout} seconds")
        return self._unwrap()

    def __await__(self) -> Generator[Any, None, Any]:
        return self._wait().__await__()

    __iter__ = __await__

    async def _wait(self) -> Any:
        if not self.done():
            on_trio = loop_kind() is not LoopKind.ASYNCIO
            if self._get_hook is not None:
                return await self._run_hook(on_trio=on_trio)
            await (self._park_trio() if on_trio else self._park_asyncio())
        return self._unwrap()

    async def _run_hook(self, *, on_trio: bool) -> Any:
        compute = partial(super().get, timeout=None)
        if on_trio:
            return await trio.to_thread.run_sync(compute, abandon_on_cancel=True)
        return await asyncio.get_running_loop().run_in_executor(None, compute)

    async def _park_trio(self) -> None:
        task = trio.lowlevel.current_task()
        token = trio.lowlevel.current_trio_token()
        thread = threading.get_ident()
        parked = True

        def wake() -> None:
            nonlocal parked
            if parked:
                parked = False
                trio.lowlevel.reschedule(task)

        def on_done(_future: Future) -> None:
            if threading.get_ident() == thread:
                wake()
                return
            try:
                token.run_sync_soon(wake)
            except trio.RunFinishedError:
                logger.debug("a reply came after its asker's Trio run had ended")

        def abort(_raise_cancel: object) -> trio.lowlevel.Abort:
            nonlocal parked
            parked = False
            self.remove_done_callback(on_done)
            return trio.lowlevel.Abort.SUCCEEDED

        self.add_done_callback(on_done)
        await trio.lowlevel.wait_task_rescheduled(abort)

    async def _park_asyncio(self) -> None:
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not arrived.done():
                arrived.set_result(None)

        def on_done(_future: Future) -> None:
            try:
                loop.call_soon_threadsafe(wake)
            except RuntimeError:
                logger.debug("a reply came after its asker's asyncio loop had closed")

        self.add_done_callback(on_done)
        try:
            await arrived
        finally:
            self.remove_done_callback(on_done)

    def _unwrap(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._value

    def _settle(self, value: Any, error: BaseException | None) -> None:
        if not self.settle(value, error):
            raise CallerError("the future is already set; an answer is given once")

    def settle(self, value: Any = None, error: BaseException | None = None) -> bool:
        """Set the value, or the exception if there is one, unless the future is already set.

        Returns:
            Whether this call set it.
        """
        with self._lock:
            if self._value is not _PENDING or self._get_hook is not None:
                return False
            self._error = error
            self._value = value
            callbacks, self._callbacks = self._callbacks, None
        for callback in callbacks or ():
            self._call(callback)
        return True

    def _call(self, callback: Callable[[Future], object]) -> None:
        try:
            callback(self)
        except Exception as error:  # noqa: BLE001 - a callback's fault is not the setter's
            logger.error("a future's callback raised: %s", crash_site(error))  # noqa: TRY400 - a traceback may quote


def _comes(event: threading.Event, timeout: float | None) -> bool:
    """Return whether an event comes within so many seconds, None for whenever; interrupts are noticed."""
    if timeout is not None:
        return event.wait(timeout)
    while not event.wait(SIGNALS_NOTICED_S):
        pass
    return True
