"""Erasing inside a journal: what becomes of each table, in one transaction that appends the erasure's event.

`TREATMENTS` is the one list of what erasing does with each table; a table that isn't in it fails the tests.
Views are in it by themselves. Payloads of events are blanked, never the events, so that the chain verifies.
Knows no file; that the bytes leave the disk is `scrubbing`'s business.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from ...protocols import erasing
from ...protocols.erasing import Plan, strings_of, texts_of
from ...protocols.erasure import (
    EraseAccount,
    EraseMemory,
    EraseSubject,
    EraseWords,
    Erasure,
    ErasureId,
    ErasureKind,
    Target,
    owned_by,
)
from ...protocols.errors import NotFoundError
from ...protocols.events import (
    AccountsLinked,
    AnyChange,
    FactReduced,
    MemoryErased,
    ProfileSet,
    ReflectionStateChanged,
)
from ...protocols.messages import Commit
from ...protocols.records import Fact
from ...protocols.text import fold
from ...protocols.work import ErasedWork, OpState
from . import events, outbox, rows, views
from .apply import Ledger, load_head, prepare
from .names import POOL

ACTOR: Final = "erase"
"""Who erasures are by, in the journal."""

_encoder: Final = msgspec.json.Encoder()


class ErasureReport(Struct, frozen=True, kw_only=True):
    """What was erased, or would be where it was a dry run.

    `id` is that of the erasure's event, empty for a dry run and for a whole character. `removed` counts records by
    kind, `changed` records that stay and no longer rest on what went, `payloads` events that lost theirs, `ops`
    background work that was given up, and `files` the files of a character's own folder that were deleted.
    `from_pool` says that an account goes from the pool of accounts as well, which all characters share.
    `kept` says what holds the words and stays, and why. `scrubbed` says that the bytes are gone from the data
    folder; where somebody was reading meanwhile, they go when the file is next opened or closed.
    """

    character: str
    kind: str
    id: str = ""
    dry_run: bool = False
    removed: dict[str, int] = {}
    changed: int = 0
    payloads: int = 0
    ops: int = 0
    files: int = 0
    from_pool: bool = False
    kept: tuple[str, ...] = ()
    scrubbed: bool = False


class Doomed(Struct, frozen=True, kw_only=True):
    """What an erasure reaches, as each table needs it.

    `ids` are records that go and `rewritten` records whose former states go. `card` are entries of the card, which
    stay. `words` are folded, empty where none were named.
    """

    number: int
    ids: frozenset[str]
    rewritten: frozenset[str] = frozenset()
    card: frozenset[str] = frozenset()
    subject: str = ""
    account: str = ""
    words: str = ""

    def holds_words(self, record: Struct) -> bool:
        """Return whether somebody's words in a record are among those to be erased."""
        return bool(self.words) and any(self.words in fold(text) for text in texts_of(record))

    def owns(self, subject: str) -> bool:
        """Return whether all of a subject goes."""
        if self.subject and subject == self.subject:
            return True
        return bool(self.account) and owned_by(self.account, subject)


class Treated(Struct, frozen=True, kw_only=True):
    """How many rows of a table an erasure reaches, and the statements that do it, each with its rows."""

    count: int = 0
    statements: tuple[tuple[str, Sequence[rows.Row]], ...] = ()


Treatment: TypeAlias = Callable[[sqlite3.Connection, Doomed], Treated]
"""Finds what erasing does with a table. Only looks, so that nobody who writes to the file waits for it."""


def keep(_connection: sqlite3.Connection, _doomed: Doomed) -> Treated:
    """Leave a table alone: it holds nothing that a person said."""
    return Treated()


def rows_by(table: str, column: str) -> Treatment:
    """Return the treatment of a table whose rows go with the record that a column names."""

    def treat(connection: sqlite3.Connection, doomed: Doomed) -> Treated:
        named = [(doomed.number, record) for record in sorted(doomed.ids | doomed.rewritten)]
        found = rows.select(
            connection,
            "1",
            named,
            f"{table} ON {table}.character = wanted.a AND {table}.{column} = wanted.b",
        )
        delete = f"DELETE FROM {table} WHERE character = ? AND {column} = ?"  # noqa: S608 - our names
        return Treated(count=sum(1 for _ in found), statements=((delete, named),))

    return treat


def blank_payloads(connection: sqlite3.Connection, doomed: Doomed) -> Treated:
    """Blank the payload of every event whose state goes; a record that stays keeps the place of its first one."""
    newest_profile = _newest_profile(connection, doomed.number)
    blanked: list[tuple[int, int]] = []
    lost: set[str] = set()
    first_left: dict[str, int] = {}
    for seq, subject, record_ids, payload in connection.execute(
        "SELECT seq, subject, record_ids, payload FROM events "
        "WHERE character = ? AND payload IS NOT NULL ORDER BY seq",
        (doomed.number,),
    ):
        own = next(iter(msgspec.json.decode(record_ids)), "")
        stays = own in doomed.card or seq == newest_profile
        if not stays and _loses(doomed, own, subject, payload):
            blanked.append((doomed.number, seq))
            lost.add(own)
        else:
            first_left.setdefault(own, seq)
    moved = [(first_left[own], doomed.number, own) for own in lost if own and own in first_left]
    return Treated(
        count=len(blanked),
        statements=(
            ("UPDATE events SET payload = NULL WHERE character = ? AND seq = ?", blanked),
            *(
                (f"UPDATE {view.table} SET seq = ? WHERE character = ? AND id = ?", moved)  # noqa: S608 - our names
                for view in views.VIEWS
                if view.key is not None
            ),
        ),
    )


def _loses(doomed: Doomed, own: str, subject: str, payload: bytes) -> bool:
    if own in doomed.ids or own in doomed.rewritten or doomed.owns(subject):
        return True
    return bool(doomed.words) and doomed.holds_words(events.decode(payload))


def _newest_profile(connection: sqlite3.Connection, number: int) -> int:
    (seq,) = connection.execute(
        "SELECT max(seq) FROM events WHERE character = ? AND kind = ?",
        (number, ProfileSet.__struct_config__.tag),
    ).fetchone()
    return int(seq or 0)


def give_up_work(connection: sqlite3.Connection, doomed: Doomed) -> Treated:
    """Put empty work in the place of every op that names what goes, whatever its state."""
    work = _encoder.encode(ErasedWork())
    emptied: list[tuple[bytes, str, str, str, int, int]] = []
    silenced: list[tuple[str, int, int]] = []
    found = connection.execute(
        "SELECT seq, work, cause, state, error FROM outbox WHERE character = ?", (doomed.number,)
    )
    for seq, encoded, cause, state, error in found:
        its_work = outbox.decode(encoded)
        strings = frozenset(strings_of(its_work))
        if (
            cause in doomed.ids
            or not doomed.ids.isdisjoint(strings)
            or doomed.holds_words(its_work)
            or any(doomed.owns(one) for one in strings)
            or (doomed.account and doomed.account in strings)
        ):
            is_done = state == OpState.DONE.value
            left = state if is_done else OpState.DISCARDED.value
            emptied.append((work, outbox.erased_id(seq), cause, left, doomed.number, seq))
        elif doomed.words and doomed.words in fold(error):
            silenced.append(("erased", doomed.number, seq))
    empty = "UPDATE outbox SET work = ?, id = ?, cause = ?, state = ?, error = '' WHERE character = ? AND seq = ?"
    silence = "UPDATE outbox SET error = ? WHERE character = ? AND seq = ?"
    return Treated(count=len(emptied), statements=((empty, emptied), (silence, silenced)))


def blank_fingerprints(_connection: sqlite3.Connection, doomed: Doomed) -> Treated:
    """Keep the keys of what goes, so that it isn't taken in again, and drop the digests of its words."""
    named = [(doomed.number, record) for record in sorted(doomed.ids)]
    statements: list[tuple[str, Sequence[rows.Row]]] = [
        ("UPDATE idempotency SET fingerprint = '' WHERE character = ? AND key = ?", named)
    ]
    if doomed.account:  # the pool of accounts names in it who did what
        by = "UPDATE idempotency SET fingerprint = '' WHERE character = ? AND fingerprint LIKE '%|' || ?"
        statements.append((by, [(doomed.number, doomed.account)]))
    return Treated(count=len(named), statements=tuple(statements))


TREATMENTS: Final[dict[str, Treatment]] = {
    **{view.table: rows_by(view.table, "id") for view in views.VIEWS if view.key is not None},
    "vectors": rows_by("vectors", "id"),
    "events": blank_payloads,
    "outbox": give_up_work,
    "idempotency": blank_fingerprints,
    "characters": keep,
    "profiles": keep,
    "erasures": keep,
    "scrubs": keep,
    "cursors": keep,
}
"""What erasing does with each table, views first.

The profile is the host's word about the character, which it sends anew at every start; who wants it gone changes
it, and its former states go with the words that they hold.
"""


class Preparation(Struct, frozen=True, kw_only=True):
    """All that an erasure does, found out beforehand; it holds as long as nobody changes the character."""

    name: str
    number: int
    target: Target
    plan: Plan
    kept: tuple[str, ...]
    treated: dict[str, Treated]

    def report(self, erasure_id: str = "") -> ErasureReport:
        """Return what is erased, or would be where there is no id of an erasure."""
        return ErasureReport(
            character=self.name,
            kind=_kind(self.target).value,
            id=erasure_id,
            dry_run=not erasure_id,
            removed=self.plan.removed,
            changed=len(self.plan.reduced) + len(self.plan.reopened),
            payloads=self.treated["events"].count,
            ops=self.treated["outbox"].count,
            kept=self.kept,
        )


def prepare_erasure(connection: sqlite3.Connection, number: int, name: str, target: Target) -> Preparation:
    """Find out what an erasure does; changes nothing. Reads all of the character, some 2 s for 50,000 memories.

    Args:
        connection: inside a transaction that reads.
        number: of the character inside the file.
        name: of the character.
        target: what is to be erased.

    Raises:
        NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
        InvalidRequestError: if the target can't be erased.
    """
    plan, doomed, kept = _planned(connection, number, target)
    treated = {table: treat(connection, doomed) for table, treat in TREATMENTS.items()}
    if doomed.words and not kept and not any(one.count for one in treated.values()):
        raise NotFoundError("nothing that is remembered holds these words, so nothing was erased")
    return Preparation(name=name, number=number, target=target, plan=plan, kept=kept, treated=treated)


def erase(
    connection: sqlite3.Connection, prepared: Preparation, *, erasure_id: ErasureId, now: float
) -> ErasureReport:
    """Erase inside the caller's transaction, and leave word that the bytes have to go.

    Args:
        connection: inside a transaction that writes.
        prepared: what is to be done, of a character that nobody changed since.
        erasure_id: the id of the erasure.
        now: seconds since the epoch (UTC).

    Raises:
        sqlite3.Error: if the database refuses; the transaction is to be rolled back.
    """
    number, name, plan, target = prepared.number, prepared.name, prepared.plan, prepared.target
    for treated in prepared.treated.values():
        for statement, its_rows in treated.statements:
            connection.executemany(statement, its_rows)
    head = load_head(connection, number)
    left = Erasure(
        id=erasure_id,
        kind=_kind(target),
        subject=target.subject if isinstance(target, EraseSubject) else "",
        # The pool hears nobody, so that nothing late has to be kept out of it.
        account=target.account if isinstance(target, EraseAccount) and name != POOL else "",
        at=now,
        last_op=head.op_seq,
        ids=tuple(sorted(plan.gone)),
        settled=plan.settled,
        removed=plan.removed,
    )
    changes: tuple[AnyChange, ...] = (
        *(
            FactReduced(fact=record) if isinstance(record, Fact) else AccountsLinked(person=record)
            for record in plan.reduced
        ),
        *(ReflectionStateChanged(reflection=reflection) for reflection in plan.reopened),
        MemoryErased(erasure=left),
    )
    commit = prepare(number, Commit(actor=ACTOR, cause=erasure_id, changes=changes))
    ledger = Ledger(connection, {number: head}, [commit])
    ledger.plan(commit, now)
    ledger.write()
    connection.execute("INSERT OR IGNORE INTO scrubs (character, due_at) VALUES (?, ?)", (number, now))
    return prepared.report(erasure_id)


def _planned(connection: sqlite3.Connection, number: int, target: Target) -> tuple[Plan, Doomed, tuple[str, ...]]:
    records = tuple(views.every(connection, number))
    plan = erasing.plan(records, target)
    doomed = Doomed(
        number=number,
        ids=frozenset(plan.gone),
        rewritten=frozenset(record.id for record in plan.reduced),
        card=frozenset(erasing.id_of(record) for record in records if erasing.is_card(record)),
        subject=target.subject if isinstance(target, EraseSubject) else "",
        account=target.account if isinstance(target, EraseAccount) else "",
        words=fold(target.words) if isinstance(target, EraseWords) else "",
    )
    profile = views.profile(connection, number)
    kept = (
        ("the profile holds the words: change owner or card to have them gone",)
        if doomed.holds_words(profile)
        else ()
    )
    return plan, doomed, kept


def _kind(target: Target) -> ErasureKind:
    match target:
        case EraseSubject():
            return ErasureKind.SUBJECT
        case EraseAccount():
            return ErasureKind.ACCOUNT
        case EraseMemory():
            return ErasureKind.MEMORY
        case EraseWords():
            return ErasureKind.WORDS
