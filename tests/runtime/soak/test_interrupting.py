"""Ctrl-C ends a soak in order: a terminal sends it to every process of the group at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from omoide.tests.processes import running

psutil = pytest.importorskip("psutil", reason="the extra `soak` is not installed")

PATIENCE_S = 60.0


@pytest.mark.kill
def test_an_interruption_of_the_whole_group_ends_the_soak_with_its_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omoide", "--json", "soak", "--for", "60", "--characters", "1", "--no-shrink"]
    with running([*command, "--fault", "clock"], stdout=subprocess.PIPE, process_group=0, cwd=tmp_path) as process:
        began = time.monotonic()
        while len(psutil.Process(process.pid).children(recursive=True)) < 2:
            assert time.monotonic() - began < PATIENCE_S
            time.sleep(0.05)

        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_S)

    assert (process.returncode, json.loads(out)["verdict"]) == (130, "interrupted")
