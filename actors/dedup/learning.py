"""What a turn changes: its words correct what is believed, and its candidates become facts.

Pure, the same whatever the order of arrival and however often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, tzinfo

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.claims import Claim, claims_of, opposes, same_claim
from ...protocols.facts import fact_of, join_fact, speaker_key, stands_since, with_status
from ...protocols.messages import Candidate
from ...protocols.records import Fact, FactId, FactStatus, Rejection, Turn, TurnId
from .brought_up import brought_up
from .corrections import (
    Occasion,
    affirm,
    deny,
    give_way,
    is_after,
    may_deny,
    own_claims,
    put_right,
    reject,
    takes_place,
)
from .decisions import whom
from .elsewhere import holding_elsewhere
from .ledger import Ledger
from .outdating import outdate
from .recognising import overrule, quotes
from .remembering import is_of_remembering, remember_again
from .second_thoughts import SecondThought, take_back
from .spoken import Spoken


def stated_facts(
    turn: Turn, candidates: Iterable[Candidate], now: float, zone: tzinfo = UTC
) -> dict[FactId, Fact]:
    """Return the facts that a turn states, by their ids; what it says twice is one.

    Args:
        turn: the turn.
        candidates: what extraction found in it.
        now: when the facts are stored, in seconds since the epoch.
        zone: the time zone in which the speaker's days begin.
    """
    stated: dict[FactId, Fact] = {}
    for candidate in candidates:
        fact = fact_of(turn, candidate, now, zone)
        stated[fact.id] = join_fact(stated.get(fact.id), fact)
    return stated


def is_bare(spoken: Sequence[Spoken]) -> bool:
    """Return whether a turn denies or affirms something that only the line before it tells."""
    return any(
        any(denial.claim is None for denial in each.denials)
        or any(affirmation.claim is None for affirmation in each.affirmations)
        for each in spoken
    )


class Heard(Struct, frozen=True, kw_only=True):
    """A turn to take in.

    `spoken` is what its words say, the speaker's own first, and `line` the character's line that it answers,
    where it denies or affirms no more than that. `second` is what it takes back of the speaker's turn before it,
    and `turn` is then as it was meant; `takers` are later turns that take this one back. `later` are turns that
    contradict it and were learned before it, with what their words say. `zone` is the time zone in which the
    speaker's days begin. `denied` is what the speaker rejected of themself in other places.
    """

    turn: Turn
    spoken: tuple[Spoken, ...]
    candidates: tuple[Candidate, ...]
    line: str = ""
    second: SecondThought | None = None
    takers: tuple[tuple[Turn, SecondThought], ...] = ()
    later: tuple[tuple[Turn, tuple[Spoken, ...]], ...] = ()
    zone: tzinfo = UTC
    denied: tuple[Rejection, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether its words are about what is believed already."""
        said = any(each.denials or each.corrections or each.affirmations for each in self.spoken)
        return said or self.second is not None


def learn(ledger: Ledger, occasion: Occasion, heard: Heard) -> None:
    """Take in a turn: first what its words deny, then what they affirm, then what it states.

    Args:
        ledger: what is stored.
        occasion: the turn as an occasion.
        heard: the turn.
    """
    if heard.second is not None:
        take_back(ledger, occasion, heard.second, _own_statements(heard.spoken))
    remember_again(ledger, occasion, heard.turn.text)
    _correct(ledger, occasion, heard.spoken, heard.line)
    stated = stated_facts(heard.turn, heard.candidates, occasion.now, heard.zone)
    for fact in stated.values():
        # "You can remember my surgery again" is a wish, and tells nothing of the surgery.
        if not is_of_remembering(fact.text):
            _take(ledger, occasion, fact, heard, frozenset(stated))
    for fact_id in stated:
        outdate(ledger, occasion, fact_id)
    for taker, thought in heard.takers:
        again = replace(occasion, at=taker.said_at, cause=taker.id)
        take_back(ledger, again, thought, claims_of(thought.thought.meant, leave_out=ledger.names))
    for turn, spoken in sorted(heard.later, key=lambda one: (one[0].said_at, one[0].id)):
        _overtake(ledger, replace(occasion, at=turn.said_at, cause=turn.id), stated.values(), spoken)


def contradicting(ledger: Ledger, turn: Turn, candidates: Iterable[Candidate], now: float) -> tuple[TurnId, ...]:
    """Return the turns of the same speaker, said later and learned before, whose facts contradict candidates.

    Args:
        ledger: what is stored.
        turn: the turn that is learned now.
        candidates: what extraction found in it.
        now: when it is learned; what was said later than that has a wrong time, and overtakes nothing.
    """
    found: dict[TurnId, None] = {}
    for fact in stated_facts(turn, candidates, turn.said_at).values():
        for other in _contradicting(ledger, fact, now):
            found.update((source.turn, None) for source in other.sources if source.said_at > turn.said_at)
    return tuple(found)


def _correct(ledger: Ledger, occasion: Occasion, spoken: Sequence[Spoken], line: str = "") -> None:
    """Do what a turn's words say of what is believed: deny, then affirm."""
    for each in spoken:
        for denial in each.denials:
            deny(ledger, occasion, each, denial)
        for correction in each.corrections:
            put_right(ledger, occasion, each, correction)
        if line and any(denial.claim is None for denial in each.denials):
            _deny_brought_up(ledger, occasion, line)
    for each in spoken:
        for affirmation in each.affirmations:
            if affirmation.claim is not None:
                affirm(ledger, occasion, affirmation.claim, about=each.about, insists=True)
            elif line:
                _affirm_brought_up(ledger, occasion, line)
        for statement in each.statements:
            affirm(ledger, occasion, statement, about=each.about, insists=False)


def _deny_brought_up(ledger: Ledger, occasion: Occasion, line: str) -> None:
    meant = [
        fact
        for fact in ledger.facts(FactStatus.ACTIVE)
        if may_deny(occasion.by, fact) and not is_after(stands_since(fact), occasion.at, occasion.now)
    ]
    for fact in brought_up(line, meant, ledger):
        about, names = whom(ledger, fact)
        reject(ledger, occasion, fact.text, entity=fact.entity, about=about, names=names)


def _affirm_brought_up(ledger: Ledger, occasion: Occasion, line: str) -> None:
    held = [
        fact for fact in ledger.facts(FactStatus.RETRACTED, FactStatus.DISPUTED) if may_deny(occasion.by, fact)
    ]
    for fact in brought_up(line, held, ledger):
        about, _ = whom(ledger, fact)
        for claim in own_claims(ledger, fact):
            affirm(ledger, occasion, claim, about=about, insists=True)


def _take(ledger: Ledger, occasion: Occasion, fact: Fact, heard: Heard, beside: frozenset[FactId]) -> None:
    """Store one fact that the turn states, in the status that what was said so far gives it."""
    before = ledger.fact(fact.id)
    joined = join_fact(before, fact)
    statements = _own_statements(heard.spoken)
    said = [claim for claim in own_claims(ledger, fact) if _is_said(claim, statements)]
    is_said = bool(said) or quotes(heard.turn.text, fact.text)
    overrule(ledger, occasion, fact, said=is_said)
    insists = _insists(ledger, fact, heard.spoken)
    held = ledger.holding(joined) or holding_elsewhere(
        ledger, joined, heard.denied, said_at=occasion.at, said=is_said, insists=insists
    )
    if held is not None:
        if joined.status is FactStatus.ACTIVE:
            at = held.disputed_at if joined.status_at is None else max(held.disputed_at, joined.status_at)
            joined = with_status(joined, FactStatus.DISPUTED, at, f"held back by {held.id}")
        ledger.put_fact(joined)
        was_newest = held.disputed_at > occasion.at
    elif before is not None and not _is_news(before, fact):
        ledger.put_fact(joined)
        was_newest = fact.sources[0].turn not in {source.turn for source in before.sources}
    else:
        if joined.status is not FactStatus.ACTIVE:
            joined = with_status(joined, FactStatus.ACTIVE, occasion.at, f"said again in {occasion.cause}")
        ledger.put_fact(joined)
        was_newest = True
    if was_newest:
        # What was denied or said otherwise only later took the place of what was older all the same.
        give_way(ledger, occasion, joined, said, keep=beside)


def _overtake(ledger: Ledger, later: Occasion, facts: Iterable[Fact], spoken: Sequence[Spoken]) -> None:
    """Let a turn that was said later, and learned before, have its word on what was stated now."""
    _correct(ledger, later, spoken)
    statements = _own_statements(spoken)
    for fact in facts:
        for newer in tuple(_contradicting(ledger, fact, later.now)):
            said = [claim for claim in own_claims(ledger, newer) if _is_said(claim, statements)]
            if any(source.turn == later.cause for source in newer.sources):
                give_way(ledger, later, newer, said)


def _contradicting(ledger: Ledger, fact: Fact, now: float) -> Iterator[Fact]:
    """Yield the facts of the same speaker that were said later and contradict a fact, in force still or not."""
    claims = own_claims(ledger, fact)
    for other in ledger.near(claims, FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED):
        if (
            other.id != fact.id
            and speaker_key(other) == speaker_key(fact)
            and fact.said_at < other.last_said_at <= now
            and _contradicts(own_claims(ledger, other), claims)
        ):
            yield other


def _contradicts(newer: Sequence[Claim], older: Sequence[Claim]) -> bool:
    return takes_place(newer, older) or any(opposes(new, old) for new in newer for old in older)


def _is_news(before: Fact, fact: Fact) -> bool:
    """Return whether a statement is from a turn that isn't counted yet, after the fact entered its status."""
    counted = {source.turn for source in before.sources}
    return fact.sources[0].turn not in counted and (before.status_at is None or fact.said_at >= before.status_at)


def _is_said(claim: Claim, statements: Iterable[Claim]) -> bool:
    """Return whether the person's own words say what a candidate claims."""
    return any(same_claim(said, claim) or same_claim(claim, said) for said in statements)


def _insists(ledger: Ledger, fact: Fact, spoken: Sequence[Spoken]) -> bool:
    """Return whether the person's own words say that what a candidate claims is so all the same."""
    insisted = [one.claim for one in spoken[0].affirmations if one.claim is not None] if spoken else []
    return any(_is_said(claim, insisted) for claim in own_claims(ledger, fact))


def _own_statements(spoken: Sequence[Spoken]) -> tuple[Claim, ...]:
    return spoken[0].statements if spoken else ()
