"""What is said against a memory, or that it was brought up too often, takes memories out and brings none back."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.recall.memories import held_back, takes_part
from omoide.protocols.evidence import DAY_S
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactId,
    Mentions,
    Reflection,
    ReflectionId,
    ReflectionStatus,
)
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings

SETTINGS = Settings(data_dir=Path("unused"))
NOW = 1_772_442_000.0
AMOUNTS = st.floats(0, 8)
TIMES = st.none() | st.floats(NOW - 400 * DAY_S, NOW + DAY_S)


@st.composite
def reflections(draw: st.DrawFn) -> list[Reflection]:
    """Return reflections that say different things, of any evidence and status."""
    return [
        Reflection(
            id=ReflectionId(f"ref_{number}"),
            text=f"Sam likes tea of kind {number}.",
            entity=Entity.OWNER,
            subject=PRIVATE,
            sources=(FactId(f"fact_{number}"),),
            importance=5,
            evidence=Evidence(
                reinforcement=draw(st.floats(-3, 8)),
                disputation=draw(AMOUNTS),
                rein_last_signal_at=draw(TIMES),
                disp_last_signal_at=draw(TIMES),
            ),
            created_at=NOW - number,
            status=draw(st.sampled_from(ReflectionStatus)),
            status_at=NOW,
            age_anchor_at=NOW,
            next_eligible_at=NOW,
        )
        for number in range(draw(st.integers(1, 6)))
    ]


def recalled(known: list[Reflection]) -> set[ReflectionId]:
    part = [one for one in known if takes_part(one)]
    return {one.id for one in part} - held_back(part, NOW, SETTINGS)


@given(reflections(), st.data())
def test_more_dispute_denial_or_mentions_leave_a_subset(known: list[Reflection], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(known) - 1))
    one = known[place]
    tagged = data.draw(
        st.one_of(
            st.builds(
                lambda more: replace(
                    one,
                    evidence=replace(
                        one.evidence, disputation=one.evidence.disputation + more, disp_last_signal_at=NOW
                    ),
                ),
                AMOUNTS,
            ),
            st.just(replace(one, status=ReflectionStatus.DENIED)),
            st.just(replace(one, mentions=Mentions(suppressed_at=NOW))),
        )
    )
    assert recalled([*known[:place], tagged, *known[place + 1 :]]) <= recalled(known)


@given(reflections())
def test_what_nobody_disputed_stays_however_negative_it_is(known: list[Reflection]) -> None:
    quiet = [
        replace(one, status=ReflectionStatus.PENDING, evidence=replace(one.evidence, disputation=0.0))
        for one in known
    ]
    assert recalled(quiet) == {one.id for one in quiet}
