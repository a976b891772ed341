"""Exporting a character: its journal as readable files, whole or not at all.

Reads one snapshot, whoever owns the character, row by row, so that memory doesn't grow with the journal.
The set is written into a folder beside its place, read back as an import would read it, and renamed when
it is whole; a crash leaves at most that other folder, without a manifest or not.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw, Struct

from ... import __version__
from ...protocols.errors import (
    CorruptStorageError,
    InvalidRequestError,
    StorageError,
    StorageFullError,
    StorageReadOnlyError,
)
from ...protocols.ports import Failpoints
from ...protocols.settings import Settings
from . import events, exported, files, paths, staging, views
from .exported import CURSORS, EVENTS, KEYS, OUTBOX, CursorLine, EventLine, FileEntry, KeyLine, OpLine, Watch
from .faults import storage_error, translated
from .names import check_name

_log = logging.getLogger(__name__)
_encoder: Final = msgspec.json.Encoder()


class ExportReport(Struct, frozen=True, kw_only=True):
    """What was exported, and where to.

    `chain` is that of the newest event (hexadecimal), `erased` counts events whose payload was erased, `rows` the
    records of each view, `ops` the work in each state, `keys` the idempotency keys and `bytes` all files together.
    """

    character: str
    folder: str
    events: int
    chain: str
    erased: int
    rows: dict[str, int]
    ops: dict[str, int]
    keys: int
    bytes: int


def export_character(
    settings: Settings,
    character: str,
    folder: Path,
    *,
    now: float,
    failpoints: Failpoints,
    watch: Watch = exported.ignore,
) -> ExportReport:
    """Export a character into a folder, also while another process owns it. Takes seconds for 50,000 events.

    Args:
        settings: where the journal lies.
        character: its name.
        folder: a folder that doesn't exist yet or is empty; only its owner will be able to look into it.
        now: seconds since the epoch, for the manifest.
        failpoints: reached when the set is written, before it gets its name, and after.
        watch: told of the progress.

    Raises:
        InvalidNameError: if the name can't be one.
        UnknownCharacterError: if nothing is stored under the name.
        InvalidRequestError: if there is something in the folder's place.
        CorruptStorageError: if the journal is damaged; nothing is left in the folder's place.
        NewerSchemaError: if a newer program wrote the journal.
        StorageFullError: if the disk is full; nothing is left in the folder's place.
        StorageError: if a disk refuses; nothing is left in the folder's place.
    """
    name = check_name(character, max_chars=settings.limits.name_chars)
    place = paths.place_of(settings, name)
    if not files.exists(place):
        raise files.unknown(name)
    files.look(place)
    with _writing(folder):
        target = folder.absolute().resolve()
        _check_free(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with _draft_beside(target) as draft:
            with closing(files.connect_reader(place, settings.evidence)) as connection:
                _Snapshot(connection, place, name).write(
                    draft, now=now, watch=lambda done, total: watch(done, 2 * total)
                )
            failpoints.reach("export.written")
            read_back = _read_back(draft, name, lambda done, total: watch(total + done, 2 * total))
            failpoints.reach("export.before_rename")
            _put_in_place(draft, target)
        failpoints.reach("export.after_rename")
    return _reported(name, target, read_back)


def _reported(name: str, target: Path, read_back: staging.Staged) -> ExportReport:
    size = sum(entry.bytes for entry in read_back.manifest.files.values())
    _log.info("store.exported", extra={"events": read_back.manifest.head.seq, "bytes": size})
    return ExportReport(
        character=name,
        folder=str(target),
        events=read_back.manifest.head.seq,
        chain=read_back.manifest.head.chain,
        erased=read_back.erased,
        rows=read_back.rows,
        ops=read_back.ops,
        keys=read_back.keys,
        bytes=size,
    )


class _Snapshot:
    """A character as one read transaction sees it."""

    def __init__(self, connection: sqlite3.Connection, place: paths.Place, name: str) -> None:
        self._connection = connection
        self._place = place
        self._name = name
        self._number = 0
        self._done = 0
        self._total = 0

    def write(self, draft: Path, *, now: float, watch: Watch) -> None:
        """Write every file of the set, the manifest last."""
        with translated(self._place.database):
            self._connection.execute("BEGIN")
            found = self._connection.execute(
                "SELECT id, created_at, head_seq, head_chain FROM characters WHERE name = ?", (self._name,)
            ).fetchone()
            if found is None:
                raise files.unknown(self._name)
            self._number, created_at, seq, chain = found
            tables = self._tables()
            self._total = sum(self._count(table) for table in tables.values())
        entries = {
            file: self._write_file(draft / file, self._rows(file, table), watch) for file, table in tables.items()
        }
        self._connection.execute("COMMIT")
        manifest = exported.sealed(
            exported.Manifest(
                format=exported.FORMAT,
                version=__version__,
                character=self._name,
                created_at=created_at,
                exported_at=now,
                head=exported.HeadEntry(seq=seq, chain=chain.hex()),
                files=entries,
            )
        )
        with _open_new(draft / exported.MANIFEST) as file:
            file.write(msgspec.json.format(_encoder.encode(manifest), indent=2) + b"\n")
        paths.sync_folder(draft)

    def _tables(self) -> dict[str, str]:
        """Return the table of each file; a file that an older program wrote lacks some views."""
        known = {EVENTS: "events", OUTBOX: "outbox", KEYS: "idempotency", CURSORS: "cursors"}
        known.update((exported.file_of(view), view.table) for view in views.VIEWS)
        present = {
            table for (table,) in self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        return {file: known[file] for file in exported.FILES if known[file] in present}

    def _count(self, table: str) -> int:
        (count,) = self._connection.execute(
            f"SELECT count(*) FROM {table} WHERE character = ?",  # noqa: S608 - constant tables
            (self._number,),
        ).fetchone()
        return int(count)

    def _rows(self, file: str, table: str) -> Iterator[bytes]:
        columns, order, line_of = _SELECTED[file]
        with translated(self._place.database):
            for row in self._connection.execute(
                f"SELECT {columns} FROM {table} WHERE character = ? ORDER BY {order}",  # noqa: S608 - constants
                (self._number,),
            ):
                yield line_of(*row)

    def _write_file(self, path: Path, lines: Iterable[bytes], watch: Watch) -> FileEntry:
        rows, size, digest = 0, 0, hashlib.sha256()
        # A view's file is a JSON array with one record a line, to be read by people, programs and line by line.
        before, between, after = (b"[\n", b",\n", b"\n]\n") if path.suffix == ".json" else (b"", b"\n", b"\n")
        with _open_new(path) as file:
            for line in lines:
                part = (between if rows else before) + line
                size += file.write(part)
                digest.update(part)
                rows += 1
                self._done += 1
                if self._done % exported.ROWS_A_STEP == 0:
                    watch(self._done, self._total)
            last = after if rows else before + after.lstrip(b"\n")
            size += file.write(last)
            digest.update(last)
        return FileEntry(rows=rows, bytes=size, sha256=digest.hexdigest())


def _event_line(  # noqa: PLR0913, PLR0917 - one column an argument
    seq: int,
    at: float,
    actor: str,
    cause: str,
    kind: str,
    subject: str,
    record_ids: str,
    payload: bytes | None,
    digest: bytes,
    chain: bytes,
) -> bytes:
    return _encoder.encode(
        EventLine(
            seq=seq,
            at=at,
            actor=actor,
            cause=cause,
            kind=kind,
            subject=subject,
            record_ids=Raw(record_ids),
            payload=Raw(b"null" if payload is None else payload),
            digest=digest.hex(),
            chain=chain.hex(),
        )
    )


def _op_line(  # noqa: PLR0913, PLR0917 - one column an argument
    seq: int,
    op_id: str,
    work: bytes,
    cause: str,
    state: str,
    attempts: int,
    not_before: float,
    enqueued_at: float,
    error: str,
) -> bytes:
    return _encoder.encode(
        OpLine(
            seq=seq,
            id=op_id,
            work=Raw(work),
            cause=cause,
            state=state,
            attempts=attempts,
            not_before=not_before,
            enqueued_at=enqueued_at,
            error=error,
        )
    )


def _key_line(key: str, fingerprint: str, after_seq: int, upto_seq: int) -> bytes:
    return _encoder.encode(KeyLine(key=key, fingerprint=fingerprint, after_seq=after_seq, upto_seq=upto_seq))


def _cursor_line(source: str, epoch: int, seq: int) -> bytes:
    return _encoder.encode(CursorLine(source=source, epoch=epoch, seq=seq))


def _body(body: bytes) -> bytes:
    return body


_SELECTED: Final[dict[str, tuple[str, str, Callable[..., bytes]]]] = {
    EVENTS: (events.COLUMNS, "seq", _event_line),
    OUTBOX: (", ".join(OpLine.__struct_fields__), "seq", _op_line),
    KEYS: (", ".join(KeyLine.__struct_fields__), "key", _key_line),
    CURSORS: (", ".join(CursorLine.__struct_fields__), "source", _cursor_line),
    **{exported.file_of(view): ("body", exported.order_of(view), _body) for view in views.VIEWS},
}
"""The columns of each file's rows, their order, and what makes a line of a row."""


@contextmanager
def _open_new(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that only its owner can read or write, and bring it to the disk at the end."""
    with paths.create_private(path) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _read_back(draft: Path, name: str, watch: Watch) -> staging.Staged:
    """Read a set that was just written as an import would, and return what is in it."""
    with staging.scratch() as scratch:
        staged = staging.stage(scratch, draft, staging.read_manifest(draft), name, watch)
    if staged.problems:
        raise CorruptStorageError(
            f"the journal of {name!r} is damaged, so nothing was exported: {'; '.join(staged.problems)}. "
            "`omoide doctor` says more; restore a backup"
        )
    return staged


@contextmanager
def _draft_beside(target: Path) -> Iterator[Path]:
    """Yield a folder that only its owner can look into, and remove it where the export fails."""
    draft = Path(tempfile.mkdtemp(prefix=f"{exported.DRAFT}{os.getpid()}-", dir=target.parent))
    try:
        yield draft
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _check_free(target: Path) -> None:
    """Refuse a place where something is.

    Raises:
        InvalidRequestError: if there is a file, or a folder that isn't empty.
    """
    if not target.exists():
        return
    if not target.is_dir() or any(target.iterdir()):
        raise InvalidRequestError(
            f"{target} {'is not empty' if target.is_dir() else 'is a file'}: "
            "name a folder that doesn't exist yet, or an empty one"
        )


def _put_in_place(draft: Path, target: Path) -> None:
    if os.name == "nt" and target.exists():  # there a rename takes no other folder's place
        target.rmdir()
    draft.rename(target)
    paths.sync_folder(target.parent)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Raise failures of the file system as ours, in words for an export.

    Raises:
        StorageError: or one of its kinds, with the cause attached.
    """
    try:
        yield
    except OSError as error:
        match storage_error(error, folder):
            case StorageFullError():
                raise StorageFullError(
                    f"no space is left for the export {folder}, so nothing is there. Free some space, or name a "
                    "folder on another disk"
                ) from error
            case StorageReadOnlyError():
                raise StorageReadOnlyError(
                    f"{folder} can't be written: name a folder elsewhere, or change the permissions"
                ) from error
            case _:
                raise StorageError(
                    f"the export {folder} can't be written ({error}): name another folder"
                ) from error
