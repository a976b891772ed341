"""Which fact a line of the character brings up, so that a bare denial meets it: one, clearly, or none."""

from __future__ import annotations

import pytest

from omoide.actors.dedup.brought_up import brought_up, line_before
from omoide.actors.dedup.ledger import Ledger
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import PRIVATE

ALICE = Speaker(platform="qq", account="1001", label="Alice")
KNOWN = ("I work as a nurse.", "I have a cat called Miso.", "I don't like tea.", "I smoke.", "我住在北京。")


def a_turn(number: int, role: Role, text: str = "x", speaker: Speaker | None = None) -> Turn:
    return Turn(
        id=TurnId(f"turn_{number}"),
        role=role,
        text=text,
        subject=PRIVATE,
        speaker=speaker,
        said_at=float(number),
        heard_at=float(number),
    )


def a_fact(text: str) -> Fact:
    candidate = Candidate(text=text, entity=Entity.OWNER, importance=5)
    return fact_of(a_turn(0, Role.PERSON, text), candidate, 1.0)


@pytest.mark.parametrize(
    ("line", "met"),
    [
        ("You work as a nurse, right?", ["I work as a nurse."]),
        ("How nice! Sam works as a nurse.", ["I work as a nurse."]),
        ("You're a nurse, aren't you?", ["I work as a nurse."]),
        ("How is your cat Miso called?", ["I have a cat called Miso."]),
        ("You don't like tea.", ["I don't like tea."]),
        ("You like tea, don't you?", []),
        ("There is smoke over the hill.", []),
        ("你住在北京吗？", ["我住在北京。"]),
        ("你不住在北京。", []),
        ("You work as a nurse, and you have a cat called Miso.", []),
        ("You work as a nurse. And the weather is nice.", ["I work as a nurse."]),
        ("You work as a nurse. You have a cat called Miso.", []),
        ("Good morning!", []),
        ("", []),
    ],
)
def test_a_line_brings_up_the_one_thing_that_it_clearly_says(line: str, met: list[str]) -> None:
    facts = [a_fact(text) for text in KNOWN]
    assert [fact.text for fact in brought_up(line, facts, Ledger(facts, (), ("Sam",)))] == met


def test_a_line_of_the_longest_kind_is_read_in_no_time() -> None:
    facts = [a_fact(text) for text in KNOWN]
    assert brought_up(" ?" * 30_000, facts, Ledger(facts, (), ("Sam",))) == ()


@pytest.mark.parametrize(
    ("turns", "answered"),
    [
        ([(1, Role.CHARACTER, None), (2, Role.PERSON, None)], 1),
        ([(1, Role.CHARACTER, None), (3, Role.PERSON, None), (2, Role.PERSON, None)], 1),
        ([(1, Role.CHARACTER, None), (3, Role.PERSON, ALICE), (2, Role.PERSON, None)], None),
        ([(2, Role.PERSON, None), (1, Role.CHARACTER, None)], None),
        ([(2, Role.PERSON, None)], None),
        ([(1, Role.CHARACTER, None)], None),
    ],
)
def test_a_turn_answers_the_line_before_it_unless_somebody_else_spoke_between(
    turns: list[tuple[int, Role, Speaker | None]], answered: int | None
) -> None:
    said = [a_turn(number, role, speaker=speaker) for number, role, speaker in turns]
    line = line_before(a_turn(2, Role.PERSON), said)
    assert (None if line is None else line.id) == (None if answered is None else f"turn_{answered}")
