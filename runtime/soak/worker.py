"""The process under test: `python -m omoide.runtime.soak.worker SOCKET`. It is killed, crashed and starved.

It imports the program once and forks one process under test after the other. That one reads requests from the
socket and writes replies to it, a JSON line each, many at a time, and ends when it is told to close or when the
harness is gone, so that it never outlives it. It holds the product as a host program would, and nothing that knows
what should come out.
"""

from __future__ import annotations

import logging
import os
import resource
import sqlite3
import sys
import tempfile
import time
import traceback
import uuid
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, assert_never

import psutil
import trio

from ...actors.directives.stated import take_apart
from ...protocols.errors import CallerError, DefectError, OmoideError, OutsideError, UnknownCharacterError
from ...protocols.records import Fact, FactStatus, Speaker, Turn
from ...protocols.settings import Settings
from ...protocols.work import OpState
from ..character import Character
from ..failpoints import ArmedFailpoints, Fault
from ..host import Runtime, open_runtime
from ..store import examine, files, paths
from .clock import JumpingClock
from .protocol import (
    PLATFORM,
    AnyAnswer,
    AnyRequest,
    Arm,
    Brief,
    Close,
    Counted,
    Done,
    Envelope,
    Examine,
    Examined,
    Found,
    Gate,
    Hear,
    Heard,
    Jump,
    Look,
    Measure,
    Measured,
    Memory,
    Move,
    Open,
    Passivate,
    Recall,
    Refused,
    Reject,
    Reply,
    Retire,
    SetDisk,
    Settle,
    Shown,
    Stream,
    Tamper,
    Told,
    decode_request,
    encode,
)

OWNER: Final = "Sam"
EVERYTHING: Final = 1_000_000

_CHUNK: Final = 1 << 16


class _Failpoints(ArmedFailpoints):
    """Failpoints at which a commit may be slow too, in the thread that writes."""

    def __init__(self) -> None:
        super().__init__()
        self.wait_s = 0.0

    def reach(self, point: str) -> None:
        """Pass a point, unless something is armed there."""
        super().reach(point)
        if self.wait_s and point == "journal.before_commit":
            time.sleep(self.wait_s)


class Worker:
    """The runtime under test, and what is asked of it.

    Args:
        runtime: what is tested.
        clock: what it takes for the time.
        failpoints: where it is made to fail.
    """

    def __init__(self, runtime: Runtime, clock: JumpingClock, failpoints: _Failpoints) -> None:
        self._runtime = runtime
        self._clock = clock
        self._failpoints = failpoints
        self._process = psutil.Process()

    async def answer(self, request: AnyRequest) -> AnyAnswer:
        """Return the answer to a request; what the runtime refuses is one too."""
        try:
            return await self._answer(request)
        except OmoideError as error:
            return _refused(error)

    async def _answer(self, request: AnyRequest) -> AnyAnswer:
        match request:
            case Hear() | Recall() | Brief() | Gate() | Stream() | Reject() | Settle() | Look():
                return await self._ask(await self._character(request.who), request)
            case Examine() | Tamper():
                look = _examined if isinstance(request, Examine) else _tampered
                try:
                    return await trio.to_thread.run_sync(look, self._runtime.settings, request.who)
                except (sqlite3.Error, OSError) as error:  # the spoiled disk takes no copy either
                    raise OutsideError(f"the journal can't be copied or read now: {error}") from error
            case Passivate():
                await self._runtime.passivate(request.who)
            case Move():
                await self._move(request.who, trio.Path(request.folder))
            case Retire():
                await self._erase(request.who)
            case Measure():
                return await self._measured()
            case Arm() | SetDisk() | Jump():
                self._disturb(request)
            case Open() | Close():
                raise DefectError(f"{type(request).__name__} is no request for an open runtime")
            case _:
                assert_never(request)
        return Done()

    async def _character(self, name: str) -> Character:
        if name in self._runtime.stored_characters():
            return await self._runtime.character(name, create=False)
        return await self._runtime.character(name, owner=OWNER)

    async def _ask(
        self,
        character: Character,
        request: Hear | Recall | Brief | Gate | Stream | Reject | Settle | Look,
    ) -> AnyAnswer:
        match request:
            case Hear():
                return await _hear(character, request)
            case Reject():
                return await _reject(character, request)
            case Settle():
                return await _settle(character)
            case Look():
                return await _look(character)
            case _:
                return await _spoken(character, request)

    async def _move(self, name: str, folder: trio.Path) -> None:
        if not await folder.exists():
            if name not in self._runtime.stored_characters():
                return
            draft = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}")
            await self._runtime.export(name, Path(draft))
            await draft.rename(folder)
        await self._erase(name)
        await self._runtime.import_(Path(folder), name)

    async def _erase(self, name: str) -> None:
        try:
            await self._runtime.erase(name, None)
        except UnknownCharacterError:
            return

    def _disturb(self, request: Arm | SetDisk | Jump) -> None:
        match request:
            case Arm():
                fault = Fault.KILL if request.kills else Fault.CRASH
                self._failpoints.arm(request.point, fault, skip=request.skip)
            case SetDisk():
                _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
                limit = resource.RLIM_INFINITY if request.limit is None else request.limit
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
                self._failpoints.wait_s = request.wait_s
            case Jump():
                self._clock.jump(request.by_s)

    async def _measured(self) -> Measured:
        residents = self._runtime.residents()
        pending = restarts = longest = 0
        for resident in residents.values():
            pending += (await resident.journal.counts()).pending
            longest = max(longest, *(len(ref.actor_inbox) for ref in resident.roles.values()))
        status = await self._runtime.status()
        for character in status.characters:
            restarts += sum(role.restarts for role in character.roles.values())
        return Measured(
            rss=self._process.memory_info().rss,
            files=self._process.num_fds(),
            threads=self._process.num_threads(),
            now=self._clock.now(),
            resident=len(residents),
            pending=pending,
            mailbox=longest,
            mailbox_bound=self._runtime.settings.actors.mailbox_size,
            restarts=restarts,
            dead_letters=sum(status.dead_letters.values()),
        )


async def _hear(character: Character, request: Hear) -> Heard:
    speaker = Speaker(platform=PLATFORM, account=request.by, label=request.by.title()) if request.by else None
    receipt = await character.hear(
        request.text,
        subject=request.place,
        speaker=speaker,
        message_id=request.id,
        said_at=request.said_at,
    )
    return Heard(turn=receipt.turn, repeated=receipt.repeated)


async def _spoken(character: Character, request: Recall | Brief | Gate | Stream) -> Found | Told:
    match request:
        case Recall():
            found = await character.recall(
                request.query, subjects=request.places, limit=request.limit, said=request.said
            )
            hits = tuple(
                Memory(kind=str(hit.kind), id=hit.id, text=hit.text, place=hit.subject, by=_key(hit.speaker))
                for hit in found.hits
            )
            return Found(hits=hits, degraded=found.degraded)
        case Brief():
            briefing = await character.briefing(subjects=request.places, cue=request.cue)
            return Told(text=briefing.text, degraded=briefing.degraded)
        case Gate():
            verdict = await character.gate(request.draft, unprompted=True, subject=request.place)
            return Told(text=verdict.verdict)
        case Stream():
            stream = character.gate_stream(unprompted=True, subject=request.place)
            spoken = [await stream.push(chunk) for chunk in request.chunks]
            return Told(text="".join((*spoken, await stream.close())))


async def _reject(character: Character, request: Reject) -> Counted:
    facts = [fact for fact in await character.facts(subjects=[request.place]) if fact.text == request.text]
    for fact in facts:
        await character.reject(fact.id)
    return Counted(count=len(facts))


async def _settle(character: Character) -> Counted:
    drained = await character.settle()
    if drained.parked:
        for op in await character.outbox(states=(OpState.PARKED,)):
            await character.retry(op.id)
        await character.settle()
    parked = await character.outbox(states=(OpState.PARKED,))
    return Counted(count=len(parked), which=tuple(f"{op.id}: {op.error}" for op in parked))


async def _look(character: Character) -> Shown:
    async with character.resident() as resident:
        facts = await resident.journal.facts(statuses=tuple(FactStatus))
    turns = await character.turns(newest=EVERYTHING)
    pending = await character.outbox(states=(OpState.PENDING,))
    return Shown(
        turns=tuple(_memory_of_turn(turn) for turn in turns),
        facts=tuple(_memory_of_fact(fact) for fact in facts),
        directives=tuple(directive.term for directive in await character.directives()),
        pending=tuple(op.id for op in pending),
    )


def _memory_of_turn(turn: Turn) -> Memory:
    return Memory(kind="turn", id=turn.id, text=turn.text, place=turn.subject, by=_key(turn.speaker))


def _memory_of_fact(fact: Fact) -> Memory:
    return Memory(
        kind="fact",
        id=fact.id,
        text=fact.text,
        place=fact.subject,
        by=_key(fact.speaker),
        active=fact.status is FactStatus.ACTIVE,
    )


def _key(speaker: Speaker | None) -> str:
    return "" if speaker is None else speaker.account


def _refused(error: OmoideError) -> Refused:
    whose: Literal["caller", "outside", "defect"] = "defect"
    if isinstance(error, CallerError):
        whose = "caller"
    elif isinstance(error, OutsideError):
        whose = "outside"
    return Refused(whose=whose, error=type(error).__name__, message=str(error))


def _examined(settings: Settings, who: str) -> Examined:
    report = examine(settings, who)
    findings = tuple(f"{one.part}: {one.message}" for one in report.findings)
    return Examined(findings=findings, events=report.events)


def _tampered(settings: Settings, who: str) -> Examined:
    """Examine a copy of a journal in which one entry's payload differs by a blank."""
    with tempfile.TemporaryDirectory(prefix="omoide-soak-") as folder:
        copied = settings.model_copy(update={"data_dir": Path(folder)})
        place, copy = paths.place_of(settings, who), paths.place_of(copied, who)
        copy.folder.mkdir(parents=True, exist_ok=True)
        with (
            closing(files.connect_reader(place, settings.evidence)) as live,
            closing(sqlite3.connect(copy.database)) as scratch,
        ):
            live.backup(scratch)
            number = files.number_of(live, who)
            scratch.execute(
                "UPDATE events SET payload = CAST(payload || ' ' AS BLOB) WHERE (character, seq) = "
                "(SELECT character, seq FROM events WHERE character = ? AND payload IS NOT NULL LIMIT 1)",
                (number,),
            )
            scratch.commit()
        return _examined(copied, who)


class _Lines:
    """Requests from a socket, and replies to it, one whole line at a time."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._received = bytearray()
        self._turn = trio.Lock()

    async def receive(self) -> Envelope | None:
        """Return the next request, or None at the end of the input."""
        while (end := self._received.find(b"\n")) < 0:
            chunk = await self._stream.receive_some(_CHUNK)
            if not chunk:
                return None
            self._received += chunk
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return decode_request(line)

    async def send(self, number: int, answer: AnyAnswer) -> None:
        """Send one reply."""
        async with self._turn:
            await self._stream.send_all(encode(Reply(number=number, answer=answer)))


async def serve(address: str) -> None:
    """Connect to a socket and answer requests until told to close, or until the harness is gone."""
    async with await trio.open_unix_socket(address) as stream:
        lines = _Lines(stream)
        first = await lines.receive()
        if first is None or not isinstance(first.request, Open):
            raise DefectError("the first request is to open the runtime")
        opening = first.request
        clock, failpoints = JumpingClock(opening.now, opening.speed), _Failpoints()
        settings = Settings.model_validate(opening.settings)
        number: int | None = None
        async with (
            open_runtime(settings, clock=clock, failpoints=failpoints) as runtime,
            trio.open_nursery() as nursery,
        ):
            worker = Worker(runtime, clock, failpoints)
            if opening.serves_bus:
                from ..bus.nats.service import serve_nats  # noqa: PLC0415 - the library of an extra

                nursery.start_soon(serve_nats, runtime)
            await lines.send(first.number, Done())
            while (envelope := await lines.receive()) is not None:
                if isinstance(envelope.request, Close):
                    number = envelope.number
                    break
                nursery.start_soon(_reply, lines, worker, envelope)
            nursery.cancel_scope.cancel()
        if number is not None:
            await lines.send(number, Done())


async def _reply(lines: _Lines, worker: Worker, envelope: Envelope) -> None:
    await lines.send(envelope.number, await worker.answer(envelope.request))


def fork(address: str) -> int:
    """Fork a process under test that connects to a socket, and return its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        trio.run(serve, address)
    except BaseException:  # noqa: BLE001 - a forked process must never return into the code of the one before it
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main() -> None:
    """Fork a process under test for each line of standard input, and tell its id and then its exit code."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    take_apart("Hello")  # has the phrases compiled once for all of them
    for _ in sys.stdin.buffer:
        pid = fork(sys.argv[1])
        _tell(pid)
        _, status = os.waitpid(pid, 0)
        _tell(os.waitstatus_to_exitcode(status))


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
