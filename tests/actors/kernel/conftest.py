"""Fixtures of the kernel's tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from omoide.actors.kernel import ActorSystem, open_system

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with open_system(rng=random.Random(7)) as opened:
        yield opened
