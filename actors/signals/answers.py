"""What a person's next words did to what was brought up: the model's judgement, held to what it was shown.

A reflection that the model doesn't name was passed over. One of which it says two things at once waits for the
next words, since then nobody knows. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from ...protocols.evidence import Signal
from ...protocols.messages import ReflectionSignal
from ...protocols.ports import Feedback
from ...protocols.records import Profile, Reflection, Turn, TurnId
from ...protocols.tasks import Target, TargetKind
from ...protocols.tokens import terms
from .judgements import FROM_FEEDBACK, Accepted, Judgement, accepted

_GRAMMAR: Final = re.compile("[\u3041-\u309f]+")
"""Hiragana alone, which is mostly grammar and no topic."""


def answered(turn: TurnId, reflections: Iterable[Reflection], window: Sequence[Turn]) -> tuple[Reflection, ...]:
    """Return the reflections that a turn answers to: those that wait for an answer and were brought up before it.

    Args:
        turn: the person's turn.
        reflections: those that wait.
        window: the latest turns of the subject in their order; whatever is older came before all of them. A turn
            that is older itself answers to nothing any more.
    """
    places = {one.id: place for place, one in enumerate(window)}
    if turn not in places:
        return ()
    return tuple(
        reflection
        for reflection in reflections
        if reflection.awaiting is not None and places.get(reflection.awaiting, -1) < places[turn]
    )


def answers_as_signals(
    turn: Turn,
    offered: Sequence[Reflection],
    feedback: Iterable[Feedback],
    unwelcome: AbstractSet[Target] = frozenset(),
) -> tuple[tuple[ReflectionSignal, ...], Accepted]:
    """Return the signals that an answer gives, and what of the model's judgement stood.

    Where a reflection that was otherwise passed over is unwelcome, the words are a rebuttal of bringing it up.

    Args:
        turn: the answer.
        offered: the reflections that the model was shown.
        feedback: what it returned.
        unwelcome: what the person doesn't want to be told.
    """
    given = tuple(feedback)
    held = accepted(
        (Judgement(target=_target(one.reflection), signal=one.signal) for one in given),
        targets={_target(reflection.id) for reflection in offered},
        facts={None},
        signals=FROM_FEEDBACK,
    )
    judged = {judgement.target.id: judgement.signal for judgement in held.kept}
    unclear = {one.reflection for one in given} - judged.keys()
    signals: list[ReflectionSignal] = []
    for reflection in offered:
        if reflection.id in unclear:
            continue
        signal = judged.get(reflection.id, Signal.IGNORED)
        if signal is Signal.IGNORED and _target(reflection.id) in unwelcome:
            signal = Signal.KEYWORD_REBUTS
        signals.append(ReflectionSignal(reflection=reflection.id, signal=signal, reason=turn.id))
    return tuple(signals), held


def names_topic(said: str, belief: str, profile: Profile) -> bool:
    """Return whether a text shares a word of content with a belief; the owner's name is none."""
    names = frozenset(terms(profile.owner))
    shared = set(terms(said, leave_out=names)) & set(terms(belief, leave_out=names))
    return any(not _GRAMMAR.fullmatch(term) for term in shared - names)


def _target(reflection: str) -> Target:
    return Target(TargetKind.REFLECTION, reflection)
