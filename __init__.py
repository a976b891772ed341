"""Omoide: an actor-based async runtime for the long-term memory of characters."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .protocols.records import Speaker
    from .protocols.settings import Settings
    from .runtime.character import Character
    from .runtime.host import Runtime, open_runtime

__all__ = ["Character", "Runtime", "Settings", "Speaker", "__version__", "open_runtime"]

__version__ = "0.1.0"

_HOME_OF = {
    "Character": "omoide.runtime.character",
    "Runtime": "omoide.runtime.host",
    "Settings": "omoide.protocols.settings",
    "Speaker": "omoide.protocols.records",
    "open_runtime": "omoide.runtime.host",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import omoide` alone stays light."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'omoide' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)
