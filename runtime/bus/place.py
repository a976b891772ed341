"""Where a bus stands in its stream, and how it is doing, in a small file of the data folder.

The file is a short cut: it says from where on the stream is read again after a restart, and `omoide status` shows
it. What was applied is known by the cursors in the journals, so that an old file, or none, costs time and no more.
It holds no name and no word of anybody.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..store import paths
from .status import BusStatus

logger = logging.getLogger(__name__)

MARKS_KEPT: Final = 64
"""Places by which it is noticed that a stream isn't the one it was."""


MARKS_APART: Final = 32
"""Messages between two of them."""


class Mark(Struct, frozen=True, gc=False):
    """A message that was read: its seq, and when the stream got it, in microseconds since the epoch."""

    seq: int
    at_us: int


class Place(Struct, frozen=True, kw_only=True):
    """Where reading goes on.

    `stream` names the stream and when it was made. Every command up to `done` is applied or buried. `epoch` counts
    how often the stream lost its end. `marks` are messages that were read, oldest first.
    """

    stream: str = ""
    epoch: int = 0
    done: int = 0
    marks: tuple[Mark, ...] = ()

    @property
    def read(self) -> int:
        """Seq of the newest message that was read, as far as is known."""
        return self.marks[-1].seq if self.marks else self.done

    def moved(self, done: int, newest: Mark | None) -> Place:
        """Return the place after more was done."""
        marks = self.marks
        if newest is not None and newest.seq > self.read:
            # The newest is always there; those before it stand apart, so that they reach further back.
            stands = len(marks) < 2 or marks[-1].seq - marks[-2].seq >= MARKS_APART
            marks = (*(marks if stands else marks[:-1]), newest)[-MARKS_KEPT:]
        return replace(self, done=max(self.done, done), marks=marks)

    def begun_anew(self, stream: str) -> Place:
        """Return the place in another stream that has taken the place of this one."""
        return Place(stream=stream, epoch=self.epoch)

    def rewound(self, last_good: int) -> Place:
        """Return the place after the stream turned out to have lost what came after a seq."""
        return replace(
            self,
            epoch=self.epoch + 1,
            done=min(self.done, last_good),
            marks=tuple(mark for mark in self.marks if mark.seq <= last_good),
        )


class Kept(Struct, frozen=True, kw_only=True):
    """What the file holds."""

    place: Place = Place()
    status: BusStatus | None = None
    written_at: float = 0.0


def path_of(data_dir: Path, kind: str) -> Path:
    """Return where a bus keeps its place, such as `bus-nats.json`."""
    return data_dir / f"bus-{kind}.json"


def read_kept(path: Path) -> Kept:
    """Return what a file holds; one that isn't there or can't be read holds nothing."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return Kept()


def buses_of(data_dir: Path) -> tuple[Kept, ...]:
    """Return what every bus that served a data folder wrote down, sorted by kind."""
    return tuple(read_kept(path) for path in sorted(data_dir.glob("bus-*.json")))


def note_kept(path: Path, kept: Kept) -> None:
    """Write what a file holds now and then; where the disk refuses, the next time may do."""
    try:
        _write(path, kept)
    except OSError as error:
        logger.warning("bus.place_not_written", extra={"error": type(error).__name__})


def _write(path: Path, kept: Kept) -> None:
    """Put what a file holds in the place of what it held, whole or not at all.

    Raises:
        OSError: if the disk refuses.
    """
    paths.make_private(path.parent)
    draft = path.with_name(f"{path.name}.new")
    draft.touch(mode=0o600)
    with draft.open("wb") as file:
        file.write(msgspec.json.encode(kept))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    paths.sync_folder(path.parent)
