"""What a recollection says that it did without."""

from __future__ import annotations

from typing import Final

EMBEDDINGS: Final = "embeddings"
"""No model told what the query means."""

BACKFILL: Final = "backfill"
"""Some memories have no vector yet."""

TIME: Final = "time"
"""The time that was asked for can't be read."""
