"""Where one Japanese statement ends and the next begins: after a finite verb with a conjunction, nowhere else."""

from __future__ import annotations

import re
from typing import Final

_SEAM: Final = re.compile(
    r"(?:(?<=です)が|(?<=ます)が|(?<=ました)が|(?<=でした)が|(?<=ません)が|(?:けれども|けれど|けど)|(?<=[いるだすたう])し)[、，,]\s*"
)
_DEPENDENT: Final = re.compile(r"もし|たとえ|仮に")
_MOST_SEAMS: Final = 8
_LEAST_CHARS: Final = 4


def statements(text: str) -> tuple[str, ...]:
    """Return the statements of a sentence."""
    if _DEPENDENT.match(text):
        return (text,)
    found: list[str] = []
    start = 0
    for seam in list(_SEAM.finditer(text))[:_MOST_SEAMS]:
        if seam.start() - start < _LEAST_CHARS or len(text) - seam.end() < _LEAST_CHARS:
            continue
        found.append(text[start : seam.start()])
        start = seam.end()
    found.append(text[start:])
    return tuple(found)
