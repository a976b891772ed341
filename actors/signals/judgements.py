"""What a model judged of the beliefs that it was shown, held to what it was shown.

An id that wasn't offered is invented, whether it exists or not, and is dropped with a count: a model must not
reach a belief outside the scope of the question. Knows no model and no prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from ...protocols.evidence import Signal
from ...protocols.records import FactId, Role, Turn
from ...protocols.scopes import PRIVATE
from ...protocols.tasks import Target


class Judgement(Struct, frozen=True, kw_only=True):
    """One signal that a model saw. `fact` is the fact that it comes from, None where it comes from a turn."""

    target: Target
    signal: Signal
    fact: FactId | None = None
    reason: str = ""


class Accepted(Struct, frozen=True, kw_only=True):
    """The judgements that stand, in their order, and how many were dropped and why."""

    kept: tuple[Judgement, ...]
    invented: int = 0
    repeated: int = 0
    contradictory: int = 0
    misplaced: int = 0


FROM_FACTS: Final = frozenset({Signal.FACT_REINFORCES, Signal.FACT_NEGATES})
"""Signals of Stage 2."""

FROM_FEEDBACK: Final = frozenset({Signal.CONFIRMED, Signal.DENIED, Signal.IGNORED})
"""Signals of what the person said to a reflection that was brought up."""

FROM_KEYWORDS: Final = frozenset({Signal.KEYWORD_REBUTS})
"""Signals of a negative keyword whose target was found."""


def accepted(
    judgements: Iterable[Judgement],
    *,
    targets: AbstractSet[Target],
    facts: AbstractSet[FactId | None],
    signals: AbstractSet[Signal],
) -> Accepted:
    """Return the judgements that keep to the question.

    Dropped are: invented ids; signals of another task; a judgement that was given already; and all that say
    both for and against one belief by one fact, because then the model didn't know.

    Args:
        judgements: what the model returned, in its order.
        targets: the beliefs that it was shown.
        facts: the facts that it was shown, or `{None}` where the task has none.
        signals: the signals of the task, such as `FROM_FACTS`.
    """
    dropped: Counter[str] = Counter()
    kept: dict[tuple[Target, FactId | None], Judgement] = {}
    torn: set[tuple[Target, FactId | None]] = set()
    for judgement in judgements:
        key = (judgement.target, judgement.fact)
        if judgement.target not in targets or judgement.fact not in facts:
            dropped["invented"] += 1
        elif judgement.signal not in signals:
            dropped["misplaced"] += 1
        elif key not in kept:
            kept[key] = judgement
        elif kept[key].signal is judgement.signal:
            dropped["repeated"] += 1
        else:
            torn.add(key)
            dropped["contradictory"] += 1
    standing = tuple(judgement for key, judgement in kept.items() if key not in torn)
    return Accepted(
        kept=standing,
        invented=dropped["invented"],
        misplaced=dropped["misplaced"],
        repeated=dropped["repeated"],
        contradictory=dropped["contradictory"] + len(kept) - len(standing),
    )


def may_move_evidence(turn: Turn) -> bool:
    """Return whether a turn may speak for or against a belief: the owner's own words in private alone.

    The character's words would reinforce themselves, and the memory of groups and participants takes no signals.
    """
    return turn.role is Role.PERSON and turn.speaker is None and turn.subject == PRIVATE
