"""How the minds of a data folder are doing, by what was counted of them. Loads none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

from ...protocols.errors import ModelBusyError
from ...protocols.settings import ModelSettings
from .usage import Health, Spent, read_use

LEFT_ALONE: Final = "left alone"
"""State of a provider that failed too often and isn't asked for a while."""

WAITING: Final = "waiting"
"""State of a provider that is well, and from which nothing more may be asked for a while."""


class ProviderStatus(Struct, frozen=True, kw_only=True):
    """How a provider is doing.

    `state` is `ready`, `failing` after a task that failed, `left alone` until the `retry_at` of its health,
    `waiting` where it asks to wait or the tokens of the hour are used up, or `unused`. `tokens_per_hour` is the
    bound, None where there is none; `tasks` is what each task cost.
    """

    name: str
    base_url: str
    fast: str
    strong: str
    state: str
    health: Health
    tokens_this_hour: int
    tokens_per_hour: int | None
    tasks: dict[str, Spent]


class ModelsStatus(Struct, frozen=True, kw_only=True):
    """Which mind thinks for whom, what happens when it is gone, and how the providers are doing."""

    use: str
    characters: dict[str, str]
    when_gone: str
    providers: tuple[ProviderStatus, ...]


def models_status(settings: ModelSettings, data_dir: Path, now: float) -> ModelsStatus:
    """Return how the minds of a data folder are doing, by what all its processes counted."""
    use = read_use(data_dir, now)
    providers = []
    for name, provider in settings.providers.items():
        kept = use.get(name)
        health = kept.health if kept else Health()
        providers.append(
            ProviderStatus(
                name=name,
                base_url=provider.base_url,
                fast=provider.fast,
                strong=provider.strong or provider.fast,
                state=_state(health, now),
                health=health,
                tokens_this_hour=kept.tokens_this_hour if kept else 0,
                tokens_per_hour=provider.tokens_per_hour,
                tasks=kept.tasks if kept else {},
            )
        )
    return ModelsStatus(
        use=settings.use,
        characters=dict(settings.characters),
        when_gone=settings.when_gone,
        providers=tuple(providers),
    )


def _state(health: Health, now: float) -> str:
    if health.retry_at is not None and now < health.retry_at:
        return LEFT_ALONE
    if health.answered_at is None and health.failed_at is None:
        return "unused"
    if health.error.startswith(ModelBusyError.__name__):
        return WAITING
    return "failing" if health.error else "ready"
