"""Rules that answers of several tasks must keep: what was shown, lengths, the language that was spoken. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from ....protocols.scripts import CJK, HAN, HANGUL, KANA

STATEMENT_CHARS: Final = 600
"""Longest statement, in characters; twice the longest sentence of ordinary prose."""

REASON_CHARS: Final = 200
"""Longest reason that is kept, in characters."""

_SCRIPTS: Final = {
    "Japanese": re.compile(f"[{KANA}]"),
    "Korean": re.compile(f"[{HANGUL}]"),
    "Chinese": re.compile(f"[{HAN}]"),
}
_WORD: Final = re.compile(r"[^\W\d_]+")

Kept = TypeVar("Kept")


def shown(handle: str, kind: str, of: Sequence[Kept]) -> Kept | None:
    """Return what a handle such as `f2` or `2` stands for, or None where nothing like it was shown.

    Args:
        handle: what the model wrote.
        kind: the letter of the handles.
        of: what was shown, numbered from 1.
    """
    match = re.fullmatch(rf"\[?\s*{kind}?\s*([1-9][0-9]{{0,3}})\s*\]?", handle.strip(), re.IGNORECASE | re.ASCII)
    place = int(match.group(1)) if match else 0
    return of[place - 1] if 0 < place <= len(of) else None


def statement(text: str) -> str | None:
    """Return a text as one statement that can be kept, or None where it is empty, too long, or holds controls."""
    line = " ".join(text.split())
    if not line or len(line) > STATEMENT_CHARS:
        return None
    if any(unicodedata.category(char) in {"Cc", "Cs", "Co", "Cn"} for char in line):
        return None
    return unicodedata.normalize("NFC", line)


def reason(text: str) -> str:
    """Return a model's reason, on one line and of bounded length."""
    return " ".join(text.split())[:REASON_CHARS]


def keeps_language(text: str, sources: Iterable[str]) -> bool:
    """Return whether a text is written as one of its sources is: what was translated isn't what was said.

    Judged by the characters alone. A source in Chinese characters wants some of them, one in letters wants mostly
    its own letters, and kana or hangul come from where there were some. Names and numbers alone tell nothing.
    """
    written = _letters(text)
    return not written or any(_matches(written, _letters(source)) for source in sources)


def script_of(text: str) -> str | None:
    """Return in which of the scripts with prompts of their own a text is written, by its characters alone."""
    return next((name for name, pattern in _SCRIPTS.items() if pattern.search(text)), None)


def _letters(text: str) -> Counter[str]:
    """Count Chinese, Japanese and Korean characters, and the words of every other alphabet."""
    counts = Counter(name for name, pattern in _SCRIPTS.items() for _ in pattern.finditer(text))
    counts.update(_alphabet(word[0]) for word in _WORD.findall(CJK.sub(" ", text)))
    return counts


def _matches(written: Counter[str], spoken: Counter[str]) -> bool:
    if not spoken:
        return True
    if any(written[name] and not spoken[name] for name in ("Japanese", "Korean")):
        return False
    if _is_mostly_cjk(spoken):
        return any(written[name] for name in _SCRIPTS)
    if _is_mostly_cjk(written):
        return any(spoken[name] for name in _SCRIPTS)
    main = max((name for name in written if name not in _SCRIPTS), key=lambda name: written[name])
    return main in spoken


def _is_mostly_cjk(counts: Counter[str]) -> bool:
    cjk = sum(counts[name] for name in _SCRIPTS)
    return cjk > counts.total() - cjk


def _alphabet(char: str) -> str:
    return unicodedata.name(char, "?").partition(" ")[0]
