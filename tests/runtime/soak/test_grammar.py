"""The product understands each sentence of the grammar as the oracle does, and markers can't be confused."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.records import Speaker
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.soak.grammar import FAMILIES, MARKERS, Act, draft, is_statement, marker, seen, sentence

NUMBER = 4_711
ALICE = Speaker(platform="soak", account="alice", label="Alice")


@given(first=st.integers(0, MARKERS - 1), second=st.integers(0, MARKERS - 1))
def test_markers_of_two_numbers_differ_in_two_places(first: int, second: int) -> None:
    pairs = zip(marker(first).casefold(), marker(second).casefold(), strict=True)
    assert first == second or sum(one != other for one, other in pairs) >= 2


@settings(max_examples=30)
@given(number=st.integers(0, MARKERS - 1))
def test_statements_are_known_from_chat_and_wishes(number: int) -> None:
    for family, act in itertools.product(range(len(FAMILIES)), Act):
        expected = act in {Act.STATE, Act.DENY, Act.AFFIRM}
        assert is_statement(sentence(family, act, number)) is expected


@pytest.mark.parametrize("family", range(len(FAMILIES)))
@pytest.mark.parametrize(("place", "speaker"), [("private", None), ("group:soak:1", ALICE)])
async def test_each_sentence_does_what_the_oracle_expects(
    tmp_path: Path, family: int, place: str, speaker: Speaker | None
) -> None:
    clock = VirtualClock(1_772_442_000.0)
    piece = seen(family, NUMBER)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")

        async def after(*acts: Act) -> tuple[bool, bool]:
            """Return whether the statement is known, and whether the gate lets its marker through."""
            for act in acts:
                clock.advance_to(clock.now() + 60)
                await yui.hear(sentence(family, act, NUMBER), subject=place, speaker=speaker)
                await yui.drain()
            known = any(piece in fact.text for fact in await yui.facts(subjects=[place]))
            verdict = await yui.gate(draft(family, NUMBER), unprompted=True, subject=place)
            return known, verdict.verdict == "allow"

        assert await after(Act.CHAT) == (False, True)
        assert await after(Act.STATE) == (True, True)
        assert await after(Act.DENY) == (False, True)
        assert await after(Act.STATE) == (True, True)
        assert await after(Act.DENY, Act.AFFIRM, Act.STATE) == (True, True)
        assert await after(Act.BAN) == (True, False)
        assert await after(Act.LIFT) == (True, True)
        assert await after(Act.FORGET) == (False, True)
        assert await after(Act.STATE) == (False, True)


@pytest.mark.parametrize("family", range(len(FAMILIES)))
async def test_what_was_denied_and_then_forgotten_does_not_come_back_by_being_said_again(
    tmp_path: Path, family: int
) -> None:
    clock = VirtualClock(1_772_442_000.0)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for act in (Act.STATE, Act.DENY, Act.FORGET, Act.STATE):
            clock.advance_to(clock.now() + 60)
            await yui.hear(sentence(family, act, NUMBER))
            await yui.drain()

        assert [fact.text for fact in await yui.facts() if seen(family, NUMBER) in fact.text] == []
