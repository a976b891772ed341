"""What an exported character looks like on disk: which files, what a line of each is, and the manifest.

A folder with `manifest.json`, one event, op, idempotency key or cursor a line, and one JSON array a view.
docs/reference/export-format.md tells people the same. Knows no database.

What digests cover is written as it is stored, byte for byte: an event's payload, its record ids and an op's
work are the compact JSON of the journal, which is one line of UTF-8, so it stands in its line unchanged and
unescaped, and is cut out of it again by `msgspec.Raw`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from . import views

FORMAT: Final = 1
"""Number of the layout that this program writes, and the newest that it reads."""

DRAFT: Final = ".omoide-export-"
"""How the name of a folder begins that holds an export which isn't whole yet; the writing process's id follows."""

MANIFEST: Final = "manifest.json"
EVENTS: Final = "events.ndjson"
OUTBOX: Final = "outbox.ndjson"
KEYS: Final = "idempotency.ndjson"
CURSORS: Final = "cursors.ndjson"

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""A count or a place that fits the database."""

Sha256: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""A SHA-256 in hexadecimal."""

Watch: TypeAlias = Callable[[int, int], None]
"""Told how many rows are done and of how many, every few hundred rows; what it raises ends the work."""

ROWS_A_STEP: Final = 512
"""Rows that are written together, and after which whoever watches is told."""


def ignore(_done: int, _total: int) -> None:
    """Watch nothing."""


def file_of(view: views.View) -> str:
    """Return the name of a view's file."""
    return f"{view.table}.json"


def order_of(view: views.View) -> str:
    """Return the column by which the records of a view are in order of storing."""
    return "character" if view.key is None else "seq"


FILES: Final = (EVENTS, *map(file_of, views.VIEWS), OUTBOX, KEYS, CURSORS)
"""Every file but the manifest, in the order of writing."""


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that stands in a file of a set."""


class EventLine(Line, frozen=True, kw_only=True):
    """One event. `payload` is `null` where it was erased."""

    seq: Whole
    at: float
    actor: str
    cause: str
    kind: str
    subject: str
    record_ids: Raw
    payload: Raw
    digest: Sha256
    chain: Sha256


class OpLine(Line, frozen=True, kw_only=True):
    """One piece of durable work, whatever its state."""

    seq: Whole
    id: str
    work: Raw
    cause: str
    state: str
    attempts: Whole
    not_before: float
    enqueued_at: float
    error: str


class KeyLine(Line, frozen=True, kw_only=True):
    """One idempotency key, and the events `after_seq` < seq <= `upto_seq` that it made."""

    key: str
    fingerprint: str
    after_seq: Whole
    upto_seq: Whole


class CursorLine(Line, frozen=True, kw_only=True):
    """How far a stream was taken up, or told."""

    source: str
    epoch: Whole
    seq: Whole


class HeadEntry(Line, frozen=True, kw_only=True):
    """Where the log ends: seq and chain of its newest event; 0 and the chain's beginning where there is none."""

    seq: Whole
    chain: Sha256


class FileEntry(Line, frozen=True, kw_only=True):
    """A file of a set. `rows` counts events, ops, keys or records."""

    rows: Whole
    bytes: Whole
    sha256: Sha256


class Manifest(Line, frozen=True, kw_only=True):
    """What a set holds. Times are seconds since the epoch (UTC); `version` is that of the writing program."""

    format: Whole
    version: str
    character: str
    created_at: float
    exported_at: float
    head: HeadEntry
    files: dict[str, FileEntry]
    seal: str = ""

    @property
    def rows(self) -> int:
        """Rows of all files together."""
        return sum(entry.rows for entry in self.files.values())


def sealed(manifest: Manifest) -> Manifest:
    """Return a manifest with its seal, by which a change of any other field is noticed.

    The seal is the SHA-256 of the manifest as JSON without blanks, with an empty seal.
    """
    blank = replace(manifest, seal="")
    return replace(blank, seal=hashlib.sha256(msgspec.json.encode(blank)).hexdigest())
