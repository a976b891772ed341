"""Characters that come and go whole over HTTP: an export as lines, and lines that become a character."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace

from ...protocols.errors import CorruptStorageError, InvalidRequestError, NewerSchemaError, OmoideError
from ..store import ImportReport, ignore
from ..store.packed import Unpacker, pack
from .endpoint import Call

MEDIA_TYPE: Final = "application/x-ndjson"


async def export_lines(call: Call) -> AsyncGenerator[bytes]:
    """Yield an export in pieces. It is whole and was read back before the first comes.

    Raises:
        OmoideError: if the character may not be used, isn't stored, or can't be exported.
    """
    call.check_usable()
    async with _scratch() as folder, _unnamed(folder):
        await call.runtime.export(call.name, folder / "set")
        pieces = await trio.to_thread.run_sync(pack, folder / "set")
        while (piece := await trio.to_thread.run_sync(_next, pieces)) is not None:
            yield piece


async def import_lines(
    call: Call, pieces: AsyncIterator[bytes], *, most_bytes: int, piece_timeout_s: float
) -> ImportReport:
    """Take in what `export_lines` yielded as a character of the name in the path, whole or not at all.

    Args:
        call: who calls, and under which name.
        pieces: the lines, cut anywhere.
        most_bytes: longest body.
        piece_timeout_s: longest wait for the next piece, in seconds.

    Raises:
        InvalidRequestError: if it is no export, damaged, or too long, or the character exists.
        OmoideError: whatever an import raises.
        TooSlowError: if a piece doesn't come in time.
    """
    call.check_usable()
    async with call.runtime.importing(call.name) as take_in, _scratch() as folder, _unnamed(folder):
        with Unpacker(folder) as unpacker:
            size = 0
            while (piece := await _piece(pieces, piece_timeout_s)) is not None:
                size += len(piece)
                if size > most_bytes:
                    raise InvalidRequestError(
                        f"an import has at most {most_bytes:,} bytes: raise server.import_bytes, or use "
                        "the command `omoide import`"
                    )
                await trio.to_thread.run_sync(unpacker.feed, piece)
            unpacker.finish()
        return replace(await take_in(folder, ignore), folder="")


@asynccontextmanager
async def _unnamed(folder: Path) -> AsyncIterator[None]:
    """Tell a failure without the name of a folder here, which is nobody's business and gone afterwards."""
    try:
        yield
    except OmoideError as error:
        told = str(error)
        if str(folder) not in told:  # such as of the file here that is damaged
            raise
        mine: OmoideError = copy.copy(error)
        if isinstance(error, CorruptStorageError | NewerSchemaError):
            mine = InvalidRequestError()  # it is what was sent
        told = told.replace(f"the export {folder}", "the export that was sent")
        mine.args = (told.replace(str(folder), "what is sent"),)
        raise mine from error


async def _piece(pieces: AsyncIterator[bytes], timeout_s: float) -> bytes | None:
    with trio.fail_after(timeout_s):
        return await anext(pieces, None)


def _next(pieces: Iterator[bytes]) -> bytes | None:
    return next(pieces, None)


@asynccontextmanager
async def _scratch() -> AsyncIterator[Path]:
    """Yield a folder that only its owner can look into, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="omoide-") as folder:
        yield Path(folder)
