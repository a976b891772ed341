"""Memory of groups and participants that nobody added to for long: when it is put away, and how it comes back.

Such rows can't be forgotten for being contradicted alone, so time puts them away, a subject as a whole. Nothing is
deleted: restored, every row stands where it stood. What is learned later stands for itself. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from ...protocols.events import AnyChange, FactArchived, FactRestored, PersonaEntryChanged, ReflectionStateChanged
from ...protocols.evidence import DAY_S
from ...protocols.facts import with_status
from ...protocols.records import EntryStatus, Fact, FactStatus, PersonaEntry, Reflection, ReflectionStatus
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.settings import ScopeSettings
from ..reflection.lifecycle import ACTIVE

Row: TypeAlias = Fact | Reflection | PersonaEntry

REASON: Final = "nobody added to this memory for long"
"""Why a row was archived with its subject; it tells those rows from others that were archived."""


def last_write(rows: Iterable[Row]) -> float | None:
    """Return when somebody last added to a subject (seconds since the epoch), None for one without rows."""
    return max((at for row in rows for at in _times(row)), default=None)


def is_stale(subject: Subject, last: float | None, now: float, settings: ScopeSettings) -> bool:
    """Return whether a subject is to be put away: it isn't private, and was added to longer ago than allowed."""
    return subject != PRIVATE and last is not None and now - last > settings.stale_after_d * DAY_S


def archived(rows: Iterable[Row], now: float) -> Iterator[AnyChange]:
    """Yield the changes that put the rows of a subject away that are in force."""
    for row in rows:
        match row:
            case Fact(status=FactStatus.ACTIVE):
                yield FactArchived(fact=with_status(row, FactStatus.ARCHIVED, now, REASON))
            case Reflection(status=status) if status in ACTIVE:
                moved = replace(
                    row, status=ReflectionStatus.ARCHIVED, status_at=now, reason=REASON, archived_from=status
                )
                yield ReflectionStateChanged(reflection=moved)
            case PersonaEntry(status=EntryStatus.ACTIVE) if not row.evidence.protected:
                put_away = replace(row, status=EntryStatus.ARCHIVED, status_at=now, reason=REASON)
                yield PersonaEntryChanged(entry=put_away)
            case _:
                continue


def restored(rows: Iterable[Row], now: float) -> Iterator[AnyChange]:
    """Yield the changes that bring back what was put away with its subject, and nothing that was archived else."""
    reason = "restored by a person"
    for row in rows:
        match row:
            case Fact(status=FactStatus.ARCHIVED):
                yield FactRestored(fact=with_status(row, FactStatus.ACTIVE, now, reason))
            case Reflection(status=ReflectionStatus.ARCHIVED, archived_from=before) if before is not None:
                back = replace(row, status=before, status_at=now, reason=reason, archived_from=None)
                yield ReflectionStateChanged(reflection=back)
            case PersonaEntry(status=EntryStatus.ARCHIVED, reason=why) if why == REASON:
                again = replace(row, status=EntryStatus.ACTIVE, status_at=now, reason=reason)
                yield PersonaEntryChanged(entry=again)
            case _:
                continue


def _times(row: Row) -> Sequence[float]:
    if isinstance(row, Fact):
        return (row.created_at, row.last_said_at, row.created_at if row.status_at is None else row.status_at)
    return (row.created_at, row.status_at)
