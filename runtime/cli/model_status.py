"""How the minds are doing, as `omoide status` shows it."""

from __future__ import annotations

from typing import Final

from ..models.status import LEFT_ALONE, ModelsStatus
from ..models.usage import Spent
from .invocation import Invocation
from .presentation import ago, printable, show

_WHEN_GONE: Final = {"wait": "its work waits in the outbox", "offline": "the offline engine does its work"}
_COLUMNS: Final = ("task", "calls", "failed", "repaired", "fell back", "requests", "tokens", "mean s", "longest s")


def print_models(invocation: Invocation, status: ModelsStatus) -> None:
    """Print how the providers are doing and what each task cost; nothing where the settings name none."""
    if not status.providers:
        return
    others = "".join(f"; {name} uses {mind}" for name, mind in sorted(status.characters.items()))
    invocation.line(
        printable(f"Mind: {status.use}{others}. When a provider is gone: {_WHEN_GONE[status.when_gone]}.")
    )
    for provider in status.providers:
        bound = "" if provider.tokens_per_hour is None else f" of {provider.tokens_per_hour:,}"
        until = provider.health.retry_at
        later = f", tried again {ago(until, invocation.now)}" if provider.state == LEFT_ALONE and until else ""
        invocation.line(
            printable(
                f"{provider.name} at {provider.base_url} ({provider.fast}, {provider.strong}): "
                f"{provider.state}{later}; {provider.tokens_this_hour:,}{bound} tokens this hour"
            ),
            style="yellow" if provider.health.error else "",
        )
        if provider.health.error:
            invocation.line(printable(provider.health.error), style="yellow")
        if provider.tasks:
            show(invocation, _COLUMNS, (_row(task, spent) for task, spent in provider.tasks.items()), empty="")


def _row(task: str, spent: Spent) -> tuple[str, ...]:
    counts = (spent.calls, spent.failures, spent.repairs, spent.fallbacks, spent.requests)
    return (
        task,
        *(f"{count:,}" for count in counts),
        f"{spent.prompt_tokens:,} + {spent.completion_tokens:,}",
        f"{spent.latency_s / spent.calls:.2f}" if spent.calls else "",
        f"{spent.longest_s:.2f}",
    )
