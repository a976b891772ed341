"""What a scenario's `needs` can name, whether it is there, and the settings that bring it in.

Knows which models are installed; must not know how a scenario is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..models.embeddings.catalogue import PACKAGED
from .format import Head

EMBEDDINGS: Final = "embeddings"
_ENGLISH: Final = ("minilm", "multilingual")
_OTHERS: Final = ("multilingual", "minilm")


def missing(head: Head) -> tuple[str, ...]:
    """Return those of a scenario's needs that aren't there."""
    return tuple(need for need in head.needs if need != EMBEDDINGS or _model(head) is None)


def settings_for(head: Head) -> Mapping[str, Any]:
    """Return a scenario's settings, with an embedding model where it needs one and names none."""
    model = _model(head) if EMBEDDINGS in head.needs else None
    if model is None:
        return head.settings
    return {**head.settings, "embeddings": {"model": model, **_embeddings(head)}}


def _embeddings(head: Head) -> Mapping[str, Any]:
    section = head.settings.get("embeddings")
    return section if isinstance(section, dict) else {}


def _model(head: Head) -> str | None:
    """Return the model that a scenario names, else the first installed one for its language."""
    if "model" in (named := _embeddings(head)):
        return str(named["model"])
    installed = {model.name for model in PACKAGED if model.installed}
    wanted = _ENGLISH if head.locale.partition("-")[0].lower() == "en" else _OTHERS
    return next((name for name in wanted if name in installed), None)
