"""What a person says next is an answer to what was brought up before it, and to nothing else."""

import pytest

from omoide.actors.signals.answers import answered, answers_as_signals, names_topic
from omoide.actors.signals.keywords import has_negative_keyword
from omoide.protocols.evidence import Signal
from omoide.protocols.ports import Feedback
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactId,
    Profile,
    Reflection,
    ReflectionId,
    Role,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.tasks import Target, TargetKind

SAM = Profile(owner="Sam")


def turn(name: str, text: str = "Hm.", role: Role = Role.PERSON) -> Turn:
    return Turn(id=TurnId(name), role=role, text=text, said_at=0, heard_at=0)


def reflection(name: str = "ref_1", text: str = "Sam loves running.", awaiting: str | None = "said") -> Reflection:
    return Reflection(
        id=ReflectionId(name),
        text=text,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(),
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
        awaiting=None if awaiting is None else TurnId(awaiting),
    )


def given(name: str, signal: Signal) -> Feedback:
    return Feedback(reflection=name, signal=signal)


def signals_of(text: str, *feedback: Feedback, profile: Profile = SAM) -> dict[str, Signal]:
    offered = [reflection(), reflection("ref_2", "Sam drinks green tea.")]
    unwelcome = {
        Target(TargetKind.REFLECTION, one.id)
        for one in offered
        if has_negative_keyword(text, profile.locale) and names_topic(text, one.text, profile)
    }
    signals, _ = answers_as_signals(turn("answer", text), offered, feedback, unwelcome)
    return {one.reflection: one.signal for one in signals}


WINDOW = [turn("before"), turn("said", role=Role.CHARACTER), turn("answer")]


@pytest.mark.parametrize(
    ("name", "found"), [("answer", ["ref_1"]), ("before", []), ("said", []), ("long ago", [])]
)
def test_only_what_came_after_the_line_answers_it(name: str, found: list[str]) -> None:
    assert [one.id for one in answered(TurnId(name), [reflection()], WINDOW)] == found


def test_a_line_that_has_left_the_window_came_before_all_of_it() -> None:
    assert answered(TurnId("before"), [reflection(awaiting="older")], WINDOW) != ()


def test_what_waits_for_nothing_is_not_answered() -> None:
    assert answered(TurnId("answer"), [reflection(awaiting=None)], WINDOW) == ()


def test_what_is_not_named_was_passed_over() -> None:
    assert signals_of("Hm.", given("ref_1", Signal.CONFIRMED)) == {
        "ref_1": Signal.CONFIRMED,
        "ref_2": Signal.IGNORED,
    }


def test_an_invented_id_is_dropped_with_a_count_and_moves_nothing_else() -> None:
    signals, held = answers_as_signals(
        turn("answer"), [reflection()], [given("ref_9", Signal.DENIED), given("ref_1", Signal.CONFIRMED)]
    )
    assert ([one.signal for one in signals], held.invented) == ([Signal.CONFIRMED], 1)


@pytest.mark.parametrize(
    "feedback",
    [
        [given("ref_1", Signal.CONFIRMED), given("ref_1", Signal.DENIED)],
        [given("ref_1", Signal.FACT_NEGATES)],
    ],
)
def test_what_a_mind_contradicts_itself_on_waits_for_the_next_words(feedback: list[Feedback]) -> None:
    assert signals_of("Hm.", *feedback) == {"ref_2": Signal.IGNORED}


def test_an_unwelcome_topic_that_is_named_is_a_rebuttal_and_not_silence() -> None:
    assert signals_of("Stop talking about running, it's annoying.") == {
        "ref_1": Signal.KEYWORD_REBUTS,
        "ref_2": Signal.IGNORED,
    }


@pytest.mark.parametrize("text", ["Stop, I'm dying of laughter!", "别说了，笑死我了", "I went running."])
def test_a_mood_or_a_topic_alone_rebuts_nothing(text: str) -> None:
    assert Signal.KEYWORD_REBUTS not in signals_of(text, profile=Profile(owner="Sam", locale="")).values()


def test_a_denial_is_not_counted_as_a_rebuttal_too() -> None:
    said = "Stop talking about running, I hate it."
    assert signals_of(said, given("ref_1", Signal.DENIED))["ref_1"] is Signal.DENIED


@pytest.mark.parametrize(
    ("said", "belief", "names"),
    [
        ("running again?", "Sam loves running.", True),
        ("Sam!", "Sam loves running.", False),
        ("不想再聊跑步了", "山姆常常提到跑步", True),
        ("もうやめて", "サムはよく走る", False),
    ],
)
def test_a_topic_is_named_by_a_word_of_content(said: str, belief: str, names: bool) -> None:
    assert names_topic(said, belief, SAM) is names
