"""Memories and turns for the tests of briefings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from omoide.actors.briefing.compose import Sources, compose
from omoide.actors.briefing.lines import Voice
from omoide.protocols.evidence import DAY_S
from omoide.protocols.messages import Briefing, BriefingEntry
from omoide.protocols.records import (
    Entity,
    EntryId,
    EntrySource,
    Evidence,
    Fact,
    FactId,
    FactSource,
    PersonaEntry,
    Profile,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    Role,
    Speaker,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import RenderSettings, Settings

NOW = 1_772_442_000.0
GROUP = Subject("group:qq:77")


def settings(**render: float) -> Settings:
    return Settings(data_dir=Path("unused"), render=RenderSettings(**render))  # type: ignore[arg-type]


def brief(
    *,
    subjects: Sequence[Subject] = (PRIVATE,),
    tree: Settings | None = None,
    banned: Iterable[str] = (),
    profile: Profile | None = None,
    **sources: Any,
) -> Briefing:
    words = tuple(banned)
    voice = Voice(character="yui", profile=profile or Profile(owner="Sam"), now=NOW, several=len(subjects) > 1)
    return compose(
        Sources(**sources), subjects, voice, tree or settings(), lambda text: any(word in text for word in words)
    )


def texts(entries: Iterable[BriefingEntry]) -> list[str]:
    return [entry.text for entry in entries]


def an_entry(text: str, *, subject: Subject = PRIVATE, **fields: Any) -> PersonaEntry:
    given: dict[str, Any] = {
        "id": EntryId(f"entry_{text}"),
        "entity": Entity.OWNER,
        "source": EntrySource.REFLECTION,
        "importance": 5,
        "evidence": Evidence(reinforcement=2.0),
        "created_at": NOW - DAY_S,
        "status_at": NOW - DAY_S,
    }
    return PersonaEntry(text=text, subject=subject, **{**given, **fields})


def a_card_line(text: str) -> PersonaEntry:
    return an_entry(text, source=EntrySource.CARD, evidence=Evidence(protected=True), importance=10)


def a_reflection(text: str, *, subject: Subject = PRIVATE, **fields: Any) -> Reflection:
    given: dict[str, Any] = {
        "id": ReflectionId(f"ref_{text}"),
        "entity": Entity.OWNER,
        "sources": (),
        "importance": 5,
        "evidence": Evidence(reinforcement=1.5),
        "created_at": NOW - DAY_S,
        "status": ReflectionStatus.CONFIRMED,
        "status_at": NOW - DAY_S,
        "age_anchor_at": NOW - DAY_S,
        "next_eligible_at": NOW,
    }
    return Reflection(text=text, subject=subject, **{**given, **fields})


def a_fact(
    text: str,
    *,
    subject: Subject = PRIVATE,
    said_at: float = NOW - DAY_S,
    importance: int = 8,
    speaker: Speaker | None = None,
    turns: Sequence[str] = ("t_old",),
) -> Fact:
    return Fact(
        id=FactId(f"fact_{subject}_{text}"),
        key=text,
        text=text,
        entity=Entity.OWNER,
        importance=importance,
        subject=subject,
        speaker=speaker,
        trust=None,
        sources=tuple(
            FactSource(turn=TurnId(turn), said_at=said_at, text=text, importance=importance, entity=Entity.OWNER)
            for turn in turns
        ),
        said_at=said_at,
        last_said_at=said_at,
        created_at=said_at,
    )


def a_turn(
    text: str,
    *,
    ago_s: float = 60.0,
    subject: Subject = PRIVATE,
    role: Role = Role.PERSON,
    speaker: Speaker | None = None,
    turn: str | None = None,
) -> Turn:
    return Turn(
        id=TurnId(turn or f"t_{text}"),
        role=role,
        text=text,
        subject=subject,
        speaker=speaker,
        said_at=NOW - ago_s,
        heard_at=NOW - ago_s,
    )
