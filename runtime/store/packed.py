"""An exported set as one stream of lines, and back: what goes through a pipe or a request.

The first line is `{"omoide_export": 1, "manifest": ...}`. Each file follows as `{"file": NAME, "rows": N}` and its
N rows, which are those of the file, byte for byte; the last line is `{"end": true}`. What the rows say, and
whether they are whole, is not known here: an import looks through the folder that comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

import msgspec
from msgspec import Struct

from ...protocols.errors import InvalidRequestError
from . import exported, paths, staging
from .exported import Manifest
from .faults import translated

CHUNK: Final = 65_536
"""Bytes that are read from a file at once."""

_LONGEST_HEADING: Final = 1_048_576
"""Longest line that is no row, in bytes: a manifest has some thousand."""


class Beginning(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line."""

    omoide_export: int
    manifest: Manifest


class Heading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line before a file's rows, or the last of all."""

    file: str = ""
    rows: int = 0
    end: bool = False


def pack(folder: Path) -> Iterator[bytes]:
    """Yield an exported set in pieces.

    Args:
        folder: what `export_character` made.

    Raises:
        InvalidRequestError: if it holds no set.
        StorageError: if it can't be read.
    """
    manifest = staging.read_manifest(folder)
    yield _line(Beginning(omoide_export=manifest.format, manifest=manifest))
    for name, entry in manifest.files.items():
        yield _line(Heading(file=name, rows=entry.rows))
        with translated(folder / name), (folder / name).open("rb") as file:
            yield from _array_rows(file) if name.endswith(".json") else iter(lambda: file.read(CHUNK), b"")
    yield _line(Heading(end=True))


def _array_rows(file: BinaryIO) -> Iterator[bytes]:
    """Yield the records of a view's file, which has the brackets on lines of their own and commas at the ends."""
    for line in file:
        row = line.rstrip(b"\n")
        if row not in {b"[", b"]", b"[]", b""}:
            yield row.removesuffix(b",") + b"\n"


def _line(heading: Struct) -> bytes:
    return msgspec.json.encode(heading) + b"\n"


class Unpacker:
    """Writes a stream of lines into a folder as the set that it was, as the pieces arrive.

    Args:
        folder: an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._heading = b""
        self._file: BinaryIO | None = None
        self._array = False
        self._left = 0
        self._manifest: Manifest | None = None
        self._ended = False
        self._begun_row = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file that is being written."""
        if self._file is not None:
            self._file.close()

    @property
    def manifest(self) -> Manifest | None:
        """What the set is said to hold, once the first line is there."""
        return self._manifest

    def feed(self, piece: bytes) -> None:
        """Take the next piece.

        Raises:
            InvalidRequestError: if it is no export.
            StorageError: if the folder can't be written.
        """
        with translated(self._folder):
            while piece:
                piece = self._take_rows(piece) if self._left else self._take_heading(piece)

    def finish(self) -> None:
        """Hold that the stream came to its end.

        Raises:
            InvalidRequestError: if it was cut off.
        """
        if not self._ended:
            raise InvalidRequestError(
                "the export was cut off before its last line: nothing was imported. Send it again, from where it "
                "was made"
            )

    def _take_rows(self, piece: bytes) -> bytes:
        """Write rows until the file has all of its own, and return what is left of the piece."""
        assert self._file is not None
        start = 0
        while self._left and start < len(piece):
            end = piece.find(b"\n", start)
            if end < 0:
                self._file.write(piece[start:])
                return b""
            self._left -= 1
            self._file.write(piece[start:end] + (b",\n" if self._array and self._left else b"\n"))
            start = end + 1
        if not self._left:
            self._close_file()
        return piece[start:]

    def _take_heading(self, piece: bytes) -> bytes:
        end = piece.find(b"\n")
        self._heading += piece if end < 0 else piece[:end]
        if len(self._heading) > _LONGEST_HEADING:
            raise InvalidRequestError("this is no export of a character: its first line has no end")
        if end < 0:
            return b""
        self._begin(self._heading)
        self._heading = b""
        return piece[end + 1 :]

    def _begin(self, line: bytes) -> None:
        try:
            if self._manifest is None:
                beginning = msgspec.json.decode(line, type=Beginning)
                self._manifest = beginning.manifest
                (self._folder / exported.MANIFEST).write_bytes(msgspec.json.encode(beginning.manifest))
                return
            heading = msgspec.json.decode(line, type=Heading)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InvalidRequestError(
                f"this is no export of a character as `omoide export NAME -` writes it: {error}"
            ) from error
        if heading.end or self._ended:
            self._ended = True
            return
        if heading.file not in exported.FILES or (self._folder / heading.file).exists():
            raise InvalidRequestError(f"the export names a file {heading.file!r:.60} that isn't expected here")
        self._open_file(heading)

    def _open_file(self, heading: Heading) -> None:
        self._array = heading.file.endswith(".json")
        self._left = heading.rows
        self._file = paths.create_private(self._folder / heading.file)
        if self._array:
            self._file.write(b"[\n")
        if not self._left:
            self._close_file()

    def _close_file(self) -> None:
        assert self._file is not None
        if self._array:
            self._file.write(b"]\n")
        self._file.close()
        self._file = None
