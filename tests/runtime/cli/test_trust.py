"""`omoide trust`: who is in the pool of accounts, and a human's word on who is one."""

from __future__ import annotations

from pathlib import Path

import trio

from omoide.protocols.records import Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime
from omoide.runtime.store import POOL, paths
from omoide.tests.runtime.cli.command_line import Omoide


def heard(data: Path) -> None:
    async def main() -> None:
        async with open_runtime(data) as runtime:
            yui = await runtime.character("yui")
            for account in ("1001", "1002"):
                speaker = Speaker(platform="qq", account=account)
                await yui.hear("Hello there.", speaker=speaker, subject="group:qq:77", trust="normal")
            await yui.settle()

    trio.run(main)


def test_before_anybody_spoke_the_pool_is_empty(omoide: Omoide) -> None:
    assert omoide("trust", "list").out == "The pool of accounts has nobody in it.\n"
    assert omoide("trust", "list", "--json").documents == []
    assert "no account 'qq:1'" in omoide("trust", "show", "qq:1", code=2).err


def test_accounts_are_bound_shown_and_unbound(omoide: Omoide) -> None:
    heard(omoide.data)

    omoide("trust", "bind", "qq:1002", "qq:1001", "--by", "Sam")
    (person,) = omoide("trust", "show", "qq:1002", "--json").documents
    assert [account["key"] for account in person["accounts"]] == ["qq:1001", "qq:1002"]
    assert person["tally"] == {"messages": 2, "confirmations": 0, "corrections": 0}
    assert "normal  0.502" in omoide("trust", "show", "qq:1001").out

    omoide("trust", "unbind", "qq:1002")
    assert len(omoide("trust", "list", "--json").documents) == 2


def test_two_persons_are_merged(omoide: Omoide) -> None:
    heard(omoide.data)

    omoide("trust", "merge", "qq:1002", "qq:1001")

    assert len(omoide("trust", "list", "--json").documents) == 1
    assert omoide("characters", "--json").documents[0]["name"] == "yui"


def test_what_is_no_account_is_refused_with_what_is(omoide: Omoide) -> None:
    assert "'<platform>:<account>'" in omoide("trust", "bind", "Alice Lee", "qq:1", code=2).err


def test_the_doctor_examines_the_pool_too(omoide: Omoide) -> None:
    heard(omoide.data)
    assert "the pool of accounts: healthy" in omoide("doctor").out
    (folder,) = [folder for folder in omoide.data.iterdir() if folder.name.startswith("trust-")]
    assert folder == paths.place_of(Settings(data_dir=omoide.data), POOL).folder

    (folder / "memory.db").write_bytes(b"x" * 4096)

    assert folder.name in omoide("doctor", code=1).out
