"""The deterministic offline engine: rules only, no network, no key. The default mind."""

from .engine import OfflineEngine

__all__ = ["OfflineEngine"]
