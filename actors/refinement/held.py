"""What a mind's refinement is held to: nothing denied or banned comes back, and nothing is invented. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from ...protocols.claims import opposes
from ...protocols.errors import InvalidTextError
from ...protocols.records import Rejection
from ...protocols.rejections import holds_back, readings
from ...protocols.settings import EvidenceSettings
from ...protocols.tasks import RefineAction, Refinement
from ...protocols.text import check_text
from ..reflection.grounding import rests_on_texts
from .clusters import Belief, may_be_refined

SHARE_OF_WORDS: Final = 0.5
"""Least share of a refined text's content words that the beliefs and their facts hold (ours)."""


class HeldTo(Struct, frozen=True, kw_only=True):
    """What a refinement is held to.

    `facts` are the texts of the facts that the beliefs rest on, `banned` says whether a text names a banned topic,
    `names` are the owner's and the character's, and `max_chars` is the longest text that can be kept.
    """

    now: float
    weights: EvidenceSettings
    rejections: tuple[Rejection, ...]
    banned: Callable[[str], bool]
    facts: tuple[str, ...]
    owner: tuple[str, ...]
    character: str
    max_chars: int


def standing(answer: Iterable[Refinement], cluster: Sequence[Belief], held_to: HeldTo) -> tuple[Refinement, ...]:
    """Return the refinements that may be made of a cluster as it is now.

    Each belief is changed at most once, and one of a cluster stays whatever is discarded.

    Args:
        answer: what a mind answered.
        cluster: the beliefs as they are now.
        held_to: what their new texts are held to.
    """
    known: dict[str, Belief] = {one.id: one for one in cluster if may_be_refined(one)}
    left = set(known)
    kept: list[Refinement] = []
    for change in answer:
        ids = [target.id for target in change.targets]
        if not ids or not left.issuperset(ids) or len(set(ids)) < len(ids):
            continue
        if change.action is RefineAction.DISCARD and len(left) < 2:
            continue
        if all(_may_stand(text, [known[one] for one in ids], held_to) for text in change.texts):
            left.difference_update(ids)
            kept.append(change)
    return tuple(kept)


def _may_stand(text: str, sources: Sequence[Belief], held_to: HeldTo) -> bool:
    try:
        check_text(text, max_chars=held_to.max_chars, what="belief")
    except InvalidTextError:
        return False
    known = [one.text for one in sources]
    names = (*held_to.owner, held_to.character)
    return (
        not any(_rejects(one, text, sources[0], held_to.owner) for one in held_to.rejections)
        and (not held_to.banned(text) or all(held_to.banned(one) for one in known))
        and rests_on_texts(text, (*known, *held_to.facts), names, share=SHARE_OF_WORDS)
        and not _contradicts(text, known, held_to.owner)
    )


def _rejects(rejection: Rejection, text: str, belief: Belief, names: tuple[str, ...]) -> bool:
    return (
        rejection.lifted_at is None
        and rejection.subject == belief.subject
        and holds_back(rejection, text, entity=belief.entity, names=names)
    )


def _contradicts(text: str, sources: Iterable[str], names: tuple[str, ...]) -> bool:
    said = readings(text, names)
    return any(opposes(new, old) for source in sources for old in readings(source, names) for new in said)
