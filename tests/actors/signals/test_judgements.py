"""A model's judgement reaches only what it was shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.signals.judgements import (
    FROM_FACTS,
    FROM_FEEDBACK,
    Accepted,
    Judgement,
    accepted,
    may_move_evidence,
)
from omoide.protocols.evidence import Signal
from omoide.protocols.records import FactId, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.tasks import Target, TargetKind

RUNNING = Target(TargetKind.REFLECTION, "ref_running")
TEA = Target(TargetKind.PERSONA, "prom_tea")
FACT = FactId("fact_1")


def judged(
    target: Target = RUNNING, signal: Signal = Signal.FACT_REINFORCES, fact: FactId | None = FACT
) -> Judgement:
    return Judgement(target=target, signal=signal, fact=fact)


def of(*judgements: Judgement) -> Accepted:
    return accepted(judgements, targets={RUNNING, TEA}, facts={FACT}, signals=FROM_FACTS)


def test_what_was_offered_stands_in_its_order() -> None:
    some = (judged(TEA), judged(RUNNING, Signal.FACT_NEGATES))
    assert of(*some) == Accepted(kept=some)


@pytest.mark.parametrize(
    "invented",
    [
        judged(Target(TargetKind.REFLECTION, "ref_invented")),
        judged(Target(TargetKind.PERSONA, "ref_running")),
        judged(fact=FactId("fact_invented")),
        judged(fact=None),
    ],
)
def test_an_invented_id_is_dropped_and_counted(invented: Judgement) -> None:
    assert of(invented, judged()) == Accepted(kept=(judged(),), invented=1)


def test_a_signal_of_another_task_is_dropped_and_counted() -> None:
    assert of(judged(signal=Signal.DENIED)) == Accepted(kept=(), misplaced=1)


def test_a_judgement_counts_once() -> None:
    assert of(judged(), replace(judged(), reason="again")) == Accepted(kept=(judged(),), repeated=1)


def test_for_and_against_by_one_fact_is_no_judgement() -> None:
    assert of(judged(), judged(signal=Signal.FACT_NEGATES), judged(TEA)) == Accepted(
        kept=(judged(TEA),), contradictory=2
    )


def test_feedback_rests_on_no_fact() -> None:
    one = judged(signal=Signal.IGNORED, fact=None)
    assert accepted([one], targets={RUNNING}, facts={None}, signals=FROM_FEEDBACK).kept == (one,)


JUDGEMENTS = st.lists(
    st.builds(
        judged,
        st.builds(Target, st.sampled_from(TargetKind), st.sampled_from(["ref_running", "prom_tea", "ref_x"])),
        st.sampled_from(Signal),
        st.sampled_from([FACT, FactId("fact_2"), None]),
    ),
    max_size=20,
)


@given(JUDGEMENTS)
def test_every_judgement_is_kept_or_counted(some: list[Judgement]) -> None:
    found = of(*some)
    dropped = found.invented + found.misplaced + found.repeated + found.contradictory
    assert len(found.kept) + dropped == len(some)
    assert all(one.target in {RUNNING, TEA} and one.fact == FACT for one in found.kept)


def turn(role: Role = Role.PERSON, subject: Subject = PRIVATE, speaker: Speaker | None = None) -> Turn:
    return Turn(id=TurnId("t"), role=role, text="x", subject=subject, speaker=speaker, said_at=0, heard_at=0)


def test_only_the_owners_words_in_private_move_evidence() -> None:
    stranger = Speaker(platform="qq", account="1")
    turns = (
        turn(),
        turn(role=Role.CHARACTER),
        turn(subject=Subject("group:qq:7")),
        turn(speaker=stranger),
    )
    assert [may_move_evidence(one) for one in turns] == [True, False, False, False]
