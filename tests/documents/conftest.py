"""What the tests of the documents share."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
def omoide(tmp_path: Path) -> Omoide:
    """The command over a data folder that isn't there yet."""
    return Omoide(tmp_path / "data")
