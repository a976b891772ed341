"""The process under test answers for the faults of its disk, also where it works for the harness alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.runtime.soak.driver import START
from omoide.runtime.soak.process import COMMAND, open_nest
from omoide.runtime.soak.protocol import Examined, Hear, Open, Refused, SetDisk, Tamper

pytest.importorskip("psutil", reason="the extra `soak` is not installed")


@pytest.mark.kill
async def test_a_copy_that_a_full_disk_refuses_is_the_disks_fault_and_is_made_once_there_is_room(
    tmp_path: Path,
) -> None:
    async with open_nest(tmp_path / "log", COMMAND) as nest, nest.start() as host:
        await host.ask(Open(settings={"data_dir": str(tmp_path / "data")}, now=START, speed=1.0))
        await host.ask(Hear(who="yui", text="Hi.", place="private", by="", id="m1", said_at=START))
        await host.ask(SetDisk(limit=0, wait_s=0.0))

        refused = await host.ask(Tamper(who="yui"))
        await host.ask(SetDisk(limit=None, wait_s=0.0))
        examined = await host.ask(Tamper(who="yui"))

    assert isinstance(refused, Refused)
    assert refused.whose == "outside"
    assert isinstance(examined, Examined)
    assert any(finding.startswith("chain") for finding in examined.findings)
