"""`omoide scenario run`: what it prints, and its exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from typer.testing import CliRunner, Result

from omoide.runtime.scenario.command import app
from omoide.tests.processes import running

Found = TypeVar("Found")

HEAD = "name: A talk\nstart: 2026-03-02T09:00:00+00:00\n"
PASSES = f"{HEAD}steps: [hear: I keep bees., settle, facts: {{has: [bees], count: 1}}]\n"
FAILS = f"{HEAD}steps:\n  - hear: I keep bees.\n  - settle\n  - facts: {{has: [wasps]}}\n"
SKIPS = f"{HEAD}needs: [telepathy]\nsteps: [settle]\n"
BROKEN = f"{HEAD}steps: [settle, dance]\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


def test_all_that_pass_end_with_0_and_their_count(tmp_path: Path) -> None:
    write(tmp_path, a=PASSES, b=PASSES)
    result = run(tmp_path)
    assert (result.exit_code, result.stdout) == (0, "2 passed, 0 failed\n")


def test_a_failure_ends_with_1_and_a_line_for_it(tmp_path: Path) -> None:
    write(tmp_path, a=PASSES, b=FAILS, d=SKIPS)
    result = run(tmp_path)
    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            f"{tmp_path}/b.yaml: step 3 (facts): expected a fact with 'wasps', found 1 fact: 'I keep bees.'",
            f"{tmp_path}/d.yaml: skipped: needs telepathy",
            "1 passed, 1 failed, 1 skipped",
        ],
    )


def test_only_skipped_scenarios_end_with_0(tmp_path: Path) -> None:
    write(tmp_path, d=SKIPS)
    result = run(tmp_path / "d.yaml")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "0 passed, 0 failed, 1 skipped")


def test_a_file_that_breaks_the_format_ends_with_2_and_nothing_is_played(tmp_path: Path) -> None:
    write(tmp_path, a=FAILS, b=BROKEN)
    result = run(tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{tmp_path}/b.yaml: step 2: unknown step 'dance'")


def test_a_file_that_is_not_there_ends_with_2(tmp_path: Path) -> None:
    result = run(tmp_path / "gone.yaml")
    assert (result.exit_code, "gone.yaml: can't be read" in result.stderr) == (2, True)


def test_for_programs_there_is_one_json_object(tmp_path: Path) -> None:
    write(tmp_path, b=FAILS, d=SKIPS)
    result = run("--json", tmp_path)
    report = json.loads(result.stdout)
    assert (report["passed"], report["failed"], report["skipped"]) == (0, 1, 1)
    assert report["scenarios"][0]["failures"] == [
        {
            "step": 3,
            "action": "facts",
            "expected": "a fact with 'wasps'",
            "found": "1 fact: 'I keep bees.'",
        },
    ]


def test_kept_folders_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    write(tmp_path, a=PASSES)
    line = run("--keep", tmp_path / "a.yaml").stdout.splitlines()[0]
    folder = Path(line.partition(": kept in ")[2])
    assert (folder / "data").is_dir()


@pytest.mark.kill
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path: Path, how: signal.Signals) -> None:
    write(tmp_path, long=HEAD + "steps:\n" + "  - restart\n" * 500)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [
        sys.executable,
        "-c",
        "from omoide.runtime.scenario.command import app; app()",
        "run",
        str(tmp_path),
    ]
    with running(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        children = _eventually(lambda: _children(process.pid))
        assert children
        process.send_signal(how)
        process.wait(timeout=30)
    assert _eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def _children(pid: int) -> list[str]:
    # A process is the child of the thread that started it.
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text(encoding="ascii").split()]


def _eventually(look: Callable[[], Found]) -> Found:
    """Return what `look` finds once it finds anything, or what it finds after 30 s."""
    deadline = time.monotonic() + 30
    while not (found := look()) and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    return found
