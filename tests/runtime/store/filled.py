"""Changes and work of every kind, with a marker in each field that can hold somebody's words.

Made from the types alone, so that a kind which is added later is in the tests that use this without being named.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from enum import Enum
from itertools import count
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import fields

from omoide.protocols.events import AccountsLinked, AnyChange, MemoryErased, ProfileSet, TrustMoved
from omoide.protocols.records import Speaker
from omoide.protocols.scopes import Subject
from omoide.protocols.work import AnyWork, EmbedRecords, ErasedWork, ReportAttestation, Sweep, SyncCard

NOT_OF_A_SUBJECT: Final = frozenset(
    {
        ProfileSet,
        MemoryErased,
        TrustMoved,
        AccountsLinked,
        ErasedWork,
        Sweep,
        SyncCard,
        EmbedRecords,
        ReportAttestation,
    }
)
"""Changes and work that hold nobody's words: the host's own, the pool's, and what runs for the whole character."""


class Filler:
    """Fills structs.

    Args:
        subject: whose they are.
        marker: the word in each field of text.
    """

    def __init__(self, subject: Subject, marker: str) -> None:
        self._subject = subject
        self._marker = marker
        self._numbers = count(1)
        self._known: dict[str, str] = {}

    def changes(self) -> Iterator[AnyChange]:
        """Yield a change of every kind, each of a record of its own; they refer to each other."""
        for kind in get_args(AnyChange):
            if kind not in NOT_OF_A_SUBJECT:
                yield self._struct(kind)

    def works(self) -> Iterator[AnyWork]:
        """Yield work of every kind about these records."""
        for kind in get_args(AnyWork):
            if kind not in NOT_OF_A_SUBJECT:
                yield self._struct(kind)

    def _struct(self, kind: type[Struct]) -> Any:
        if kind is Speaker:
            return Speaker(platform="qq", account="1001", label=f"{self._marker} label")
        hints = typing.get_type_hints(kind)
        return kind(**{field.name: self._value(field.name, hints[field.name]) for field in fields(kind)})

    def _value(self, name: str, hint: Any) -> Any:  # noqa: PLR0911 - one kind of type a branch
        origin, its_args = typing.get_origin(hint), get_args(hint)
        if hint is Subject:
            return self._subject
        if isinstance(hint, typing.NewType):
            return self._id(name, hint)
        if origin is tuple:
            return (self._value(name, its_args[0]),)
        if origin is dict:
            return {self._value(name, its_args[0]): self._value(name, its_args[1])}
        if its_args:  # a union: the first that isn't None
            return self._value(name, next(one for one in its_args if one is not type(None)))
        if hint is str:
            return f"{self._marker} {name} {next(self._numbers)}"
        if issubclass(hint, Struct):
            return self._struct(hint)
        if issubclass(hint, Enum):
            return next(iter(hint))
        return {int: 5, float: 10.0, bool: False, bytes: b"x"}[hint]

    def _id(self, name: str, kind: Any) -> str:
        fresh = f"{kind.__name__.lower()}_{self._subject}_{next(self._numbers)}"
        if name == "id":
            self._known.setdefault(kind.__name__, fresh)
            return fresh
        return self._known.get(kind.__name__, fresh)
