"""A character for a thread that blocks on a person: its loop runs in a thread of its own.

The main thread can then wait for a line of input and still get an interrupt at once, which it could not
while a worker thread holds standard input.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import trio

from ...protocols.settings import Settings
from ..character import Character
from ..host import open_runtime

P = ParamSpec("P")
T = TypeVar("T")


class Portal:
    """A character that is called from a thread without a loop."""

    def __init__(self, character: Character, token: trio.lowlevel.TrioToken) -> None:
        self.character = character
        self._token = token

    def call(self, function: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run an async function in the character's loop, wait, and return its result.

        Raises:
            trio.RunFinishedError: if the loop has ended.
        """

        async def run() -> T:
            return await function(*args, **kwargs)

        return trio.from_thread.run(run, trio_token=self._token)


class _Loop:
    """The thread with the loop, and what it ended with."""

    def __init__(self, settings: Settings, name: str) -> None:
        self._settings = settings
        self._name = name
        self._started = threading.Event()
        self._leave: trio.Event | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._thread = threading.Thread(target=self._run, name="omoide-loop")
        self.portal: Portal | None = None
        self.error: BaseException | None = None

    def start(self) -> None:
        self._thread.start()
        self._started.wait()

    def stop(self) -> None:
        if self._token is not None and self._leave is not None:
            # A loop that has ended by itself needs no telling, and `error` says why it did.
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._leave.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            trio.run(self._main)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for it
            self.error = error
        finally:
            self._started.set()

    async def _main(self) -> None:
        async with open_runtime(self._settings) as runtime:
            character = await runtime.character(self._name)
            self._leave = trio.Event()
            self._token = trio.lowlevel.current_trio_token()
            self.portal = Portal(character, self._token)
            self._started.set()
            await self._leave.wait()


@contextmanager
def open_portal(settings: Settings, name: str) -> Iterator[Portal]:
    """Open a character, which comes into being if it isn't stored yet, and close it in order.

    Raises:
        OmoideError: whatever opening it raises.
    """
    loop = _Loop(settings, name)
    try:
        loop.start()
        if loop.portal is not None:
            yield loop.portal
    finally:
        loop.stop()
    if loop.error is not None:
        raise loop.error
