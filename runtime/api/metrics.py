"""What `/metrics` tells a Prometheus server: counts and times, never words, and no names of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily

from ..bus.status import BusStatus
from ..host import RuntimeStatus
from ..models.status import ModelsStatus

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The server's own counters, and the runtime's state at the moment of asking."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "omoide_http_requests",
            "Requests that were answered.",
            ("operation", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "omoide_http_request_seconds",
            "Time from a request's headers to its answer.",
            ("operation",),
            registry=self._registry,
        )

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count one request that was answered."""
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def page(self, status: RuntimeStatus) -> bytes:
        """Return the page in Prometheus' text format."""
        state = CollectorRegistry()
        state.register(_State(status))
        return generate_latest(self._registry) + generate_latest(state)


class _State:
    """A collector of what a runtime's status counts."""

    def __init__(self, status: RuntimeStatus) -> None:
        self._status = status

    def collect(self) -> Iterable[GaugeMetricFamily]:
        resident = self._status.characters
        for name, about, value in (
            ("stored_characters", "Characters in the data folder.", len(self._status.stored)),
            ("resident_characters", "Characters in memory.", len(resident)),
            (
                "degraded_characters",
                "Characters in memory of which something doesn't work.",
                sum(bool(c.degraded) for c in resident),
            ),
            ("resident_turns", "Turns of the characters in memory.", sum(c.counts.turns for c in resident)),
            ("resident_facts", "Facts of the characters in memory.", sum(c.counts.facts for c in resident)),
            (
                "outbox_pending",
                "Background work that waits, of the characters in memory.",
                sum(c.counts.pending for c in resident),
            ),
            (
                "outbox_parked",
                "Background work that a person has to look at.",
                sum(c.counts.parked for c in resident),
            ),
            (
                "role_restarts",
                "Restarts of roles of the characters in memory.",
                sum(r.restarts for c in resident for r in c.roles.values()),
            ),
            ("dead_letters", "Messages that reached nobody.", sum(self._status.dead_letters.values())),
        ):
            yield GaugeMetricFamily(f"omoide_{name}", about, value=value)
        yield from _buses(self._status.buses)
        yield from _models(self._status.models)


_BUS: Final = (
    ("connected", "1 while the bus can be reached."),
    ("reconnects", "Connections that came back."),
    ("lag", "Commands in the stream that aren't applied."),
    ("in_flight", "Of these, commands that are here already."),
    ("applied", "Commands that were applied."),
    ("repeated", "Commands that came again and changed nothing."),
    ("erased", "Commands whose character was erased after they were sent."),
    ("retried", "Tries after a failure."),
    ("stalled", "Characters whose next command fails and is tried again."),
    ("missed", "Commands that the stream dropped before they were read."),
    ("answered", "Questions that were answered."),
    ("told", "Events that were published."),
    ("untold", "Events that wait to be published."),
)
"""What is told of each message bus, since the process started."""


def _buses(buses: Sequence[BusStatus]) -> Iterable[GaugeMetricFamily]:
    for name, about in _BUS:
        family = GaugeMetricFamily(f"omoide_bus_{name}", about, labels=("bus",))
        for bus in buses:
            family.add_metric((bus.kind,), float(getattr(bus, name)))
        yield family
    dead = GaugeMetricFamily(
        "omoide_bus_dead_letters", "Commands that can't be carried out.", labels=("bus", "reason")
    )
    for bus in buses:
        for reason, count in bus.dead_letters.items():
            dead.add_metric((bus.kind, reason), count)
    yield dead


_SPENT: Final = (
    ("calls", "Tasks that a model was asked to do."),
    ("failures", "Tasks that a model gave no usable answer to."),
    ("repairs", "Answers that a model was asked to give again."),
    ("fallbacks", "Tasks that the offline engine did instead."),
    ("requests", "Requests to a provider."),
    ("prompt_tokens", "Tokens that a model was shown."),
    ("completion_tokens", "Tokens that a model wrote."),
    ("latency_s", "Time of all tasks, in seconds."),
)
"""What is counted by provider and task, over the days for which use is kept."""


def _models(status: ModelsStatus) -> Iterable[GaugeMetricFamily]:
    for name, about in _SPENT:
        family = GaugeMetricFamily(f"omoide_model_{name}", about, labels=("provider", "task"))
        for provider in status.providers:
            for task, spent in provider.tasks.items():
                family.add_metric((provider.name, task), getattr(spent, name))
        yield family
    tokens = GaugeMetricFamily("omoide_model_tokens_this_hour", "Tokens used in this hour.", labels=("provider",))
    failing = GaugeMetricFamily("omoide_model_failing", "1 where the last task failed.", labels=("provider",))
    for provider in status.providers:
        tokens.add_metric((provider.name,), provider.tokens_this_hour)
        failing.add_metric((provider.name,), float(bool(provider.health.error)))
    yield from (tokens, failing)
