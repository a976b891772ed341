"""Which turn a turn takes back: the same person's last, said shortly before."""

from __future__ import annotations

import pytest

from omoide.actors.dedup.ledger import Ledger
from omoide.actors.dedup.second_thoughts import (
    WITHIN_S,
    second_thought,
    second_thought_on_a_line,
    taken_back_by,
)
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import PRIVATE

ALICE = Speaker(platform="qq", account="1001", label="Alice")


def turns(*said: str | tuple[str, Role | Speaker], apart_s: float = 1.0) -> list[Turn]:
    found = []
    for number, one in enumerate(said):
        text, by = one if isinstance(one, tuple) else (one, Role.PERSON)
        found.append(
            Turn(
                id=TurnId(f"turn_{number}"),
                role=by if isinstance(by, Role) else Role.PERSON,
                text=text,
                subject=PRIVATE,
                speaker=by if isinstance(by, Speaker) else None,
                said_at=number * apart_s,
                heard_at=number * apart_s,
            )
        )
    return found


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (("I have a goat.", "Just kidding!"), "turn_0"),
        (("I have a goat.", ("Lovely!", Role.CHARACTER), "Just kidding!"), "turn_0"),
        (("I have a goat.", ("I have a cow.", ALICE), "Just kidding!"), "turn_0"),
        (("I have a goat.", ("Just kidding!", ALICE)), None),
        (("I have two goats.", "Wait, no.", "I have three goats."), "turn_0"),
        (("I have a goat.", ("A cat too?", Role.CHARACTER), "No, I have a dog."), None),
        (("I have a goat.", ("A cat too?", Role.CHARACTER), "No wait, I have a dog."), "turn_0"),
        (("I have a goat.", "It rains.", "Just kidding!"), "turn_1"),
        (("I have a goat called Hops.", "It rains.", "He's called Hobbes, not Hops."), "turn_0"),
        (("I have two sons.", ("Daughters too?", ALICE), "No, I have one niece."), None),
        (("I have two sons.", ("Lovely!", ALICE), "No wait, three."), "turn_0"),
        (("I keep bees.", ("Are you joking?", ALICE), "No, I'm not!"), None),
        (("I have a goat called Hops.", "It rains.", "No wait, a cow."), None),
        (("Just kidding!",), None),
    ],
)
def test_what_is_taken_back_is_the_same_persons_last_turn(
    said: tuple[str | tuple[str, Role | Speaker], ...], taken: str | None
) -> None:
    all_turns = turns(*said)
    found = second_thought(all_turns[-1], all_turns)
    assert (None if found is None else found.turn) == taken


def test_after_a_while_nothing_is_taken_back() -> None:
    soon, late = (turns("I have a goat.", "Just kidding!", apart_s=s) for s in (WITHIN_S, WITHIN_S + 1))
    assert (second_thought(soon[1], soon) is None, second_thought(late[1], late)) == (False, None)


def test_a_turn_knows_which_later_turns_take_it_back() -> None:
    said = turns("I have two goats.", "No wait, three.", "It rains.")
    assert [[taker.id for taker, _ in taken_back_by(one, said)] for one in said] == [["turn_1"], [], []]


@pytest.mark.parametrize(
    ("line", "said", "meant"),
    [
        ("You were born in 1990, right?", "No, in 1991.", "I was born in 1991."),
        ("How nice. You were born in 1990, right?", "No, in 1991.", "I was born in 1991."),
        ("You were born in 1990, right? Do you like it?", "No, in 1991.", None),
        ("You were born in 1990, right?", "No.", None),
        ("You were born in 1990, right?", "Yes, in 1990.", None),
    ],
)
def test_what_a_line_brought_up_is_put_right_in_a_word(line: str, said: str, meant: str | None) -> None:
    first, second = turns("I was born in 1990.", said)
    fact = fact_of(first, Candidate(text=first.text, entity=Entity.OWNER, importance=5), 1.0)
    found = second_thought_on_a_line(second, line, Ledger([fact], (), ("Sam",)))
    assert (None if found is None else found[1].text) == meant
