"""Where and as what an actor crashed, without what the exception says: its message may quote what people said."""

from __future__ import annotations

import traceback
from pathlib import Path

__all__ = ["crash_site"]


def crash_site(error: BaseException) -> str:
    """Return an exception's class and innermost frame, such as `KeyError at dedup/actor.py:42 in receive`."""
    name = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return name
    frame = frames[-1]
    path = Path(frame.filename)
    return f"{name} at {path.parent.name}/{path.name}:{frame.lineno} in {frame.name}"
