"""What new words do to beliefs, and what becomes of beliefs, as far as rules can tell: mostly nothing.

Only what says the same, or the opposite, counts. Nothing is reworded: where a wording is wanted, one that is there
stands. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....actors.signals.answers import names_topic
from ....protocols.claims import Claim, claims_of, opposes, replaces, same_claim
from ....protocols.denials import denials
from ....protocols.evidence import Signal
from ....protocols.records import Profile
from ....protocols.rejections import readings
from ....protocols.statements import statement_key
from ....protocols.tasks import (
    ArbitrateAction,
    ArbitrateRequest,
    Arbitration,
    Belief,
    Contradiction,
    CorrectAction,
    Correction,
    CorrectRequest,
    FactSignal,
    MergeAction,
    MergeDecision,
    MergeRequest,
    NegativeTarget,
    NegativeTargetsRequest,
    RebutRequest,
    Rebuttal,
    RefineAction,
    Refinement,
    RefineRequest,
    RerankRequest,
    SignalRequest,
    Target,
    TargetKind,
    TrustBand,
)
from ....protocols.tokens import terms

_RANK_OF_BAND: Final = {TrustBand.LOW: 0, TrustBand.MEDIUM: 1, TrustBand.HIGH: 2}


def signalled(request: SignalRequest) -> tuple[FactSignal, ...]:
    """Return the facts that say the same as a belief about the same entity, or its opposite."""
    names = _names(request.profile)
    beliefs = [(belief, readings(belief.text, names)) for belief in request.beliefs]
    found: list[FactSignal] = []
    for fact in request.facts:
        stated = readings(fact.text, names)
        for belief, believed in beliefs:
            if fact.entity is belief.entity and (signal := _signal(stated, believed)) is not None:
                found.append(FactSignal(fact=fact.id, target=belief.target, signal=signal))
    return tuple(found)


def rebutted(request: RebutRequest) -> tuple[Rebuttal, ...]:
    """Return the reflections of which a turn denies the very words or says the opposite, by the first such turn.

    A bare "no" denies nothing here: nobody knows what it answers.
    """
    names = _names(request.profile)
    found: list[Rebuttal] = []
    for reflection in request.reflections:
        beliefs = readings(reflection.text, names)
        for turn in request.turns:
            if _denies(turn.text, beliefs, names):
                found.append(Rebuttal(reflection=reflection.id, turn=turn.id))
                break
    return tuple(found)


def unwelcome(request: NegativeTargetsRequest) -> tuple[NegativeTarget, ...]:
    """Return the candidates of which the last turn names the topic."""
    if not request.turns:
        return ()
    said = request.turns[-1].text
    return tuple(
        NegativeTarget(target=one.target)
        for one in request.candidates
        if names_topic(said, one.text, request.profile)
    )


def merged(request: MergeRequest) -> MergeDecision:
    """Return a merge into the first entry that says the same, whose wording stays, or else a new entry."""
    names = _names(request.profile)
    for belief in request.pool:
        if belief.target.kind is TargetKind.PERSONA and _say_the_same(belief.text, request.reflection.text, names):
            return MergeDecision(
                action=MergeAction.MERGE, into=belief.target, text=belief.text, reason="says the same"
            )
    return MergeDecision(action=MergeAction.NEW, reason="nothing says the same")


def corrected(request: CorrectRequest) -> tuple[Correction, ...]:
    """Return a decision on each pair: of two that contradict each other the newer stands.

    The older one does where it is better believed, or says the same; two that can both be true both stay.
    """
    names = _names(request.profile)
    return tuple(Correction(pair=at, action=_standing(pair, names)) for at, pair in enumerate(request.pairs))


def arbitrated(request: ArbitrateRequest) -> tuple[Arbitration, ...]:
    """Return a decision on each pair: what says the same goes into the stored fact, all else stays."""
    names = _names(request.profile)
    return tuple(
        Arbitration(
            pair=at,
            action=ArbitrateAction.MERGE
            if _say_the_same(pair.candidate.text, pair.existing.text, names)
            else ArbitrateAction.KEEP_BOTH,
        )
        for at, pair in enumerate(request.pairs)
    )


def refined(request: RefineRequest) -> tuple[Refinement, ...]:
    """Return a merge for each group of beliefs that are the same statement; the first one's wording stays."""
    groups: dict[tuple[TargetKind, str], list[Belief]] = {}
    for belief in request.cluster:
        groups.setdefault((belief.target.kind, statement_key(belief.text)), []).append(belief)
    return tuple(
        Refinement(
            action=RefineAction.MERGE,
            targets=tuple(belief.target for belief in group),
            texts=(group[0].text,),
            reason="says the same",
        )
        for group in groups.values()
        if len(group) > 1
    )


def reranked(request: RerankRequest) -> tuple[Target, ...]:
    """Return the candidates that share most terms with any query; then by score, then in their coarse order."""
    asked = [set(terms(query)) for query in request.queries]

    def worth(belief: Belief) -> tuple[int, float]:
        held = set(terms(belief.text))
        return max((len(query & held) for query in asked), default=0), belief.score or 0.0

    best = sorted(request.candidates, key=worth, reverse=True)
    return tuple(belief.target for belief in best[: request.limit])


def _signal(stated: Sequence[Claim], believed: Sequence[Claim]) -> Signal | None:
    if any(opposes(claim, belief) for belief in believed for claim in stated):
        return Signal.FACT_NEGATES
    if any(same_claim(belief, claim) for belief in believed for claim in stated):
        return Signal.FACT_REINFORCES
    return None


def _denies(text: str, beliefs: Sequence[Claim], names: tuple[str, ...]) -> bool:
    denied = [denial.claim for denial in denials(text, leave_out=names) if denial.claim is not None]
    return any(same_claim(claim, belief) for claim in denied for belief in beliefs) or any(
        opposes(claim, belief) for claim in claims_of(text, leave_out=names) for belief in beliefs
    )


def _standing(pair: Contradiction, names: tuple[str, ...]) -> CorrectAction:
    if _say_the_same(pair.new.text, pair.old.text, names):
        return CorrectAction.KEEP_OLD
    new, old = readings(pair.new.text, names), readings(pair.old.text, names)
    if not any(opposes(one, other) or replaces(one, other) for one in new for other in old):
        return CorrectAction.KEEP_BOTH
    ranks = [_RANK_OF_BAND.get(side.band) for side in (pair.old, pair.new)]
    if ranks[0] is not None and ranks[1] is not None and ranks[0] > ranks[1]:
        return CorrectAction.KEEP_OLD
    return CorrectAction.KEEP_NEW


def _say_the_same(one: str, other: str, names: tuple[str, ...]) -> bool:
    if statement_key(one) == statement_key(other):
        return True
    ours, theirs = readings(one, names), readings(other, names)
    return len(ours) == len(theirs) == 1 and same_claim(ours[0], theirs[0]) and same_claim(theirs[0], ours[0])


def _names(profile: Profile) -> tuple[str, ...]:
    return (profile.owner,) if profile.owner else ()
