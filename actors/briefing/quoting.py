"""How what people said stands in a prompt: as one line of quoted data.

A text can neither end its quotation nor close the block around it, pose as another line, or hide words.
"""

from __future__ import annotations

import re
from typing import Final

from ...protocols.prompt_tokens import estimated_tokens

CUT: Final = " […] "
"""What stands where the middle of a text was left out."""

_HIDDEN: Final = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]",
)
"""Controls, direction marks, tags and other characters that show nothing; joiners of scripts and emoji stay."""

_HARMLESS: Final = str.maketrans(
    {
        **dict.fromkeys('"“”„‟＂〝〞〟', "'"),
        **dict.fromkeys("`｀", "'"),
        **dict.fromkeys("<＜﹤", "‹"),
        **dict.fromkeys(">＞﹥", "›"),
    },
)

_MOST_CHARS_PER_TOKEN: Final = 5
"""A word of four Latin letters and the blank before it; no token of a text on one line has more characters."""


def without_hidden(text: str) -> str:
    """Return a text of one line without the characters that show nothing; what is seen stays as it is."""
    return _HIDDEN.sub("", text)


def quotable(text: str) -> str:
    """Return a text on one line in which nothing can end a quotation, close a block or stay unseen."""
    on_one_line = " ".join(text.split())
    if on_one_line.isascii() and on_one_line.isprintable():
        return on_one_line if _is_plain(on_one_line) else on_one_line.translate(_HARMLESS)
    # What is hidden may have stood between two blanks.
    return " ".join(_HIDDEN.sub("", on_one_line).split()).translate(_HARMLESS)


def _is_plain(text: str) -> bool:
    """Return whether nothing in a text in ASCII needs another form, for a third of what it takes to form it."""
    return '"' not in text and "`" not in text and "<" not in text and ">" not in text


def quoted(text: str) -> str:
    """Return a text as one quotation."""
    return f'"{quotable(text)}"'


def cut(text: str, tokens: int) -> str:
    """Return a text with its middle left out, visibly, so that head and tail have half of the tokens each.

    A text that has no more is returned as it is. The mark costs up to three tokens more.

    Args:
        text: a text on one line, as `quotable` returns it.
        tokens: the most that it may have, as `estimated_tokens` counts.
    """
    if len(text) <= tokens or estimated_tokens(text) <= tokens:
        return text
    tail = tokens // 2
    head = tokens - tail
    return f"{_head(text, head).rstrip()}{CUT}{_head(text[::-1], tail)[::-1].lstrip()}"


def _head(text: str, tokens: int) -> str:
    """Return the longest beginning of a text that has at most so many tokens."""
    low, high = 0, min(len(text), tokens * _MOST_CHARS_PER_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
