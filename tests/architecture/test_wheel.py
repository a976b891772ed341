"""What the built wheel holds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_puts_nothing_generic_into_site_packages(wheel_names: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names if ".dist-info" not in name}

    assert tops == {"omoide"}


@pytest.mark.parametrize("package", ["actors", "protocols", "runtime"])
def test_the_wheel_holds_every_file_of_each_package(wheel_names: list[str], package: str) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", package],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert {f"omoide/{name}" for name in tracked} <= set(wheel_names)


def test_the_wheel_is_marked_as_typed(wheel_names: list[str]) -> None:
    assert "omoide/py.typed" in wheel_names
