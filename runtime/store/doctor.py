"""The doctor: whether a journal is what its events say. Reads only, whoever owns the character.

The file is checked by SQLite, the chain event by event, and the views by folding every event again
into a scratch database, with the function that folded them live. All of it reads one snapshot.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from ...protocols.settings import Settings
from ...protocols.work import OpState
from . import audit, files, paths, schema, scrubbing, vectors, views
from .names import check_name

_FOLDED_AT_ONCE: Final = 512
_NAMED: Final = 5
"""Findings of one kind that are named one by one; the rest are counted."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong. `part` is file, chain, views, outbox or rows; `seq` that of an event."""

    part: str
    message: str
    seq: int | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was examined and what is wrong with it. `erased` counts events whose payload was erased."""

    character: str
    events: int = 0
    erased: int = 0
    rows: dict[str, int] = {}
    """Rows of each view."""
    ops: dict[str, int] = {}
    """Outbox ops in each state."""
    findings: tuple[Finding, ...] = ()

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def first_broken(self) -> int | None:
        """Seq of the first event that is wrong or missing, or None."""
        return min((found.seq for found in self.findings if found.seq is not None), default=None)


def examine(settings: Settings, character: str) -> Report:
    """Examine a character's journal without changing it. May take a second for each 50,000 events.

    Args:
        settings: where the journal lies.
        character: its name.

    Raises:
        InvalidNameError: if the name can't be one.
        UnknownCharacterError: if nothing is stored under the name.
        CorruptStorageError: if the file can't be opened as one of ours.
        NewerSchemaError: if a newer program wrote it.
        StorageError: if the disk refuses.
    """
    name = check_name(character, max_chars=settings.limits.name_chars)
    place = paths.place_of(settings, name)
    if not files.exists(place):
        raise files.unknown(name)
    files.look(place)
    with closing(files.connect_reader(place, settings.evidence)) as live:
        number = files.number_of(live, name)
        if number is None:
            raise files.unknown(name)
        live.text_factory = bytes  # a damaged text need not be Unicode
        live.execute("BEGIN")
        return _Examination(live, name, number).run()


class _Examination:
    def __init__(self, live: sqlite3.Connection, name: str, number: int) -> None:
        self._live = live
        self._name = name
        self._number = number
        self._findings: list[Finding] = []
        self._events = 0
        self._erased = 0
        self._rows: dict[str, int] = {}
        self._ops: dict[str, int] = {}

    def run(self) -> Report:
        with tempfile.TemporaryDirectory(prefix="omoide-doctor-") as folder:
            scratch_path = Path(folder) / "scratch.db"
            with closing(sqlite3.connect(scratch_path, isolation_level=None)) as scratch:
                scratch.text_factory = bytes
                scratch.execute("PRAGMA synchronous = OFF")
                schema.migrate(scratch)
                for part, step in (
                    ("file", self._check_file),
                    ("chain", lambda: self._check_events(scratch)),
                    ("views", lambda: self._check_views(scratch)),
                    ("outbox", self._check_outbox),
                    ("vectors", self._check_vectors),
                    ("scrubs", self._check_scrubs),
                ):
                    try:
                        step()
                    except sqlite3.DatabaseError as error:
                        self._found(part, f"the {part} can't be read to its end: {error}")
        return Report(
            character=self._name,
            events=self._events,
            erased=self._erased,
            rows=self._rows,
            ops=self._ops,
            findings=tuple(self._findings),
        )

    def _found(self, part: str, message: str, seq: int | None = None) -> None:
        self._findings.append(Finding(part, message, seq))

    def _check_file(self) -> None:
        for (line,) in self._live.execute(f"PRAGMA integrity_check({_NAMED})"):
            if line != b"ok":
                self._found("file", _text(line))
        for table, *_ in self._live.execute("PRAGMA foreign_key_check").fetchmany(_NAMED):
            self._found("rows", f"table {_text(table)} holds a row of a character that isn't in the file")

    def _check_events(self, scratch: sqlite3.Connection) -> None:
        head_seq, head_chain = self._live.execute(
            "SELECT head_seq, head_chain FROM characters WHERE id = ?", (self._number,)
        ).fetchone()
        scratch.execute("PRAGMA foreign_keys = OFF")
        scratch.execute("BEGIN")
        verifier = audit.ChainVerifier(self._name)
        folded: list[views.Folded] = []
        for row in audit.event_rows(self._live, self._number):
            self._events += 1
            for seq, problem in verifier.verify(row):
                self._found("chain", problem, seq)
            if row.payload is None:
                self._erased += 1
            elif (change := audit.change_of(row)) is not None:
                folded.append(views.fold(self._number, row.seq, change))
            else:
                self._found(
                    "chain", f"event {row.seq}: its payload holds no change that this program knows", row.seq
                )
            if len(folded) >= _FOLDED_AT_ONCE:
                views.write(scratch, folded)
                folded.clear()
        views.write(scratch, folded)
        scratch.execute("COMMIT")
        if verifier.seq < head_seq:
            self._found(
                "chain",
                f"the log ends at event {verifier.seq}, but its head names event {head_seq}: the tail is missing",
                verifier.seq + 1,
            )
        elif (verifier.seq, verifier.chain) != (head_seq, head_chain):
            self._found("chain", f"the head (event {head_seq}) is not the end of the log (event {verifier.seq})")

    def _check_views(self, scratch: sqlite3.Connection) -> None:
        for view in views.VIEWS:
            differing = 0
            for its_id, problem in audit.differences(
                self._counted(view, audit.view_rows(self._live, view, self._number)),
                audit.view_rows(scratch, view, self._number),
                views.KINDS[view],
            ):
                differing += 1
                if differing <= _NAMED:
                    self._found("views", f"{view.table}: {_text(its_id) or 'its row'} {problem}")
            if differing > _NAMED:
                self._found("views", f"{view.table}: {differing} rows differ in all")

    def _counted(self, view: views.View, rows: Iterable[audit.ViewRow]) -> Iterator[audit.ViewRow]:
        self._rows[view.table] = 0
        for row in rows:
            self._rows[view.table] += 1
            yield row

    def _check_outbox(self) -> None:
        self._ops = dict.fromkeys((state.value for state in OpState), 0)
        problems = 0
        for state, problem in audit.outbox_rows(self._live, self._number):
            if state in self._ops:
                self._ops[state] += 1
            if problem:
                problems += 1
                if problems <= _NAMED:
                    self._found("outbox", problem)
        if problems > _NAMED:
            self._found("outbox", f"{problems} ops are wrong in all")

    def _check_scrubs(self) -> None:
        if schema.version(self._live) == schema.LATEST and scrubbing.is_due(self._live):
            self._found(
                "file",
                "bytes of what was erased are still in it, because somebody was reading or the process ended: "
                "they go when the character is next opened",
            )

    def _check_vectors(self) -> None:
        # Derived from texts and a model that needn't be here: only what would be compared wrongly is looked for.
        wrong = [_text(record) for record in vectors.problems(self._live, self._number)]
        for record in wrong[:_NAMED]:
            self._found(
                "vectors", f"the vector of {record} has the wrong length, or nothing is stored under that id"
            )
        if len(wrong) > _NAMED:
            self._found("vectors", f"{len(wrong)} vectors are wrong in all")


def _text(raw: object) -> str:
    return raw.decode(errors="backslashreplace") if isinstance(raw, bytes) else str(raw)
