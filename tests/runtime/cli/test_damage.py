"""What the commands say of a data folder in which something is lost, damaged or misplaced."""

from __future__ import annotations

import shutil

import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
def two(omoide: Omoide) -> Omoide:
    """A data folder of yui and mia."""
    for name in ("yui", "mia"):
        omoide("chat", name, stdin=b"I have a sister.\n")
    return omoide


def told_by_status_and_doctor(omoide: Omoide) -> dict[str, str]:
    """Return what both say of each character's trouble; "" for none. Both have to end with 1."""
    (status,) = omoide("status", "--json", code=1).documents
    troubles = {one["name"]: one["last_error"] for one in status["characters"]}
    reports = omoide("doctor", "--json", code=1).documents
    assert troubles == {
        report["character"]: "".join(found["message"] for found in report["findings"]) for report in reports
    }
    return troubles


@pytest.mark.parametrize("empty", [True, False])
def test_a_lost_file_is_named_and_hides_nobody(two: Omoide, *, empty: bool) -> None:
    database = two.data / "yui" / "memory.db"
    database.unlink()
    if empty:
        database.touch()

    troubles = told_by_status_and_doctor(two)

    assert troubles["mia"] == ""
    assert str(database) in troubles["yui"]
    assert "restore a backup" in troubles["yui"]
    assert troubles["yui"] in two("chat", "yui", stdin=b"Hello.\n", code=1).err
    assert troubles["yui"] in two("facts", "yui", code=1).err
    assert "mia: healthy" in two("doctor", "mia").out


def test_a_renamed_folder_is_named_and_hides_nobody(two: Omoide) -> None:
    (two.data / "yui").rename(two.data / "gina")

    troubles = told_by_status_and_doctor(two)

    assert (set(troubles), troubles["mia"]) == ({"mia", "gina"}, "")
    assert "holds the memory of 'yui', not of 'gina'" in troubles["gina"]
    assert "rename the folder back to 'yui'" in troubles["gina"]
    assert troubles["gina"] in two("facts", "gina", code=1).err
    missed = two("facts", "yui", code=2).err
    assert "something is wrong with gina: `omoide status` says what), but mia" in missed


def test_a_folder_that_was_copied_beside_its_character_is_named(two: Omoide) -> None:
    shutil.copytree(two.data / "yui", two.data / "gina")

    troubles = told_by_status_and_doctor(two)

    assert (troubles["mia"], troubles["yui"]) == ("", "")
    assert "'yui' has the folder 'yui' already" in troubles["gina"]
    assert troubles["gina"] in two("characters", code=1).err


@pytest.mark.parametrize("command", [("status",), ("doctor",), ("characters",), ("facts", "yui"), ("chat", "yui")])
def test_the_other_layout_is_named_with_the_setting_to_change(two: Omoide, command: tuple[str, ...]) -> None:
    ended = two(*command, code=2, OMOIDE_STORAGE__LAYOUT="shared")

    assert "set storage.layout (or OMOIDE_STORAGE__LAYOUT) to 'per-character'" in ended.err
    assert not (two.data / "memory.db").exists()


def test_the_doctor_sends_nobody_to_the_doctor(two: Omoide) -> None:
    (two.data / "yui" / "memory.db").write_bytes(b"a diary, not a database" * 100)

    assert "omoide doctor" not in two("doctor", "yui", code=1).out


@pytest.mark.parametrize("command", [("status",), ("facts", "yui"), ("chat", "yui"), ("doctor", "yui")])
def test_a_file_in_place_of_the_data_folder_is_told_as_such(omoide: Omoide, command: tuple[str, ...]) -> None:
    omoide.data.write_text("a diary")

    ended = omoide(*command, code=1)

    assert f"the data folder {omoide.data} is a file: name a folder" in ended.err + ended.out
