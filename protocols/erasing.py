"""What goes with what a person has erased: which records, and how those change that stay.

Pure. Works on records as the views hold them, of whatever kind: a kind that this module has never heard of is
covered by its fields alone. Knows no table, no file and no clock; how bytes go is the store's business.
"""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final, Union

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from .erasure import EraseAccount, EraseMemory, EraseSubject, EraseWords, Erasure, Target, owned_by
from .errors import DefectError, InvalidRequestError, NotFoundError
from .facts import join_fact
from .memos import ConversationMemo
from .people import Person, without_account
from .records import (
    Directive,
    EntrySource,
    EntryStatus,
    Fact,
    FactId,
    PersonaEntry,
    Record,
    Reflection,
    ReflectionStatus,
    Rejection,
    Turn,
)
from .text import fold


class Plan(Struct, frozen=True, kw_only=True):
    """What an erasure does to the records.

    `gone` are the records that go, by their ids. `reduced` are facts that go on resting on fewer turns
    and persons who lose an account,
    `reopened` reflections that became part of an entry which goes and are to be judged anew, and `settled` facts
    of which nothing is made again.
    """

    gone: dict[str, Record]
    reduced: tuple[Fact | Person, ...] = ()
    reopened: tuple[Reflection, ...] = ()
    settled: tuple[FactId, ...] = ()

    @property
    def removed(self) -> dict[str, int]:
        """How many records of each kind go, kinds sorted by name."""
        counts: dict[str, int] = {}
        for record in self.gone.values():
            kind = kind_of(type(record))
            counts[kind] = counts.get(kind, 0) + 1
        return dict(sorted(counts.items()))


_KINDS: Final[dict[type, str]] = {PersonaEntry: "persona entry", ConversationMemo: "memo"}


def kind_of(kind: type[Record]) -> str:
    """Return how people call a kind of record."""
    return _KINDS.get(kind, kind.__name__.lower())


def plan(records: Iterable[Record], target: Target) -> Plan:
    """Return what goes with a target, and what changes because of it.

    Args:
        records: every record of the character that has an id.
        target: what is to be erased.

    Raises:
        NotFoundError: if nothing is stored under a memory's id.
        InvalidRequestError: if the words are blank, or name a record that the host keeps.
    """
    return _Erasing(records, target).run()


# --- the rules ----------------------------------------------------------------------------------


class _Erasing:
    """The records of a character while it is found out which of them go."""

    def __init__(self, records: Iterable[Record], target: Target) -> None:
        self._records = {id_of(record): record for record in records if not isinstance(record, Erasure)}
        self._target = target
        self._gone: dict[str, Record] = {}
        # What else was learned from the same words is another memory, which nobody asked to erase.
        self._keeps_siblings = isinstance(target, EraseWords)

    def run(self) -> Plan:
        for record in self._named():
            self._take(record)
        if not self._gone and isinstance(self._target, EraseMemory):
            raise NotFoundError(
                f"nothing is stored under {self._target.id!r}, so nothing was erased: `omoide explain` and "
                "`omoide events --json` tell ids"
            )
        named = tuple(record for record in self._gone.values() if isinstance(record, Reflection))
        while self._spread():
            pass
        return Plan(
            gone=self._gone,
            reduced=tuple(self._reduced()),
            reopened=tuple(self._reopened()),
            settled=tuple(sorted({fact for one in named for fact in one.sources if fact not in self._gone})),
        )

    def _take(self, record: Record) -> None:
        self._gone[id_of(record)] = record

    def _left(self) -> list[Record]:
        return [record for record_id, record in self._records.items() if record_id not in self._gone]

    # What is named.

    def _named(self) -> Iterator[Record]:
        target = self._target
        match target:
            case EraseSubject(subject=subject):
                yield from (
                    record
                    for record in self._records.values()
                    if getattr(record, "subject", None) == subject and not is_card(record)
                )
            case EraseAccount(account=account):
                yield from (record for record in self._records.values() if _is_of(record, account))
            case EraseMemory(id=record_id):
                if (record := self._records.get(record_id)) is not None:
                    yield from self._memory(record)
            case EraseWords(words=words):
                wanted = fold(words)
                if not wanted:
                    raise InvalidRequestError("the words to erase are blank: name at least one visible character")
                yield from (
                    record
                    for record in self._records.values()
                    if not is_card(record) and any(wanted in fold(text) for text in texts_of(record))
                )

    def _memory(self, record: Record) -> Iterator[Record]:
        """Yield a record, and the turns and rejections that hold its words."""
        if is_card(record):
            raise InvalidRequestError(
                f"{id_of(record)} is of the character's card, which the host keeps: change the card instead"
            )
        yield record
        if isinstance(record, Turn):
            return
        self._keeps_siblings = True
        words = fold(record.text) if isinstance(record, Fact | Reflection | PersonaEntry) else ""
        sources = {source.turn for source in record.sources} if isinstance(record, Fact) else set()
        lineage = record.lineage if isinstance(record, PersonaEntry) else ()
        for other in self._records.values():
            match other:
                case Turn(id=turn_id, text=text) if turn_id in sources or (words and words in fold(text)):
                    yield other
                case Rejection() if words and any(words in fold(text) for text in (other.text, other.denial)):
                    yield other
                case Reflection(id=reflection_id) if reflection_id in lineage:
                    yield other
                case _:
                    continue

    # What goes with it.

    def _spread(self) -> bool:
        """Take what rests on what goes; return whether that was anything."""
        resting = [record for record in self._left() if self._rests_on_gone(record)]
        for record in resting:
            self._take(record)
        return bool(resting)

    def _rests_on_gone(self, record: Record) -> bool:  # noqa: PLR0911 - one kind a branch
        gone = self._gone
        match record:
            case Fact(sources=sources):
                return not self._keeps_siblings and all(source.turn in gone for source in sources)
            case Reflection(sources=facts, related=related):
                return any(fact in gone for fact in (*facts, *related))
            case PersonaEntry(lineage=lineage):
                return any(reflection in gone for reflection in lineage)
            case Rejection(cause=cause):
                return cause in gone
            case Directive(turn=turn):
                return isinstance(self._target, EraseAccount) and turn in gone
            case Turn() | Person():
                return False
            case ConversationMemo(subject=subject):
                # A mind put its turns in words of its own, so that nobody can tell what of them it still holds.
                return any(isinstance(one, Turn | Fact) and one.subject == subject for one in gone.values())
            case _:
                return any(text in gone for text in strings_of(record))

    def _reduced(self) -> Iterator[Fact | Person]:
        for record in self._left():
            if isinstance(record, Person) and isinstance(self._target, EraseAccount):
                if any(held.key == self._target.account for held in record.accounts):
                    yield without_account(record, self._target.account)
                continue
            if not isinstance(record, Fact):
                continue
            kept = tuple(source for source in record.sources if source.turn not in self._gone)
            if kept and len(kept) < len(record.sources):
                yield join_fact(None, replace(record, sources=kept))

    def _reopened(self) -> Iterator[Reflection]:
        for record in self._left():
            if isinstance(record, Reflection) and record.absorbed_into in self._gone:
                yield replace(
                    record,
                    status=ReflectionStatus.CONFIRMED,
                    reason="what it had become part of was erased",
                    absorbed_into=None,
                )


def _is_of(record: Record, account: str) -> bool:
    """Return whether an account said it, is whom it is about, or owns its subject."""
    match record:
        case Turn(speaker=speaker) | Fact(speaker=speaker):
            said = speaker is not None and speaker.key == account
        case Rejection(about=about, by=by):
            said = account in {about, by}
        case Person(accounts=accounts):
            said = [held.key for held in accounts] == [account]
        case _:
            said = False
    return said or owned_by(account, str(getattr(record, "subject", "")))


def is_card(record: Record) -> bool:
    """Return whether a record is the host's word in the character's card, which erasing leaves to the host."""
    return (
        isinstance(record, PersonaEntry)
        and record.source is EntrySource.CARD
        and record.evidence.protected
        and record.status is EntryStatus.ACTIVE
    )


# --- looking into records -----------------------------------------------------------------------

NOT_WORDS: Final = frozenset({
    "about", "account", "by", "cause", "id", "lifted_by", "locale", "platform", "signal", "sub_zero_last_day",
})  # fmt: skip
"""Fields of plain text that hold keys and names of kinds, in which nobody's words are looked for."""


def id_of(record: Record) -> str:
    """Return a record's id.

    Raises:
        DefectError: if its kind has none.
    """
    record_id = getattr(record, "id", None)
    if not isinstance(record_id, str):
        raise DefectError(f"a {kind_of(type(record))} has no id, so that nobody can have it erased")
    return record_id


def strings_of(value: object) -> Iterator[str]:
    """Yield every string in a record or in anything that is made of built-in types, ids and kinds too."""
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    match value:
        case str():
            yield value
        case dict():
            for key, part in value.items():
                yield from strings_of(key)
                yield from strings_of(part)
        case list() | tuple():
            for part in value:
                yield from strings_of(part)
        case _:
            return


def texts_of(value: object) -> Iterator[str]:
    """Yield what a record holds of anybody's words: every field of plain text but `NOT_WORDS`.

    An id or a kind has a type of its own, and is none.
    """
    if isinstance(value, Struct):
        for name, is_text in _text_fields(type(value)):
            part = getattr(value, name)
            if is_text or not isinstance(part, str):
                yield from texts_of(part)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Collection):
        for part in value:
            yield from texts_of(part)


@cache
def _text_fields(kind: type[Struct]) -> tuple[tuple[str, bool], ...]:
    """Return a struct's fields that may hold words, and whether the field itself is text."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (field.name, field.name not in NOT_WORDS and str in _alternatives(hints[field.name]))
        for field in fields(kind)
        if _may_hold_words(field.name, hints[field.name])
    )


def _may_hold_words(name: str, hint: object) -> bool:
    if name in NOT_WORDS:
        return False
    return any(
        one is str or (isinstance(one, type) and issubclass(one, Struct)) for one in _alternatives(hint, deep=True)
    )


def _alternatives(hint: object, *, deep: bool = False) -> Iterator[object]:
    """Yield what a type may be, without its containers unless `deep`."""
    origin = typing.get_origin(hint)
    if origin is Union or type(hint).__name__ == "UnionType":
        for one in typing.get_args(hint):
            yield from _alternatives(one, deep=deep)
    elif origin is not None:
        if deep:
            for one in typing.get_args(hint):
                yield from _alternatives(one, deep=True)
    else:
        yield hint
