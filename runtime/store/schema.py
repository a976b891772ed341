"""The tables of a journal file, and how an older file is brought up to date.

Every table carries the character, so that one file holds one character or many. Views hold the
record as JSON and, beside it, only the columns that reads filter on. `seq` of a view's row is the
event that first stored the record, which gives the order of storing without a counter of its own.
Knows nothing of names on disk, of locks and of what a change means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

APPLICATION_ID: Final = 0x4F6D6F69
"""`Omoi` in ASCII, in the header field by which SQLite tells one program's files from another's."""


class Migration(NamedTuple):
    """One step from the schema of the number before to this one, done in one transaction."""

    number: int
    statements: tuple[str, ...]


MIGRATIONS: Final[tuple[Migration, ...]] = (
    Migration(
        1,
        (
            """
            CREATE TABLE characters (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                created_at REAL NOT NULL,
                head_seq INTEGER NOT NULL,
                head_chain BLOB NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE events (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                at REAL NOT NULL,
                actor TEXT NOT NULL,
                cause TEXT NOT NULL,
                kind TEXT NOT NULL,
                subject TEXT NOT NULL,
                record_ids TEXT NOT NULL,
                payload BLOB,
                digest BLOB NOT NULL,
                chain BLOB NOT NULL,
                PRIMARY KEY (character, seq)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE turns (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX turns_by_subject ON turns (character, subject, seq)",
            """
            CREATE TABLE facts (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                status TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX facts_by_subject ON facts (character, status, subject, seq)",
            """
            CREATE TABLE profiles (
                character INTEGER PRIMARY KEY REFERENCES characters (id),
                body BLOB NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE outbox (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                work BLOB NOT NULL,
                cause TEXT NOT NULL,
                state TEXT NOT NULL,
                attempts INTEGER NOT NULL,
                not_before REAL NOT NULL,
                enqueued_at REAL NOT NULL,
                error TEXT NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX outbox_by_state ON outbox (character, state, seq)",
            """
            CREATE TABLE idempotency (
                character INTEGER NOT NULL REFERENCES characters (id),
                key TEXT NOT NULL,
                fingerprint TEXT NOT NULL,
                after_seq INTEGER NOT NULL,
                upto_seq INTEGER NOT NULL,
                PRIMARY KEY (character, key)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        2,
        (
            """
            CREATE TABLE rejections (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE reflections (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                status TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE persona (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                status TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE directives (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                status TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        3,
        (
            # AUTOINCREMENT: a seq that was taken once never comes again, even if its vector was erased.
            """
            CREATE TABLE vectors (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                model TEXT NOT NULL,
                dimension INTEGER NOT NULL,
                digest BLOB NOT NULL,
                components BLOB NOT NULL,
                UNIQUE (character, id)
            ) STRICT
            """,
            "CREATE INDEX vectors_by_seq ON vectors (character, seq)",
        ),
    ),
    Migration(
        4,
        (
            """
            CREATE TABLE erasures (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE scrubs (
                character INTEGER PRIMARY KEY,
                due_at REAL NOT NULL
            ) STRICT
            """,
        ),
    ),
    Migration(
        5,
        (
            """
            CREATE TABLE people (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                status TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        6,
        (
            """
            CREATE TABLE memos (
                character INTEGER NOT NULL REFERENCES characters (id),
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                subject TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (character, seq),
                UNIQUE (character, id)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        7,
        (
            """
            CREATE TABLE cursors (
                character INTEGER NOT NULL REFERENCES characters (id),
                source TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                seq INTEGER NOT NULL,
                PRIMARY KEY (character, source)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
)
"""Every step, in order. A later schema is one entry more; a step that has shipped never changes."""

LATEST: Final = MIGRATIONS[-1].number
"""Number of the schema that this program writes."""

TABLES: Final = (
    "characters",
    "events",
    "turns",
    "facts",
    "profiles",
    "rejections",
    "reflections",
    "persona",
    "directives",
    "people",
    "outbox",
    "idempotency",
    "vectors",
    "erasures",
    "scrubs",
    "memos",
    "cursors",
)
"""Every table of the latest schema."""

OLDEST_SQLITE: Final = (3, 37, 0)
"""First SQLite with STRICT tables (https://www.sqlite.org/stricttables.html)."""


def version(connection: sqlite3.Connection) -> int:
    """Return the number of a file's schema, 0 for one without tables."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring a file up to the last of `migrations`, each in one transaction, and return how many were run.

    Raises:
        sqlite3.Error: if a step fails; the file then has the schema of the step before.
    """
    ran = 0
    for migration in migrations:
        if migration.number <= version(connection):
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in migration.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {migration.number}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        ran += 1
    return ran
