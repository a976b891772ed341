"""Omoide: an actor-based async runtime for the long-term memory of characters."""

__version__ = "0.1.0"
