"""What tests of several packages share."""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from omoide.protocols.ports import Embedder
from omoide.protocols.settings import EmbeddingSettings
from omoide.runtime.models.embeddings import PACKAGED, open_embedder

Seconds = Callable[[Callable[[], object]], float]

# How long an example takes says what else the machine does; what something may cost is tested by ratios.
settings.register_profile("omoide", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("omoide")

LONGEST = (
    "test_p7_views_equal_the_fold_of_events.py",
    "test_mutants.py",
    "test_soak.py",
    "test_kills.py",
    "test_p1_nothing_acknowledged_is_lost.py",
    "test_p3_a_correction_lasts.py",
    "test_scenarios.py",
    "test_command.py",
)
"""Files that take longest, the longest first."""


def pytest_configure() -> None:
    """Let tests be interrupted, also where a shell started them in the background and had interrupts ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no core waits for one alone at the end."""
    places = {name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))


@pytest.fixture(scope="session")
def cpu_seconds() -> Seconds:
    """Measure the CPU time of a call, for ratios within one run: the best of five, without collections.

    A garbage collection costs by what the whole test run has allocated, and wall time by what else the
    machine does; neither says anything of the call.
    """

    def measure(call: Callable[[], object]) -> float:
        spans = []
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                started = time.thread_time()
                call()
                spans.append(time.thread_time() - started)
        finally:
            gc.enable()
        return min(spans)

    return measure


def packaged_embedder(name: str) -> Embedder:
    """Return a model that an extra brings, or skip where the extra isn't installed."""
    packaged = next(each for each in PACKAGED if each.name == name)
    if not packaged.installed:
        pytest.skip(f"the extra {packaged.extra!r} is not installed")
    opened = open_embedder(EmbeddingSettings(model=name))
    assert opened is not None
    return opened


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    """Give the English model, loaded once a run."""
    return packaged_embedder("minilm")


@pytest.fixture(scope="session")
def multilingual() -> Embedder:
    """Give the model for Chinese, Japanese and others, loaded once a run."""
    return packaged_embedder("multilingual")
