"""How the character card becomes protected entries, and what of them changes when the card does.

A line is an entry: its id follows from its words, so that a line which comes back is the same entry. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from ...protocols.events import AnyPersonaChange, PersonaEntryAdded, PersonaEntryChanged
from ...protocols.records import Entity, EntryId, EntrySource, EntryStatus, Evidence, PersonaEntry
from ...protocols.scopes import PRIVATE

CARD_IMPORTANCE: Final = 10
"""Importance of a line of the card: the largest there is."""


def card_id(line: str) -> EntryId:
    """Return the id of the entry of a line: `card_` and 64 bits of SHA-256 in hex."""
    return EntryId(f"card_{hashlib.sha256(line.encode()).hexdigest()[:16]}")


def card_changes(card: Sequence[str], known: Iterable[PersonaEntry], now: float) -> tuple[AnyPersonaChange, ...]:
    """Return what brings the protected entries in line with the card; nothing where they are.

    Args:
        card: the lines of the profile's card.
        known: all persona entries, whatever their status and source.
        now: when, in seconds since the epoch.
    """
    ours = {entry.id: entry for entry in known if entry.source is EntrySource.CARD}
    wanted = {card_id(line): line for line in card}
    changes: list[AnyPersonaChange] = []
    for entry_id, line in wanted.items():
        entry = ours.get(entry_id)
        if entry is None:
            changes.append(PersonaEntryAdded(entry=_entry(entry_id, line, now)))
        elif entry.status is not EntryStatus.ACTIVE:
            changes.append(PersonaEntryChanged(entry=_moved(entry, EntryStatus.ACTIVE, "on the card again", now)))
    for entry_id, entry in ours.items():
        if entry_id not in wanted and entry.status is EntryStatus.ACTIVE:
            gone = _moved(entry, EntryStatus.SUPERSEDED, "no longer on the card", now)
            changes.append(PersonaEntryChanged(entry=gone))
    return tuple(changes)


def with_card(card: Sequence[str], known: Iterable[PersonaEntry], now: float) -> tuple[PersonaEntry, ...]:
    """Return the entries as they are once the card is in line: one that was set a moment ago holds already.

    Args:
        card: the lines of the profile's card.
        known: all persona entries, whatever their status and source.
        now: when, in seconds since the epoch.
    """
    entries = {entry.id: entry for entry in known}
    entries |= {change.entry.id: change.entry for change in card_changes(card, entries.values(), now)}
    return tuple(entries.values())


def _entry(entry_id: EntryId, line: str, now: float) -> PersonaEntry:
    return PersonaEntry(
        id=entry_id,
        text=line,
        entity=Entity.CHARACTER,
        subject=PRIVATE,
        source=EntrySource.CARD,
        importance=CARD_IMPORTANCE,
        evidence=Evidence(protected=True),
        created_at=now,
        status_at=now,
    )


def _moved(entry: PersonaEntry, status: EntryStatus, reason: str, now: float) -> PersonaEntry:
    return replace(entry, status=status, status_at=now, reason=reason)
