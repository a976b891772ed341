"""Which fact the character's last line brought up, for a bare "that's wrong" or "that's right" to meet.

Conservative: where the line doesn't clearly say one thing that is known, nothing is met. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from ...protocols.claims import Claim, affirmed, read_parts, same_claim
from ...protocols.clauses.frame import SELF
from ...protocols.facts import speaker_key
from ...protocols.records import Fact, Role, Turn
from ...protocols.scripts import simplified
from ...protocols.tokens import terms
from .corrections import own_claims
from .ledger import Ledger

LEAST_SHARE: Final = 0.6
"""Share of a fact's terms that a sentence must hold to bring it up, where its grammar can't be read."""

LEAST_TERMS: Final = 2
"""Terms that it must hold at least."""

_YOU: Final = frozenset({"you", "你", "您", "あなた", "君", "きみ"})


def line_before(turn: Turn, turns: Sequence[Turn]) -> Turn | None:
    """Return the character's line that a turn answers, or None where somebody else spoke in between.

    Args:
        turn: what a person said.
        turns: turns of its subject, oldest first.
    """
    places = [place for place, one in enumerate(turns) if one.id == turn.id]
    for one in reversed(turns[: places[0]] if places else ()):
        if one.role is Role.CHARACTER:
            return one
        if speaker_key(one) != speaker_key(turn):
            return None
    return None


def brought_up(line: str, facts: Iterable[Fact], ledger: Ledger) -> tuple[Fact, ...]:
    """Return the facts that a line of the character says, the last thing it says that is known.

    Several facts are returned only where all say the same.

    Args:
        line: the character's words.
        facts: those that may be meant.
        ledger: what is stored.
    """
    known = tuple(facts)
    sentences = [
        [(part.text, claim) for part, claim in group]
        for _, group in groupby(read_parts(line, leave_out=ledger.names), key=lambda read: read[0].sentence)
    ]
    for sentence in reversed(sentences):
        said = [claim for _, claim in sentence if not claim.is_empty]
        words = frozenset(terms(simplified(" ".join(text for text, _ in sentence))))
        met = [fact for fact in known if _says(said, fact, ledger)] or [
            fact for fact in known if _shares(words, said, fact, ledger)
        ]
        if met:
            return tuple(met) if _are_one(met, ledger) else ()
    return ()


def _says(said: Iterable[Claim], fact: Fact, ledger: Ledger) -> bool:
    told = [_to_whom(claim) for claim in said]
    return any(
        same_claim(known, claim) or same_claim(claim, known)
        for known in own_claims(ledger, fact)
        for claim in told
    )


def _to_whom(claim: Claim) -> Claim:
    """Return a claim with "you" as the person whom it tells of, as the person's own words do."""
    if claim.frame.subject not in _YOU:
        return claim
    told = affirmed(replace(claim, frame=replace(claim.frame, subject=SELF)))
    return told if claim.polarity else _denied(told)


def _denied(claim: Claim) -> Claim:
    return replace(claim, polarity=False, key=f"-{claim.key[1:]}", frame=replace(claim.frame, negated=True))


def _shares(words: frozenset[str], said: Sequence[Claim], fact: Fact, ledger: Ledger) -> bool:
    own = frozenset(terms(simplified(fact.text), leave_out=frozenset(terms(" ".join(ledger.names)))))
    shared = own & words
    polarities = {claim.polarity for claim in own_claims(ledger, fact)}
    return (
        len(shared) >= max(LEAST_TERMS, LEAST_SHARE * len(own))
        and bool(said)
        and {claim.polarity for claim in said} == polarities
    )


def _are_one(facts: Sequence[Fact], ledger: Ledger) -> bool:
    """Return whether facts are one person's and say the same."""
    first = own_claims(ledger, facts[0])
    return all(
        speaker_key(fact) == speaker_key(facts[0])
        and any(
            same_claim(one, other) or same_claim(other, one) for one in first for other in own_claims(ledger, fact)
        )
        for fact in facts[1:]
    )
