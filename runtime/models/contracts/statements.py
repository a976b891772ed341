"""The tasks that put words down: extract, synthesise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator

from ....protocols.messages import Candidate
from ....protocols.ports import ExtractRequest, Synthesis, SynthesiseRequest
from ....protocols.records import Entity, Fact, TemporalScope, Turn
from .checks import keeps_language, statement
from .fence import Line, Segment, turns
from .task import Company, Item, Reading, Task, TaskName, Tier

MOST_FACTS: Final = 64
"""Facts that one turn can state; a longer list is a model that went astray."""

DEFAULT_IMPORTANCE: Final = 5
"""Importance of a statement that gives none; the middle of 1 to 10 (baseline: 5)."""


def importance_of(value: Any) -> int:  # noqa: ANN401 - whatever a model says
    """Return an importance from 1 to 10, whatever number was given; no number is the middle."""
    if isinstance(value, bool):
        return DEFAULT_IMPORTANCE
    try:
        number = float(value)
    except (TypeError, ValueError):
        return DEFAULT_IMPORTANCE
    return round(min(10.0, max(1.0, number))) if number == number else DEFAULT_IMPORTANCE  # noqa: PLR0124 - NaN


def _entity(value: Any) -> Entity:  # noqa: ANN401
    """Return whom a statement is about; an unknown word stands for somebody else, never for the owner."""
    word = value.strip().casefold() if isinstance(value, str) else ""
    return Entity(word) if word in set(Entity) else Entity.OTHER


def _scope(value: Any) -> TemporalScope:  # noqa: ANN401
    word = value.strip().casefold() if isinstance(value, str) else ""
    return TemporalScope(word) if word in set(TemporalScope) else TemporalScope.PATTERN


class StatedFact(Item):
    """One statement of a turn."""

    text: str
    importance: Annotated[int, BeforeValidator(importance_of, json_schema_input_type=int)] = DEFAULT_IMPORTANCE
    entity: Annotated[Entity, BeforeValidator(_entity)] = Entity.OWNER


class Judgement(Item):
    """The judgement that facts support, or an empty text where they support none."""

    text: str
    entity: Annotated[Entity, BeforeValidator(_entity)] = Entity.OWNER
    temporal_scope: Annotated[TemporalScope, BeforeValidator(_scope)] = TemporalScope.PATTERN


def _show_turn(request: ExtractRequest, company: Company) -> tuple[Segment, ...]:
    spoken = turns((request.turn,), owner=company.profile.owner, character=company.character)
    return (Segment(title=f"speaker: {spoken[0].prefix}", lines=spoken),)


def _check_facts(request: ExtractRequest, items: Sequence[StatedFact]) -> Reading[tuple[Candidate, ...]]:
    found: dict[str, Candidate] = {}
    dropped: list[str] = []
    for place, item in enumerate(items):
        text = statement(item.text)
        if text is None:
            dropped.append(f"element {place}: the text is empty, too long, or holds control characters")
        elif not keeps_language(text, (request.turn.text,)):
            dropped.append(f"element {place}: the text is not in the language that was spoken; do not translate")
        elif len(found) == MOST_FACTS:
            dropped.append(f"element {place}: more than {MOST_FACTS} facts")
        else:
            entity = _about(item.entity, request.turn)
            found.setdefault(text, Candidate(text=text, entity=entity, importance=item.importance))
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


def _about(entity: Entity, turn: Turn) -> Entity:
    """Return whom a statement is about; what a guest says is never the owner's own word, whatever a model says."""
    return entity if turn.speaker is None or entity is Entity.CHARACTER else Entity.OTHER


EXTRACT: Final = Task(
    name=TaskName.EXTRACT,
    item=StatedFact,
    many="facts",
    tier=Tier.FAST,
    max_output_tokens=2_048,
    timeout_s=60.0,
    show=_show_turn,
    check=_check_facts,
)


def _show_facts(request: SynthesiseRequest, company: Company) -> tuple[Segment, ...]:
    del company
    return (
        Segment(title="facts", lines=_facts("f", request.facts)),
        Segment(title="earlier facts, as context only", lines=_facts("e", request.related)),
    )


def _facts(handle: str, facts: Sequence[Fact]) -> tuple[Line, ...]:
    return tuple(
        Line(prefix=f"{handle}{number} ({fact.entity})", text=fact.text)
        for number, fact in enumerate(facts, start=1)
    )


def _check_judgement(request: SynthesiseRequest, items: Sequence[Judgement]) -> Reading[Synthesis | None]:
    (item,) = items
    if not item.text:
        return Reading(result=None, kept=1)
    text = statement(item.text)
    if text is None:
        return Reading(result=None, kept=0, dropped=("the text is too long, or holds control characters",))
    if not keeps_language(text, [fact.text for fact in request.facts]):
        return Reading(result=None, kept=0, dropped=("the text is not in the language of the facts",))
    made = Synthesis(text=text, entity=item.entity, temporal_scope=item.temporal_scope)
    return Reading(result=made, kept=1)


SYNTHESISE: Final = Task(
    name=TaskName.SYNTHESISE,
    item=Judgement,
    many="",
    tier=Tier.STRONG,
    max_output_tokens=1_024,
    timeout_s=100.0,
    show=_show_facts,
    check=_check_judgement,
)
