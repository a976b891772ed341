"""How a person answered to what the character had brought up, as far as rules can tell: mostly not at all.

A whole statement counts for or against the reflections that it is about. A bare "yes" or "no" counts only where
one reflection was brought up, since else nobody knows which of them it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ....protocols.claims import Claim, claims_of, opposes, read_parts, same_claim
from ....protocols.clauses.split import fold_clause
from ....protocols.denial_words import RIGHT, WRONG
from ....protocols.denials import affirmations, denials
from ....protocols.evidence import Signal
from ....protocols.ports import Feedback
from ....protocols.records import Profile, Reflection

_NO: Final = frozenset(
    fold_clause(word)
    for word in (
        *("no", "nope", "nah", "not really", "not at all", "no way", "never", "i don't", "i do not", "not true"),
        *("不", "不是", "不对", "没有", "才不是", "才不是呢", "不是的", "并没有", "不喜欢"),
        *("没有啊", "哪有", "不会", "其实没有", "也没有"),
        *("いや", "いいえ", "いえ", "ううん", "違う", "別に", "そうでもない", "全然", "ぜんぜん"),
        *("nein", "nö", "stimmt nicht", "para nada", "no es así", "non", "pas du tout"),
    )
)
"""Answers that deny what was just said, as whole clauses."""

_YES: Final = frozenset(
    fold_clause(word)
    for word in (
        *(
            "yes",
            "yeah",
            "yep",
            "yup",
            "yes i do",
            "i do",
            "i am",
            "of course",
            "definitely",
            "absolutely",
            "so true",
        ),
        *("对", "对的", "对啊", "是", "是的", "是啊", "没错", "当然", "嗯", "嗯嗯", "那当然"),
        *("对呀", "是呀", "真的", "确实", "可不是", "就是", "那是"),
        *(
            "はい",
            "うん",
            "ええ",
            "そう",
            "そうだね",
            "もちろん",
            "そうなんだ",
            "そうそう",
            "そうなの",
            "本当に",
            "まさに",
        ),
        *("ja", "genau", "stimmt", "sí", "claro", "oui", "exact"),
    )
)
"""Answers that affirm it."""

_LAUGH: Final = r"haha\w*+|hehe\w*+|lo++l|oh|well|hm++|tbh|honestly|wow|,|\.|!|\s"
_LAUGHTER: Final = re.compile(rf"(?:{_LAUGH})*")
_HEARTY: Final = re.compile(
    rf"(?:yes|yeah|yep|yup|totally|absolutely|definitely|for sure|you bet|very much(?: so)?|so true|big time"
    rf"|indeed|of course|obviously|certainly|guilty|{_LAUGH})+"
)
_HEARTY_NO: Final = re.compile(
    rf"(?:no|nope|nah|not really|not at all|no way|not any ?more|hardly|not even close|far from it|{_LAUGH})+"
)
"""Answers of several words that say no more than yes or no: "haha yeah totally"."""

_SURELY: Final = (
    "(?: (?:really|so|totally|absolutely|certainly|definitely|sure|just|still|always|truly|actually))*"
)
_SHORT: Final = re.compile(
    rf"(?:(?:yes|yeah|yep|no|nope|nah|oh|well|haha\w*)[ ,]+)*(?:i|we){_SURELY}"
    rf"(?: (?:am|are|do|did|have|was|were|can|will)|'m|'re){_SURELY}(?P<not> not|n't)?"
    r"(?: (?:too|indeed|actually|really|at all|anymore|though|so|very much|lol|haha))*"
)
"""An answer with no more than a subject and a verb, which takes the rest from what it answers: "I really am"."""


def judged(text: str, reflections: Sequence[Reflection], profile: Profile) -> tuple[Feedback, ...]:
    """Return the reflections that a person's words confirm or deny; one that isn't named was passed over.

    Words that both confirm and deny a reflection tell nothing of it, and leave it unnamed.

    Args:
        text: what the person said.
        reflections: what had been brought up.
        profile: gives the person's name.
    """
    names = (profile.owner,) if profile.owner else ()
    said = claims_of(text, leave_out=names)
    denied = tuple(denial.claim for denial in denials(text, leave_out=names))
    affirmed = affirmations(text, leave_out=names)
    bare = _bare_answer(text) if len(reflections) == 1 else None
    if len(reflections) == 1 and bare is None:
        if None in denied or _calls_wrong(text):
            bare = Signal.DENIED
        elif any(affirmation.claim is None for affirmation in affirmed):
            bare = Signal.CONFIRMED
    found: list[Feedback] = []
    for reflection in reflections:
        beliefs = claims_of(reflection.text, leave_out=names)
        signals = {bare} if bare is not None else set()
        if len(reflections) == 1 and any(_denies_more(claim, belief) for claim in said for belief in beliefs):
            signals.add(Signal.DENIED)
        if _denies(said, [claim for claim in denied if claim is not None], beliefs):
            signals.add(Signal.DENIED)
        if any(same_claim(belief, claim) for belief in beliefs for claim in said if claim.polarity):
            signals.add(Signal.CONFIRMED)
        if len(signals) == 1:
            found.append(Feedback(reflection=reflection.id, signal=signals.pop()))
    return tuple(found)


def _denies(said: Iterable[Claim], denied: Iterable[Claim], beliefs: Sequence[Claim]) -> bool:
    return any(same_claim(claim, belief) for claim in denied for belief in beliefs) or any(
        opposes(claim, belief) for claim in said for belief in beliefs
    )


def _denies_more(claim: Claim, belief: Claim) -> bool:
    """Return whether a claim denies what a belief says more closely: "I'm not fond of bread" of rye bread."""
    return (
        not claim.polarity
        and belief.polarity
        and not claim.is_empty
        and (claim.frame.subject, claim.frame.predicate) == (belief.frame.subject, belief.frame.predicate)
        and not claim.frame.hypothetical
        and set(claim.terms) < set(belief.terms)
    )


def _calls_wrong(text: str) -> bool:
    """Return whether a clause says only that what was brought up is wrong, and another that it is another way."""
    return any(WRONG.search(part.text) and not part.asks for part, _ in read_parts(text))


def _bare_answer(text: str) -> Signal | None:
    """Return what a text that is nothing but a short answer says."""
    clauses = [part for part, _ in read_parts(text)]
    if not clauses or any(part.asks for part in clauses):
        return None
    signals = {_short_answer(part.text) for part in clauses}
    return signals.pop() if len(signals) == 1 else None


def _short_answer(clause: str) -> Signal | None:
    if clause in _NO or WRONG.search(clause):
        return Signal.DENIED
    if clause in _YES or RIGHT.search(clause):
        return Signal.CONFIRMED
    if short := _SHORT.fullmatch(clause):
        return Signal.DENIED if short["not"] else Signal.CONFIRMED
    if _HEARTY.fullmatch(clause) and not _LAUGHTER.fullmatch(clause):
        return Signal.CONFIRMED
    return Signal.DENIED if _HEARTY_NO.fullmatch(clause) and not _LAUGHTER.fullmatch(clause) else None
