"""Plans are data: the same seed makes the same steps, and what is written is read again."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.protocols.errors import InvalidRequestError, OutsideError
from omoide.runtime.soak.generate import Generator
from omoide.runtime.soak.plan import AnyStep, FaultKind, Plan, read_plan, write_plan
from omoide.runtime.soak.shrink import minimised


def steps(plan: Plan, count: int) -> tuple[AnyStep, ...]:
    return tuple(itertools.islice(Generator(plan).steps(), count))


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_a_seed_makes_the_same_steps_each_time(seed: int) -> None:
    assert steps(Plan(seed=seed), 300) == steps(Plan(seed=seed), 300)


def test_two_seeds_make_different_steps() -> None:
    assert steps(Plan(seed=1), 50) != steps(Plan(seed=2), 50)


def test_every_kind_of_step_and_fault_is_made() -> None:
    tags = {step.__struct_config__.tag for step in steps(Plan(every=5.0, life=40), 6_000)}

    assert tags >= {"talk", "ask", "settle", "reject", "passivate", "move", "retire", "tamper"}
    assert tags >= {"kill", "kill-at", "crash", "model", "disk", "clock", "restart"}


def test_only_the_faults_that_are_wanted_are_made() -> None:
    plan = Plan(every=3.0, faults=(FaultKind.CLOCK,))

    faults = {step.__struct_config__.tag for step in steps(plan, 500) if not hasattr(step, "who")}

    assert faults == {"clock"}


def test_a_plan_that_is_written_is_read_as_the_same(tmp_path: Path) -> None:
    plan = Plan(seed=7, layout="shared", for_s=3.0, rate=None, faults=(FaultKind.KILL, FaultKind.DISK))
    plan = replace(plan, steps=steps(plan, 200))
    file = tmp_path / "plan.yaml"
    file.write_text(write_plan(plan), encoding="utf-8")

    assert read_plan(file) == plan


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("seed: yes please", "no plan.*int"),
        ("sede: 1", "no plan.*sede"),
        ("format: 99", "format 99"),
        ("steps: [{do: dance}]", "no plan.*dance"),
        ("a: [", "no YAML"),
    ],
)
def test_what_is_no_plan_is_refused_with_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidRequestError, match=complaint):
        read_plan(file)


def test_a_plan_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutsideError, match="can't be read"):
        read_plan(tmp_path / "nothing.yaml")


@given(wanted=st.frozensets(st.integers(0, 40), min_size=1, max_size=4))
async def test_a_failing_list_is_reduced_to_what_makes_it_fail(wanted: frozenset[int]) -> None:
    async def fails(part: object) -> bool:
        assert isinstance(part, list)
        return wanted <= set(part)

    assert await minimised(range(41), fails) == sorted(wanted)
