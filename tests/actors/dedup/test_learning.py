"""Facts learned from turns: the same whatever the order of arrival, and however often each step is run."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.dedup.learning import changes_of, stated_facts
from omoide.protocols.events import FactAdded, FactRepeated
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, FactId, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import PRIVATE, Subject

Heard = tuple[Turn, tuple[Candidate, ...]]

ALICE = Speaker(platform="qq", account="1001", label="Alice")
STATEMENTS = [
    "I like tea.",
    "i LIKE tea",
    "I really like tea!",
    "I don't like tea.",
    "Ingrid lives in Bergen.",
    "我喜欢茶。",
]


@st.composite
def conversations(draw: st.DrawFn) -> list[Heard]:
    candidates = st.builds(
        Candidate,
        text=st.sampled_from(STATEMENTS),
        entity=st.sampled_from(Entity),
        importance=st.integers(1, 10),
    )
    return [
        (
            Turn(
                id=TurnId(f"turn_{number}"),
                role=Role.PERSON,
                text="as heard",
                subject=draw(st.sampled_from([PRIVATE, Subject("group:qq:77")])),
                speaker=draw(st.sampled_from([None, ALICE])),
                trust=draw(st.sampled_from([None, 0.2, 0.9])),
                said_at=draw(st.floats(0, 100)),
                heard_at=100.0 + number,
            ),
            tuple(draw(st.lists(candidates, max_size=4))),
        )
        for number in range(draw(st.integers(1, 25)))
    ]


def learn(heard: Iterable[Heard]) -> dict[FactId, Fact]:
    """Run the background step for each turn, as dedup does."""
    stored: dict[FactId, Fact] = {}
    for turn, candidates in heard:
        for change in changes_of(stated_facts(turn, candidates, now=1_000.0), stored):
            stored[change.fact.id] = change.fact
    return stored


@given(conversations(), st.randoms(use_true_random=False))
def test_the_order_of_ops_does_not_change_what_is_learned(heard: list[Heard], chance: st.DataObject) -> None:
    shuffled = list(heard)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]

    assert learn(shuffled) == learn(heard)


@given(conversations(), st.data())
def test_ops_that_run_again_do_not_change_what_is_learned(heard: list[Heard], data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(heard), max_size=10))

    assert learn([*heard, *again]) == learn(heard)


@given(conversations())
def test_a_step_that_runs_again_at_once_changes_nothing(heard: list[Heard]) -> None:
    stored = learn(heard)
    turn, candidates = heard[-1]

    assert changes_of(stated_facts(turn, candidates, now=2_000.0), stored) == ()


def heard(text: str, *, turn: str = "turn_1", subject: Subject = PRIVATE, speaker: Speaker | None = None) -> Heard:
    return (
        Turn(
            id=TurnId(turn),
            role=Role.PERSON,
            text=text,
            subject=subject,
            speaker=speaker,
            said_at=1.0,
            heard_at=1.0,
        ),
        (Candidate(text=text, entity=Entity.OWNER, importance=5),),
    )


def test_a_statement_in_other_clothes_is_the_same_fact_with_one_more_source() -> None:
    (fact,) = learn([heard("I like tea."), heard("i  LIKE tea!!", turn="turn_2")]).values()

    assert [source.turn for source in fact.sources] == ["turn_1", "turn_2"]


def test_the_opposite_is_another_fact() -> None:
    assert len(learn([heard("I like tea."), heard("I don't like tea.", turn="turn_2")])) == 2


def test_the_same_words_from_somebody_else_are_another_fact() -> None:
    assert len(learn([heard("I like tea."), heard("I like tea.", turn="turn_2", speaker=ALICE)])) == 2


def test_the_same_words_in_a_group_are_another_fact() -> None:
    group = Subject("group:qq:77")

    assert len(learn([heard("I like tea."), heard("I like tea.", turn="turn_2", subject=group)])) == 2


def test_what_is_new_is_added_and_what_is_known_is_repeated() -> None:
    stored = learn([heard("I like tea.")])
    again = stated_facts(*heard("I like tea.", turn="turn_2"), now=9.0)
    fresh = stated_facts(*heard("Ingrid lives in Bergen.", turn="turn_2"), now=9.0)

    changes = changes_of(again | fresh, stored)

    assert [type(change) for change in changes] == [FactRepeated, FactAdded]
