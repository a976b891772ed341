"""What of memory fits into a prompt, in order of worth. Knows no text format and no model.

An entry that doesn't fit is left out and the next ones are still tried, so that one long entry hides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.settings import RenderSettings


class Item(Struct, frozen=True, kw_only=True):
    """One entry that might be rendered. `id` breaks ties; `score` is infinite for a protected entry."""

    id: str
    text: str
    score: float
    importance: int
    protected: bool = False


class Picked(Struct, frozen=True, kw_only=True):
    """What is rendered, in this order, what wasn't, and the tokens that count against the budget."""

    kept: tuple[Item, ...]
    left_out: tuple[Item, ...]
    tokens: int


def pick(items: Sequence[Item], tokens: int, settings: RenderSettings) -> Picked:
    """Return what of one subject's entries is rendered.

    Protected entries come first and are limited in number alone. The others follow by score, then importance,
    each where it still fits.

    Args:
        items: the entries.
        tokens: budget of the unprotected ones.
        settings: the number of protected entries, and the tokens of markup counted an entry.
    """
    ordered = sorted(items, key=_rank)
    protected = [item for item in ordered if item.protected]
    kept, left_out = protected[: settings.protected], protected[settings.protected :]
    spent = 0
    for item in ordered:
        if item.protected:
            continue
        cost = _cost(item, settings)
        if spent + cost <= tokens:
            kept.append(item)
            spent += cost
        else:
            left_out.append(item)
    return Picked(kept=tuple(kept), left_out=tuple(left_out), tokens=spent)


def pick_scoped(subjects: Sequence[Sequence[Item]], tokens: int, settings: RenderSettings) -> tuple[Picked, ...]:
    """Return what of several subjects' entries is rendered, in the order in which the subjects were named.

    Each has its own budget, within one budget for all; where too few tokens are left of that, a subject is left
    out whole. Protected entries count against the budget of all.

    Args:
        subjects: the entries of each subject.
        tokens: budget of the unprotected entries of one subject.
        settings: the budget for all, and the tokens that must be left for one more subject.
    """
    left = settings.total_tokens
    picks = []
    for items in subjects:
        if left < settings.least_tokens:
            picks.append(Picked(kept=(), left_out=tuple(items), tokens=0))
            continue
        picked = _within(pick(items, min(tokens, left), settings), left, settings)
        left -= picked.tokens
        picks.append(picked)
    return tuple(picks)


def pick_suppressed(items: Sequence[Item], settings: RenderSettings) -> Picked:
    """Return which suppressed entries are listed as not to be brought up: limited in number alone."""
    ordered = sorted(items, key=_rank)
    kept, left_out = ordered[: settings.suppressed], ordered[settings.suppressed :]
    return Picked(kept=tuple(kept), left_out=tuple(left_out), tokens=sum(_cost(item, settings) for item in kept))


def _within(picked: Picked, tokens: int, settings: RenderSettings) -> Picked:
    """Return a pick that fits a budget with its protected entries counted, in its order."""
    kept, left_out, spent = [], list(picked.left_out), 0
    for item in picked.kept:
        cost = _cost(item, settings)
        if spent + cost <= tokens:
            kept.append(item)
            spent += cost
        else:
            left_out.append(item)
    return Picked(kept=tuple(kept), left_out=tuple(left_out), tokens=spent)


def _rank(item: Item) -> tuple[float, int, str]:
    return (-item.score, -item.importance, item.id)


def _cost(item: Item, settings: RenderSettings) -> int:
    return estimated_tokens(item.text) + settings.entry_tokens
