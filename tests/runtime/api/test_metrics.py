"""What models cost is among the metrics, by provider and task."""

from __future__ import annotations

from omoide.runtime.api.metrics import Metrics
from omoide.runtime.host import RuntimeStatus
from omoide.runtime.models.status import ModelsStatus, ProviderStatus
from omoide.runtime.models.usage import Health, Spent


def test_what_models_cost_is_told_by_provider_and_task() -> None:
    provider = ProviderStatus(
        name="local",
        base_url="http://h/v1",
        fast="tiny",
        strong="tiny",
        state="failing",
        health=Health(error="ModelError: no"),
        tokens_this_hour=120,
        tokens_per_hour=None,
        tasks={"extract": Spent(calls=3, failures=1, prompt_tokens=100, latency_s=1.5)},
    )
    models = ModelsStatus(use="local", characters={}, when_gone="wait", providers=(provider,))
    status = RuntimeStatus(data_dir="d", layout="shared", characters=(), stored=(), dead_letters={}, models=models)

    page = Metrics().page(status).decode()

    assert 'omoide_model_calls{provider="local",task="extract"} 3.0' in page
    assert 'omoide_model_failures{provider="local",task="extract"} 1.0' in page
    assert 'omoide_model_latency_s{provider="local",task="extract"} 1.5' in page
    assert 'omoide_model_tokens_this_hour{provider="local"} 120.0' in page
    assert 'omoide_model_failing{provider="local"} 1.0' in page
