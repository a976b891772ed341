"""The table of vectors: a cache beside the views, which no event makes and no export holds.

A row is worth something as long as its record is stored, its space is the embedder's and its digest is that of
the record's text. `seq` only ever grows, so that a reader finds what came after what it has.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from ...protocols.records import Fact, PersonaEntry, Reflection, Rejection, Turn
from ...protocols.vectors import Embeddable, Space, Vector, VectorCounts, Vectors, digest_of, unpacked
from . import rows, views

_TAKES_PART: Final[tuple[tuple[views.View, type[Embeddable], str], ...]] = (
    (views.REJECTIONS, Rejection, ""),
    (views.PERSONA, PersonaEntry, "AND r.status = 'active'"),
    (views.REFLECTIONS, Reflection, "AND r.status IN ('pending', 'confirmed')"),
    (views.FACTS, Fact, "AND r.status = 'active'"),
    (views.TURNS, Turn, ""),
)
"""Where records that can have a vector are kept, and which take part, in the order in which they get one.

What guards the person's corrections comes first, and what was merely said last.
"""

_HAS_ONE: Final = """
    EXISTS (SELECT 1 FROM vectors AS v WHERE v.character = r.character AND v.id = r.id
            AND v.model = :model AND v.dimension = :dimension)
"""

_STORED: Final = " OR ".join(
    f"EXISTS (SELECT 1 FROM {view.table} WHERE character = :character AND id = :id)"  # noqa: S608 - constant table
    for view, _, _ in _TAKES_PART
)


def write(connection: sqlite3.Connection, character: int, vectors: Iterable[Vector]) -> None:
    """Put vectors in the place of older ones of the same records; what isn't stored (any more) gets none."""
    connection.executemany(
        f"""
        INSERT OR REPLACE INTO vectors (character, id, model, dimension, digest, components)
        SELECT :character, :id, :model, :dimension, :digest, :components WHERE {_STORED}
        """,
        [
            {
                "character": character,
                "id": vector.record,
                "model": vector.space.model,
                "dimension": vector.space.dimension,
                "digest": vector.digest,
                "components": vector.components,
            }
            for vector in vectors
        ],
    )


def last_seq(connection: sqlite3.Connection, character: int) -> int:
    """Return the seq of a character's newest vector, 0 for none."""
    (newest,) = connection.execute("SELECT max(seq) FROM vectors WHERE character = ?", (character,)).fetchone()
    return int(newest or 0)


def read(
    connection: sqlite3.Connection, character: int, space: Space, after: int, limit: int | None = None
) -> Vectors:
    """Return the vectors of a space with a seq above `after`, oldest first; the first `limit` of them."""
    found = connection.execute(
        """
        SELECT seq, id, components FROM vectors
        WHERE character = ? AND seq > ? AND model = ? AND dimension = ? ORDER BY seq LIMIT ?
        """,
        (character, after, space.model, space.dimension, -1 if limit is None else limit),
    ).fetchall()
    return Vectors(
        last_seq(connection, character) if len(found) != limit else found[-1][0] if found else after,
        tuple([record for _, record, _ in found]),
        unpacked([components for _, _, components in found], space.dimension),
    )


def read_some(connection: sqlite3.Connection, character: int, space: Space, ids: Sequence[str]) -> Vectors:
    """Return the vectors that some records have in a space, in no order."""
    found = [
        (record, components)
        for record, model, dimension, components in rows.select(
            connection,
            "v.id, v.model, v.dimension, v.components",
            [(character, record) for record in ids],
            "vectors AS v ON v.character = wanted.a AND v.id = wanted.b",
        )
        if (model, dimension) == (space.model, space.dimension)
    ]
    return Vectors(
        last_seq(connection, character),
        tuple(record for record, _ in found),
        unpacked([components for _, components in found], space.dimension),
    )


def current(
    connection: sqlite3.Connection, character: int, space: Space, passages: Sequence[tuple[str, str]]
) -> frozenset[str]:
    """Return which records have the vector of their passage; `passages` are ids with what is to be embedded."""
    wanted = {record: digest_of(passage) for record, passage in passages}
    found = rows.select(
        connection,
        "v.id, v.model, v.dimension, v.digest",
        [(character, record) for record in wanted],
        "vectors AS v ON v.character = wanted.a AND v.id = wanted.b",
    )
    return frozenset(
        record
        for record, model, dimension, digest in found
        if (model, dimension, digest) == (space.model, space.dimension, wanted[record])
    )


def lacking(
    connection: sqlite3.Connection, character: int, space: Space, limit: int
) -> tuple[int, tuple[Embeddable, ...]]:
    """Return records that take part and have no vector in a space, and the seq that this reflects.

    At most `limit`. Whether a text has changed since it was embedded is not looked at.
    """
    (seq,) = connection.execute("SELECT head_seq FROM characters WHERE id = ?", (character,)).fetchone()
    return seq, tuple(_lacking(connection, character, space, limit))


def counts(connection: sqlite3.Connection, character: int, space: Space) -> VectorCounts:
    """Return how many records that take part have a vector in a space, and how many lack one."""
    done = total = 0
    for view, _, taking_part in _TAKES_PART:
        having, all_of_them = connection.execute(
            f"""
            SELECT coalesce(sum({_HAS_ONE}), 0), count(*) FROM {view.table} AS r
            WHERE r.character = :character {taking_part}
            """,  # noqa: S608 - constants
            {"character": character, "model": space.model, "dimension": space.dimension},
        ).fetchone()
        done, total = done + having, total + all_of_them
    return VectorCounts(done=done, pending=total - done)


def problems(connection: sqlite3.Connection, character: int) -> Iterator[str]:
    """Yield the id of each vector whose record isn't stored, or that has another length than its row says."""
    yield from (
        str(record)
        for (record,) in connection.execute(
            f"""
            SELECT v.id FROM vectors AS v WHERE v.character = :character
            AND (length(v.components) <> 2 * v.dimension OR NOT ({_STORED.replace(":id", "v.id")}))
            """,  # noqa: S608 - constant
            {"character": character},
        )
    )


def _lacking(connection: sqlite3.Connection, character: int, space: Space, limit: int) -> Iterator[Embeddable]:
    left = limit
    for view, kind, taking_part in _TAKES_PART:
        if left <= 0:
            return
        found = connection.execute(
            f"""
            SELECT r.body FROM {view.table} AS r
            WHERE r.character = :character {taking_part} AND NOT {_HAS_ONE} ORDER BY r.seq LIMIT :limit
            """,  # noqa: S608 - constants
            {"character": character, "model": space.model, "dimension": space.dimension, "limit": left},
        ).fetchall()
        left -= len(found)
        yield from (msgspec.json.decode(body, type=kind) for (body,) in found)
