"""P9: a role that crashes is restarted alone, and work that keeps failing is parked where a person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from omoide.actors.character import ROLES
from omoide.protocols.errors import ActorCrashedError, InvalidRequestError, ModelError, OmoideError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity
from omoide.protocols.settings import Settings
from omoide.protocols.work import OpState, OutboxOp
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0


class StubbornMind(OfflineEngine):
    """A model that fails on one word, until it is cured."""

    def __init__(self) -> None:
        self.cured = False
        self.calls = 0

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        self.calls += 1
        if "poison" in request.turn.text and not self.cured:
            raise ModelError("no usable answer")
        return [Candidate(text=request.turn.text, entity=Entity.OWNER, importance=5)]


async def settle(character: Character, clock: VirtualClock) -> None:
    while (drained := await character.drain()).next_at is not None:
        clock.advance_to(drained.next_at)


@pytest.mark.parametrize("role", [role.role for role in ROLES])
async def test_a_crash_of_any_role_costs_no_memory(tmp_path: Path, role: str) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        character = await runtime.character("yui")
        await character.hear("I keep bees on the roof.")
        failpoints.arm(f"{role}.*", Fault.CRASH)
        await _ignoring_failures(character)

        await character.settle()

        recollection = await character.recall("bees roof")
        assert [hit.text for hit in recollection.hits] == ["I keep bees on the roof."]


async def _ignoring_failures(character: Character) -> None:
    """Send one message through every role; the crashing one answers with an error, which is its right."""
    for attempt in (character.hear("My garden has three pear trees."), character.recall("pear trees")):
        try:
            await attempt
        except OmoideError:
            continue


async def test_the_caller_whose_message_crashed_the_role_is_told(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        character = await runtime.character("yui")
        failpoints.arm("scribe.before_commit", Fault.CRASH)

        with pytest.raises(ActorCrashedError):
            await character.hear("I keep bees on the roof.")


async def test_a_crash_of_one_role_restarts_that_role_alone(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        character = await runtime.character("yui")
        failpoints.arm("dedup.received", Fault.CRASH)
        await character.hear("I keep bees on the roof.")

        await character.settle()

        restarts = {name: role.restarts for name, role in (await character.status()).roles.items()}
        assert restarts == {role.role: int(role.role == "dedup") for role in ROLES}


async def test_a_poisoned_op_is_parked_after_its_attempts_and_lets_others_pass(tmp_path: Path) -> None:
    clock, mind = VirtualClock(START), StubbornMind()
    async with open_runtime(tmp_path, clock=clock, model=mind) as runtime:
        character = await runtime.character("yui")
        await character.hear("This is poison.")
        await character.hear("I keep bees on the roof.")

        await settle(character, clock)

        (parked,) = await character.outbox(states=[OpState.PARKED])
        assert (parked.attempts, "no usable answer" in parked.error) == (5, True)
        assert [fact.text for fact in await character.facts()] == ["I keep bees on the roof."]


async def hear_poison(character: Character, clock: VirtualClock) -> OutboxOp:
    """Have the character hear what the mind fails on, and return the op that is parked for it."""
    await character.hear("This is poison.")
    await settle(character, clock)
    (parked,) = await character.outbox(states=[OpState.PARKED])
    return parked


async def test_parked_work_succeeds_when_a_person_retries_it_after_the_cause_is_gone(tmp_path: Path) -> None:
    clock, mind = VirtualClock(START), StubbornMind()
    async with open_runtime(tmp_path, clock=clock, model=mind) as runtime:
        character = await runtime.character("yui")
        parked = await hear_poison(character, clock)
        mind.cured = True

        await character.retry(parked.id)
        await settle(character, clock)

        assert [fact.text for fact in await character.facts()] == ["This is poison."]


async def test_discarded_work_is_not_run_again(tmp_path: Path) -> None:
    clock, mind = VirtualClock(START), StubbornMind()
    async with open_runtime(tmp_path, clock=clock, model=mind) as runtime:
        character = await runtime.character("yui")
        parked = await hear_poison(character, clock)
        mind.cured = True

        await character.discard(parked.id)
        await settle(character, clock)

        with pytest.raises(InvalidRequestError):
            await character.retry(parked.id)
        assert await character.facts() == ()


async def test_a_transient_failure_leaves_the_op_pending_and_the_third_attempt_stores_the_fact(
    tmp_path: Path,
) -> None:
    clock, mind = VirtualClock(START), StubbornMind()
    async with open_runtime(Settings(data_dir=tmp_path), clock=clock, model=mind) as runtime:
        character = await runtime.character("yui")
        await character.hear("This is poison.")
        for _ in range(2):
            drained = await character.drain()
            assert drained.next_at is not None
            clock.advance_to(drained.next_at)
        mind.cured = mind.calls == 2

        await settle(character, clock)

        assert (mind.calls, len(await character.facts())) == (3, 1)


async def test_the_log_of_a_crash_does_not_quote_what_was_said(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    class QuotingMind(StubbornMind):
        async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
            raise KeyError(request.turn.text)

    caplog.set_level("INFO")
    async with open_runtime(tmp_path, model=QuotingMind()) as runtime:
        character = await runtime.character("yui")
        await character.hear("My diary is under the bed.")
        await character.drain()

    assert "KeyError at" in caplog.text
    assert "diary" not in caplog.text
