"""What an operation of `/v1` is: its path, what it takes and answers, what it needs of the caller, and who calls.

Knows capabilities and the runtime; must not know any single operation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from ...protocols.errors import InvalidRequestError, NotFoundError, RestrictedError
from ..character import Character
from ..host import Runtime
from . import bodies
from .capability import Capability

F = TypeVar("F", bound=bodies.Fields)
T = TypeVar("T")

PAGE_LIMIT: Final = 1_000
"""Most items in one answer."""

ONE: Final = "/v1/characters/{name}"
"""Path of one character."""


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls, and on what: the character is there where the path names one."""

    runtime: Runtime
    capability: Capability
    name: str
    part: str = ""

    async def character(self, *, create: bool = False) -> Character:
        """Return the character that the path names.

        Raises:
            OmoideError: if it may not be used, or can't be opened.
        """
        self.check_usable()
        return await self.runtime.character(self.name, create=create)

    def check_usable(self) -> None:
        """Raise unless the caller may use the character that the path names, and it can be used right now.

        Raises:
            NotAllowedError: if the caller may not.
            RestrictedError: if it is being imported or brought up to date.
        """
        self.capability.check_character(self.name)
        restriction = self.runtime.restriction(self.name)
        if restriction:
            raise RestrictedError(f"the character {self.name!r} is being {restriction}: try again in a moment")


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[F]):
    """One operation. `takes` is read from the body of a POST, PUT or DELETE, else from the query string."""

    name: str
    method: str
    path: str
    takes: type[F]
    answers: Any
    run: Callable[[Call, F], Awaitable[object]]
    needs_everything: bool = False

    @property
    def summary(self) -> str:
        """What it does, in a sentence: the first of its function's docstring."""
        return (self.run.__doc__ or "").split("\n", 1)[0]


class Page(Struct, Generic[T], frozen=True, kw_only=True):
    """Some of a list, in its order. `next_after` begins the next page, None where this is the last."""

    items: tuple[T, ...]
    next_after: str | None


def page_of(found: Sequence[T], query: bodies.PageQuery, id_of: Callable[[T], str]) -> Page[T]:
    """Return the page of a list that a query asks for.

    Raises:
        InvalidRequestError: if the limit is out of range.
        NotFoundError: if what the page begins after is in the list no more.
    """
    check_limit(query.limit)
    start = 0
    if query.after is not None:
        start = next((place for place, one in enumerate(found, 1) if id_of(one) == query.after), 0)
        if not start:
            raise NotFoundError(f"the list holds no {query.after!r} any more: begin it again, without `after`")
    items = tuple(found[start : start + query.limit])
    more = start + query.limit < len(found)
    return Page(items=items, next_after=id_of(items[-1]) if more else None)


def check_limit(limit: int) -> None:
    """Raise unless a page may have so many items.

    Raises:
        InvalidRequestError: if it may not.
    """
    if not 1 <= limit <= PAGE_LIMIT:
        raise InvalidRequestError(f"limit is 1 to {PAGE_LIMIT:,}, got {limit:,}")
