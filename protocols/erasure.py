"""What a person may have erased, the record that is left of it, and what that record keeps out. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NewType, TypeAlias

from msgspec import Struct

from .errors import InvalidRequestError
from .records import FactId, Record, Turn
from .scopes import Subject

ErasureId = NewType("ErasureId", str)


class ErasureKind(StrEnum):
    """What was named to be erased."""

    SUBJECT = "subject"
    ACCOUNT = "account"
    MEMORY = "memory"
    WORDS = "words"


class EraseSubject(Struct, frozen=True):
    """Everything of one subject, such as `group:qq:77`."""

    subject: Subject


class EraseAccount(Struct, frozen=True):
    """Everything that one account said, wherever it was met, and what was learned from it."""

    account: str


class EraseMemory(Struct, frozen=True):
    """One record by its id, with what it was learned from and what rests on it."""

    id: str


class EraseWords(Struct, frozen=True):
    """Every record in which these words occur, compared without case, width and the length of blanks."""

    words: str


Target: TypeAlias = EraseSubject | EraseAccount | EraseMemory | EraseWords


class Erasure(Record, frozen=True, kw_only=True):
    """That something was erased: what is left in its place. It holds ids and counts, never a text.

    `subject` and `account` are set where those were erased: what was said there by `at` at the latest (seconds
    since the epoch) is not taken in any more. `last_op` is the seq of the newest work at that time: what such
    work learns late under one of `ids` isn't stored. From `settled` facts, which stay, nothing is synthesised
    again, because what was made of them was erased. `removed` counts records by their kind.
    """

    id: ErasureId
    kind: ErasureKind
    subject: str = ""
    account: str = ""
    at: float
    last_op: int
    ids: tuple[str, ...]
    settled: tuple[FactId, ...] = ()
    removed: dict[str, int]


def check_account(account: object) -> str:
    """Return the canonical key of an account, `<platform>:<account>`.

    Raises:
        InvalidRequestError: if it is none.
    """
    platform, _, name = account.strip().partition(":") if isinstance(account, str) else ("", "", "")
    if not platform.strip() or not name.strip():
        raise InvalidRequestError(
            f"an account is written <platform>:<account>, such as qq:1001; got {account!r:.60}"
        )
    return f"{platform.strip().lower()}:{name.strip()}"


def owned_by(account: str, subject: str) -> bool:
    """Return whether a subject is one account's alone: `participant:qq:1001` or `member:qq:77:1001`."""
    kind, _, rest = subject.partition(":")
    platform, _, name = rest.partition(":")
    if kind == "member":
        name = name.partition(":")[2]
    return kind in {"participant", "member"} and f"{platform}:{name}" == account


def bars_turn(erasures: Iterable[Erasure], turn: Turn) -> Erasure | None:
    """Return the erasure that comes after a turn was said and covers it, or None.

    Args:
        erasures: what was erased so far.
        turn: a turn whose time the host named.
    """
    account = turn.speaker.key if turn.speaker else ""
    return next(
        (
            erasure
            for erasure in erasures
            if turn.said_at <= erasure.at
            and (
                (erasure.subject and erasure.subject == turn.subject)
                or (erasure.account and (erasure.account == account or owned_by(erasure.account, turn.subject)))
            )
        ),
        None,
    )


def barred_ids(erasures: Iterable[Erasure], op_seq: int) -> frozenset[str]:
    """Return the ids under which a piece of work stores nothing any more.

    Args:
        erasures: what was erased so far.
        op_seq: the work's place in the order of enqueueing.
    """
    return frozenset(record for erasure in erasures if op_seq <= erasure.last_op for record in erasure.ids)
