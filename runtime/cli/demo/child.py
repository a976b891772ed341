"""A replay in a process of its own, which can be killed in the middle."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial

import msgspec
import trio
from msgspec import Struct

from ....protocols.errors import DefectError
from ....protocols.messages import Receipt
from ..replay import Replayed


class Printed(Struct, frozen=True):
    """One line that `omoide replay --json` prints: a receipt, or the summary at the end."""

    receipt: Receipt | None = None
    summary: Replayed | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """How a replay ended: what it had acknowledged, and whether it was killed or came to its summary."""

    pid: int
    was_killed: bool
    receipts: tuple[Receipt, ...]
    summary: Replayed | None


async def run_child(command: Sequence[str], *, kill_after: int | None, on_receipt: Callable[[], None]) -> Outcome:
    """Run `omoide replay --json` as a process, and return how it ended.

    Args:
        command: the command line.
        kill_after: number of receipts after which the process is killed; None lets it end.
        on_receipt: called for every receipt that arrives.

    Raises:
        DefectError: if it ended in any other way than it had to; the message has what it printed to stderr.
    """
    receipts: list[Receipt] = []
    summary: Replayed | None = None
    complaint = bytearray()
    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(
            partial(
                trio.run_process,
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                check=False,
            )
        )
        nursery.start_soon(_collect, process.stderr, complaint)
        async for printed in _printed(process):
            if printed.receipt is not None:
                receipts.append(printed.receipt)
                on_receipt()
                if len(receipts) == kill_after:
                    process.kill()
            summary = printed.summary or summary
    was_killed = process.returncode == -signal.SIGKILL
    if was_killed is (kill_after is None) or (not was_killed and process.returncode):
        raise DefectError(
            f"the replaying process {process.pid} ended with {process.returncode}"
            f" after {len(receipts)} turns: {complaint.decode(errors='replace').strip() or 'it said nothing'}"
        )
    return Outcome(pid=process.pid, was_killed=was_killed, receipts=tuple(receipts), summary=summary)


async def _printed(process: trio.Process) -> AsyncGenerator[Printed, None]:
    if process.stdout is None:
        return
    rest = b""
    async for chunk in process.stdout:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield msgspec.json.decode(line, type=Printed)


async def _collect(stream: trio.abc.ReceiveStream | None, into: bytearray) -> None:
    if stream is not None:
        async for chunk in stream:
            into += chunk
