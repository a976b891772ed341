"""`omoide soak`: talk to characters while everything fails, and hold them to their promises."""

from __future__ import annotations

import importlib.util
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import trio
import typer
from msgspec.structs import replace

from ...protocols.errors import InvalidRequestError, NotAvailableError, OutsideError
from ..cli.command import command
from ..cli.failure import EXIT_INTERRUPTED
from ..cli.invocation import Invocation
from ..cli.presentation import counted
from .display import shown
from .driver import check_bus, play
from .plan import FaultKind, Plan, read_plan, write_plan
from .report import SHORT_PLAN, summary, write_report
from .run import Run
from .shrink import Shrinker


class Layout(StrEnum):
    """How the journals lie on disk."""

    PER_CHARACTER = "per-character"
    SHARED = "shared"


class BusKind(StrEnum):
    """Message buses that a soak can go over."""

    NATS = "nats"


class Profile(StrEnum):
    """Plans for usual purposes."""

    QUICK = "quick"
    CI = "ci"
    NIGHTLY = "nightly"


PROFILES: Final = {
    Profile.QUICK: Plan(for_s=15.0, every=15.0),
    Profile.CI: Plan(for_s=30.0, every=15.0, rate=30.0, characters=4),
    Profile.NIGHTLY: Plan(for_s=3_600.0, every=60.0, rate=4.0, characters=8, life=200),
}
"""What each profile does; options given beside it win."""


_PlanFile: TypeAlias = Annotated[
    Path | None, typer.Option("--plan", metavar="FILE", help="Play this plan; other options change it.")
]
_Profile: TypeAlias = Annotated[Profile, typer.Option(help="Where no plan is given: 15 s, 30 s, or an hour.")]
_Seconds: TypeAlias = Annotated[
    float | None, typer.Option("--for", metavar="S", min=0.1, help="End after S seconds.")
]
_Bus: TypeAlias = Annotated[
    BusKind | None, typer.Option(help="Send half of what is said over a message bus, and restart that too.")
]
_ReportFolder: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder for the report, its plots and the plan.")
]
_Shrinks: TypeAlias = Annotated[
    bool, typer.Option("--shrink/--no-shrink", help="Look for a shorter plan that fails too.")
]


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "soak",
        examples=(
            "omoide soak",
            "omoide soak --profile nightly --out soak-report",
            "omoide soak --for 60 --seed 7 --fault kill --fault disk",
            "omoide soak --bus nats --for 60",
            "omoide soak --plan short-plan.yaml",
        ),
    )(soak)


def soak(  # noqa: PLR0913 - an option each
    invocation: Invocation,
    *,
    plan: _PlanFile = None,
    profile: _Profile = Profile.QUICK,
    seed: Annotated[int | None, typer.Option(help="What conversations and faults are made of.")] = None,
    characters: Annotated[int | None, typer.Option(min=1, help="How many live at a time.")] = None,
    turns: Annotated[int | None, typer.Option(min=1, help="End after so many steps.")] = None,
    for_s: _Seconds = None,
    rate: Annotated[float | None, typer.Option(metavar="N", min=0.01, help="Steps a second.")] = None,
    layout: Annotated[Layout | None, typer.Option(help="How the journals lie on disk.")] = None,
    fault: Annotated[list[FaultKind] | None, typer.Option(help="Make only this fail; may be repeated.")] = None,
    bus: _Bus = None,
    out: _ReportFolder = None,
    shrink: _Shrinks = True,
    shrink_for: Annotated[float, typer.Option(metavar="S", min=1.0, help="For at most S seconds.")] = 120.0,
    print_plan: Annotated[bool, typer.Option("--print-plan", help="Print the plan, and do nothing.")] = False,
) -> None:
    """Talk to characters while everything around them fails, and hold them to their promises.

    A process of its own is killed, its actors crash, its disk is full or slow, its clock jumps and its language
    model misbehaves, all of it in a scratch folder: the characters of --data are not touched. The plan is printed,
    and does the same again with the same seed.

    Exit code 0: every promise was kept. 1: one was broken; the report names it, and a short plan to see it again.
    2: the plan can't be read. 130: interrupted; there is a report of what was done until then.
    """
    wanted = _changed(
        _base(plan, profile, by_turns=turns is not None and for_s is None),
        seed=seed,
        characters=characters,
        turns=turns,
        for_s=for_s,
        rate=rate,
        layout=layout and layout.value,
        bus=bus and bus.value,
        faults=None if fault is None else tuple(fault),
    )
    if print_plan:
        invocation.line(write_plan(wanted).rstrip())
        return
    _check_options(wanted, seed, fault or [])
    _check_machine(wanted)
    if not invocation.as_json:
        invocation.line(write_plan(replace(wanted, steps=())).rstrip())
    run, short = trio.run(partial(_run, invocation, wanted, shrink_for if shrink else 0.0))
    _tell(invocation, run, short, out)
    if run.violations or run.interrupted:
        raise typer.Exit(1 if run.violations else EXIT_INTERRUPTED)


def _base(plan: Path | None, profile: Profile, *, by_turns: bool) -> Plan:
    """Return the plan of a file, or of a profile: that ends by its time, unless `by_turns`."""
    if plan is not None:
        return read_plan(plan)
    return replace(PROFILES[profile], for_s=None) if by_turns else PROFILES[profile]


def _changed(plan: Plan, **given: object) -> Plan:
    """Return a plan with what was given; None is what wasn't."""
    return replace(plan, **{name: value for name, value in given.items() if value is not None})


def _check_options(plan: Plan, seed: int | None, faults: Sequence[FaultKind]) -> None:
    if plan.steps and seed is not None:
        raise InvalidRequestError("--seed makes steps up, and the plan has its own: leave --seed out")
    if FaultKind.BUS in faults and plan.bus is None:
        raise InvalidRequestError("--fault bus restarts the message bus, and there is none: add --bus nats")


def _check_machine(plan: Plan) -> None:
    if sys.platform == "win32":
        raise NotAvailableError("a soak forks and kills processes as Unix does: run it under Linux, macOS or WSL")
    if importlib.util.find_spec("psutil") is None:
        raise NotAvailableError("a soak needs the extra `soak`: pip install 'omoide[soak]'")
    if plan.bus is not None:
        check_bus()


async def _run(invocation: Invocation, plan: Plan, shrink_for_s: float) -> tuple[Run, Plan | None]:
    stop = trio.Event()
    with trio.open_signal_receiver(signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_at, signals, stop)
            with shown(invocation.err) as watch:
                run = await play(plan, watch=watch, stop=stop)
            nursery.cancel_scope.cancel()
    short = None
    if run.violations and shrink_for_s and not run.interrupted:
        invocation.note(f"{run.violations[0].promise} is broken; looking for a shorter plan that breaks it")
        short = await Shrinker(run, for_s=shrink_for_s).shrink()
    return run, short


async def _stop_at(signals: AsyncIterator[int], stop: trio.Event) -> None:
    async for _ in signals:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()


def _tell(invocation: Invocation, run: Run, short: Plan | None, out: Path | None) -> None:
    if out is not None:
        try:
            write_report(run, out, short=short)
        except OSError as error:
            raise OutsideError(f"the report can't be written to {out}: {error.strerror}") from error
    if invocation.as_json:
        invocation.emit({**summary(run), "short_plan": None if short is None else write_plan(short)})
        return
    for one in run.violations:
        invocation.line(f"{one.promise} {one.who} step {one.step}: {one.message} {' '.join(one.ids[:4])}".rstrip())
    figures = summary(run)
    invocation.line(
        f"{figures['verdict']}: {counted(len(run.steps), 'step')}, {counted(sum(run.faults.values()), 'fault')}, "
        f"{counted(run.checks, 'check')}, {counted(figures['restarts'], 'restart')} in {run.took_s:.0f} s; "
        f"hear p50 {figures['hear_p50_ms']:g} ms, p99 {figures['hear_p99_ms']:g} ms"
    )
    if out is not None:
        invocation.line(f"report: {out / 'report.md'}")
    if short is not None:
        invocation.line(f"a plan of {counted(len(short.steps), 'step')} that fails too:")
        invocation.line(write_plan(short).rstrip())
        where = SHORT_PLAN if out is None else out / SHORT_PLAN
        invocation.line(f"again: omoide soak --plan {where}")
