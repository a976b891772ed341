"""What is found is compared with what is expected, and a mismatch says both."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.runtime.scenario.expect import SHOWN_TEXTS, check_texts, contains

FOUND = ("Sam is a nurse.", "Sam plays the cello.")


@pytest.mark.parametrize(
    "expected",
    [
        {"has": ["nurse", "CELLO"]},
        {"lacks": ["paramedic"]},
        {"first": "nurse"},
        {"count": 2},
        {},
        {"has": ["nurse"], "lacks": ["violin"], "first": "sam", "count": 2},
    ],
)
def test_what_is_as_expected_is_no_mismatch(expected: dict[str, Any]) -> None:
    assert check_texts(FOUND, what="hit", **expected) == []


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (
            {"has": ["violin"]},
            "expected a hit with 'violin', found 2 hits: 'Sam is a nurse.'; 'Sam plays the cello.'",
        ),
        ({"lacks": ["CELLO"]}, "expected no hit with 'CELLO', found 'Sam plays the cello.'"),
        ({"first": "cello"}, "expected 'cello' in the first hit, found 2 hits: "),
        ({"count": 1}, "expected 1 hit, found 2 hits: "),
        ({"count": 0}, "expected 0 hits, found 2 hits: "),
    ],
)
def test_a_mismatch_says_what_was_expected_and_what_was_found(expected: dict[str, Any], line: str) -> None:
    (mismatch,) = check_texts(FOUND, what="hit", **expected)
    assert str(mismatch).startswith(line)


def test_every_unmet_expectation_is_a_mismatch() -> None:
    mismatches = check_texts((), what="fact", has=["a", "b"], lacks=["c"], first="d", count=1)
    assert [mismatch.expected for mismatch in mismatches] == [
        "a fact with 'a'",
        "a fact with 'b'",
        "'d' in the first fact",
        "1 fact",
    ]


def test_a_long_list_is_shortened() -> None:
    (mismatch,) = check_texts([f"fact {n}" for n in range(9)], what="fact", count=0)
    assert mismatch.found.count("; ") == SHOWN_TEXTS - 1
    assert mismatch.found.endswith(" and 4 more")


@given(st.text(max_size=20), st.text(max_size=5), st.text(max_size=20))
def test_a_text_contains_each_of_its_parts_in_any_case(before: str, part: str, after: str) -> None:
    # The blanks keep the part from being composed with its neighbours.
    assert contains(f"{before} {part} {after}", part.casefold())


def test_width_does_not_matter() -> None:
    assert contains("Ｉ like Ｉceland", "i like iceland")
