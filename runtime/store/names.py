"""Character names: which are taken, and which folder each gets. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from ...protocols.errors import InvalidNameError
from ...protocols.text import has_control_or_surrogate

_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HASHED: Final = re.compile(r".*-[0-9a-f]{12}")
_DEVICES: Final = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""Names that Windows keeps for devices
(https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions)."""

_SLUG_CHARS: Final = 40
_HASH_HEX: Final = 12


POOL: Final = "@trust"
"""The name under which the pool of accounts has its journal; no character has it."""


def check_name(name: object, *, max_chars: int) -> str:
    """Return a character's name, trimmed and in normal form C.

    Args:
        name: what the caller sent.
        max_chars: longest name, in code points.

    Raises:
        InvalidNameError: if it is no string, blank, too long, or holds a control character or lone surrogate.
    """
    if not isinstance(name, str):
        raise InvalidNameError(f"a character's name must be a string, got {type(name).__name__}")
    trimmed = name.strip()
    if not trimmed:
        raise InvalidNameError("a character's name is empty: give it at least one visible character")
    if has_control_or_surrogate(trimmed):
        raise InvalidNameError(f"the name {trimmed!r} holds a control character or lone surrogate: remove it")
    normal = unicodedata.normalize("NFC", trimmed)
    if len(normal) > max_chars:
        raise InvalidNameError(
            f"a character's name has {len(normal):,} characters and at most {max_chars:,} are taken: shorten it"
        )
    return normal


def folder_of(name: str) -> str:
    """Return the folder of a checked name: short, portable, and different for different names on every disk.

    The name itself where it is plain; else a readable slug with 12 hexadecimal digits of the name's SHA-256.
    A plain name that ends as if it were such a folder, or that Windows keeps for a device, gets a slug too.
    """
    if _PLAIN.fullmatch(name) and not _HASHED.fullmatch(name) and not _DEVICES.fullmatch(name):
        return name
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_only)[:_SLUG_CHARS].strip("-") or "character"
    return f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:_HASH_HEX]}"
