"""A scenario passes where its expectations are met, and fails with the right line where one isn't."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from omoide.runtime.models.embeddings.catalogue import PACKAGED
from omoide.runtime.scenario.answers import TASKS
from omoide.runtime.scenario.format import STEPS
from omoide.runtime.scenario.parse import Scenario
from omoide.runtime.scenario.player import PLAYERS, Performance, Verdict, play, play_all
from omoide.runtime.scenario.process import WorkerDiedError
from omoide.runtime.scenario.protocol import HearLine, ListFacts
from omoide.runtime.scenario.stage import Stage

ScenarioOf = Callable[..., Scenario]


def lines(performance: Performance) -> list[str]:
    return [str(failure) for failure in performance.failures]


UNMET = {
    "recall: {query: who keeps bees, has: [wasps]}": "expected a hit with 'wasps', found 1 hit: ",
    "recall: {query: who keeps bees, lacks: [BEES]}": "expected no hit with 'BEES', found ",
    "recall: {query: who keeps bees, first: wasps}": "expected 'wasps' in the first hit, found 1 hit: ",
    "recall: {query: who keeps bees, count: 0}": "expected 0 hits, found 1 hit: ",
    'recall: {query: who keeps bees, as: ["group:qq:77"], count: 1}': "expected 1 hit, found no hit",
    "facts: {has: [wasps]}": "expected a fact with 'wasps', found 1 fact: ",
    "facts: {lacks: [bees]}": "expected no fact with 'bees', found ",
    "facts: {count: 2}": "expected 2 facts, found 1 fact: ",
    "explain: {of: bees, has: [retracted]}": "expected an explanation that mentions 'retracted', found fact ",
    "explain: {of: wasps}": "expected an entry with 'wasps', found none",
    "log: {lacks: [character.activated]}": "expected no log line with 'character.activated', found ",
    "status: {parked: 3}": "expected 3 parked, found 0 parked",
    "status: {degraded: [dedup]}": "expected degraded to be dedup, found empty",
}


@pytest.fixture(scope="module")
def unmet(scenario_of: ScenarioOf) -> Performance:
    return trio.run(play, scenario_of("hear: I keep bees behind the house.", "settle", *UNMET))


@pytest.mark.parametrize(("place", "line"), list(enumerate(UNMET.values())))
def test_an_unmet_expectation_fails_with_its_step_and_what_was_found(
    unmet: Performance, place: int, line: str
) -> None:
    step = place + 3
    (failure,) = [failure for failure in unmet.failures if failure.step == step]
    action = list(UNMET)[place].partition(":")[0]
    assert str(failure).startswith(f"step {step} ({action}): {line}")


def test_a_failed_expectation_fails_the_scenario_and_does_not_end_it(unmet: Performance) -> None:
    assert (unmet.verdict, len(unmet.failures)) == (Verdict.FAILED, len(UNMET))


async def test_parked_work_fails_a_settle_once(scenario_of: ScenarioOf) -> None:
    scenario = scenario_of(
        "model: {task: extract, raises: malformed}",
        "hear: I keep bees behind the house.",
        "settle",
        "settle",
        head="settings: {outbox: {attempts: 1}}\n",
    )
    (line,) = lines(await play(scenario))
    assert line.startswith("step 3 (settle): expected no work to be parked, found 1 newly parked: ")
    assert "the model's answer couldn't be read" in line


def test_every_step_is_played() -> None:
    assert set(PLAYERS) == set(STEPS.values())


async def test_every_model_task_can_be_scripted_and_tells_where_it_was_not_called(scenario_of: ScenarioOf) -> None:
    performance = await play(scenario_of(*(f"model: {{task: {task}, returns: []}}" for task in sorted(TASKS))))
    assert (lines(performance), len(performance.notes)) == ([], len(TASKS))


async def test_a_directive_is_revoked_by_a_part_of_its_term(scenario_of: ScenarioOf) -> None:
    steps = ("hear: Don't ever bring up my ex-wife.", "revoke: ex-wife", "directives: {count: 0}")
    assert lines(await play(scenario_of(*steps))) == []


async def test_a_part_that_two_directives_have_revokes_neither(scenario_of: ScenarioOf) -> None:
    steps = ("hear: Never mention Tom's car again.", "hear: Never mention Ann's car again.", "revoke: car")
    (line,) = lines(await play(scenario_of(*steps)))
    assert line.startswith("step 3 (revoke): NotFoundError: ")


async def test_what_the_runtime_refuses_ends_the_scenario_with_its_message(scenario_of: ScenarioOf) -> None:
    performance = await play(scenario_of("settle", r'hear: "\ud83d"', "facts: {count: 7}"))
    (line,) = lines(performance)
    assert line.startswith("step 2 (hear): InvalidTextError: text has the lone surrogate U+D83D")


async def test_a_scenario_that_needs_what_is_missing_is_skipped_with_the_reason(scenario_of: ScenarioOf) -> None:
    performance = await play(scenario_of("facts: {count: 9}", head="needs: [telepathy]\n"))
    assert (performance.verdict, performance.reason) == (Verdict.SKIPPED, "needs telepathy")


@pytest.mark.skipif(not any(model.installed for model in PACKAGED), reason="no extra with a model is installed")
async def test_a_scenario_that_needs_embeddings_recalls_by_meaning(scenario_of: ScenarioOf) -> None:
    steps = (
        "hear: I work as a physician.",
        "hear: The train was late.",
        "settle",
        "recall: {query: what kind of doctor is Sam, first: physician}",
    )
    performance = await play(scenario_of(*steps, head="needs: [embeddings]\n"))
    assert lines(performance) == []


async def test_overrides_of_the_settings_hold(scenario_of: ScenarioOf) -> None:
    scenario = scenario_of("hear: Far too long for that.", head="settings: {limits: {text_chars: 10}}\n")
    (line,) = lines(await play(scenario))
    assert "at most 10 are taken" in line


async def test_what_was_prepared_and_never_happened_is_noted(scenario_of: ScenarioOf) -> None:
    performance = await play(scenario_of("model: {task: extract, returns: []}", "crash: dedup", "settle"))
    assert performance.verdict is Verdict.PASSED
    assert performance.notes == (
        "step 2 (crash): dedup got no message any more, so it never crashed",
        "step 1 (model): extract was not called any more",
    )


async def test_a_scripted_answer_outlives_a_kill(scenario_of: ScenarioOf) -> None:
    performance = await play(
        scenario_of(
            "model: {task: extract, returns: [{text: Sam keeps wasps.}]}",
            "hear: I keep bees behind the house.",
            "kill",
            "settle",
            "facts: {has: [wasps], count: 1}",
        )
    )
    assert lines(performance) == []


async def test_an_answer_that_was_given_is_not_given_again_after_a_kill(scenario_of: ScenarioOf) -> None:
    performance = await play(
        scenario_of(
            "model: {task: extract, returns: []}",
            "hear: I keep bees behind the house.",
            "settle",
            "kill",
            "hear: I keep ducks behind the house.",
            "settle",
            "facts: {has: [ducks], lacks: [bees], count: 1}",
        )
    )
    assert lines(performance) == []


async def test_the_data_folder_is_gone_afterwards_unless_it_is_kept(
    scenario_of: ScenarioOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    await play(scenario_of("hear: Hello"))
    kept = await play(scenario_of("hear: Hello"), keep=True)
    assert list(tmp_path.iterdir()) == [Path(kept.folder)]


async def test_performances_come_in_the_order_of_the_scenarios(scenario_of: ScenarioOf) -> None:
    slow = scenario_of("hear: Hello", "restart", "facts: {count: 5}")
    quick = scenario_of("facts: {count: 1}")
    performances = await play_all([slow, quick, quick])
    assert [performance.failures[0].step for performance in performances] == [3, 1, 1]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _heard(text: str) -> HearLine:
    return HearLine(text=text, speaker=None, trust=None, subject="private", id=text)


async def test_a_kill_leaves_no_time_to_close_and_a_restart_does(scenario_of: ScenarioOf, tmp_path: Path) -> None:
    async with Stage(scenario_of("kill"), tmp_path) as stage:
        await stage.do(_heard("a"))
        await stage.kill()
        closed_by_kill = "store.closed" in stage.log()
        await stage.restart()
        closed_by_restart = "store.closed" in stage.log()
    assert (closed_by_kill, closed_by_restart) == (False, True)


async def test_a_kill_ends_the_process_and_the_next_step_starts_another(
    scenario_of: ScenarioOf, tmp_path: Path
) -> None:
    async with Stage(scenario_of("kill"), tmp_path) as stage:
        await stage.do(_heard("a"))
        await stage.kill()
        alive_after_kill = _is_alive(stage.pids[0])
        await stage.do(_heard("b"))
        first, second = stage.pids
    assert (alive_after_kill, first == second) == (False, False)


async def test_the_virtual_time_outlives_a_kill(scenario_of: ScenarioOf) -> None:
    performance = await play(
        scenario_of(
            "wait: 1h",
            "model: {task: extract, raises: timeout}",
            "hear: I keep bees behind the house.",
            "wait: 0s",
            "kill",
            "facts: {count: 0}",
            "wait: 5s",  # the retry is due an hour after the start, and a second
            "facts: {has: [bees]}",
        )
    )
    assert lines(performance) == []


async def test_no_process_is_left_where_a_scenario_is_given_up(scenario_of: ScenarioOf, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):  # noqa: PT012 - the stage is left by the error
        async with Stage(scenario_of("settle"), tmp_path) as stage:
            await stage.do(_heard("a"))
            raise RuntimeError
    assert not _is_alive(stage.pids[0])


async def test_a_process_that_dies_unexpectedly_is_told_with_how_it_ended(
    scenario_of: ScenarioOf, tmp_path: Path
) -> None:
    async with Stage(scenario_of("settle"), tmp_path) as stage:
        await stage.do(_heard("a"))
        os.kill(stage.pids[0], 9)
        with pytest.raises(WorkerDiedError, match="was ended by signal 9 in the middle of a step"):
            await stage.texts(ListFacts())


async def test_the_end_of_the_log_is_shown_where_the_process_dies(
    scenario_of: ScenarioOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omoide.runtime.scenario.process._MODULE", "omoide.no_such_module")
    performance = await play(scenario_of("settle"))
    assert lines(performance)[0].startswith("step 1 (settle): the process ended with exit code 1")
    assert "No module named omoide.no_such_module" in performance.log
