"""The process that holds the runtime while a scenario is played: `python -m omoide.runtime.scenario.worker`.

It reads requests from its standard input and writes replies to its standard output, a JSON line each. It
ends when it is told to close, or when its input ends, so that it never outlives the player. What it logs
goes to its standard error with every field, for the step that looks there.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, TypeVar, assert_never

import trio

from ...protocols.errors import ActorCrashedError, DefectError, NotFoundError, OmoideError
from ...protocols.messages import Recollection
from ...protocols.settings import Settings
from ...protocols.work import OpState
from ..character import Character, CharacterStatus
from ..clock import VirtualClock
from ..failpoints import ArmedFailpoints, Fault, InjectedFaultError
from ..host import open_runtime
from ..models.offline import OfflineEngine
from .expect import contains
from .mind import ScriptedMind
from .protocol import (
    Answer,
    AnyAsk,
    ArmCrash,
    Close,
    DecideText,
    Done,
    Erase,
    ExplainText,
    FindTexts,
    GateDraft,
    Health,
    HearLine,
    ListDirectives,
    ListFacts,
    ListPersona,
    ListReflections,
    MoveClock,
    Open,
    ReadBriefing,
    ReadStatus,
    Refused,
    Reply,
    RevokeDirective,
    SayLine,
    SettleWork,
    StreamChunks,
    Texts,
    decode_ask,
    encode,
)

Result = TypeVar("Result")

RESTART_WAIT_S: Final = 5.0
"""Longest time that a health report waits for roles that are being restarted, in seconds."""

_RECORD_FIELDS: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class _Watched(ArmedFailpoints):
    """Failpoints that remember which crashes happened."""

    def __init__(self) -> None:
        super().__init__()
        self.crashed: list[str] = []

    def reach(self, point: str) -> None:
        """Pass a point, unless something is armed there."""
        try:
            super().reach(point)
        except InjectedFaultError:
            self.crashed.append(point)
            raise


class _Stage:
    """The runtime of one scenario, and what its steps do with it."""

    def __init__(self, opening: Open) -> None:
        self.clock = VirtualClock(opening.now)
        self.failpoints = _Watched()
        self.mind = ScriptedMind(OfflineEngine(), opening.answers)
        self._crashes_told = 0
        self._resent = 0

    def reply(self, outcome: Done | Texts | Health | Refused) -> Reply:
        """Return the reply that carries an outcome, with what happened since the last one."""
        crashed = tuple(self.failpoints.crashed[self._crashes_told :])
        self._crashes_told += len(crashed)
        return Reply(outcome=outcome, now=self.clock.now(), used=self.mind.take_used(), crashed=crashed)

    async def perform(self, character: Character, request: AnyAsk) -> Done | Texts | Health | Refused:
        """Do what a request asks for; what the runtime refuses is an outcome too."""
        try:
            return await self._perform(character, request)
        except OmoideError as error:
            return _refused(error)

    async def _perform(self, character: Character, request: AnyAsk) -> Done | Texts | Health:
        match request:
            case HearLine() | SayLine():
                await self._speak(character, request)
            case SettleWork():
                return await self._settle(character)
            case MoveClock():
                with self.mind.awake():
                    await self._move_to(character, self.clock.now() + request.by_s)
            case DecideText() | Erase():
                await self._decide(character, request)
            case ArmCrash():
                self.failpoints.arm(f"{request.role}.*", Fault.CRASH)
            case Answer():
                self.mind.script(request.answer)
            case (
                FindTexts()
                | ListFacts()
                | ListReflections()
                | ReadBriefing()
                | ListPersona()
                | ExplainText()
                | ReadStatus()
            ):
                return await self._look(character, request)
            case GateDraft() | StreamChunks() | ListDirectives() | RevokeDirective():
                return await self._hold(character, request)
            case Open() | Close():
                raise DefectError(f"{type(request).__name__} is no request for an open runtime")
            case _:
                assert_never(request)
        return Done()

    async def _look(  # noqa: PLR0911 - one kind a branch
        self,
        character: Character,
        request: FindTexts | ListFacts | ListReflections | ReadBriefing | ListPersona | ExplainText | ReadStatus,
    ) -> Texts | Health:
        match request:
            case FindTexts():
                found = await self._recalled(character, request)
                return Texts(texts=tuple(hit.text for hit in found.hits))
            case ListFacts():
                return Texts(texts=tuple(fact.text for fact in await character.facts()))
            case ListReflections():
                found_reflections = await character.reflections(tier=request.tier)
                return Texts(texts=tuple(reflection.text for reflection in found_reflections))
            case ReadBriefing():
                briefing = await self._resending(
                    lambda: character.briefing(subjects=request.subjects, cue=request.cue)
                )
                return Texts(texts=tuple(briefing.text.split("\n")))
            case ListPersona():
                return Texts(texts=tuple(entry.text for entry in await character.persona()))
            case ExplainText():
                return Texts(texts=await _explained(character, request.of))
            case ReadStatus():
                return await _health(character, await _recovered(character))
            case _:
                assert_never(request)

    async def _decide(self, character: Character, request: DecideText | Erase) -> None:
        if isinstance(request, Erase):
            await character.erase(subject=request.subject, words=request.words)
            return
        decide = character.affirm if request.affirms else character.reject
        for meant in await character.matching(request.of, affirms=request.affirms):
            await self._resending(partial(decide, meant.id))

    async def _hold(
        self,
        character: Character,
        request: GateDraft | StreamChunks | ListDirectives | RevokeDirective,
    ) -> Done | Texts:
        match request:
            case GateDraft():
                verdict = await self._resending(
                    lambda: character.gate(request.draft, unprompted=request.unprompted, subject=request.subject)
                )
                return Texts(texts=(verdict.verdict,))
            case StreamChunks():
                stream = character.gate_stream(unprompted=request.unprompted)
                spoken = [await self._resending(partial(stream.push, chunk)) for chunk in request.chunks]
                return Texts(texts=("".join([*spoken, await self._resending(stream.close)]),))
            case ListDirectives():
                return Texts(texts=tuple(directive.term for directive in await character.directives()))
            case RevokeDirective():
                term = await _standing_term(character, request.term)
                await self._resending(lambda: character.remove_directive(term))
                return Done()
            case _:
                assert_never(request)

    async def _speak(self, character: Character, line: HearLine | SayLine) -> None:
        match line:
            case HearLine():
                await self._resending(
                    lambda: character.hear(
                        line.text,
                        speaker=line.speaker,
                        subject=line.subject,
                        trust=line.trust,
                        message_id=line.id,
                    ),
                )
            case SayLine():
                await self._resending(
                    lambda: character.say(
                        line.text, subject=line.subject, surfaced=line.surfaced, message_id=line.id
                    ),
                )
            case _:
                assert_never(line)

    async def _settle(self, character: Character) -> Health:
        with self.mind.awake():
            while (drained := await self._resending(character.drain)).next_at is not None:
                await self._move_to(character, drained.next_at)
        return await _health(character, await character.status())

    async def _move_to(self, character: Character, at: float) -> None:
        """Move the clock from alarm to alarm, each time until the work that fell due is done."""
        await self._resending(character.drain)
        while (alarm := self.clock.next_alarm()) is not None and alarm <= at:
            self.clock.advance_to(alarm)
            await self._resending(character.drain)
        self.clock.advance_to(at)
        await self._resending(character.drain)

    async def _recalled(self, character: Character, request: FindTexts) -> Recollection:
        """Return what is recalled, asked again where a crash that the scenario armed left it unanswered."""
        while True:
            found = await character.recall(request.query, subjects=request.subjects, time=request.time)
            if "recall" not in found.degraded or self._resent >= len(self.failpoints.crashed):
                return found
            self._resent += 1

    async def _resending(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Return what a call returns, sent again where a crash that the scenario armed hit it.

        As a host program does: an utterance has the id of its first sending, so it can't be heard twice.
        """
        while True:
            try:
                return await call()
            except ActorCrashedError:
                if self._resent >= len(self.failpoints.crashed):
                    raise
                self._resent += 1


async def _explained(character: Character, of: str) -> tuple[str, ...]:
    try:
        found = await character.explain(of)
    except NotFoundError:
        return ()
    return tuple(line for one in found for line in one.lines())


async def _standing_term(character: Character, named: str) -> str:
    """Return the term of the one directive that contains what a scenario names; what it names where none does."""
    terms = [directive.term for directive in await character.directives()]
    meant = [term for term in terms if contains(term, named)]
    exact = [term for term in meant if contains(named, term)]
    return exact[0] if exact else meant[0] if len(meant) == 1 else named


def _refused(error: OmoideError) -> Refused:
    return Refused(error=type(error).__name__, message=str(error))


async def _health(character: Character, status: CharacterStatus) -> Health:
    parked = await character.outbox(states=(OpState.PARKED,))
    return Health(
        degraded=status.degraded,
        parked=status.counts.parked,
        errors=tuple(op.error for op in parked),
    )


async def _recovered(character: Character) -> CharacterStatus:
    """Return the health once no role is on its way back from a crash, or `RESTART_WAIT_S` have passed."""
    deadline = trio.current_time() + RESTART_WAIT_S
    while True:
        status = await character.status()
        waiting = any(role.state not in {"running", "suspended"} for role in status.roles.values())
        if not waiting or trio.current_time() > deadline:
            return status
        await trio.sleep(0.01)


async def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Serve one data folder from its opening request to its closing one, or to the end of the input."""

    async def next_request() -> AnyAsk | None:
        line = await trio.to_thread.run_sync(requests.readline, abandon_on_cancel=True)
        return decode_ask(line) if line else None

    def send(reply: Reply) -> None:
        replies.write(encode(reply))
        replies.flush()

    opening = await next_request()
    if opening is None:
        return
    if not isinstance(opening, Open):
        raise DefectError(f"the first request opens the data folder, got {type(opening).__name__}")
    stage = _Stage(opening)
    try:
        closing = await _play(stage, opening, next_request, send)
    except OmoideError as error:
        send(stage.reply(_refused(error)))
        return
    if closing:
        send(stage.reply(Done()))


async def _play(
    stage: _Stage,
    opening: Open,
    next_request: Callable[[], Awaitable[AnyAsk | None]],
    send: Callable[[Reply], None],
) -> bool:
    """Play until the input ends or a `Close` comes; return whether it was a `Close`, with the runtime closed."""
    settings = Settings.model_validate({**opening.settings, "data_dir": Path(opening.data_dir)})
    async with open_runtime(
        settings,
        clock=stage.clock,
        model=stage.mind,
        failpoints=stage.failpoints,
    ) as runtime:
        try:
            character = await runtime.character(
                opening.name,
                owner=opening.owner,
                locale=opening.locale,
                card=opening.card,
            )
        except OmoideError as error:
            send(stage.reply(_refused(error)))
            return False
        send(stage.reply(Done()))
        while (request := await next_request()) is not None:
            if isinstance(request, Close):
                return True
            send(stage.reply(await stage.perform(character, request)))
    return False


class _EveryField(logging.Formatter):
    """Shows a record with all its fields, so that nothing that was logged escapes the step that looks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {name: value for name, value in record.__dict__.items() if name not in _RECORD_FIELDS}
        return f"{super().format(record)} {fields}" if fields else super().format(record)


def main() -> None:
    """Serve on standard input and output."""
    # A Ctrl-C reaches the whole foreground group; the player decides what becomes of this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_EveryField("%(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.DEBUG, handlers=[handler])
    # Whatever else prints must not end up between the replies.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    trio.run(serve, sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
