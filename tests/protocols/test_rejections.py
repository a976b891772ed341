"""What a rejection holds back, what lifts it, and that its states follow the person's own time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.protocols.claims import claim_of
from omoide.protocols.records import Entity, Rejection, RejectionId
from omoide.protocols.rejections import holds_back, identified, is_lifted_by, lifted, rejected, values_of
from omoide.protocols.scopes import PRIVATE

NAMES = ("Sam",)


def a_rejection(
    text: str = "I work as a nurse at Saint Mary's hospital.",
    *,
    denial: str = "i don't work as a nurse",
    about: str = "",
    by: str = "",
    firm: bool = False,
    entity: Entity = Entity.OWNER,
    at: float = 10.0,
    cause: str = "turn_2",
) -> Rejection:
    return identified(
        Rejection(
            id=RejectionId(""),
            text=text,
            denial=denial,
            names=NAMES,
            about=about,
            by=by,
            firm=firm,
            entity=entity,
            subject=PRIVATE,
            disputation=1.0,
            disputed_at=at,
            cause=cause,
            created_at=at,
        )
    )


@pytest.mark.parametrize(
    ("text", "speaker", "entity", "held"),
    [
        ("I work as a nurse.", "", Entity.OWNER, True),
        ("I'm a nurse at another hospital.", "", Entity.OWNER, True),
        ("Sam works as a nurse", "qq:1", Entity.OTHER, True),
        ("works as a nurse", "qq:1", Entity.OWNER, True),
        ("I work as a nurse.", "qq:1", Entity.OTHER, False),
        ("works as a nurse", "qq:1", Entity.OTHER, False),
        ("I don't work as a nurse.", "", Entity.OWNER, False),
        ("I work as a paramedic.", "", Entity.OWNER, False),
        ("My sister works as a nurse.", "", Entity.OTHER, False),
        ("I was a nurse.", "", Entity.OWNER, False),
        ("I like tea and I work as a nurse", "", Entity.OWNER, True),
        ("The user is a nurse", "", Entity.CHARACTER, True),
    ],
)
def test_a_denied_value_holds_back_who_says_it_of_the_same_person(
    text: str, speaker: str, entity: Entity, *, held: bool
) -> None:
    assert holds_back(a_rejection(), text, entity=entity, speaker=speaker, names=NAMES) is held


def test_a_denial_is_wider_than_what_was_believed_and_a_rejected_entry_is_not() -> None:
    entry = a_rejection(denial="")
    held = [
        holds_back(one, "I work as a nurse in Rome", entity=Entity.OWNER, names=NAMES)
        for one in (a_rejection(), entry)
    ]
    assert held == [True, False]


def test_a_text_that_no_rule_reads_is_held_back_by_its_very_words() -> None:
    rejection = a_rejection("Grrr, ¡qué lata!", denial="")
    assert holds_back(rejection, "grrr, ¡QUÉ lata", entity=Entity.OWNER)
    assert not holds_back(rejection, "grrr", entity=Entity.OWNER)


def test_what_is_rejected_of_the_character_leaves_the_owners_own_alone() -> None:
    rejection = a_rejection("likes tea", denial="", entity=Entity.CHARACTER)
    assert holds_back(rejection, "likes tea", entity=Entity.CHARACTER)
    assert not holds_back(rejection, "I like tea", entity=Entity.OWNER)


def test_what_another_member_rejects_holds_back_their_own_words_alone() -> None:
    rejection = a_rejection("I like tea", denial="i don't like tea", about="qq:1", by="qq:1")
    assert holds_back(rejection, "I like tea", entity=Entity.OTHER, speaker="qq:1")
    assert not holds_back(rejection, "I like tea", entity=Entity.OWNER, speaker="")
    assert not holds_back(rejection, "I like tea", entity=Entity.OTHER, speaker="qq:2")


def test_an_owner_who_gets_another_name_is_known_by_the_old_one_too() -> None:
    rejection = a_rejection()
    assert holds_back(rejection, "Sam works as a nurse", entity=Entity.OTHER, speaker="qq:1", names=("Samuel",))
    assert holds_back(rejection, "Samuel works as a nurse", entity=Entity.OTHER, speaker="qq:1", names=("Samuel",))


def test_words_that_deny_nothing_by_themselves_leave_the_value_as_it_was_believed() -> None:
    rejection = a_rejection(denial="and doesn't either")
    assert (rejection.denial, [claim.terms for claim in values_of(rejection)]) == (
        "",
        [claim_of(rejection.text, leave_out=NAMES).terms],
    )


def test_the_id_follows_from_the_words_and_not_from_their_clothes_or_time() -> None:
    one, other = a_rejection(), a_rejection(denial="I DON'T work as a nurse!", at=99.0, cause="turn_9")
    assert one.id == other.id
    assert one.id != a_rejection(denial="i don't live in kyoto", text="I live in Kyoto").id


@pytest.mark.parametrize(
    ("said", "at", "cause", "by", "insists", "firm", "lifts"),
    [
        ("I work as a nurse", 20.0, "turn_3", "", True, False, True),
        ("I work as a nurse", 20.0, "turn_3", "", False, False, True),
        ("I work as a nurse", 20.0, "turn_3", "", False, True, False),
        ("I work as a nurse", 20.0, "turn_3", "", True, True, True),
        ("I work as a nurse", 5.0, "turn_1", "", True, False, False),
        ("I work as a nurse", 10.0, "turn_2", "", True, False, False),
        ("I work as a nurse", 20.0, "turn_3", "qq:1", True, False, False),
        ("I work as a paramedic", 20.0, "turn_3", "", True, False, False),
        ("I don't work as a nurse", 20.0, "turn_3", "", True, False, False),
    ],
)
def test_a_rejection_is_lifted_by_its_own_person_later_and_on_purpose_where_it_was_made_so(
    said: str, at: float, cause: str, by: str, *, insists: bool, firm: bool, lifts: bool
) -> None:
    assert (
        is_lifted_by(a_rejection(firm=firm), claim_of(said), at=at, cause=cause, by=by, insists=insists) is lifts
    )


def test_a_lifted_rejection_holds_nothing_back_until_the_value_is_denied_again() -> None:
    freed = lifted(a_rejection(), 20.0, "turn_3")
    again = rejected(freed, a_rejection(at=30.0, cause="turn_4"))
    held = [holds_back(one, "I work as a nurse", entity=Entity.OWNER) for one in (freed, again)]
    assert held == [False, True]


def test_a_denial_that_is_learned_after_a_later_affirmation_leaves_it_lifted() -> None:
    freed = lifted(a_rejection(at=10.0), 20.0, "turn_3")
    assert rejected(freed, a_rejection(at=15.0, cause="turn_late")) == freed


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 50)), min_size=1, max_size=8, unique_by=lambda event: event[1]
    ),
    st.randoms(use_true_random=False),
)
def test_denials_in_any_order_end_in_the_last(events: list[tuple[bool, int]], chance: object) -> None:
    denials = [a_rejection(at=float(at), cause=f"turn_{at}", firm=firm) for firm, at in events]
    shuffled = list(denials)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    state: Rejection | None = None
    for one in [*shuffled, *shuffled]:
        state = rejected(state, one)
    last = max(denials, key=lambda one: one.disputed_at)
    assert state is not None
    assert (state.disputed_at, state.cause) == (last.disputed_at, last.cause)
    assert rejected(state, replace(last)) == state
