"""Turns, facts and commits for the tests of the store."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from omoide.protocols.cursors import Cursor
from omoide.protocols.events import AnyChange, FactAdded, FactRepeated, ReflectionStateChanged, TurnHeard
from omoide.protocols.messages import Commit, IdempotencyKey, OpFailure
from omoide.protocols.records import (
    Entity,
    Evidence,
    Fact,
    FactId,
    FactSource,
    OpId,
    Reflection,
    ReflectionId,
    Role,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import Settings, StorageSettings
from omoide.protocols.work import AnyWork, ExtractTurn

Layout = Literal["per-character", "shared"]


def settings_in(folder: Path, layout: Layout = "per-character", batch_commits: int = 256) -> Settings:
    return Settings(data_dir=folder, storage=StorageSettings(layout=layout, batch_commits=batch_commits))


def a_turn(turn_id: str, text: str = "My sister Ingrid lives in Bergen.", subject: Subject = PRIVATE) -> Turn:
    return Turn(id=TurnId(turn_id), role=Role.PERSON, text=text, subject=subject, said_at=10.0, heard_at=11.0)


def a_fact(
    fact_id: str,
    text: str = "Ingrid lives in Bergen",
    subject: Subject = PRIVATE,
    turns: Sequence[str] = ("t1",),
) -> Fact:
    sources = tuple(
        FactSource(turn=TurnId(turn), said_at=10.0, text=text, importance=5, entity=Entity.OTHER) for turn in turns
    )
    return Fact(
        id=FactId(fact_id),
        key=text.casefold(),
        text=text,
        entity=Entity.OTHER,
        importance=5,
        subject=subject,
        speaker=None,
        trust=None,
        sources=sources,
        said_at=10.0,
        last_said_at=10.0,
        created_at=12.0,
    )


def work(turn_id: str) -> AnyWork:
    return ExtractTurn(turn=TurnId(turn_id))


def heard(
    turn_id: str,
    *,
    key: str | None = None,
    text: str = "hello",
    fingerprint: str = "f",
    cursor: Cursor | None = None,
) -> Commit:
    return Commit(
        actor="scribe",
        cause=f"hear:{turn_id}",
        changes=(TurnHeard(turn=a_turn(turn_id, text)),),
        enqueues=(work(turn_id),),
        idempotency=None if key is None else IdempotencyKey(key=key, fingerprint=fingerprint),
        cursor=cursor,
    )


def learned(op: OpId, *facts: Fact, repeats: bool = False) -> Commit:
    changes: tuple[AnyChange, ...] = tuple(
        FactRepeated(fact=fact) if repeats else FactAdded(fact=fact) for fact in facts
    )
    return Commit(actor="dedup", cause=op, changes=changes, settles=(op,))


def failed(op: OpId, error: str, *, not_before: float = 0.0, parks: bool = False) -> Commit:
    failure = OpFailure(op=op, error=error, not_before=not_before, parks=parks)
    return Commit(actor="outbox", cause=op, failures=(failure,))


def retried(op: OpId) -> Commit:
    return Commit(actor="outbox", cause="person", retries=(op,))


def discarded(op: OpId) -> Commit:
    return Commit(actor="outbox", cause="person", discards=(op,))


def a_reflection() -> Reflection:
    return Reflection(
        id=ReflectionId("ref_1"),
        text="as it was read",
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_1"),),
        importance=5,
        evidence=Evidence(),
        created_at=12.0,
        status_at=12.0,
        age_anchor_at=12.0,
        next_eligible_at=12.0,
    )


def believed(reflection: Reflection, *, expects: Reflection | None = None) -> Commit:
    change = ReflectionStateChanged(reflection=reflection)
    expected = () if expects is None else (expects,)
    return Commit(actor="reflection", cause="t1", changes=(change,), expects=expected)
