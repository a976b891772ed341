"""The tasks that read a stretch of conversation: what the character said of itself, a review, and a memo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator

from ....protocols.messages import Candidate
from ....protocols.prompt_tokens import estimated_tokens
from ....protocols.records import Entity, Role, Turn
from ....protocols.tasks import (
    ExtractSelfRequest,
    Memo,
    Overtaken,
    OwnStatement,
    ReviewRequest,
    SummariseRequest,
)
from .checks import keeps_language, shown, statement
from .fence import Line, Segment, turns
from .judgements import NOT_SHOWN
from .statements import DEFAULT_IMPORTANCE, MOST_FACTS, importance_of
from .task import Company, Item, Reading, Task, TaskName, Tier


class SaidOfItself(Item):
    """One statement or promise of the character."""

    handles: ClassVar[dict[str, str]] = {"turn": "t1"}

    turn: str
    text: str
    importance: Annotated[int, BeforeValidator(importance_of, json_schema_input_type=int)] = DEFAULT_IMPORTANCE


class OvertakenTurn(Item):
    """One turn that a later one repeats or contradicts."""

    handles: ClassVar[dict[str, str]] = {"turn": "t1", "by": "t2"}

    turn: str
    by: str


class WrittenMemo(Item):
    """A memo of turns."""

    text: str


# --- extract_self --------------------------------------------------------------------------------


def _show_own(request: ExtractSelfRequest, company: Company) -> tuple[Segment, ...]:
    spoken = turns(request.turns, owner=company.profile.owner, character=company.character, handles=True)
    own = ", ".join(f"t{at}" for at, turn in enumerate(request.turns, start=1) if turn.role is Role.CHARACTER)
    return (Segment(title=f"conversation, of which {own} are the character's own", lines=spoken),)


def _check_own(request: ExtractSelfRequest, items: Sequence[SaidOfItself]) -> Reading[tuple[OwnStatement, ...]]:
    found: dict[tuple[str, str], OwnStatement] = {}
    dropped: list[str] = []
    for place, item in enumerate(items):
        turn, text = shown(item.turn, "t", request.turns), statement(item.text)
        if turn is None or turn.role is not Role.CHARACTER:
            dropped.append(f"element {place}: `turn` {NOT_SHOWN} as one of the character's own")
        elif text is None:
            dropped.append(f"element {place}: the text is empty, too long, or holds control characters")
        elif not keeps_language(text, (turn.text,)):
            dropped.append(f"element {place}: the text is not in the language that was spoken; do not translate")
        elif len(found) == MOST_FACTS:
            dropped.append(f"element {place}: more than {MOST_FACTS} statements")
        else:
            candidate = Candidate(text=text, entity=Entity.CHARACTER, importance=item.importance)
            found.setdefault((turn.id, text), OwnStatement(turn=turn.id, candidate=candidate))
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


EXTRACT_SELF: Final = Task(
    name=TaskName.EXTRACT_SELF,
    item=SaidOfItself,
    many="statements",
    tier=Tier.FAST,
    max_output_tokens=2_048,
    timeout_s=60.0,
    show=_show_own,
    check=_check_own,
)


# --- review --------------------------------------------------------------------------------------


def _show_window(request: ReviewRequest, company: Company) -> tuple[Segment, ...]:
    spoken = turns(request.turns, owner=company.profile.owner, character=company.character, handles=True)
    return (Segment(title="conversation", lines=spoken),)


def _check_review(request: ReviewRequest, items: Sequence[OvertakenTurn]) -> Reading[tuple[Overtaken, ...]]:
    places = {turn.id: at for at, turn in enumerate(request.turns)}
    found: dict[str, Overtaken] = {}
    dropped: list[str] = []
    for number, item in enumerate(items):
        turn, by = shown(item.turn, "t", request.turns), shown(item.by, "t", request.turns)
        if turn is None or by is None:
            dropped.append(f"element {number}: `turn` or `by` {NOT_SHOWN}")
        elif places[by.id] <= places[turn.id]:
            dropped.append(f"element {number}: `by` must be a later turn than `turn`")
        elif not _may_overtake(by, turn):
            dropped.append(f"element {number}: what a person said is overtaken by that person's own words alone")
        else:
            found.setdefault(turn.id, Overtaken(turn=turn.id, by=by.id))
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


def _may_overtake(later: Turn, earlier: Turn) -> bool:
    """Return whether one turn may stand for another: a person's words stand until that person says otherwise."""
    return earlier.role is Role.CHARACTER or (later.role is Role.PERSON and later.speaker == earlier.speaker)


REVIEW: Final = Task(
    name=TaskName.REVIEW,
    item=OvertakenTurn,
    many="overtaken",
    tier=Tier.STRONG,
    max_output_tokens=1_024,
    timeout_s=100.0,
    show=_show_window,
    check=_check_review,
)


# --- summarise -----------------------------------------------------------------------------------


def _show_conversation(request: SummariseRequest, company: Company) -> tuple[Segment, ...]:
    earlier = (Line(prefix="memo", text=request.earlier),) if request.earlier.strip() else ()
    hours = "" if request.elapsed_s is None else f", written {max(1, round(request.elapsed_s / 3_600))} h ago"
    spoken = turns(request.turns, owner=company.profile.owner, character=company.character)
    return (
        Segment(title=f"earlier memo{hours}", lines=earlier),
        Segment(title=f"conversation to keep in at most {request.max_tokens} tokens", lines=spoken),
    )


def _check_memo(request: SummariseRequest, items: Sequence[WrittenMemo]) -> Reading[Memo]:
    (item,) = items
    lines = [line for part in item.text.splitlines() if (line := " ".join(part.split()))]
    text = "\n".join(lines)
    complaint = ""
    if not text and request.turns:
        complaint = "the memo is empty"
    elif estimated_tokens(text) > request.max_tokens:
        complaint = f"the memo is longer than {request.max_tokens} tokens"
    elif not keeps_language(text, [*(turn.text for turn in request.turns), request.earlier]):
        complaint = "the memo is not in the language of the conversation"
    if complaint:
        return Reading(result=Memo(text=""), kept=0, dropped=(complaint,))
    return Reading(result=Memo(text=text), kept=1)


SUMMARISE: Final = Task(
    name=TaskName.SUMMARISE,
    item=WrittenMemo,
    many="",
    tier=Tier.FAST,
    max_output_tokens=2_048,
    timeout_s=100.0,
    show=_show_conversation,
    check=_check_memo,
)
