"""Which fact the character's last line brought up, for a bare "that's wrong" or "that's right" to meet.

Conservative: where the line doesn't clearly say one thing that is known, nothing is met. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from ...protocols.claims import Claim, affirmed, read_parts, same_claim
from ...protocols.clauses.frame import SELF
from ...protocols.facts import speaker_key
from ...protocols.records import Fact, FactId, Role, Turn
from ...protocols.scripts import simplified
from ...protocols.tokens import terms
from .corrections import own_claims
from .ledger import Ledger

LEAST_SHARE: Final = 0.6
"""Share of a fact's terms that a sentence must hold to bring it up, where its grammar can't be read."""

LEAST_TERMS: Final = 2
"""Terms that it must hold at least."""

_TAG: Final = re.compile(
    simplified(
        r",?\s*\b(?:right|correct|yes|no|huh|eh"
        r"|(?:don't|do|aren't|are|isn't|is|didn't|did|haven't|have) (?:you|it))"
        r"\s*(?=[?？!.]|$)"
        r"|[,，、]?\s*(?:对吧|对吗|是吧|是吗|是不是|没错吧)\s*(?=[?？!！。]|$)|[吗吧呢嘛啊呀]\s*(?=[?？!！。]|$)"
        r"|(?<=[すただる])(?:よね|よ|ね|か)\s*(?=[?？!！。]|$)"
    ),
    re.IGNORECASE,
)
"""What a line only asks for agreement with."""

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
    """Return the facts that a line of the character says, where all that it says and is known is one value.

    Of a line that says two things that are known, "that's wrong" may mean either. Neither is taken: a rejection
    holds until the person affirms the value again, and one that they never meant would silence what is true, an
    allergy perhaps, without anybody noticing; whoever is told the wrong one again says which it is.

    Args:
        line: the character's words.
        facts: those that may be meant.
        ledger: what is stored.
    """
    known = tuple(facts)
    read = read_parts(_TAG.sub("", " ".join(simplified(line).split())), leave_out=ledger.names)
    met: dict[FactId, Fact] = {}
    for part, claim in read:
        said = [fact for fact in known if _says(claim, fact, ledger)]
        met.update((fact.id, fact) for fact in said or known if said or _shares(part.text, claim, fact, ledger))
    return tuple(met.values()) if met and _are_one(tuple(met.values()), ledger) else ()


def _says(claim: Claim, fact: Fact, ledger: Ledger) -> bool:
    told = _to_whom(claim)
    return any(same_claim(known, told) or same_claim(told, known) for known in own_claims(ledger, fact))


def _to_whom(claim: Claim) -> Claim:
    """Return a claim with "you" as the person whom it tells of, as the person's own words do."""
    if claim.frame.subject not in _YOU:
        return claim
    told = affirmed(replace(claim, frame=replace(claim.frame, subject=SELF)))
    return told if claim.polarity else _denied(told)


def _denied(claim: Claim) -> Claim:
    return replace(claim, polarity=False, key=f"-{claim.key[1:]}", frame=replace(claim.frame, negated=True))


def _shares(clause: str, claim: Claim, fact: Fact, ledger: Ledger) -> bool:
    own = frozenset(terms(simplified(fact.text), leave_out=frozenset(terms(" ".join(ledger.names)))))
    shared = own.intersection(terms(clause))
    return len(shared) >= max(LEAST_TERMS, LEAST_SHARE * len(own)) and all(
        known.polarity == claim.polarity for known in own_claims(ledger, fact)
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
