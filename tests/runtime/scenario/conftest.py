"""What the tests of the runner share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from omoide.runtime.scenario.parse import Scenario, parse_scenario

HEAD = """\
name: A talk
start: 2026-03-02T09:00:00+00:00
character: {name: yui, owner: Sam}
speakers:
  alice: {platform: qq, account: "1001", label: Alice, trust: 0.6}
"""


@pytest.fixture(scope="session")
def scenario_of() -> Callable[..., Scenario]:
    """Makes a scenario of these steps, each as it is written in a file."""

    def make(*steps: str, head: str = "") -> Scenario:
        return parse_scenario(
            f"{HEAD}{head}steps:\n" + "".join(f"  - {step}\n" for step in steps), Path("talk.yaml")
        )

    return make
