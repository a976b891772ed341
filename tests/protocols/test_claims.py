"""A value is known again in other words, and its opposite is no duplicate of it."""

import importlib.util
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.claims import (
    Claim,
    affirmed,
    claim_of,
    claims_of,
    opposes,
    replaces,
    same_claim,
)
from omoide.protocols.records import Entity, Rejection, RejectionId
from omoide.protocols.scopes import PRIVATE

_spec = importlib.util.spec_from_file_location("labelled_claims", Path(__file__).with_name("labelled_claims.py"))
assert _spec is not None
assert _spec.loader is not None
labelled = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(labelled)

LANGUAGES = ("ENGLISH", "CHINESE", "JAPANESE", "OTHER")


def pairs(relation: str) -> list[tuple[str, str]]:
    return [pair for language in LANGUAGES for pair in getattr(labelled, f"{language}_{relation}")]


def claim(text: str) -> Claim:
    return claim_of(text, leave_out=labelled.OWNERS)


def relations(one: str, other: str) -> set[str]:
    first, second = claim(one), claim(other)
    found = {
        "same": same_claim(first, second),
        "opposite": opposes(first, second),
        "replaces": replaces(first, second),
    }
    return {name for name, holds in found.items() if holds}


@pytest.mark.parametrize(("one", "other"), pairs("SAME"))
def test_these_are_one_value(one: str, other: str) -> None:
    assert relations(one, other) == {"same"}


@pytest.mark.parametrize(("one", "other"), pairs("OPPOSITE"))
def test_these_deny_one_another(one: str, other: str) -> None:
    assert relations(one, other) == {"opposite"}


@pytest.mark.parametrize(("one", "other"), pairs("REPLACES"))
def test_the_newer_takes_the_place_of_the_older(one: str, other: str) -> None:
    assert relations(one, other) == {"replaces"}


@pytest.mark.parametrize(("one", "other"), pairs("UNRELATED"))
def test_these_leave_one_another_alone(one: str, other: str) -> None:
    assert relations(one, other) == set()


# --- invariants -----------------------------------------------------------------------------------

SENTENCES = sorted(
    {
        text
        for relation in ("SAME", "OPPOSITE", "REPLACES", "UNRELATED")
        for pair in pairs(relation)
        for text in pair
    }
)


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_no_statement_is_both_the_same_and_the_opposite(one: str, other: str) -> None:
    first, second = claim(one), claim(other)
    assert sum((same_claim(first, second), opposes(first, second), replaces(first, second))) <= 1


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_opposition_is_mutual_unless_something_ended(one: str, other: str) -> None:
    first, second = claim(one), claim(other)
    if first.polarity != second.polarity and not (first.frame.hypothetical or second.frame.hypothetical):
        assert opposes(first, second) == opposes(second, first)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_claim_is_its_own(text: str) -> None:
    one = claim(text)
    assert same_claim(one, one) or one.is_empty


@pytest.mark.parametrize("text", SENTENCES)
def test_case_width_and_punctuation_leave_the_key(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if "a" <= char <= "z" else char for char in text)
    assert {claim(form).key for form in (text.upper(), wide, f" {text} !!", f"“{text}”")} == {claim(text).key}


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    first, second = claim_of(one), claim_of(other)
    assert not (same_claim(first, second) and opposes(first, second))


@given(st.text(max_size=60))
def test_the_opposite_of_an_opposite_is_affirmed(text: str) -> None:
    assert affirmed(claim_of(text)).polarity


def test_each_clause_has_its_claim() -> None:
    found = claims_of("I like tea, but I don't like coffee. My sister likes both.")
    assert [(one.polarity, one.terms) for one in found] == [(True, ("tea",)), (False, ("coffe",)), (True, ())]


def test_a_stored_rejection_reads_back_as_it_was() -> None:
    stored = Rejection(
        id=RejectionId("rej_0"),
        text="I work as a nurse at the hospital",
        denial="i don't work as a nurse any more",
        entity=Entity.OWNER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=0.0,
        cause="turn_1",
        created_at=0.0,
    )
    assert msgspec.json.decode(msgspec.json.encode(stored), type=Rejection) == stored
