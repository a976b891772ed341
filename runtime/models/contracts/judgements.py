"""The tasks that judge what words do to beliefs: feedback, signal, rebut, negative_targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from ....actors.briefing.quoting import cut
from ....protocols.evidence import Signal
from ....protocols.ports import Feedback, FeedbackRequest
from ....protocols.tasks import (
    Belief,
    FactSignal,
    NegativeTarget,
    NegativeTargetsRequest,
    RebutRequest,
    Rebuttal,
    SignalRequest,
)
from .checks import reason, shown
from .fence import Line, Segment, turns
from .task import Company, Item, Reading, Task, TaskName, Tier

SHOWN_TOKENS: Final = 200
"""Most of a fact or belief that is shown, in tokens; a longer one loses its middle, visibly (baseline: 200)."""

NOT_SHOWN: Final = "names something that was not shown"


class AnsweredReflection(Item):
    """How the person answered to one reflection."""

    handles: ClassVar[dict[str, str]] = {"id": "r1"}

    id: str
    feedback: Literal["confirmed", "denied", "ignored"]


class SeenSignal(Item):
    """One fact speaks for or against one belief."""

    handles: ClassVar[dict[str, str]] = {"fact": "f1", "belief": "b1"}

    fact: str
    belief: str
    signal: Literal["reinforces", "negates"]
    reason: str = ""


class DeniedReflection(Item):
    """One turn denies one reflection."""

    handles: ClassVar[dict[str, str]] = {"id": "r1", "turn": "t1"}

    id: str
    turn: str
    reason: str = ""


class UnwelcomeBelief(Item):
    """One belief that the person doesn't want to be told."""

    handles: ClassVar[dict[str, str]] = {"id": "b1"}

    id: str
    reason: str = ""


def short(text: str) -> str:
    """Return a fact or belief as it is shown among others: on one line, and no longer than `SHOWN_TOKENS`."""
    return cut(" ".join(text.split()), SHOWN_TOKENS)


def beliefs(offered: Sequence[Belief], title: str = "beliefs", *, scores: bool = False) -> Segment:
    """Return beliefs as a segment, with the handles `b1`, `b2` and so on."""
    return Segment(
        title=title,
        lines=tuple(
            Line(
                prefix=f"b{number} (score {belief.score:.2f})"
                if scores and belief.score is not None
                else f"b{number}",
                text=short(belief.text),
            )
            for number, belief in enumerate(offered, start=1)
        ),
    )


def _texts(letter: str, title: str, texts: Sequence[str]) -> Segment:
    lines = tuple(Line(prefix=f"{letter}{number}", text=short(text)) for number, text in enumerate(texts, start=1))
    return Segment(title=title, lines=lines)


# --- feedback ------------------------------------------------------------------------------------


def _show_feedback(request: FeedbackRequest, company: Company) -> tuple[Segment, ...]:
    return (
        _texts("r", "brought up by the character", [one.text for one in request.reflections]),
        Segment(
            title="answer",
            lines=turns((request.turn,), owner=company.profile.owner, character=company.character),
        ),
    )


def _check_feedback(
    request: FeedbackRequest, items: Sequence[AnsweredReflection]
) -> Reading[tuple[Feedback, ...]]:
    found: list[Feedback] = []
    dropped: list[str] = []
    for place, item in enumerate(items):
        reflection = shown(item.id, "r", request.reflections)
        if reflection is None:
            dropped.append(f"element {place}: {NOT_SHOWN}")
        else:
            found.append(Feedback(reflection=reflection.id, signal=Signal(item.feedback)))
    return Reading(result=tuple(found), kept=len(found), dropped=tuple(dropped))


FEEDBACK: Final = Task(
    name=TaskName.FEEDBACK,
    item=AnsweredReflection,
    many="answers",
    tier=Tier.FAST,
    max_output_tokens=1_024,
    timeout_s=60.0,
    show=_show_feedback,
    check=_check_feedback,
)


# --- signal --------------------------------------------------------------------------------------

_SIGNALS: Final = {"reinforces": Signal.FACT_REINFORCES, "negates": Signal.FACT_NEGATES}


def _show_signal(request: SignalRequest, company: Company) -> tuple[Segment, ...]:
    del company
    return (_texts("f", "new facts", [fact.text for fact in request.facts]), beliefs(request.beliefs))


def _check_signal(request: SignalRequest, items: Sequence[SeenSignal]) -> Reading[tuple[FactSignal, ...]]:
    found: list[FactSignal] = []
    dropped: list[str] = []
    for place, item in enumerate(items):
        fact, belief = shown(item.fact, "f", request.facts), shown(item.belief, "b", request.beliefs)
        if fact is None or belief is None:
            dropped.append(f"element {place}: {NOT_SHOWN}")
            continue
        found.append(
            FactSignal(
                fact=fact.id, target=belief.target, signal=_SIGNALS[item.signal], reason=reason(item.reason)
            )
        )
    return Reading(result=tuple(found), kept=len(found), dropped=tuple(dropped))


SIGNAL: Final = Task(
    name=TaskName.SIGNAL,
    item=SeenSignal,
    many="signals",
    tier=Tier.FAST,
    max_output_tokens=2_048,
    timeout_s=90.0,
    show=_show_signal,
    check=_check_signal,
)


# --- rebut ---------------------------------------------------------------------------------------


def _show_rebut(request: RebutRequest, company: Company) -> tuple[Segment, ...]:
    return (
        _texts("r", "reflections", [one.text for one in request.reflections]),
        Segment(
            title="what the owner said",
            lines=turns(request.turns, owner=company.profile.owner, character=company.character, handles=True),
        ),
    )


def _check_rebut(request: RebutRequest, items: Sequence[DeniedReflection]) -> Reading[tuple[Rebuttal, ...]]:
    found: dict[str, Rebuttal] = {}
    dropped: list[str] = []
    for place, item in enumerate(items):
        reflection, turn = shown(item.id, "r", request.reflections), shown(item.turn, "t", request.turns)
        if reflection is None or turn is None:
            dropped.append(f"element {place}: {NOT_SHOWN}")
            continue
        found.setdefault(
            reflection.id, Rebuttal(reflection=reflection.id, turn=turn.id, reason=reason(item.reason))
        )
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


REBUT: Final = Task(
    name=TaskName.REBUT,
    item=DeniedReflection,
    many="denied",
    tier=Tier.FAST,
    max_output_tokens=1_024,
    timeout_s=90.0,
    show=_show_rebut,
    check=_check_rebut,
)


# --- negative targets ----------------------------------------------------------------------------


def _show_negative(request: NegativeTargetsRequest, company: Company) -> tuple[Segment, ...]:
    return (
        beliefs(request.candidates, "what may be meant"),
        Segment(
            title="conversation",
            lines=turns(request.turns, owner=company.profile.owner, character=company.character),
        ),
    )


def _check_negative(
    request: NegativeTargetsRequest, items: Sequence[UnwelcomeBelief]
) -> Reading[tuple[NegativeTarget, ...]]:
    found: dict[str, NegativeTarget] = {}
    dropped: list[str] = []
    for place, item in enumerate(items):
        belief = shown(item.id, "b", request.candidates)
        if belief is None:
            dropped.append(f"element {place}: {NOT_SHOWN}")
            continue
        found.setdefault(belief.target.id, NegativeTarget(target=belief.target, reason=reason(item.reason)))
    return Reading(result=tuple(found.values()), kept=len(found), dropped=tuple(dropped))


NEGATIVE_TARGETS: Final = Task(
    name=TaskName.NEGATIVE_TARGETS,
    item=UnwelcomeBelief,
    many="targets",
    tier=Tier.FAST,
    max_output_tokens=512,
    timeout_s=60.0,
    show=_show_negative,
    check=_check_negative,
)
