"""What a correction takes away, and what it leaves: whose slot, which statement, and when."""

from __future__ import annotations

import pytest

from omoide.actors.dedup.corrections import Occasion
from omoide.actors.dedup.learning import Heard, learn
from omoide.actors.dedup.ledger import Ledger
from omoide.actors.dedup.spoken import spoken_in
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, FactStatus, Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.runtime.models.offline.extraction import candidates

NOW = 1_000.0
NAMES = ("Mika", "阿明")


def talk(*said: str, times: tuple[float, ...] = (), makes: dict[str, str] | None = None) -> dict[str, FactStatus]:
    """Return the facts after a conversation, without closing punctuation, and their statuses."""
    ledger = Ledger((), (), NAMES)
    for number, text in enumerate(said, start=1):
        at = times[number - 1] if times else float(number)
        turn = Turn(
            id=TurnId(f"turn_{number}"), role=Role.PERSON, text=text, subject=PRIVATE, said_at=at, heard_at=at
        )
        made = (makes or {}).get(text)
        found = candidates(turn) if made is None else (Candidate(text=made, entity=Entity.OWNER, importance=6),)
        occasion = Occasion(at=at, cause=turn.id, subject=PRIVATE, disputation=1.0, now=NOW)
        learn(ledger, occasion, Heard(turn=turn, spoken=spoken_in(turn, NAMES), candidates=found))
    return {fact.text.rstrip(".。"): fact.status for fact in ledger.facts(*FactStatus)}


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        ("My aunt lives in Ulm.", "No, she lives in Jena."),
        ("My sister lives in Ulm.", "No, my sister lives in Jena."),
        ("My uncle is called Karl.", "That's wrong, he is called Kurt."),
        ("我姐姐住在长沙。", "不，她住在武汉。"),
        ("我姐姐住在长沙。", "不对，我姐姐住在武汉。"),
    ],
)
def test_what_is_put_right_is_rejected(known: str, correction: str) -> None:
    assert talk(known, correction)[known.rstrip(".。")] is FactStatus.RETRACTED


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("My uncle lives in Ulm.", "No, she lives in Jena."),
        ("My sister lives in Ulm. My aunt lives in Bonn.", "No, she lives in Jena."),
        ("My sister lives in Ulm.", "My sister lives in Jena."),
        ("My friend lives in Ulm.", "My friend lives in Jena."),
        ("我朋友住在长沙。", "我朋友住在武汉。"),
        ("I live in Ulm.", "I live in constant fear."),
        ("I live in Ulm.", "I moved to Debian."),
        ("I live in Ulm.", "I moved to the sofa."),
        ("I live in Ulm.", "I live in a tiny house."),
        ("我住在长沙。", "我搬到沙发上了。"),
        ("我住在长沙。", "我生活在阴影里。"),
        ("我叫林晚。", "我叫了出租车。"),
        ("長野に住んでいます。", "不安の中で暮らしています。"),
    ],
)
def test_what_fills_another_slot_or_anothers_leaves_it_in_force(known: str, later: str) -> None:
    facts = talk(known, later)
    assert all(facts[one.rstrip(".。")] is FactStatus.ACTIVE for one in known.split(". "))


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("I live in Ulm.", "I moved to Jena."),
        ("My mother lives in Ulm.", "My mother lives in Jena."),
        ("My friend lives in Ulm.", "My friend moved to Jena."),
        ("我住在长沙。", "我搬到武汉了。"),
        ("我叫林晚。", "我叫林早。"),
    ],
)
def test_the_same_slot_of_the_same_person_is_taken_over(known: str, later: str) -> None:
    assert talk(known, later)[known.rstrip(".。")] is FactStatus.SUPERSEDED


def test_a_denial_of_one_clause_leaves_the_others() -> None:
    said = "I have a goat, I live in Ulm and I work as a roofer."
    made = "Mika has a goat and lives in Ulm and works as a roofer"
    facts = talk(said, "I don't have a goat.", makes={said: made})
    assert (facts[made], facts["Mika lives in Ulm"], facts["Mika works as a roofer"]) == (
        FactStatus.RETRACTED,
        FactStatus.ACTIVE,
        FactStatus.ACTIVE,
    )


def test_a_statement_that_was_said_at_a_time_to_come_can_be_denied() -> None:
    facts = talk("I have a goat.", "I don't have a goat.", times=(NOW + 5_000, NOW))
    assert facts["I have a goat"] is FactStatus.RETRACTED


def test_a_statement_from_before_the_clock_was_set_back_gives_way() -> None:
    facts = talk("I live in Ulm.", "I moved to Jena.", times=(NOW + 5_000, NOW))
    assert facts["I live in Ulm"] is FactStatus.SUPERSEDED


def test_a_denial_that_comes_late_is_still_late() -> None:
    assert talk("I have a goat.", "I don't have a goat.", times=(20.0, 10.0))["I have a goat"] is FactStatus.ACTIVE
