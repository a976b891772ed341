"""Which subjects a turn may read, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import InvalidSubjectError
from omoide.protocols.readable import readable_by_turn
from omoide.protocols.records import Speaker
from omoide.protocols.scopes import MAX_SUBJECTS, parse_subjects

GROUP = "group:qq:77"
ALICE, BOB, CAROL, DAN, EVE = (Speaker(platform="qq", account=name) for name in ("a", "b", "c", "d", "e"))

speakers = st.none() | st.builds(Speaker, platform=st.sampled_from(["qq", "QQ", "discord", ""]), account=st.text())


def test_a_group_comes_first_then_who_speaks_then_the_members_who_spoke_last() -> None:
    recent = [None, BOB, ALICE, BOB, CAROL, None, DAN, EVE]

    assert readable_by_turn(GROUP, ALICE, recent, members=True, most_recent=3) == (
        GROUP,
        "member:qq:77:a",
        "member:qq:77:b",
        "member:qq:77:c",
        "member:qq:77:d",
    )


def test_the_owner_is_no_member_and_the_others_are_read_all_the_same() -> None:
    assert readable_by_turn(GROUP, None, [BOB], members=True, most_recent=3) == (GROUP, "member:qq:77:b")


def test_without_member_memory_the_group_stands_alone() -> None:
    assert readable_by_turn(GROUP, ALICE, [BOB], members=False, most_recent=3) == (GROUP,)


@pytest.mark.parametrize("where", ["private", "participant:qq:a", "member:qq:77:a"])
def test_elsewhere_the_conversation_reads_itself_alone(where: str) -> None:
    assert readable_by_turn(where, ALICE, [BOB], members=True, most_recent=3) == (where,)


@pytest.mark.parametrize(
    "where", ["", "  ", "group", "group:", "group:qq", "group:qq:", "group:qq: ", "group::77"]
)
def test_a_group_without_an_id_reads_nothing_rather_than_private_memory(where: str) -> None:
    with pytest.raises(InvalidSubjectError):
        readable_by_turn(where, ALICE, [BOB], members=True, most_recent=3)


@pytest.mark.parametrize(
    "speaker",
    [
        Speaker(platform="discord", account="a"),
        Speaker(platform="qq", account=" "),
        Speaker(platform="qq", account="a\nb"),
        Speaker(platform="qq", account="a" * 257),
    ],
    ids=["of another platform", "blank", "with a control character", "too long"],
)
def test_who_is_no_account_of_the_groups_platform_has_no_slot_in_it(speaker: Speaker) -> None:
    assert readable_by_turn(GROUP, speaker, [speaker], members=True, most_recent=3) == (GROUP,)
    assert len(readable_by_turn(GROUP, ALICE, [], members=True, most_recent=3)) == 2


def test_a_member_of_one_group_can_not_pass_for_one_of_another_whose_id_has_a_colon() -> None:
    in_a_b = readable_by_turn("group:qq:a:b", Speaker(platform="qq", account="c"), [], members=True, most_recent=3)
    in_a = readable_by_turn("group:qq:a", Speaker(platform="qq", account="b:c"), [], members=True, most_recent=3)

    assert in_a_b == ("group:qq:a:b", "member:qq:a%3Ab:c")
    assert in_a == ("group:qq:a", "member:qq:a:b:c")


@given(speaker=speakers, recent=st.lists(speakers, max_size=40), members=st.booleans(), most=st.integers(0, 6))
def test_whoever_speaks_a_group_reads_one_group_its_members_and_nothing_else(
    speaker: Speaker | None, recent: list[Speaker | None], members: bool, most: int
) -> None:
    found = readable_by_turn(GROUP, speaker, recent, members=members, most_recent=most)

    assert found[0] == GROUP
    assert all(subject.startswith("member:qq:77:") for subject in found[1:])
    assert len(found) == len(set(found)) <= min(MAX_SUBJECTS, 2 + most)
    assert parse_subjects(found) == found
