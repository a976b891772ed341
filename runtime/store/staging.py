"""Reading an exported set into a scratch database, with everything that is wrong with it.

The scratch database is SQLite's own temporary one: on disk, without a name, and gone with its connection
however the process ends. What is in it afterwards is what the files said when they were read, chained for the
name under which the character is to be known here.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Final, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from ... import __version__
from ...protocols.errors import CorruptStorageError, InvalidRequestError, NewerSchemaError, StorageFullError
from ...protocols.events import AnyChange
from ...protocols.work import OpState
from . import audit, chain, events, exported, rows, schema, views
from .exported import CURSORS, EVENTS, KEYS, OUTBOX, CursorLine, EventLine, KeyLine, Line, Manifest, OpLine, Watch
from .faults import storage_error, translated

_NAMED: Final = 5
"""Problems that are told; a damaged set has them in thousands."""

_NUMBER: Final = 1
"""Number of the character in the scratch database."""

_KINDS: Final = frozenset(str(change.__struct_config__.tag) for change in get_args(AnyChange))

_L = TypeVar("_L", bound=Line)


class Staged(Struct, kw_only=True):
    """A set as it was read. It is whole if there are no `problems`.

    `name` is the character's name here, `chain` that of its newest event under this name (hexadecimal), `erased`
    counts events whose payload was erased, `rows` the records of each view, `ops` the work in each state and
    `keys` the idempotency keys.
    """

    manifest: Manifest
    name: str
    chain: str = ""
    erased: int = 0
    rows: dict[str, int] = {}
    ops: dict[str, int] = {}
    keys: int = 0
    problems: list[str] = []
    newer: bool = False
    """Whether something in it is whole and of a kind that this program doesn't know."""


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a set.

    Raises:
        InvalidRequestError: if there is none.
        CorruptStorageError: if it is damaged.
        NewerSchemaError: if a newer program wrote a layout that this one doesn't know.
        StorageError: if it can't be read.
    """
    path = folder / exported.MANIFEST
    if not path.is_file():
        raise InvalidRequestError(
            f"{folder} holds no {exported.MANIFEST}: name a folder that `omoide export` made. "
            "An export that was interrupted has none; make it again"
        )
    with translated(path):
        raw = path.read_bytes()
    try:
        layout = msgspec.json.decode(raw, type=_Layout)
        if layout.format > exported.FORMAT:
            raise NewerSchemaError(
                f"{folder} is of format {layout.format}, written by Omoide {layout.version}, and this program "
                f"({__version__}) knows up to {exported.FORMAT}: update Omoide. Nothing was imported"
            )
        manifest = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptStorageError(
            f"{path} can't be read as a manifest ({error}): copy the export again from where it was made"
        ) from error
    if exported.sealed(manifest) != manifest:
        raise CorruptStorageError(
            f"{path} was changed after it was written: its seal doesn't match. Copy the export again from where "
            "it was made"
        )
    return manifest


class _Layout(Struct):
    format: int
    version: str


@contextmanager
def scratch() -> Iterator[sqlite3.Connection]:
    """Yield a connection to an empty scratch database, which other threads may use too, one at a time."""
    connection = sqlite3.connect("", isolation_level=None, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        schema.migrate(connection)
        yield connection
    finally:
        connection.close()


def stage(connection: sqlite3.Connection, folder: Path, manifest: Manifest, name: str, watch: Watch) -> Staged:
    """Read a set into an empty scratch database, and return what is in it or what is wrong with it.

    Args:
        connection: to the scratch database.
        folder: where the set lies.
        manifest: what it is said to hold.
        name: the name that the character will have; the chain is made for it.
        watch: told of the progress.

    Raises:
        StorageError: if a file can't be read, or no space is left for the scratch database.
    """
    with translated(folder):
        try:
            return _Staging(connection, folder, manifest, name, watch).run()
        except sqlite3.Error as error:
            if isinstance(storage_error(error, folder), StorageFullError):
                raise StorageFullError(
                    f"no space is left for the temporary files with which {folder} is looked through: free "
                    "some, or name another folder for them in SQLITE_TMPDIR"
                ) from error
            raise


class _EnoughError(Exception):
    """So many problems were found that no more need be looked for."""


class _Staging:
    def __init__(
        self, connection: sqlite3.Connection, folder: Path, manifest: Manifest, name: str, watch: Watch
    ) -> None:
        self._scratch = connection
        self._folder = folder
        self._manifest = manifest
        self._watch = watch
        self._done = 0
        self._staged = Staged(manifest=manifest, name=name, rows={}, ops={}, problems=[])

    def run(self) -> Staged:
        self._scratch.execute("BEGIN")
        try:
            self._check_files()
            if not self._staged.problems:
                self._take_events()
            if not self._staged.problems:  # of which everything that follows would only be a consequence
                self._take_ops()
                self._take_keys()
                self._take_cursors()
                self._compare()
                self._check_strangers()
        except _EnoughError:
            self._staged.problems.append("and perhaps more")
        self._scratch.execute("COMMIT")
        return self._staged

    def _found(self, problem: str) -> None:
        self._staged.problems.append(problem)
        if len(self._staged.problems) >= _NAMED:
            raise _EnoughError

    # --- files ----------------------------------------------------------------------------------

    def _check_files(self) -> None:
        for name in (EVENTS, OUTBOX, KEYS):
            if name not in self._manifest.files:
                self._found(f"{exported.MANIFEST} doesn't name {name}")
        for name, entry in self._manifest.files.items():
            path = self._folder / name
            if name not in exported.FILES:
                self._staged.newer = True
                self._found(f"{exported.MANIFEST} names {name!r}, which this program doesn't know")
            elif not path.is_file():
                self._found(f"{name} is missing")
            elif (size := path.stat().st_size) != entry.bytes:
                self._found(f"{name} has {size:,} bytes and had {entry.bytes:,}")

    def _check_strangers(self) -> None:
        for path in sorted(self._folder.iterdir()):
            # What begins with a dot is the file manager's.
            if path.name not in self._manifest.files and path.name != exported.MANIFEST and path.name[0] != ".":
                self._found(f"{path.name!r} is in the folder, and {exported.MANIFEST} doesn't name it")

    def _rows(self, name: str) -> Iterator[tuple[str, bytes]]:
        """Yield every row of a file and its place, as messages name it; at the end judge the file as a whole."""
        entry = self._manifest.files.get(name)
        if entry is None:  # a view that the writing program didn't have yet
            return
        digest, count, array = hashlib.sha256(), 0, name.endswith(".json")
        with (self._folder / name).open("rb") as file:
            for number, line in enumerate(file, 1):
                digest.update(line)
                row = line.strip().removesuffix(b",") if array else line
                if array and row in {b"[", b"]"}:
                    continue
                count += 1
                yield f"{name} line {number}", row
                self._done += 1
                if self._done % exported.ROWS_A_STEP == 0:
                    self._watch(self._done, self._manifest.rows)
        if digest.hexdigest() != entry.sha256:
            self._found(f"{name} is not as it was written: its SHA-256 differs")
        if count != entry.rows:
            self._found(f"{name} holds {count:,} rows, and {exported.MANIFEST} names {entry.rows:,}")

    def _lines(self, name: str, decoder: msgspec.json.Decoder[_L]) -> Iterator[tuple[str, _L]]:
        for place, row in self._rows(name):
            try:
                line = decoder.decode(row)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                self._found(f"{place} can't be read ({error})")
                continue
            yield place, line

    # --- events ---------------------------------------------------------------------------------

    def _take_events(self) -> None:
        verifier = audit.ChainVerifier(self._manifest.character)
        renamed = self._staged.name != self._manifest.character
        link = chain.genesis(self._staged.name)
        its_rows: list[rows.Row] = []
        folded: list[views.Folded] = []
        for place, line in self._lines(EVENTS, _events):
            row = _event_row(line)
            problems = [f"{place}: {problem}" for _, problem in verifier.verify(row)]
            for problem in problems:
                self._found(problem)
            if problems:
                continue
            if row.payload is None:
                self._staged.erased += 1
            elif (change := audit.change_of(row)) is not None:
                folded.append(views.fold(_NUMBER, line.seq, change))
            else:
                self._found_newer(place, line)
            header: chain.Header = (
                line.seq,
                line.at,
                line.actor,
                line.cause,
                line.kind,
                line.subject,
                bytes(line.record_ids).decode(),
            )
            link = chain.link(link, row.digest, header) if renamed else row.chain
            its_rows.append((_NUMBER, *header, row.payload, row.digest, link))
            if len(its_rows) >= exported.ROWS_A_STEP:
                self._write(its_rows, folded)
        self._write(its_rows, folded)
        self._check_head(verifier)
        self._scratch.execute(
            "INSERT INTO characters (id, name, created_at, head_seq, head_chain) VALUES (?, ?, ?, ?, ?)",
            (_NUMBER, self._staged.name, self._manifest.created_at, self._manifest.head.seq, link),
        )
        self._staged.chain = link.hex()

    def _found_newer(self, place: str, line: EventLine) -> None:
        """Note an event that is as it was written, and yet can't be read."""
        self._staged.newer = True
        what = "holds what" if line.kind in _KINDS else f"is of the kind {line.kind!r}, which"
        self._found(f"{place}: event {line.seq} {what} this program doesn't know")

    def _write(self, its_rows: list[rows.Row], folded: list[views.Folded]) -> None:
        if not self._staged.problems:
            events.write(self._scratch, its_rows)
            views.write(self._scratch, folded)
        its_rows.clear()
        folded.clear()

    def _check_head(self, verifier: audit.ChainVerifier) -> None:
        head = self._manifest.head
        if verifier.seq != head.seq:
            self._found(
                f"{EVENTS} ends at event {verifier.seq}, and {exported.MANIFEST} names event {head.seq} as its end"
            )
        elif verifier.chain.hex() != head.chain:
            self._found(f"{EVENTS} ends with another chain than the one that {exported.MANIFEST} names")

    # --- work and keys --------------------------------------------------------------------------

    def _take_ops(self) -> None:
        self._insert(
            f"INSERT INTO outbox (character, {', '.join(OpLine.__struct_fields__)})",
            ((place, astuple(replace(line, work=bytes(line.work)))) for place, line in self._lines(OUTBOX, _ops)),
        )
        if self._staged.problems:
            return
        self._staged.ops = dict.fromkeys((state.value for state in OpState), 0)
        for state, problem in audit.outbox_rows(self._scratch, _NUMBER):
            if problem:
                self._found(f"{OUTBOX}: {problem}")
            else:
                self._staged.ops[state] += 1

    def _take_keys(self) -> None:
        self._insert(f"INSERT INTO idempotency (character, {', '.join(KeyLine.__struct_fields__)})", self._keys())

    def _keys(self) -> Iterator[tuple[str, rows.Row]]:
        for place, line in self._lines(KEYS, _keys):
            if not line.after_seq <= line.upto_seq <= self._manifest.head.seq:
                self._found(f"{place}: key {line.key!r} names events that aren't there")
                continue
            self._staged.keys += 1
            yield place, astuple(line)

    def _take_cursors(self) -> None:
        self._insert(
            f"INSERT INTO cursors (character, {', '.join(CursorLine.__struct_fields__)})",
            ((place, astuple(line)) for place, line in self._lines(CURSORS, _cursors)),
        )

    def _insert(self, head: str, lines: Iterator[tuple[str, rows.Row]]) -> None:
        for place, row in lines:
            try:
                rows.insert(self._scratch, head, [(_NUMBER, *row)])
            except sqlite3.IntegrityError:
                self._found(f"{place} repeats an earlier one")

    # --- views ----------------------------------------------------------------------------------

    def _compare(self) -> None:
        for view in views.VIEWS:
            self._staged.rows[view.table] = self._compare_view(view)

    def _compare_view(self, view: views.View) -> int:
        """Return how many records a view's file has; the first that differs from the fold of the events is told.

        Records are compared, not bytes: an older program wrote them without the fields that came later.
        """
        name = exported.file_of(view)
        kind = views.KINDS[view]
        count = 0
        made = self._scratch.execute(
            f"SELECT body FROM {view.table} WHERE character = ? ORDER BY {exported.order_of(view)}",  # noqa: S608 - constants
            (_NUMBER,),
        )
        for row, body in zip_longest(self._rows(name), made):
            if row is None:
                self._found(f"{name} lacks records: the events make more than its {count:,}")
            elif body is None:
                self._found(f"{row[0]} holds a record that no event makes")
            elif row[1] != body[0] and audit.record_in(row[1], kind) != audit.record_in(body[0], kind):
                self._found(f"{row[0]} differs from what the events make")
            else:
                count += 1
                continue
            break
        return count


_events: Final = msgspec.json.Decoder(EventLine)
_ops: Final = msgspec.json.Decoder(OpLine)
_cursors: Final = msgspec.json.Decoder(CursorLine)
_keys: Final = msgspec.json.Decoder(KeyLine)


def _event_row(line: EventLine) -> audit.EventRow:
    payload = bytes(line.payload)
    return audit.EventRow(
        seq=line.seq,
        at=line.at,
        actor=line.actor.encode(),
        cause=line.cause.encode(),
        kind=line.kind.encode(),
        subject=line.subject.encode(),
        record_ids=bytes(line.record_ids),
        payload=None if payload == b"null" else payload,
        digest=bytes.fromhex(line.digest),
        chain=bytes.fromhex(line.chain),
    )
