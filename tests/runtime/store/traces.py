"""Where in a folder a text still stands, byte by byte."""

from __future__ import annotations

from pathlib import Path

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


def traces(folder: Path, *texts: str) -> list[str]:
    """Return where texts stand, in UTF-8 and both UTF-16, in any file and any file's name."""
    found = []
    for path in sorted(folder.rglob("*")):
        raw = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        found += [f"{path.name}: {text}" for text in texts if any(text.encode(one) in raw for one in ENCODINGS)]
    return found
