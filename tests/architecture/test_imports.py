"""The direction of imports, as pyproject.toml's contracts state it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_run_one_way_from_runtime_to_actors_to_protocols() -> None:
    linter = Path(sys.executable).with_name("lint-imports")

    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout
