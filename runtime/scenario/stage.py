"""Where one scenario is played: its folder, its process, and what outlives the process when it is killed.

The queue of scripted answers, the virtual time and the accounts live here, so that a new process on the
same folder goes on where the killed one was.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import trio

from ...protocols.errors import OutsideError
from ...protocols.records import Speaker
from ...protocols.settings import Settings
from ..failpoints import Unarmed
from ..store import export_character, import_character
from .format import Account
from .needs import settings_for
from .parse import Scenario
from .process import Worker, WorkerDiedError, open_worker
from .protocol import AnyAsk, ArmCrash, Done, Health, Open, Refused, ScriptedAnswer, Texts

SHUTDOWN_S: Final = 0.25
"""Time a role gets to stop in order (seconds) unless the scenario says otherwise. One that waits for the
mind, which is asleep between the steps, would use up all of it at each restart."""

LOG_LINES: Final = 12
"""Lines of the log that are shown where the process dies."""


class RefusedError(OutsideError):
    """The runtime refused what a step asked for."""


class Stage:
    """One scenario's folder and process. Use as an async context manager.

    Args:
        scenario: what is played.
        folder: an empty folder.

    Attributes:
        number: the step that is being played, from 1.
        now: the virtual time, in seconds since the epoch.
        parked: how much parked work the scenario has been told of.
        pids: the processes so far.
    """

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario = scenario
        self.number = 0
        self.now = scenario.head.start.timestamp()
        self.parked = 0
        self.pids: list[int] = []
        self._data_dir = folder / "data"
        self._log = folder / "log.txt"
        self._script: list[ScriptedAnswer] = []
        self._armed: list[tuple[int, str]] = []
        self._worker: Worker | None = None
        self._exits = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._exits.aclose()

    async def do(self, request: AnyAsk) -> None:
        """Have something done.

        Raises:
            RefusedError: if the runtime refused it.
            WorkerDiedError: if the process died of it.
        """
        await self._ask(request)

    async def texts(self, request: AnyAsk) -> tuple[str, ...]:
        """Return the texts that a request finds; raises as `do` does."""
        outcome = await self._ask(request)
        if not isinstance(outcome, Texts):
            raise WorkerDiedError(f"the process answered with {type(outcome).__name__} instead of texts")
        return outcome.texts

    async def health(self, request: AnyAsk) -> Health:
        """Return the health after a request; raises as `do` does."""
        outcome = await self._ask(request)
        if not isinstance(outcome, Health):
            raise WorkerDiedError(f"the process answered with {type(outcome).__name__} instead of its health")
        return outcome

    async def crash(self, role: str) -> None:
        """Arm a crash of a role's actor."""
        await self._ask(ArmCrash(role=role))
        self._armed.append((self.number, role))

    def script(self, answer: ScriptedAnswer) -> None:
        """Remember a scripted answer until it is given."""
        self._script.append(answer)

    async def kill(self) -> None:
        """Kill the process. The next request opens the folder again."""
        worker = await self._open()
        await worker.kill()
        await self._left()

    async def close(self) -> None:
        """Close the runtime in order; a process that was killed is gone already.

        Raises:
            WorkerDiedError: if it didn't end in order.
        """
        if self._worker is not None:
            await self._worker.close()
            await self._left()

    async def restart(self) -> None:
        """Close the runtime in order and open it again."""
        await self._open()
        await self.close()
        await self._open()

    async def export_import(self) -> None:
        """Close the runtime, export the character, erase the data folder, and import what was exported.

        The next request opens the folder again.

        Raises:
            OmoideError: if the export or the import fails.
        """
        await self._open()
        await self.close()
        head = self.scenario.head
        settings = Settings.model_validate({**_with_defaults(head.settings), "data_dir": self._data_dir})
        export = self._data_dir.with_name(f"export-{self.number}")

        def move() -> None:
            export_character(settings, head.character.name, export, now=self.now, failpoints=Unarmed())
            shutil.rmtree(self._data_dir)
            import_character(settings, export, now=self.now, failpoints=Unarmed())

        await trio.to_thread.run_sync(move)

    def account(self, name: str) -> Account:
        """Return the account of that name in the scenario."""
        return self.scenario.head.speakers[name]

    def log(self) -> str:
        """Return all that was logged since the start."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def last_words(self) -> str:
        """Return the end of the log."""
        return "\n".join(self.log().splitlines()[-LOG_LINES:])

    def notes(self) -> tuple[str, ...]:
        """Return what was prepared and never happened."""
        armed = [
            f"step {number} (crash): {role} got no message any more, so it never crashed"
            for number, role in self._armed
        ]
        unasked = [
            f"step {answer.number} (model): {answer.task} was not called any more" for answer in self._script
        ]
        return (*armed, *unasked)

    async def _ask(self, request: AnyAsk) -> Done | Texts | Health:
        worker = await self._open()
        return await self._exchange(worker, request)

    async def _exchange(self, worker: Worker, request: AnyAsk) -> Done | Texts | Health:
        reply = await worker.ask(request)
        self.now = reply.now
        self._script = [answer for answer in self._script if answer.number not in reply.used]
        for point in reply.crashed:
            self._forget_armed(point.partition(".")[0])
        if isinstance(reply.outcome, Refused):
            raise RefusedError(f"{reply.outcome.error}: {reply.outcome.message}")
        return reply.outcome

    def _forget_armed(self, role: str) -> None:
        for armed in self._armed:
            if armed[1] == role:
                self._armed.remove(armed)
                return

    async def _open(self) -> Worker:
        if self._worker is not None:
            return self._worker
        worker = await self._exits.enter_async_context(open_worker(self._log))
        self.pids.append(worker.pid)
        head = self.scenario.head
        await self._exchange(
            worker,
            Open(
                data_dir=str(self._data_dir),
                now=self.now,
                settings=_with_defaults(settings_for(head)),
                name=head.character.name,
                owner=head.character.owner,
                locale=head.locale,
                card=head.character.card,
                answers=tuple(self._script),
            ),
        )
        self._worker = worker
        return worker

    async def _left(self) -> None:
        self._worker = None
        await self._exits.aclose()


def speaker_of(account: Account) -> Speaker:
    """Return the speaker that the host's envelope names for an account."""
    return Speaker(platform=account.platform, account=account.account, label=account.label)


def _with_defaults(settings: Mapping[str, object]) -> dict[str, object]:
    actors = settings.get("actors")
    given = actors if isinstance(actors, dict) else {}
    return {**settings, "actors": {"shutdown_s": SHUTDOWN_S, **given}}
