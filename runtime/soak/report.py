"""What a run came to, for people and for programs: a verdict, figures, plots, and how to play it again. Pure text.

It names no path and no machine, so that a report can be published as it is.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec

from .measures import quantile
from .plan import Plan, write_plan
from .plots import PLOTS, draw
from .run import Run

REPORT: Final = "report.md"
DATA: Final = "report.json"
PLAN: Final = "plan.yaml"
SHORT_PLAN: Final = "short-plan.yaml"

_MIB: Final = 1 << 20


def summary(run: Run) -> dict[str, Any]:
    """Return the figures of a run, for programs: the samples apart."""
    last = run.samples[-1].process if run.samples else None
    return {
        "verdict": verdict(run),
        "plan": {**msgspec.to_builtins(msgspec.structs.replace(run.plan, steps=())), "seed": run.plan.seed},
        "took_s": round(run.took_s, 1),
        "steps": len(run.steps),
        "done": dict(run.done),
        "faults": dict(run.faults),
        "refused": dict(run.refused),
        "by_bus": run.by_bus,
        "bus_restarts": run.bus_restarts,
        "checks": run.checks,
        "restarts": max(0, len(run.recoveries_s) - 1),
        "recovery_p50_s": round(quantile(run.recoveries_s[1:], 0.5), 3),
        "recovery_max_s": round(max(run.recoveries_s[1:], default=0.0), 3),
        "hear_p50_ms": round(quantile(run.hears_ms, 0.5), 2),
        "hear_p95_ms": round(quantile(run.hears_ms, 0.95), 2),
        "hear_p99_ms": round(quantile(run.hears_ms, 0.99), 2),
        "memory_mib": None if last is None else round(last.rss / _MIB, 1),
        "open_files": None if last is None else last.files,
        "violations": [msgspec.to_builtins(violation) for violation in run.violations],
    }


def verdict(run: Run) -> str:
    """Return the verdict in a word: `clean`, `violated`, or `interrupted` where nothing was found until then."""
    if run.violations:
        return "violated"
    return "interrupted" if run.interrupted else "clean"


def to_markdown(run: Run, *, short: Plan | None = None, plotted: bool = True) -> str:
    """Return the report for people.

    Args:
        run: what it is about.
        short: a shorter plan that breaks the same promise.
        plotted: whether plots lie beside it.
    """
    figures = summary(run)
    head = (
        f"{figures['steps']:,} steps in {figures['took_s']:,.0f} s with {run.plan.characters} characters "
        f"(layout `{run.plan.layout}`, minds `{run.plan.minds}`, seed {run.plan.seed}); {run.checks:,} checks "
        f"against what the characters were told; {figures['restarts']:,} restarts of the process."
    )
    rows = {
        "acknowledgement (`hear`), p50 / p95 / p99": (
            f"{figures['hear_p50_ms']:g} / {figures['hear_p95_ms']:g} / {figures['hear_p99_ms']:g} ms"
        ),
        "ready again after an end, p50 / longest": (
            f"{figures['recovery_p50_s']:g} / {figures['recovery_max_s']:g} s"
        ),
        "memory at the end": f"{figures['memory_mib']} MiB",
        "open files at the end": f"{figures['open_files']}",
    }
    if run.plan.bus is not None:
        restarted = f"{run.bus_restarts:,} restarts of its server"
        rows["acknowledged over the bus"] = f"{run.by_bus:,} commands, {restarted}"
    lines = [
        f"# Soak: {figures['verdict']}",
        "",
        head,
        "",
        *_violations(run),
        "| figure | value |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows.items()),
        "",
        *_counts("What was done", run.done),
        *_counts("What was made to fail", run.faults),
        *_counts("What was refused meanwhile, and sent again", run.refused),
    ]
    if plotted:
        lines += [text for plot in PLOTS for text in (f"![{plot.title}]({plot.file})", "")]
    again = SHORT_PLAN if short is not None else PLAN
    lines += ["## Again", "", "```sh", f"omoide soak --plan {again}", "```", ""]
    if short is not None:
        lines += [f"The shortest plan that was found ({len(short.steps)} steps):", "", "```yaml"]
        lines += [write_plan(short).rstrip(), "```", ""]
    return "\n".join(lines)


def _violations(run: Run) -> list[str]:
    if not run.violations:
        return []
    rows = [
        f"| {one.promise} | {one.who} | {one.step} | {_cell(one.message)} | {', '.join(one.ids[:4])} |"
        for one in run.violations
    ]
    return ["| promise | character | step | what is wrong | ids |", "|---|---|---|---|---|", *rows, ""]


def _counts(title: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
    return [f"{title}: {told}.", ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def write_report(run: Run, folder: Path, *, short: Plan | None = None) -> None:
    """Write the report, its data, the plan, and the plots where the extra is installed.

    Args:
        run: what it is about.
        folder: made if it doesn't exist.
        short: a shorter plan that breaks the same promise.

    Raises:
        OSError: if the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plotted = bool(run.samples) and draw(run.samples, folder)
    (folder / REPORT).write_text(to_markdown(run, short=short, plotted=plotted), encoding="utf-8")
    samples = [msgspec.to_builtins(sample) for sample in run.samples]
    (folder / DATA).write_bytes(msgspec.json.encode({**summary(run), "samples": samples}) + b"\n")
    # What was done is the plan, so that it is played again as it was, whatever made it up.
    plan = msgspec.structs.replace(run.plan, steps=tuple(run.steps)) if run.violations else run.plan
    (folder / PLAN).write_text(write_plan(plan), encoding="utf-8")
    if short is not None:
        (folder / SHORT_PLAN).write_text(write_plan(short), encoding="utf-8")
