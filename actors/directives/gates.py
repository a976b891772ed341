"""Whether a draft may be said: the gate for what the character speaks, unprompted or in reply.

Knows spans and turns; where a topic stands is found by the matcher, and what was said before by the corpus.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .matcher import Matcher, Span
from .repetition import Repetition

Decision: TypeAlias = Literal["allow", "block", "revise"]


class Reason(StrEnum):
    """Why a draft was held back, or why a topic in it was let through."""

    BANNED_TOPIC_UNPROMPTED = "banned_topic_unprompted"
    BANNED_TOPIC_NOT_RAISED = "banned_topic_not_raised"
    RAISED_BY_THE_PERSON = "raised_by_the_person"
    SAID_LATELY = "said_lately"


class Verdict(Struct, frozen=True, kw_only=True):
    """What to do with a draft.

    `block`: drop it. `revise`: write it again, without the topics at `spans` and away from the earlier lines
    of `repetition`. `allow`: say it. `spans` are the places that are held against it, in code points of the
    draft; none where it is allowed. `repetition` is None unless the draft says again what was said lately; where
    its action is `drop` and the draft was written anew already, silence is better.
    """

    verdict: Decision
    reasons: tuple[Reason, ...] = ()
    spans: tuple[Span, ...] = ()
    repetition: Repetition | None = None


def gate(draft: str, matcher: Matcher, *, unprompted: bool, raised: frozenset[str] = frozenset()) -> Verdict:
    """Return whether a draft may be said.

    Args:
        draft: all that would be said.
        matcher: of the directives that are in force.
        unprompted: whether nobody asked; then any banned topic drops the draft, raised or not.
        raised: keys of the topics that the person raised in this turn, from `raised_topics`.
    """
    spans = matcher.find(draft)
    if not spans:
        return Verdict(verdict="allow")
    if unprompted:
        return Verdict(verdict="block", reasons=(Reason.BANNED_TOPIC_UNPROMPTED,), spans=spans)
    held = tuple(span for span in spans if matcher.key(span.directive) not in raised)
    if held:
        return Verdict(verdict="revise", reasons=(Reason.BANNED_TOPIC_NOT_RAISED,), spans=held)
    return Verdict(verdict="allow", reasons=(Reason.RAISED_BY_THE_PERSON,))


def without_repeating(verdict: Verdict, repetition: Repetition) -> Verdict:
    """Return the verdict on an unprompted draft once it is compared with what was said lately."""
    if repetition.action == "allow":
        return verdict
    return replace(
        verdict, verdict="revise", reasons=(*verdict.reasons, Reason.SAID_LATELY), repetition=repetition
    )


def raised_topics(said: str, matcher: Matcher) -> frozenset[str]:
    """Return the keys of the banned topics that the person named in this turn."""
    return frozenset(matcher.key(span.directive) for span in matcher.find(said))
