"""A mind that answers as a test wants, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def answering(it: Any, task: str, answer: Callable[[Asked], Answer]) -> list[Asked]:
    """Have the mind of a life answer a task so; return what it is asked."""
    asked: list[Asked] = []

    async def told(request: Asked) -> Answer:
        asked.append(request)
        return answer(request)

    setattr(it.mind, task, told)
    return asked
