"""Subjects: a key names one subject, whatever ids a platform has, and nothing that is malformed is one."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from omoide.protocols.erasure import owned_by
from omoide.protocols.errors import InvalidSubjectError
from omoide.protocols.scopes import PRIVATE, parse_subject, parse_subjects, parts_of, subject_of

tricky = st.text("ab:%3A25@!.- 群é", min_size=1, max_size=12)
any_text = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=40)
ids = (tricky | any_text).map(str.strip).filter(bool)
platforms = st.from_regex(r"\A[a-z0-9_.-]{1,8}\Z")
parts = st.one_of(
    st.tuples(st.just("group"), platforms, ids),
    st.tuples(st.just("participant"), platforms, ids),
    st.tuples(st.just("member"), platforms, ids, ids),
)


@settings(max_examples=60)
@given(parts)
@example(("member", "matrix", "!abc:server.org", "@alice:server.org"))
@example(("member", "x", "%3A:%25%", "%3A"))
def test_a_key_gives_back_what_it_was_made_of_and_reads_as_itself(made_of: tuple[str, ...]) -> None:
    key = subject_of(*made_of)

    assert parts_of(key) == made_of
    assert parse_subject(key) == key
    assert parse_subjects([key]) == (key,)


@settings(max_examples=60)
@given(parts, parts)
@example(("member", "x", "a:b", "c"), ("member", "x", "a", "b:c"))
@example(("member", "x", "a%3Ab", "c"), ("member", "x", "a:b", "c"))
@example(("group", "x", "a:b"), ("member", "x", "a", "b"))
def test_two_subjects_have_two_keys(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assume(one != other)

    assert subject_of(*one) != subject_of(*other)


@settings(max_examples=30)
@given(platforms, ids, ids)
def test_a_members_memory_is_its_accounts_whatever_the_group_is_called(
    platform: str, group: str, account: str
) -> None:
    key = subject_of("member", platform, group, account)

    assert owned_by(f"{platform}:{account}", key)
    assert not owned_by(f"{platform}:{group}", key) or group == account


def test_a_platform_is_folded_and_an_account_is_not() -> None:
    assert parse_subject(" participant:QQ: Alice:1 ") == "participant:qq:Alice:1"
    assert subject_of("participant", "QQ", " Alice:1 ") == "participant:qq:Alice:1"


@pytest.mark.parametrize(
    "malformed",
    [
        *("", "  ", "everything", "private:x", "Private"),
        *("group", "group:qq", "group:qq:", "member:qq:77", "member:qq::1", "participant::1"),
        *("group:qq:a\nb", "group:qq:\ud800", "participant:qq:" + "a" * 257),
    ],
)
def test_what_is_malformed_is_refused_and_never_private(malformed: str) -> None:
    with pytest.raises(InvalidSubjectError):
        parse_subject(malformed)
    with pytest.raises(InvalidSubjectError):
        parse_subjects([PRIVATE, malformed])


@pytest.mark.parametrize(
    "wrong",
    [("private",), ("group", "qq"), ("group", "q:q", "1"), ("member", "qq", "77", " "), ("band", "a", "b")],
)
def test_parts_that_make_no_subject_are_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(InvalidSubjectError):
        subject_of(*wrong)


def test_a_missing_list_is_private_and_an_empty_one_or_one_of_nine_is_refused() -> None:
    assert parse_subjects(None) == (PRIVATE,)
    assert len(parse_subjects([f"group:qq:{number}" for number in range(8)])) == 8
    for refused in ([], [f"group:qq:{number}" for number in range(9)], "private"):
        with pytest.raises(InvalidSubjectError):
            parse_subjects(refused)
