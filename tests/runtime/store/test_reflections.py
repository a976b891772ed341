"""A tier is computed in SQL as everywhere else: from the counters and the moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.protocols.events import ReflectionSynthesised
from omoide.protocols.evidence import DAY_S, Tier, tier
from omoide.protocols.messages import Commit
from omoide.protocols.records import Entity, Evidence, FactId, Reflection, ReflectionId, ReflectionStatus
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import EvidenceSettings, Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import open_store
from omoide.runtime.store.reflections import register

START = 1_772_442_000.0
WEIGHTS = EvidenceSettings()
GROUP = Subject("group:qq:77")


def reflection(name: str, **changes: object) -> Reflection:
    plain = Reflection(
        id=ReflectionId(name),
        text=name,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(),
        created_at=START,
        status_at=START,
        age_anchor_at=START,
        next_eligible_at=START,
    )
    return replace(plain, **changes)


@settings(max_examples=200)
@given(
    st.floats(-5, 5),
    st.floats(0, 5),
    st.none() | st.floats(START - 400 * DAY_S, START),
    st.none() | st.floats(START - 400 * DAY_S, START),
    st.booleans(),
    st.floats(0, 400),
)
def test_the_tier_in_sql_is_the_tier_in_python(
    agreed: float,
    disputed: float,
    agreed_at: float | None,
    disputed_at: float | None,
    protected: bool,
    days: float,
) -> None:
    evidence = Evidence(
        reinforcement=agreed,
        disputation=disputed,
        rein_last_signal_at=agreed_at,
        disp_last_signal_at=disputed_at,
        protected=protected,
    )
    now = START + days * DAY_S
    with closing(sqlite3.connect(":memory:")) as connection:
        register(connection, WEIGHTS)
        (found,) = connection.execute(
            "SELECT omoide_tier(?, ?)", (msgspec.json.encode(evidence).decode(), now)
        ).fetchone()
    assert found == tier(evidence, now, WEIGHTS)


async def found(tmp_path: Path, *reflections: Reflection, **query: Any) -> list[str]:
    """Store reflections, and return the ids of those that a query finds."""
    async with open_store(Settings(data_dir=tmp_path), VirtualClock(START), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await journal.commit(
            Commit(
                actor="reflection",
                cause="test",
                changes=tuple(ReflectionSynthesised(reflection=one) for one in reflections),
            )
        )
        await trio.lowlevel.checkpoint()
        return [one.id for one in await journal.reflections(**{"now": START} | query)]


async def test_only_those_that_take_part_are_found_in_order_of_storing(tmp_path: Path) -> None:
    every = [reflection(status.value, status=status) for status in ReflectionStatus]
    assert await found(tmp_path, *every) == ["pending", "confirmed"]


async def test_a_tier_fades_between_two_questions(tmp_path: Path) -> None:
    one = reflection("a", evidence=Evidence(reinforcement=1.0, rein_last_signal_at=START))
    assert await found(tmp_path, one, tier=Tier.CONFIRMED) == ["a"]
    assert await found(tmp_path, one, tier=Tier.CONFIRMED, now=START + DAY_S) == []


async def test_subjects_are_told_apart(tmp_path: Path) -> None:
    some = [reflection("mine"), reflection("theirs", subject=GROUP)]
    assert await found(tmp_path, *some, subjects=(GROUP,)) == ["theirs"]


async def test_no_subject_is_nothing(tmp_path: Path) -> None:
    assert await found(tmp_path, reflection("mine"), subjects=()) == []
