"""Who waits for an answer goes first: background work of an event loop gives way to them, step by step.

One loop, and one interpreter, compute for everybody. What is worked out in the background is nobody's hurry, and
what is asked for in a conversation takes a millisecond or two. Knows no work and no character.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import trio

T = TypeVar("T")

LONGEST_S: Final = 0.02
"""Longest that a step gives way, in seconds: under calls without end, background work goes on all the same."""

PAUSE_S: Final = 1e-6
"""A pause, in seconds: as short as the system can (some 60 µs), and yet whoever waits comes first; 0 is none."""


class _Asked:
    """How many wait for an answer in one event loop, and who gives way to them."""

    def __init__(self) -> None:
        self.waiting = 0
        self.answered = trio.lowlevel.ParkingLot()


_asked: Final[trio.lowlevel.RunVar[_Asked]] = trio.lowlevel.RunVar("asked")


def _of_this_loop() -> _Asked:
    try:
        return _asked.get()
    except LookupError:
        asked = _Asked()
        _asked.set(asked)
        return asked


def pause() -> None:
    """Let other threads have the interpreter, in a thread that computes for long: it would be left every 5 ms."""
    time.sleep(PAUSE_S)


@contextmanager
def answering() -> Iterator[None]:
    """Let background work give way for the length of the block."""
    asked = _of_this_loop()
    asked.waiting += 1
    try:
        yield
    finally:
        asked.waiting -= 1
        if asked.answered and not asked.waiting:
            asked.answered.unpark_all()


async def give_way() -> None:
    """Return once nobody waits for an answer, or after `LONGEST_S`; let others compute in any case."""
    asked = _of_this_loop()
    await trio.lowlevel.checkpoint()
    if asked.waiting:
        with trio.move_on_after(LONGEST_S):
            while asked.waiting:
                await asked.answered.park()


async def in_steps(work: Callable[[], Generator[None, None, T]]) -> T:
    """Return what some work returns, done step by step, each of which gives way.

    Args:
        work: begins it; yields after each step, of some milliseconds at most.
    """
    steps = work()
    while True:
        await give_way()
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result
