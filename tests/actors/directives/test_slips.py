"""Which mistyped words are understood."""

import pytest

from omoide.actors.directives.slips import slips


@pytest.mark.parametrize("typed", ["metion", "mentoin", "menttion", "mentin"])
def test_a_slip_of_the_finger_stands_for_the_word(typed: str) -> None:
    assert slips(["mention"], ())[typed] == "mention"


def test_an_ing_without_its_last_letter_is_understood() -> None:
    assert slips(["talking"], ())["talkin"] == "talking"


@pytest.mark.parametrize("typed", ["talking", "taking", "alking", "bmention"])
def test_real_words_and_other_first_letters_stay(typed: str) -> None:
    assert typed not in slips(["talking", "mention"], ["taking"])


def test_no_letter_may_be_missing_in_a_short_word() -> None:
    assert not {"sop", "stp"} & set(slips(["stop"], ()))
