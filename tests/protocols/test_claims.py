"""A value is known again in other words, and its opposite is no duplicate of it."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.claims import (
    Claim,
    affirmed,
    claim_of,
    claims_of,
    matches,
    opposes,
    replaces,
    same_claim,
)

_spec = importlib.util.spec_from_file_location("labelled_claims", Path(__file__).with_name("labelled_claims.py"))
assert _spec is not None
assert _spec.loader is not None
labelled = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(labelled)

LANGUAGES = ("ENGLISH", "CHINESE", "JAPANESE")


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
