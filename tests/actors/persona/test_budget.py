"""One long entry hides nothing, protected ones come first, and a budget holds."""

import math

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.persona.budget import Item, pick, pick_scoped, pick_suppressed
from omoide.protocols.prompt_tokens import estimated_tokens
from omoide.protocols.settings import RenderSettings

SETTINGS = RenderSettings()


def item(name: str, words: int = 5, score: float = 1.0, importance: int = 5) -> Item:
    return Item(id=name, text="word " * words, score=score, importance=importance)


def card(name: str, words: int = 5) -> Item:
    return Item(id=name, text="word " * words, score=math.inf, importance=10, protected=True)


def names(items: tuple[Item, ...]) -> list[str]:
    return [one.id for one in items]


def test_an_entry_that_does_not_fit_hides_none_behind_it() -> None:
    picked = pick([item("long", 500, score=3), item("short", score=2), item("last", score=1)], 100, SETTINGS)
    assert names(picked.kept) == ["short", "last"]
    assert names(picked.left_out) == ["long"]


def test_the_order_is_score_then_importance() -> None:
    items = [item("c", score=1, importance=5), item("b", score=1, importance=9), item("a", score=2)]
    assert names(pick(items, 1_000, SETTINGS).kept) == ["a", "b", "c"]


def test_protected_entries_come_first_and_cost_nothing() -> None:
    picked = pick([item("a"), card("card", 9_000)], 17, SETTINGS)
    assert (names(picked.kept), picked.tokens) == (["card", "a"], 17)


def test_protected_entries_are_limited_in_number() -> None:
    picked = pick([card(f"{at:03}") for at in range(100)], 0, SETTINGS)
    assert (len(picked.kept), len(picked.left_out)) == (80, 20)


def test_suppressed_entries_are_limited_in_number() -> None:
    assert len(pick_suppressed([item(str(at), 900) for at in range(50)], SETTINGS).kept) == 40


def test_a_subject_with_too_little_left_is_left_out_whole() -> None:
    settings = RenderSettings(total_tokens=300)
    picks = pick_scoped([[item("a", 100)], [item("b", 50)], [item("c", 1)]], 2_000, settings)
    assert [names(picked.kept) for picked in picks] == [["a"], [], []]


def test_subjects_are_served_in_their_order() -> None:
    settings = RenderSettings(total_tokens=500)
    picks = pick_scoped([[item("a", 100)], [item("b", 300), item("c", 100)]], 2_000, settings)
    assert [names(picked.kept) for picked in picks] == [["a"], ["b"]]


ITEMS = st.lists(
    st.builds(
        lambda name, words, score, importance, protected: Item(
            id=name,
            text="word " * words,
            score=math.inf if protected else score,
            importance=importance,
            protected=protected,
        ),
        st.text(alphabet="abcdef", min_size=6, max_size=6),
        st.integers(min_value=0, max_value=60),
        st.floats(min_value=-3, max_value=3),
        st.integers(min_value=1, max_value=10),
        st.booleans(),
    ),
    max_size=20,
    unique_by=lambda one: one.id,
)


@given(ITEMS, st.integers(min_value=0, max_value=600))
def test_nothing_is_lost_and_nothing_exceeds_the_budget(items: list[Item], tokens: int) -> None:
    picked = pick(items, tokens, SETTINGS)
    assert sorted(names((*picked.kept, *picked.left_out))) == sorted(one.id for one in items)
    spent = sum(estimated_tokens(one.text) + 12 for one in picked.kept if not one.protected)
    assert spent == picked.tokens <= tokens


@given(ITEMS, st.integers(min_value=0, max_value=600))
def test_what_was_left_out_would_not_have_fit(items: list[Item], tokens: int) -> None:
    picked = pick(items, tokens, SETTINGS)
    assert all(
        one.protected or picked.tokens + estimated_tokens(one.text) + 12 > tokens for one in picked.left_out
    )


@given(ITEMS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(items: list[Item], random: object) -> None:
    shuffled = sorted(items, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert pick(shuffled, 200, SETTINGS) == pick(items, 200, SETTINGS)


@given(st.lists(ITEMS, max_size=5))
def test_all_subjects_together_keep_to_one_budget(subjects: list[list[Item]]) -> None:
    settings = RenderSettings(total_tokens=400)
    assert sum(picked.tokens for picked in pick_scoped(subjects, 200, settings)) <= 400
