"""What the tests of export and import share: all that is stored of a character, and ways to damage an export."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from omoide.protocols.cursors import Cursor
from omoide.protocols.events import DirectiveGiven, ProfileSet, ValueRejected
from omoide.protocols.messages import Commit
from omoide.protocols.records import Directive, DirectiveId, Entity, Profile, Rejection, RejectionId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.protocols.work import op_id
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import ExportReport, ImportReport, export_character, import_character, open_store
from omoide.runtime.store import exported as format_of
from omoide.runtime.store.paths import place_of
from omoide.runtime.store.schema import TABLES
from omoide.tests.runtime.store.samples import a_fact, failed, heard, learned, work

NOW = 2_000.0

Stored = dict[str, list[tuple[Any, ...]]]


def stored(settings: Settings, name: str = "yui") -> Stored:
    """Return every row of a character, without its number and its name."""
    with closing(sqlite3.connect(place_of(settings, name).database)) as connection:
        (number,) = connection.execute("SELECT id FROM characters WHERE name = ?", (name,)).fetchone()
        rows = {
            "characters": connection.execute(
                "SELECT created_at, head_seq, head_chain FROM characters WHERE id = ?", (number,)
            ).fetchall()
        }
        for table in TABLES[1:]:
            found = connection.execute(f"SELECT * FROM {table} WHERE character = ?", (number,))  # noqa: S608
            rows[table] = sorted((row[1:] for row in found.fetchall()), key=repr)
    return rows


def names_in(settings: Settings) -> list[str]:
    """Return the characters that are stored."""
    files = [path for path in settings.data_dir.rglob("memory.db") if path.stat().st_size]
    names: list[str] = []
    for path in files:
        with closing(sqlite3.connect(path)) as connection:
            names += [name for (name,) in connection.execute("SELECT name FROM characters")]
    return sorted(names)


async def write_journal(settings: Settings) -> None:
    """Store a character with done, pending and parked work, keys, facts, a rejection and a directive."""
    rejection = Rejection(
        id=RejectionId("r1"),
        text="Ingrid is a nurse",
        entity=Entity.OTHER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=20.0,
        cause="t2",
        created_at=20.0,
    )
    directive = Directive(
        id=DirectiveId("d1"),
        key="marcus",
        term="Marcus",
        hits=1,
        first_said_at=1.0,
        last_said_at=1.0,
        turn=None,
    )
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        await (await store.open("rin", create=True)).commit(heard("t1"))
        journal = await store.open("yui", create=True)
        await journal.commit(Commit(actor="host", cause="c", changes=(ProfileSet(profile=Profile(owner="Sam")),)))
        await journal.commit(heard("t1", key="m1", text='她说："我对花生过敏。"\u2028 \\ "quoted" \x7f é'))
        await journal.commit(learned(op_id(work("t1")), a_fact("f1"), a_fact("f2", "Ingrid is a nurse")))
        await journal.commit(
            Commit(
                actor="dedup",
                cause="c",
                changes=(ValueRejected(rejection=rejection), DirectiveGiven(directive=directive)),
            )
        )
        await journal.commit(heard("t2", key="m2"))
        await journal.commit(heard("t3", key="m3", cursor=Cursor(source="nats:S", epoch=1, seq=7)))
        await journal.commit(failed(op_id(work("t3")), "poisoned", parks=True))


def export_to(settings: Settings, folder: Path, name: str = "yui", **more: Any) -> ExportReport:
    """Export a character."""
    return export_character(settings, name, folder, now=NOW, **{"failpoints": Unarmed(), **more})


def import_from(settings: Settings, folder: Path, name: str | None = None, **more: Any) -> ImportReport:
    """Import an export."""
    return import_character(settings, folder, name, now=NOW, **{"failpoints": Unarmed(), **more})


def forge(folder: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change a file and the manifest with it, so that its digest, its size and the seal match."""
    path = folder / name
    raw = change(path.read_bytes())
    path.write_bytes(raw)

    def agree(manifest: Any) -> None:
        manifest["files"][name].update(bytes=len(raw), sha256=hashlib.sha256(raw).hexdigest())

    forge_manifest(folder, agree)


def forge_manifest(folder: Path, change: Callable[[Any], None]) -> None:
    """Change the manifest and seal it again."""
    path = folder / format_of.MANIFEST
    manifest = json.loads(path.read_bytes())
    change(manifest)
    sealed = format_of.sealed(msgspec.convert(manifest, format_of.Manifest))
    path.write_bytes(msgspec.json.encode(sealed))
