"""The keeper ends its process in order, and tells an end that was meant from one that wasn't."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import trio
import trio.testing

from omoide.runtime.soak.driver import START
from omoide.runtime.soak.keeper import HostKeeper
from omoide.runtime.soak.process import COMMAND, HostDiedError
from omoide.runtime.soak.protocol import Arm

pytest.importorskip("psutil", reason="the extra `soak` is not installed")


async def close_while_it_dies(folder: Path, *, armed: bool) -> bool:
    """Have a process die while it is closed, and return whether its keeper complains."""
    keeper = HostKeeper(folder / "log", COMMAND, 1.0, START)
    complains = False

    async def close() -> None:
        nonlocal complains
        try:
            await keeper.close()
        except HostDiedError:
            complains = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(keeper.keep, {"data_dir": str(folder / "data")})
        host = await keeper.host()
        if armed:
            await keeper.arm(Arm(point="export.written", kills=True))
        os.kill(host.pid, signal.SIGSTOP)
        nursery.start_soon(close)
        await trio.testing.wait_all_tasks_blocked()
        os.kill(host.pid, signal.SIGKILL)
    return complains


@pytest.mark.kill
async def test_a_process_that_was_armed_to_die_may_die_while_it_is_closed(tmp_path: Path) -> None:
    assert not await close_while_it_dies(tmp_path, armed=True)


@pytest.mark.kill
async def test_a_process_that_dies_by_itself_while_it_is_closed_is_complained_of(tmp_path: Path) -> None:
    assert await close_while_it_dies(tmp_path, armed=False)
