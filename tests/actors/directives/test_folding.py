"""What counts as the same writing of a term, and where it stood."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.folding import fold, fold_term


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marcus", "MARCUS"),
        ("Ｍａｒｃｕｓ", "Marcus"),
        ("ﾗｰﾒﾝ", "らーめん"),
        ("ガキ", "ｶﾞｷ"),
        ("學校", "学校"),
        ("José", "Jose\u0301"),
        ("José", "jose"),
        ("Straße", "STRASSE"),
        ("ёлка", "ЕЛКА"),
        ("cœur", "coeur"),
        ("Mar\u200bcus", "Marcus"),
        ("Mar\u00adcus", "Marcus"),
        ("  my\u00a0 ex ", "my ex"),
        ("tomorrow\u2019s", "tomorrow's"),
        ("\u1112\u1161\u11ab", "한"),
        ("妳", "你"),
    ],
)
def test_two_writings_have_one_key(one: str, other: str) -> None:
    assert fold_term(one) == fold_term(other)


@pytest.mark.parametrize(
    ("one", "other"), [("かき", "がき"), ("мой", "мои"), ("spider", "spiders"), ("ann", "anne")]
)
def test_two_words_have_two_keys(one: str, other: str) -> None:
    assert fold_term(one) != fold_term(other)


@given(st.text(max_size=40))
def test_the_key_of_a_key_is_itself(term: str) -> None:
    assert fold_term(fold_term(term)) == fold_term(term)


@given(st.text(max_size=40))
def test_composed_and_decomposed_forms_have_one_key(term: str) -> None:
    composed = unicodedata.normalize("NFC", term)
    assert fold_term(composed) == fold_term(unicodedata.normalize("NFD", composed))


@given(st.text(max_size=60))
def test_every_folded_character_lies_inside_the_original(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(st.text(max_size=60))
def test_folded_characters_stay_in_order(text: str) -> None:
    folded = fold(text)
    assert list(folded.starts) == sorted(folded.starts)


def test_a_span_covers_the_marks_of_its_last_character() -> None:
    text = "Rene\u0301!"
    assert text[slice(*fold(text).span(0, 4))] == "Rene\u0301"
