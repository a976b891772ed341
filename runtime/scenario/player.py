"""Plays scenarios: each step becomes requests to the process that holds the runtime, and a judgement.

`PLAYERS` is the one table of what each step does.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import trio
from msgspec import Struct

from ...protocols.errors import OmoideError
from .expect import Mismatch, check_texts, contains, quote
from .format import (
    Affirm,
    Briefing,
    Crash,
    Directives,
    Explain,
    ExportImport,
    Facts,
    Forget,
    Gate,
    Hear,
    Kill,
    Log,
    Persona,
    Recall,
    Reflections,
    Reject,
    Restart,
    Revoke,
    Say,
    ScriptModel,
    Settle,
    Status,
    Step,
    Stream,
    Wait,
)
from .needs import missing
from .parse import Scenario
from .process import WorkerDiedError
from .protocol import (
    Answer,
    DecideText,
    Erase,
    ExplainText,
    FindTexts,
    GateDraft,
    HearLine,
    ListDirectives,
    ListFacts,
    ListPersona,
    ListReflections,
    MoveClock,
    ReadBriefing,
    ReadStatus,
    RevokeDirective,
    SayLine,
    ScriptedAnswer,
    SettleWork,
    StreamChunks,
)
from .stage import Stage, speaker_of

AT_ONCE: Final = 2
"""Scenarios that are played at the same time; each is two processes, of which one mostly waits."""

Play = Callable[[Stage, Any], Awaitable[Sequence[Mismatch]]]
"""Plays one step and returns what didn't meet its expectations."""


class Verdict(StrEnum):
    """How a scenario ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Failure(Struct, frozen=True, kw_only=True):
    """One failed expectation. `step` counts from 1 and is 0 before the first one."""

    step: int
    action: str
    expected: str
    found: str

    def __str__(self) -> str:
        where = f"step {self.step} ({self.action})" if self.step else self.action
        # One failure is one line, whatever a message holds.
        return " ".join(f"{where}: {Mismatch(expected=self.expected, found=self.found)}".splitlines())


class Performance(Struct, frozen=True, kw_only=True):
    """What became of one scenario.

    `reason` says why it was skipped, `notes` what was prepared and never happened, `log` is the end of
    the process's log where it died, `folder` is the folder where it was kept.
    """

    file: str
    name: str
    verdict: Verdict
    seconds: float
    failures: tuple[Failure, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    log: str = ""
    folder: str = ""


async def _hear(stage: Stage, step: Hear) -> Sequence[Mismatch]:
    account = None if step.speaker is None else stage.account(step.speaker)
    await stage.do(
        HearLine(
            text=step.text,
            speaker=None if account is None else speaker_of(account),
            trust=None if account is None else account.trust,
            subject=step.subject,
            id=f"step-{stage.number}",
        ),
    )
    return ()


async def _say(stage: Stage, step: Say) -> Sequence[Mismatch]:
    await stage.do(
        SayLine(text=step.text, subject=step.subject, id=f"step-{stage.number}", surfaced=step.surfaced)
    )
    return ()


async def _settle(stage: Stage, _step: Settle) -> Sequence[Mismatch]:
    before = stage.parked
    health = await stage.health(SettleWork())
    stage.parked = health.parked
    if health.parked <= before:
        return ()
    # Work that was parked earlier has been told of by the settle or the status that saw it first.
    errors = "; ".join(health.errors[before:])
    return [
        Mismatch(expected="no work to be parked", found=f"{health.parked - before} newly parked: {errors}"),
    ]


async def _wait(stage: Stage, step: Wait) -> Sequence[Mismatch]:
    await stage.do(MoveClock(by_s=step.by_s))
    return ()


async def _crash(stage: Stage, step: Crash) -> Sequence[Mismatch]:
    await stage.crash(step.role)
    return ()


async def _kill(stage: Stage, _step: Kill) -> Sequence[Mismatch]:
    await stage.kill()
    return ()


async def _restart(stage: Stage, _step: Restart) -> Sequence[Mismatch]:
    await stage.restart()
    return ()


async def _export_import(stage: Stage, _step: ExportImport) -> Sequence[Mismatch]:
    await stage.export_import()
    return ()


async def _script_model(stage: Stage, step: ScriptModel) -> Sequence[Mismatch]:
    answer = ScriptedAnswer(number=stage.number, task=step.task, returns=step.returns, raises=step.raises)
    await stage.do(Answer(answer=answer))
    stage.script(answer)
    return ()


async def _recall(stage: Stage, step: Recall) -> Sequence[Mismatch]:
    time = "" if step.time is None else str(step.time)
    texts = await stage.texts(FindTexts(query=step.query or "", time=time, subjects=step.subjects))
    return check_texts(texts, what="hit", has=step.has, lacks=step.lacks, first=step.first, count=step.count)


async def _facts(stage: Stage, step: Facts) -> Sequence[Mismatch]:
    texts = await stage.texts(ListFacts())
    return check_texts(texts, what="fact", has=step.has, lacks=step.lacks, count=step.count)


async def _reflections(stage: Stage, step: Reflections) -> Sequence[Mismatch]:
    texts = await stage.texts(ListReflections(tier=step.tier))
    what = "reflection" if step.tier is None else f"{step.tier} reflection"
    return check_texts(texts, what=what, has=step.has, lacks=step.lacks, count=step.count)


async def _gate(stage: Stage, step: Gate) -> Sequence[Mismatch]:
    request = GateDraft(draft=step.draft, unprompted=step.unprompted, subject=step.subject)
    (verdict,) = await stage.texts(request)
    return () if verdict == step.verdict else [Mismatch(expected=step.verdict, found=verdict)]


async def _stream(stage: Stage, step: Stream) -> Sequence[Mismatch]:
    (out,) = await stage.texts(StreamChunks(chunks=step.chunks, unprompted=step.unprompted))
    return () if out == step.out else [Mismatch(expected=quote(step.out), found=quote(out))]


async def _directives(stage: Stage, step: Directives) -> Sequence[Mismatch]:
    terms = await stage.texts(ListDirectives())
    return check_texts(terms, what="directive", has=step.has, lacks=step.lacks, count=step.count)


async def _revoke(stage: Stage, step: Revoke) -> Sequence[Mismatch]:
    await stage.do(RevokeDirective(term=step.term))
    return ()


async def _briefing(stage: Stage, step: Briefing) -> Sequence[Mismatch]:
    lines = await stage.texts(ReadBriefing(subjects=step.subjects, cue=step.cue))
    return check_texts(lines, what="line of the briefing", has=step.has, lacks=step.lacks)


async def _persona(stage: Stage, step: Persona) -> Sequence[Mismatch]:
    texts = await stage.texts(ListPersona())
    return check_texts(texts, what="persona entry", has=step.has, lacks=step.lacks)


async def _explain(stage: Stage, step: Explain) -> Sequence[Mismatch]:
    lines = await stage.texts(ExplainText(of=step.of))
    if not lines:
        return [Mismatch(expected=f"an entry with {step.of!r}", found="none")]
    told = "; ".join(lines)
    return [
        Mismatch(expected=f"an explanation that mentions {word!r}", found=told)
        for word in step.has
        if not contains(told, word)
    ]


async def _reject(stage: Stage, step: Reject) -> Sequence[Mismatch]:
    await stage.do(DecideText(of=step.text, affirms=False))
    return ()


async def _affirm(stage: Stage, step: Affirm) -> Sequence[Mismatch]:
    await stage.do(DecideText(of=step.text, affirms=True))
    return ()


async def _forget(stage: Stage, step: Forget) -> Sequence[Mismatch]:
    await stage.do(Erase(subject=step.subject, words=step.text))
    return ()


async def _log(stage: Stage, step: Log) -> Sequence[Mismatch]:
    return check_texts(stage.log().splitlines(), what="log line", lacks=step.lacks)


async def _status(stage: Stage, step: Status) -> Sequence[Mismatch]:
    health = await stage.health(ReadStatus())
    stage.parked = health.parked
    mismatches: list[Mismatch] = []
    if step.degraded is not None and set(step.degraded) != set(health.degraded):
        mismatches.append(
            Mismatch(
                expected=f"degraded to be {_names(step.degraded)}",
                found=_names(health.degraded),
            ),
        )
    if step.parked is not None and step.parked != health.parked:
        mismatches.append(Mismatch(expected=f"{step.parked} parked", found=f"{health.parked} parked"))
    return mismatches


def _names(names: Sequence[str]) -> str:
    return ", ".join(sorted(names)) or "empty"


PLAYERS: Final[dict[type[Step], Play]] = {
    Hear: _hear,
    Say: _say,
    Settle: _settle,
    Wait: _wait,
    Crash: _crash,
    Kill: _kill,
    Restart: _restart,
    ExportImport: _export_import,
    ScriptModel: _script_model,
    Recall: _recall,
    Facts: _facts,
    Reflections: _reflections,
    Gate: _gate,
    Stream: _stream,
    Directives: _directives,
    Revoke: _revoke,
    Briefing: _briefing,
    Persona: _persona,
    Explain: _explain,
    Reject: _reject,
    Affirm: _affirm,
    Forget: _forget,
    Log: _log,
    Status: _status,
}
"""What plays each step."""


async def play_all(
    scenarios: Sequence[Scenario],
    *,
    keep: bool = False,
    on_played: Callable[[Performance], None] = lambda _: None,
) -> tuple[Performance, ...]:
    """Play scenarios, `AT_ONCE` at a time, and return what became of each, in their order.

    Args:
        scenarios: what to play.
        keep: whether the data folders stay.
        on_played: called after each one.
    """
    performances: dict[int, Performance] = {}
    limit = trio.CapacityLimiter(AT_ONCE)

    async def play_one(place: int, scenario: Scenario) -> None:
        async with limit:
            performances[place] = await play(scenario, keep=keep)
        on_played(performances[place])

    async with trio.open_nursery() as nursery:
        for place, scenario in enumerate(scenarios):
            nursery.start_soon(play_one, place, scenario)
    return tuple(performances[place] for place in range(len(scenarios)))


async def play(scenario: Scenario, *, keep: bool = False) -> Performance:
    """Play one scenario in a folder of its own, and return what became of it."""
    began = time.perf_counter()
    if lacking := missing(scenario.head):
        return _performance(scenario, Verdict.SKIPPED, began, reason=f"needs {', '.join(lacking)}")
    folder = Path(tempfile.mkdtemp(prefix="omoide-scenario-"))
    try:
        async with Stage(scenario, folder) as stage:
            failures, log = await _play_steps(stage)
            notes = () if failures else stage.notes()
    finally:
        if not keep:
            shutil.rmtree(folder)
    return _performance(
        scenario,
        Verdict.FAILED if failures else Verdict.PASSED,
        began,
        failures=failures,
        notes=notes,
        log=log,
        folder=str(folder) if keep else "",
    )


async def _play_steps(stage: Stage) -> tuple[tuple[Failure, ...], str]:
    """Return every failure, and the end of the log where the process died.

    A failed expectation doesn't end the scenario; a step that couldn't be played does.
    """
    failures: list[Failure] = []

    def fail(action: str, mismatch: Mismatch) -> None:
        failures.append(
            Failure(step=stage.number, action=action, expected=mismatch.expected, found=mismatch.found),
        )

    action = ""
    try:
        for number, step in enumerate(stage.scenario.steps, start=1):
            stage.number, action = number, step.action
            for mismatch in await PLAYERS[type(step)](stage, step):
                fail(action, mismatch)
        await stage.close()
    except WorkerDiedError as error:
        fail(action, Mismatch(expected="", found=str(error)))
        return tuple(failures), stage.last_words()
    except OmoideError as error:
        fail(action, Mismatch(expected="", found=str(error)))
    return tuple(failures), ""


def _performance(
    scenario: Scenario,
    verdict: Verdict,
    began: float,
    **details: Any,  # noqa: ANN401 - fields
) -> Performance:
    return Performance(
        file=str(scenario.file),
        name=scenario.head.name,
        verdict=verdict,
        seconds=round(time.perf_counter() - began, 3),
        **details,
    )
