"""A test that waits for a process fails in time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from omoide.tests.processes import running


def test_a_process_that_says_nothing_is_killed_and_the_test_fails() -> None:
    def wait() -> None:
        mute = [sys.executable, "-c", "import time; time.sleep(600)"]
        with running(mute, limit_s=0.1, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()

    with pytest.raises(AssertionError, match="killed after"):
        wait()


def test_one_that_ends_in_time_is_left_alone() -> None:
    with running([sys.executable, "-c", "print(7)"], stdout=subprocess.PIPE) as process:
        pass

    assert process.returncode == 0
