"""Erasing from files: one transaction, then the bytes. A whole character goes by one rename or transaction.

A process that is killed anywhere leaves what was there before or what is there afterwards, and the bytes that are
left over are gone after the next opening.
"""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from ...protocols.erasing import kind_of
from ...protocols.erasure import EraseAccount, ErasureId, Target
from ...protocols.errors import StorageError
from ...protocols.people import Person, holder_of
from ...protocols.ports import Failpoints
from ...protocols.settings import EvidenceSettings, Settings
from . import cursors, erasing, files, lock, paths, schema, scrubbing, tombstones, views
from .erasing import ErasureReport, Preparation
from .faults import translated
from .names import POOL, check_name

_log = logging.getLogger(__name__)

T = TypeVar("T")

CHARACTER: Final = "character"
"""The kind that the report of a whole character's erasure names."""


class Site(NamedTuple):
    """A file that this process owns: its place, its writer's connection, and where tests make things fail.

    `scrubs` says whether the bytes are made to go at once, by a rewriting for which all others in the file wait.
    """

    place: paths.Place
    connection: sqlite3.Connection
    failpoints: Failpoints
    scrubs: bool = True


def preview(settings: Settings, character: str, target: Target | None) -> ErasureReport:
    """Return what an erasure would do, without changing anything, whoever owns the character.

    Args:
        settings: where the journal lies.
        character: its name.
        target: what would be erased; None for the whole character.

    Raises:
        InvalidNameError: if the name can't be one.
        UnknownCharacterError: if nothing is stored under the name.
        NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
        StorageError: if the file can't be read.
    """
    name = check_name(character, max_chars=settings.limits.name_chars)
    place = paths.place_of(settings, name)
    if not files.exists(place):
        raise files.unknown(name)
    files.look(place)
    with closing(files.connect_reader(place, settings.evidence)) as connection, translated(place.database):
        connection.execute("BEGIN")
        number = _number(connection, name)
        if target is None:
            return replace(_whole(connection, number, name), dry_run=True)
        report = erasing.prepare_erasure(connection, number, name, target).report()
    if not isinstance(target, EraseAccount):
        return report
    try:
        return replace(report, from_pool=pool_holds(settings, target.account))
    except StorageError:
        return replace(report, kept=(*report.kept, pool_keeps(target.account)))


def pool_holds(settings: Settings, account: str) -> bool:
    """Return whether the pool of accounts knows an account, whoever has it open; begins no pool.

    Raises:
        StorageError: if the pool's file can't be read.
    """
    place = paths.place_of(settings, POOL)
    if not files.exists(place) or POOL not in files.look(place):
        return False
    with closing(files.connect_reader(place, settings.evidence)) as connection, translated(place.database):
        connection.execute("BEGIN")
        return holder_of(account, views.records(connection, _number(connection, POOL), Person)) is not None


def pool_keeps(account: str) -> str:
    """Return what a report says where the pool of accounts can't be written."""
    return (
        f"the pool of accounts can't be written now, and may count what {account} did: "
        f"`omoide trust forget {account}` takes it out"
    )


def prepare(place: paths.Place, name: str, target: Target, weights: EvidenceSettings) -> Preparation:
    """Find out what an erasure does, of a character that nobody has open; whoever writes to its file goes on.

    Raises:
        UnknownCharacterError: if the file doesn't hold the character.
        NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
        InvalidRequestError: if the target can't be erased.
        StorageError: if the file can't be read.
    """
    with closing(files.connect_reader(place, weights)) as connection, translated(place.database):
        connection.execute("BEGIN")
        return erasing.prepare_erasure(connection, _number(connection, name), name, target)


def erase(site: Site, prepared: Preparation, *, erasure_id: ErasureId, now: float) -> ErasureReport:
    """Erase, and then make the bytes go.

    Args:
        site: the file.
        prepared: what `prepare` returned, of a character that nobody opened since.
        erasure_id: the id of the erasure.
        now: seconds since the epoch (UTC).

    Raises:
        StorageError: if the disk refuses; nothing was erased.
    """
    report = _transacted(site, lambda: erasing.erase(site.connection, prepared, erasure_id=erasure_id, now=now))
    _log.info("store.erased", extra={"erasure": erasure_id, "payloads": report.payloads, "ops": report.ops})
    return _scrubbed(site, report)


def remove_rows(site: Site, name: str, *, now: float) -> ErasureReport:
    """Erase a whole character from a file that others share; raises as `erase`."""
    connection = site.connection
    with translated(site.place.database):
        number = _number(connection, name)
        kept = _plan(site.place, name, connection, number, now)

    def work() -> ErasureReport:
        report = _whole(connection, number, name, kept)
        for table in reversed(schema.TABLES):
            column = "id" if table == "characters" else "character"
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608 - names of our schema
        connection.execute("INSERT INTO scrubs (character, due_at) VALUES (?, ?)", (number, now))
        return report

    report = _transacted(site, work)
    _settle(site.place, name)
    _log.info("store.removed", extra={"payloads": report.payloads})
    return _scrubbed(site, report)


def remove_folder(place: paths.Place, name: str, *, now: float, failpoints: Failpoints) -> ErasureReport:
    """Erase a whole character that has a folder of its own, with everything in that folder.

    Raises:
        UnknownCharacterError: if nothing is stored under the name.
        CharacterOwnedError: if somebody has it open.
        CorruptStorageError: if the folder isn't its own, or its file is damaged; the message says what to do.
        StorageError: if the disk refuses.
    """
    if not files.exists(place):
        raise files.unknown(name)
    held = lock.lock_of(place, name)
    held.acquire(now)
    try:
        with closing(files.connect_writer(place)) as connection, translated(place.database):
            number = _number(connection, name)
            report = _whole(connection, number, name, _plan(place, name, connection, number, now))
        failpoints.reach("erase.before_rename")
        if os.name == "nt":  # there a folder in which a file is open can't be renamed
            held.release()
        grave = place.data_dir / f"{scrubbing.GRAVE}{secrets.token_hex(8)}"
        with translated(place.folder):
            place.folder.rename(grave)
            paths.sync_folder(place.data_dir)
        failpoints.reach("erase.after_rename")
        _settle(place, name)
    finally:
        held.release()
    count = scrubbing.bury(grave)
    _log.info("store.removed", extra={"payloads": report.payloads})
    return replace(report, files=count, scrubbed=True)


def _plan(
    place: paths.Place, name: str, connection: sqlite3.Connection, number: int, now: float
) -> tuple[str, ...]:
    """Leave word that a character is about to go; return what a report says where that can't be written.

    A disk that is full must not keep anybody from erasing.
    """
    try:
        tombstones.plan(place.data_dir, name, tombstones.tombstone(now, cursors.every(connection, number)))
    except StorageError as error:
        _log.warning("store.no_tombstone", extra={"error": type(error).__name__})
        return (
            "a bus may bring it back, because the disk refuses to hold when it was erased: purge its commands",
        )
    return ()


def _settle(place: paths.Place, name: str) -> None:
    try:
        tombstones.settle(place.data_dir, name)
    except StorageError as error:  # it is taken for what happened when it is next read
        _log.info("store.tombstone_unsettled", extra={"error": type(error).__name__})


def _transacted(site: Site, work: Callable[[], T]) -> T:
    connection = site.connection
    with translated(site.place.database):
        connection.execute("BEGIN IMMEDIATE")
        try:
            done = work()
            site.failpoints.reach("erase.before_commit")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    site.failpoints.reach("erase.after_commit")
    return done


def _scrubbed(site: Site, report: ErasureReport) -> ErasureReport:
    if not site.scrubs:
        return report
    report = replace(report, scrubbed=scrubbing.try_scrub(site.connection, site.place))
    site.failpoints.reach("erase.scrubbed")
    return report


def _whole(connection: sqlite3.Connection, number: int, name: str, kept: tuple[str, ...] = ()) -> ErasureReport:
    """Return the report of a whole character's erasure, with what there is."""

    def count(table: str) -> int:
        (found,) = connection.execute(
            f"SELECT count(*) FROM {table} WHERE character = ?",  # noqa: S608 - names of our schema
            (number,),
        ).fetchone()
        return int(found)

    removed = {kind_of(kind): count(view.table) for kind, view in views.HOME.items()}
    return ErasureReport(
        character=name,
        kind=CHARACTER,
        removed={kind: found for kind, found in sorted(removed.items()) if found},
        payloads=count("events"),
        ops=count("outbox"),
        kept=kept,
    )


def _number(connection: sqlite3.Connection, name: str) -> int:
    number = files.number_of(connection, name)
    if number is None:
        raise files.unknown(name)
    return number
