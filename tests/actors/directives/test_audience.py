"""What is read of a subject's turns, and that each of them counts once."""

from __future__ import annotations

import pytest

from omoide.actors.directives.audience import FIRST_READ, MOST_READ, Audience, is_enough
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.settings import RepetitionSettings

SETTINGS = RepetitionSettings(background=3)
LONG = "one two three four five six seven eight nine ten eleven twelve"


def turn(number: int, role: Role) -> Turn:
    return Turn(
        id=TurnId(f"turn_{number}"), role=role, text=f"{LONG} {number}", said_at=0.0, heard_at=float(number)
    )


def test_a_turn_that_was_read_already_is_not_taken_in_again() -> None:
    turns = [turn(1, Role.CHARACTER), turn(2, Role.PERSON)]
    audience = Audience(SETTINGS, turns)
    audience.take(turns[0])
    audience.take(turn(3, Role.CHARACTER))

    assert [output.said_at for output in audience.corpus.outputs] == [1.0, 3.0]


def test_what_was_heard_last_is_what_a_person_said() -> None:
    audience = Audience(SETTINGS, [turn(1, Role.PERSON), turn(2, Role.PERSON), turn(3, Role.CHARACTER)])

    assert audience.said == f"{LONG} 2"


@pytest.mark.parametrize(
    ("roles", "asked", "enough"),
    [
        ("pc", FIRST_READ, True),
        ("p" * FIRST_READ, FIRST_READ, False),
        ("c" * FIRST_READ, FIRST_READ, False),
        ("p" * (FIRST_READ - 2) + "cc", FIRST_READ, False),
        ("p" * (FIRST_READ - 3) + "ccc", FIRST_READ, True),
        ("p" * MOST_READ, MOST_READ, True),
    ],
)
def test_as_many_turns_are_read_as_fill_the_corpus_and_hold_one_of_the_person(
    roles: str, asked: int, enough: bool
) -> None:
    turns = [turn(at, Role.PERSON if role == "p" else Role.CHARACTER) for at, role in enumerate(roles)]

    assert is_enough(turns, asked, SETTINGS) == enough
