"""The views: how a change is folded into them, and how they are read.

`fold` is the only place that knows which change touches which view; the writer applies it live, and
the doctor applies it again to a scratch copy. A change carries its record whole, so that folding
overwrites and any number of times leaves what one time leaves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar, assert_never

import msgspec

from ...protocols.encoding import encoded
from ...protocols.erasure import Erasure
from ...protocols.events import AnyChange, AnyRecord, record_of
from ...protocols.memos import ConversationMemo
from ...protocols.people import Person
from ...protocols.records import (
    Directive,
    DirectiveStatus,
    Fact,
    FactId,
    FactStatus,
    PersonaEntry,
    Profile,
    Reflection,
    Rejection,
    Turn,
    TurnId,
)
from ...protocols.scopes import Subject
from . import rows

_PAGE: Final = 256
"""Rows that are decoded in one call, some 0.3 ms: no other thread runs meanwhile, and each call costs."""

_turn_decoder = msgspec.json.Decoder(Turn)
_turns_decoder = msgspec.json.Decoder(list[Turn])
_fact_decoder = msgspec.json.Decoder(Fact)
_facts_decoder = msgspec.json.Decoder(list[Fact])
_profile_decoder = msgspec.json.Decoder(Profile)

T = TypeVar("T", Turn, Fact)
_Kept = TypeVar("_Kept", Rejection, Reflection, PersonaEntry, Directive, Erasure, Person, ConversationMemo)


class View:
    """A view's table and how a row is put into it.

    Args:
        table: its name.
        columns: its columns beside the character.
        key: the column that names a row within its character, or None where there is but one row.
    """

    def __init__(self, table: str, columns: tuple[str, ...], key: str | None) -> None:
        self.table = table
        self.columns = ("character", *columns)
        self.key = key
        replaced = [column for column in columns if column not in {"seq", key}]
        self.head = f"INSERT INTO {table} ({', '.join(self.columns)})"
        self.tail = (
            f"ON CONFLICT ({'character' if key is None else f'character, {key}'}) DO UPDATE SET "
            f"{', '.join(f'{column} = excluded.{column}' for column in replaced)}"
        )


TURNS: Final = View("turns", ("seq", "id", "subject", "body"), "id")
FACTS: Final = View("facts", ("seq", "id", "subject", "status", "body"), "id")
PROFILES: Final = View("profiles", ("body",), None)
REJECTIONS: Final = View("rejections", ("seq", "id", "subject", "body"), "id")
REFLECTIONS: Final = View("reflections", ("seq", "id", "subject", "status", "body"), "id")
PERSONA: Final = View("persona", ("seq", "id", "subject", "status", "body"), "id")
DIRECTIVES: Final = View("directives", ("seq", "id", "subject", "status", "body"), "id")
ERASURES: Final = View("erasures", ("seq", "id", "body"), "id")
PEOPLE: Final = View("people", ("seq", "id", "status", "body"), "id")
MEMOS: Final = View("memos", ("seq", "id", "subject", "body"), "id")

VIEWS: Final = (TURNS, FACTS, PROFILES, REJECTIONS, REFLECTIONS, PERSONA, DIRECTIVES, ERASURES, PEOPLE, MEMOS)
"""Every view."""

Folded: TypeAlias = tuple[View, rows.Row]
"""One row to be written into a view."""


def fold(character: int, seq: int, change: AnyChange) -> Folded:  # noqa: C901, PLR0911 - one kind a branch
    """Return the row that a change puts into its view.

    Args:
        character: number of the character inside the file.
        seq: seq of the change's event; it stays the row's place if the record is new.
        change: the change.
    """
    record = record_of(change)
    body = encoded(record)
    match record:
        case Turn(id=turn_id, subject=subject):
            return TURNS, (character, seq, turn_id, subject, body)
        case Fact(id=fact_id, subject=subject, status=status):
            return FACTS, (character, seq, fact_id, subject, status.value, body)
        case Profile():
            return PROFILES, (character, body)
        case Rejection(id=rejection_id, subject=subject):
            return REJECTIONS, (character, seq, rejection_id, subject, body)
        case Reflection(id=reflection_id, subject=subject, status=status):
            return REFLECTIONS, (character, seq, reflection_id, subject, status.value, body)
        case PersonaEntry(id=entry_id, subject=subject, status=status):
            return PERSONA, (character, seq, entry_id, subject, status.value, body)
        case Directive(id=directive_id, subject=subject, status=status):
            return DIRECTIVES, (character, seq, directive_id, subject, status.value, body)
        case Erasure(id=erasure_id):
            return ERASURES, (character, seq, erasure_id, body)
        case Person(id=person_id, status=status):
            return PEOPLE, (character, seq, person_id, status.value, body)
        case ConversationMemo(id=memo_id, subject=subject):
            return MEMOS, (character, seq, memo_id, subject, body)
        case _:
            assert_never(record)


def write(connection: sqlite3.Connection, folded: Iterable[Folded]) -> None:
    """Put rows into their views, those of one view in the order given."""
    by_view: dict[View, list[rows.Row]] = {}
    for view, row in folded:
        by_view.setdefault(view, []).append(row)
    for view, its_rows in by_view.items():
        if view is DIRECTIVES:
            _write_directives(connection, its_rows)
        else:
            rows.insert(connection, view.head, its_rows, view.tail)


def _write_directives(connection: sqlite3.Connection, its_rows: Iterable[rows.Row]) -> None:
    """Put directives into their view and take the dropped ones out of it, in order: one can be given again."""
    given: list[rows.Row] = []
    for row in its_rows:
        if row[4] != DirectiveStatus.DROPPED.value:
            given.append(row)
            continue
        rows.insert(connection, DIRECTIVES.head, given, DIRECTIVES.tail)
        given = []
        connection.execute("DELETE FROM directives WHERE character = ? AND id = ?", (row[0], row[2]))
    rows.insert(connection, DIRECTIVES.head, given, DIRECTIVES.tail)


_NEVER: Final = 2**63 - 1
"""A seq that no row reaches."""


def profile(connection: sqlite3.Connection, character: int) -> Profile:
    """Return what the host said about the character, or an empty profile."""
    row = connection.execute("SELECT body FROM profiles WHERE character = ?", (character,)).fetchone()
    return Profile() if row is None else _profile_decoder.decode(row[0])


def turn(connection: sqlite3.Connection, character: int, turn_id: TurnId) -> Turn | None:
    """Return one turn."""
    row = connection.execute(
        "SELECT body FROM turns WHERE character = ? AND id = ?", (character, turn_id)
    ).fetchone()
    return None if row is None else _turn_decoder.decode(row[0])


def turns(
    connection: sqlite3.Connection,
    character: int,
    subjects: Sequence[Subject] | None,
    newest: int,
    before: TurnId | None = None,
) -> tuple[Turn, ...]:
    """Return the newest turns of the subjects (all for None), oldest first; of those before one where it is named.

    None is before a turn that isn't stored.
    """
    end = _NEVER if before is None else _turn_seq(connection, character, before)
    if subjects is None:
        where: list[tuple[str, rows.Row]] = [("", ())]
    else:
        where = [("AND subject = ?", (subject,)) for subject in set(subjects)]
    found = _ascending(
        [
            _read(
                connection.execute(
                    f"""
                    SELECT seq, body FROM turns WHERE character = ? {those} AND seq < ?
                    ORDER BY seq DESC LIMIT ?
                    """,  # noqa: S608 - constants
                    (character, *values, end, newest),
                ),
                _turns_decoder,
                newest_first=True,
            )
            for those, values in where
        ]
    )
    return tuple(found[-newest:]) if newest else ()


def _turn_seq(connection: sqlite3.Connection, character: int, turn_id: TurnId) -> int:
    row = connection.execute(
        "SELECT seq FROM turns WHERE character = ? AND id = ?", (character, turn_id)
    ).fetchone()
    return 0 if row is None else int(row[0])


def facts(
    connection: sqlite3.Connection,
    character: int,
    subjects: Sequence[Subject] | None,
    statuses: Sequence[FactStatus] = (FactStatus.ACTIVE,),
) -> tuple[Fact, ...]:
    """Return the facts of the subjects (all for None) in these statuses, in order of storing."""
    asked = sorted({status.value for status in statuses})
    if subjects is None:
        # Most facts are in force: these are read as they lie, and not one by one as an index names them.
        status = "+status" if FactStatus.ACTIVE in statuses else "status"
        where = [(f"{status} IN ({', '.join('?' * len(asked))})", tuple(asked))]
    else:
        where = [
            ("status = ? AND subject = ?", (status, subject)) for status in asked for subject in set(subjects)
        ]
    return tuple(
        _ascending(
            [
                _read(
                    connection.execute(
                        f"SELECT seq, body FROM facts WHERE character = ? AND {those} ORDER BY seq",  # noqa: S608 - constants
                        (character, *values),
                    ),
                    _facts_decoder,
                )
                for those, values in where
            ]
        )
    )


def _read(
    cursor: sqlite3.Cursor, decoder: msgspec.json.Decoder[list[T]], *, newest_first: bool = False
) -> tuple[list[int], list[T]]:
    """Return the seqs and the records of the rows of a cursor, in ascending order."""
    seqs: list[int] = []
    found: list[T] = []
    while page := cursor.fetchmany(_PAGE):
        seqs += [seq for seq, _ in page]
        found += decoder.decode(b"[%b]" % b",".join([body for _, body in page]))
    if newest_first:
        seqs.reverse()
        found.reverse()
    return seqs, found


def _ascending(parts: Sequence[tuple[list[int], list[T]]]) -> list[T]:
    """Return the records of several readings by their seqs."""
    having = [part for part in parts if part[0]]
    if len(having) == 1:
        return having[0][1]
    pairs = chain.from_iterable(zip(*part, strict=True) for part in having)
    return [record for _, record in sorted(pairs, key=itemgetter(0))]


def subjects(connection: sqlite3.Connection, character: int) -> tuple[Subject, ...]:
    """Return the subjects that hold facts in force, sorted."""
    found = connection.execute(
        "SELECT DISTINCT subject FROM facts WHERE character = ? AND status = 'active' ORDER BY subject",
        (character,),
    )
    return tuple(Subject(subject) for (subject,) in found)


def facts_by_id(connection: sqlite3.Connection, character: int, ids: Sequence[FactId]) -> dict[FactId, Fact]:
    """Return those of the facts that are stored, whatever their status."""
    found = rows.select(
        connection,
        "facts.body",
        [(character, fact_id) for fact_id in ids],
        "facts ON facts.character = wanted.a AND facts.id = wanted.b",
    )
    decoded = (_fact_decoder.decode(body) for (body,) in found)
    return {fact.id: fact for fact in decoded}


HOME: Final[dict[type[AnyRecord], View]] = {
    Turn: TURNS,
    Fact: FACTS,
    Profile: PROFILES,
    Rejection: REJECTIONS,
    Reflection: REFLECTIONS,
    PersonaEntry: PERSONA,
    Directive: DIRECTIVES,
    Erasure: ERASURES,
    Person: PEOPLE,
    ConversationMemo: MEMOS,
}
"""The view of each kind of record."""

KINDS: Final[dict[View, type[AnyRecord]]] = {view: kind for kind, view in HOME.items()}
"""The kind of record in each view."""


def every(connection: sqlite3.Connection, character: int) -> Iterator[AnyRecord]:
    """Yield every record that has an id, view by view, each in order of storing."""
    for kind, view in HOME.items():
        if view.key is None:
            continue
        decoder = msgspec.json.Decoder(kind)
        for (body,) in connection.execute(
            f"SELECT body FROM {view.table} WHERE character = ? ORDER BY seq",  # noqa: S608 - constant table
            (character,),
        ):
            yield decoder.decode(body)


def records(connection: sqlite3.Connection, character: int, kind: type[_Kept]) -> tuple[_Kept, ...]:
    """Return every record of a kind, whatever its status, in order of storing."""
    found = connection.execute(
        f"SELECT body FROM {HOME[kind].table} WHERE character = ? ORDER BY seq",  # noqa: S608 - constant table
        (character,),
    )
    return tuple(msgspec.json.decode(body, type=kind) for (body,) in found)


def record(connection: sqlite3.Connection, character: int, kind: type[_Kept], record_id: str) -> _Kept | None:
    """Return one record of a kind, whatever its status."""
    row = connection.execute(
        f"SELECT body FROM {HOME[kind].table} WHERE character = ? AND id = ?",  # noqa: S608 - constant table
        (character, record_id),
    ).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=kind)
