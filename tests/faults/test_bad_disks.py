"""A disk that is full, read-only or somebody else's: a clear error, and nothing acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omoide.protocols.errors import CharacterOwnedError, StorageError, StorageFullError, StorageReadOnlyError
from omoide.runtime.host import open_runtime
from omoide.tests.processes import running

LONG = "I keep bees on the roof, and this is what they did on day {}: " + "buzz " * 2_000

OWNER = """
import sys, trio
from omoide.runtime.host import open_runtime
async def own():
    async with open_runtime(sys.argv[1]) as runtime:
        await runtime.character("yui")
        print("open", flush=True)
        await trio.to_thread.run_sync(sys.stdin.read)
trio.run(own)
"""


async def test_a_full_disk_refuses_the_message_and_keeps_what_was_acknowledged(
    mount: Callable[[str], Path],
) -> None:
    disk = mount("size=12m")
    ballast = disk / "ballast"
    acknowledged: list[str] = []
    async with open_runtime(disk / "data") as runtime:
        character = await runtime.character("yui")
        ballast.write_bytes(b"x" * 10_000_000)
        with pytest.raises(StorageFullError, match=r"(?i)free"):  # noqa: PT012 - which of them meets the end is open
            for day in range(200):
                receipt = await character.hear(LONG.format(day))
                acknowledged.append(receipt.turn)
        ballast.unlink()

        after = await character.hear("There is space again.")
        await character.settle()

        stored = [turn.id for turn in await character.turns(newest=1_000)]
        assert stored == [*acknowledged, after.turn]


async def test_a_read_only_folder_is_refused_with_what_to_do(mount: Callable[[str], Path]) -> None:
    disk = mount("size=1m")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)

    with pytest.raises(StorageReadOnlyError, match=str(disk)):
        async with open_runtime(disk / "data") as runtime:
            await runtime.character("yui")


async def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a diary")

    with pytest.raises(StorageError, match="data"):
        async with open_runtime(tmp_path / "data") as runtime:
            await runtime.character("yui")


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the character open."""
    with running(
        [sys.executable, "-c", OWNER, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


async def test_a_second_process_on_one_character_is_told_who_owns_it(
    tmp_path: Path,
    owner: subprocess.Popen[str],
) -> None:
    async with open_runtime(tmp_path) as runtime:
        with pytest.raises(CharacterOwnedError, match=str(owner.pid)):
            await runtime.character("yui")


async def test_the_character_of_a_killed_process_can_be_opened_at_once(
    tmp_path: Path,
    owner: subprocess.Popen[str],
) -> None:
    owner.kill()
    owner.wait()

    async with open_runtime(tmp_path) as runtime:
        assert (await runtime.character("yui", create=False)).name == "yui"


@pytest.mark.parametrize("damage", [b"not a database", b"\x00" * 100])
async def test_a_damaged_file_is_refused_and_not_touched(tmp_path: Path, damage: bytes) -> None:
    async with open_runtime(tmp_path) as runtime:
        await (await runtime.character("yui")).hear("I keep bees on the roof.")
    (database,) = tmp_path.rglob("memory.db")
    database.write_bytes(damage + database.read_bytes()[len(damage) :])
    before = database.read_bytes()

    async with open_runtime(tmp_path) as runtime:
        with pytest.raises(StorageError, match=r"memory\.db"):
            await runtime.character("yui")

    assert database.read_bytes() == before
