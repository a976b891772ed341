"""The demonstration itself: a replay is killed, gone on with, and asked; every claim is checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import trio
from msgspec import Struct

from ....protocols.messages import Recollection
from ....protocols.ports import Counts
from ....protocols.records import Fact, Turn
from ....protocols.settings import Settings
from ...character import Character
from ...host import open_runtime
from ...store import examine, open_reader
from ..invocation import Invocation
from ..meter import Meter
from ..presentation import date, printable, teller_name
from ..replay import hear
from ..transcript import parse_line
from .child import Outcome, run_child
from .question import BEST_LOOKED_AT, QUESTIONS, Question

NAME = "yui"

TURNS_A_SECOND = 14.0
"""Pace of the replay that is killed, so that eyes can follow it: half of the turns take 1.5 seconds."""

GOING_ON = 3
"""How many times faster the replay goes on, since half of its turns are known already."""


class Check(Struct, frozen=True, kw_only=True):
    """One claim, and whether it held."""

    claim: str
    holds: bool


class Answer(Struct, frozen=True, kw_only=True):
    """A question, what may be read for it, and what came to mind."""

    question: str
    subjects: tuple[str, ...]
    recollection: Recollection


class Played(Struct, frozen=True, kw_only=True):
    """What the demonstration showed."""

    folder: str
    acknowledged_at_kill: int
    stored_at_kill: int
    counts: Counts
    answers: tuple[Answer, ...]
    checks: tuple[Check, ...]


class Performance:
    """One run of the demonstration.

    Args:
        invocation: where its output goes.
        folder: a data folder in which nobody is called `NAME`.
        control: another one, for the replay that nobody disturbs.
        conversation: the transcript.
    """

    def __init__(self, invocation: Invocation, folder: Path, control: Path, conversation: Path) -> None:
        self._invocation = invocation
        self._settings = _at(invocation.settings, folder)
        self._control = _at(invocation.settings, control)
        self._conversation = conversation
        self._lines = conversation.read_bytes().splitlines()
        self._checks: list[Check] = []

    async def play(self) -> Played:
        """Play all of it, and return what was shown."""
        turns = len(self._lines)
        self._tell(f"A conversation of {turns} turns over a week, heard by {NAME} in {self._settings.data_dir}.")
        self._title("1. A process of its own replays it, and is killed in the middle")
        killed = await self._replay(TURNS_A_SECOND, "--no-settle", kill_after=turns // 2)
        stored = await self._look_at_what_is_left(killed)
        self._title("2. The same command again: the replay goes on")
        counts, facts = await self._go_on()
        await self._compare_with_undisturbed(facts)
        self._title("3. Questions")
        answers = await self._ask()
        self._title("4. The doctor")
        await self._examine(counts)
        return Played(
            folder=str(self._settings.data_dir),
            acknowledged_at_kill=len(killed.receipts),
            stored_at_kill=stored,
            counts=counts,
            answers=tuple(answers),
            checks=tuple(self._checks),
        )

    async def _replay(self, rate: float, *options: str, kill_after: int | None = None) -> Outcome:
        config = () if self._invocation.config is None else ("--config", str(self._invocation.config))
        command = [sys.executable, "-P", "-m", "omoide", "replay", NAME, str(self._conversation), "--json"]
        command += ["--data", str(self._settings.data_dir), *config, "--rate", str(rate), *options]
        with Meter(self._invocation, "   replaying", len(self._lines)) as meter:
            return await run_child(command, kill_after=kill_after, on_receipt=meter.advance)

    async def _look_at_what_is_left(self, killed: Outcome) -> int:
        self._tell(
            f"   SIGKILL to process {killed.pid} at turn {len(self._lines) // 2}: no last word, no tidying up."
        )
        self._tell(f"   Until then it had acknowledged {len(killed.receipts)} turns.")
        async with open_reader(self._settings, NAME) as journal:
            turns = await journal.turns(newest=2 * len(self._lines))
            counts = await journal.counts()
        stored = {turn.id for turn in turns}
        kept = sum(receipt.turn in stored for receipt in killed.receipts)
        more = len(turns) - kept
        self._check(
            f"acknowledged = stored: {kept} of {len(killed.receipts)} acknowledged turns are on disk"
            + (f" (and {more} whose receipt was still on its way)" if more else ""),
            holds=kept == len(killed.receipts),
        )
        self._tell(f"   {counts.facts} facts had been worked out; {counts.pending} pieces of work still wait.")
        return len(turns)

    async def _go_on(self) -> tuple[Counts, tuple[Fact, ...]]:
        ended = await self._replay(GOING_ON * TURNS_A_SECOND)
        if ended.summary is not None:
            self._tell(
                f"   Process {ended.pid}: {ended.summary.known} turns known already, {ended.summary.new} new."
            )
        async with open_reader(self._settings, NAME) as journal:
            turns = await journal.turns(newest=2 * len(self._lines))
            facts = await journal.facts()
            counts = await journal.counts()
        self._check(
            f"nothing is lost and nothing doubled: {len(turns)} turns for {len(self._lines)} lines",
            holds=_said(turns) == _written(self._lines),
        )
        self._check(
            f"all work is done: {counts.pending} pending, {counts.parked} parked",
            holds=not counts.pending and not counts.parked,
        )
        return counts, facts

    async def _compare_with_undisturbed(self, facts: Sequence[Fact]) -> None:
        async with open_runtime(self._control) as runtime:
            character = await runtime.character(NAME)
            for number, raw in enumerate(self._lines, start=1):
                spoken = parse_line(raw, number)
                if spoken is not None:
                    await hear(character, spoken)
            await character.settle()
            undisturbed = await character.facts()
        self._check(
            f"{len(facts)} facts, the same as after a replay that nobody disturbs",
            holds=_known(facts) == _known(undisturbed),
        )

    async def _ask(self) -> list[Answer]:
        async with open_runtime(self._settings) as runtime:
            character = await runtime.character(NAME, create=False)
            return [await self._ask_one(character, question) for question in QUESTIONS]

    async def _ask_one(self, character: Character, question: Question) -> Answer:
        found = await character.recall(question.text, subjects=question.subjects, limit=BEST_LOOKED_AT)
        self._tell(f"   {question.text}  [{', '.join(question.subjects)}]", style="bold")
        best = found.hits[0] if found.hits else None
        if best is None:
            self._tell("     nothing comes to mind", style="cyan")
        else:
            by = teller_name(best)
            self._tell(f'     "{printable(best.text)}" ({by}, {date(best.said_at)})', style="cyan")
            self._tell(f"     matched: {' '.join(best.matched)}", style="dim")
        found_it = any(question.answer in hit.text for hit in found.hits)
        self._check(
            f"{question.answer!r} is among the best {BEST_LOOKED_AT}"
            if question.may_come_out
            else f"{question.answer!r} is private, and doesn't come out here",
            holds=found_it is question.may_come_out,
        )
        return Answer(question=question.text, subjects=question.subjects, recollection=found)

    async def _examine(self, counts: Counts) -> None:
        report = await trio.to_thread.run_sync(examine, self._settings, NAME)
        self._tell(f"   {counts.turns} turns, {counts.facts} facts, {counts.events} events in the journal.")
        found = "; ".join(finding.message for finding in report.findings)
        self._check(
            found or f"the hash chain of {report.events} events verifies, and the views equal their fold",
            holds=report.healthy,
        )

    def _title(self, text: str) -> None:
        self._tell("")
        self._tell(text, style="bold")

    def _tell(self, text: str, *, style: str = "") -> None:
        if not self._invocation.as_json:
            self._invocation.line(text, style=style)

    def _check(self, claim: str, *, holds: bool) -> None:
        self._checks.append(Check(claim=claim, holds=holds))
        self._tell(f"   {'✓' if holds else '✗ FAILED:'} {claim}", style="green" if holds else "bold red")


def _at(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"data_dir": folder})


def _said(turns: Sequence[Turn]) -> list[tuple[str, str, float]]:
    return sorted((turn.text, turn.subject, turn.said_at) for turn in turns)


def _written(lines: Sequence[bytes]) -> list[tuple[str, str, float]]:
    spoken = [parse_line(raw, number) for number, raw in enumerate(lines, start=1)]
    return sorted((one.text, one.subject, one.said_at or 0.0) for one in spoken if one is not None)


def _known(facts: Sequence[Fact]) -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted((fact.id, fact.text, tuple(source.turn for source in fact.sources)) for fact in facts)
