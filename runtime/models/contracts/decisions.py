"""The tasks that decide what becomes of beliefs and facts: merge, correct, arbitrate, refine, rerank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pydantic import field_validator

from ....protocols.tasks import (
    ArbitrateAction,
    ArbitrateRequest,
    Arbitration,
    CorrectAction,
    Correction,
    CorrectRequest,
    MergeAction,
    MergeDecision,
    MergeRequest,
    RefineAction,
    Refinement,
    RefineRequest,
    RerankRequest,
    Target,
    TargetKind,
)
from .checks import keeps_language, reason, shown, statement
from .fence import Line, Segment
from .judgements import NOT_SHOWN, beliefs
from .task import Company, Item, Reading, Task, TaskName, Tier

UNUSABLE_TEXT: Final = "the text is missing, too long, or not in the language of what was shown"


class _Decided(Item):
    @field_validator("action", mode="before", check_fields=False)
    @classmethod
    def _plain(cls, value: Any) -> Any:  # noqa: ANN401 - whatever a model says
        return value.strip().casefold() if isinstance(value, str) else value


class DecidedMerge(_Decided):
    """What becomes of one reflection."""

    handles: ClassVar[dict[str, str]] = {"into": "b1"}

    action: MergeAction
    into: str = ""
    text: str = ""
    reason: str = ""


class DecidedPair(_Decided):
    """Which side of one contradiction stands."""

    handles: ClassVar[dict[str, str]] = {"pair": "p1"}

    pair: str
    action: CorrectAction
    text: str = ""
    reason: str = ""


class DecidedFacts(_Decided):
    """What becomes of one pair of facts."""

    handles: ClassVar[dict[str, str]] = {"pair": "p1"}

    pair: str
    action: ArbitrateAction


class DecidedRefinement(_Decided):
    """One change of a cluster."""

    handles: ClassVar[dict[str, str]] = {"ids": "b1"}

    action: RefineAction
    ids: tuple[str, ...]
    texts: tuple[str, ...] = ()
    reason: str = ""


class RankedBelief(Item):
    """One belief that matters."""

    handles: ClassVar[dict[str, str]] = {"id": "b1"}

    id: str


def _written(text: str, sources: Sequence[str]) -> str | None:
    kept = statement(text)
    return kept if kept is not None and keeps_language(kept, sources) else None


# --- merge ---------------------------------------------------------------------------------------


def _show_merge(request: MergeRequest, company: Company) -> tuple[Segment, ...]:
    del company
    return (
        Segment(
            title="reflection",
            lines=(Line(prefix=f"reflection ({request.reflection.entity})", text=request.reflection.text),),
        ),
        beliefs(request.pool, "what is known", scores=True),
    )


def _check_merge(request: MergeRequest, items: Sequence[DecidedMerge]) -> Reading[MergeDecision]:
    (item,) = items
    why = reason(item.reason)
    undecided = MergeDecision(action=MergeAction.NEW)
    if item.action is not MergeAction.MERGE:
        return Reading(result=MergeDecision(action=item.action, reason=why), kept=1)
    entry = shown(item.into, "b", request.pool)
    if entry is None or entry.target.kind is not TargetKind.PERSONA:
        return Reading(result=undecided, kept=0, dropped=(f"`into` {NOT_SHOWN} as an entry",))
    text = _written(item.text, (request.reflection.text, entry.text))
    if text is None:
        return Reading(result=undecided, kept=0, dropped=(UNUSABLE_TEXT,))
    return Reading(
        result=MergeDecision(action=MergeAction.MERGE, into=entry.target, text=text, reason=why), kept=1
    )


MERGE: Final = Task(
    name=TaskName.MERGE,
    item=DecidedMerge,
    many="",
    tier=Tier.STRONG,
    max_output_tokens=1_024,
    timeout_s=90.0,
    show=_show_merge,
    check=_check_merge,
)


# --- correct -------------------------------------------------------------------------------------


def _show_correct(request: CorrectRequest, company: Company) -> tuple[Segment, ...]:
    del company
    lines: list[Line] = []
    for number, pair in enumerate(request.pairs, start=1):
        lines.append(Line(prefix=f"p{number} old (trust {pair.old.band})", text=pair.old.text))
        lines.append(Line(prefix=f"p{number} new (trust {pair.new.band})", text=pair.new.text))
    return (Segment(title="pairs", lines=tuple(lines)),)


def _check_correct(request: CorrectRequest, items: Sequence[DecidedPair]) -> Reading[tuple[Correction, ...]]:
    found: dict[int, Correction] = {}
    dropped: list[str] = []
    places = range(len(request.pairs))
    for number, item in enumerate(items):
        place = shown(item.pair, "p", places)
        if place is None or place in found:
            dropped.append(f"element {number}: `pair` {NOT_SHOWN}, or was decided already")
            continue
        text = ""
        if item.action is CorrectAction.REPLACE:
            pair = request.pairs[place]
            written = _written(item.text, (pair.old.text, pair.new.text))
            if written is None:
                dropped.append(f"element {number}: {UNUSABLE_TEXT}")
                continue
            text = written
        found[place] = Correction(pair=place, action=item.action, text=text, reason=reason(item.reason))
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


CORRECT: Final = Task(
    name=TaskName.CORRECT,
    item=DecidedPair,
    many="decisions",
    tier=Tier.STRONG,
    max_output_tokens=2_048,
    timeout_s=100.0,
    show=_show_correct,
    check=_check_correct,
)


# --- arbitrate -----------------------------------------------------------------------------------


def _show_arbitrate(request: ArbitrateRequest, company: Company) -> tuple[Segment, ...]:
    del company
    lines: list[Line] = []
    for number, pair in enumerate(request.pairs, start=1):
        lines.append(Line(prefix=f"p{number} stored", text=pair.existing.text))
        lines.append(Line(prefix=f"p{number} new", text=pair.candidate.text))
    return (Segment(title="pairs", lines=tuple(lines)),)


def _check_arbitrate(request: ArbitrateRequest, items: Sequence[DecidedFacts]) -> Reading[tuple[Arbitration, ...]]:
    found: dict[int, Arbitration] = {}
    dropped: list[str] = []
    for number, item in enumerate(items):
        place = shown(item.pair, "p", range(len(request.pairs)))
        if place is None or place in found:
            dropped.append(f"element {number}: `pair` {NOT_SHOWN}, or was decided already")
        else:
            found[place] = Arbitration(pair=place, action=item.action)
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


ARBITRATE: Final = Task(
    name=TaskName.ARBITRATE,
    item=DecidedFacts,
    many="decisions",
    tier=Tier.FAST,
    max_output_tokens=1_024,
    timeout_s=60.0,
    show=_show_arbitrate,
    check=_check_arbitrate,
)


# --- refine --------------------------------------------------------------------------------------


def _show_refine(request: RefineRequest, company: Company) -> tuple[Segment, ...]:
    del company
    facts = tuple(Line(prefix="fact", text=fact.text) for fact in request.facts)
    return (beliefs(request.cluster, scores=True), Segment(title="facts, to inform only", lines=facts))


_LEAST_AND_MOST: Final = {
    RefineAction.MERGE: ((2, None), (1, 1)),
    RefineAction.SPLIT: ((1, 1), (2, None)),
    RefineAction.MODIFY: ((1, 1), (1, 1)),
    RefineAction.DISCARD: ((1, 1), (0, None)),
}
"""For each action, how many beliefs it takes and how many texts it makes."""


def _check_refine(request: RefineRequest, items: Sequence[DecidedRefinement]) -> Reading[tuple[Refinement, ...]]:
    found: list[Refinement] = []
    dropped: list[str] = []
    taken: set[Target] = set()
    for number, item in enumerate(items):
        change = _refinement(request, item)
        if isinstance(change, str):
            dropped.append(f"element {number}: {change}")
        elif taken.intersection(change.targets):
            dropped.append(f"element {number}: a belief that another element changes already")
        else:
            taken.update(change.targets)
            found.append(change)
    return Reading(result=tuple(found), kept=len(found), dropped=tuple(dropped))


def _refinement(request: RefineRequest, item: DecidedRefinement) -> Refinement | str:
    """Return the change that an element describes, or what is wrong with it."""
    chosen = {
        belief.target: belief.text
        for handle in item.ids
        if (belief := shown(handle, "b", request.cluster)) is not None
    }
    if len(chosen) < len(item.ids):
        return f"`ids` {NOT_SHOWN}, or name one twice"
    sources = [*chosen.values(), *(fact.text for fact in request.facts)]
    given = () if item.action is RefineAction.DISCARD else item.texts
    texts = [text for one in given if (text := _written(one, sources)) is not None]
    if len(texts) < len(given):
        return UNUSABLE_TEXT
    for count, (least, most) in zip((len(chosen), len(texts)), _LEAST_AND_MOST[item.action], strict=True):
        if count < least or (most is not None and count > most):
            return f"{item.action} doesn't take {len(chosen)} beliefs and {len(texts)} texts"
    return Refinement(action=item.action, targets=tuple(chosen), texts=tuple(texts), reason=reason(item.reason))


REFINE: Final = Task(
    name=TaskName.REFINE,
    item=DecidedRefinement,
    many="changes",
    tier=Tier.STRONG,
    max_output_tokens=2_048,
    timeout_s=100.0,
    show=_show_refine,
    check=_check_refine,
)


# --- rerank --------------------------------------------------------------------------------------


def _show_rerank(request: RerankRequest, company: Company) -> tuple[Segment, ...]:
    del company
    return (
        Segment(title="queries", lines=tuple(Line(prefix="query", text=query) for query in request.queries)),
        beliefs(request.candidates, f"candidates, of which at most {request.limit} are wanted", scores=True),
    )


def _check_rerank(request: RerankRequest, items: Sequence[RankedBelief]) -> Reading[tuple[Target, ...]]:
    found: dict[Target, None] = {}
    dropped: list[str] = []
    for number, item in enumerate(items):
        belief = shown(item.id, "b", request.candidates)
        if belief is None:
            dropped.append(f"element {number}: {NOT_SHOWN}")
        else:
            found[belief.target] = None
    return Reading(result=tuple(found)[: request.limit], kept=len(found), dropped=tuple(dropped))


RERANK: Final = Task(
    name=TaskName.RERANK,
    item=RankedBelief,
    many="ranking",
    tier=Tier.FAST,
    max_output_tokens=1_024,
    timeout_s=8.0,
    show=_show_rerank,
    check=_check_rerank,
)
