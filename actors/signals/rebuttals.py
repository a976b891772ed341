"""What a mind found denied in the turns that it was shown. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ...protocols.evidence import Signal
from ...protocols.messages import ReflectionSignal
from ...protocols.records import Reflection, ReflectionId, Turn
from ...protocols.tasks import Rebuttal, Target, TargetKind
from .judgements import Accepted, Judgement, accepted


def rebuttals_as_signals(
    answer: Iterable[Rebuttal], turns: Sequence[Turn], reflections: Sequence[Reflection]
) -> tuple[tuple[ReflectionSignal, ...], Accepted]:
    """Return the denials, each reflection's first, and what of the mind's answer stood.

    What was said before a reflection was confirmed doesn't deny it: that is why it was confirmed.

    Args:
        answer: what the mind returned.
        turns: what it was shown, oldest first.
        reflections: the confirmed reflections that it was shown.
    """
    heard_at = {turn.id: turn.heard_at for turn in turns}
    since = {one.id: one.status_at for one in reflections}
    given = tuple(answer)
    known = [one for one in given if one.turn in heard_at]
    late = [one for one in known if heard_at[one.turn] >= since.get(one.reflection, 0.0)]
    held = accepted(
        (
            Judgement(target=Target(TargetKind.REFLECTION, one.reflection), signal=Signal.DENIED, reason=one.turn)
            for one in late
        ),
        targets={Target(TargetKind.REFLECTION, one.id) for one in reflections},
        facts={None},
        signals={Signal.DENIED},
    )
    held = replace(
        held,
        invented=held.invented + len(given) - len(known),
        misplaced=held.misplaced + len(known) - len(late),
    )
    return tuple(
        ReflectionSignal(reflection=ReflectionId(one.target.id), signal=one.signal, reason=one.reason)
        for one in held.kept
    ), held
