"""Lists that are written one topic a line, put on one line.

A sentence ends at a line's end, except where a colon opened a list.
"""

from __future__ import annotations

import re
from typing import Final

MAX_ITEM_CHARS: Final = 60
"""Longest line that can be an item (characters): a topic has at most forty, with its bullet and a remark."""

_OPENS: Final = re.compile(r"[:\uff1a][^\S\n]*\n")
_ITEM: Final = re.compile(
    rf"[^\S\n]*(?P<bullet>[-*\u2022\u2013\u00b7\u30fb]|\d{{1,2}}[.)\u3001])?[^\S\n]*"
    rf"(?P<item>[^\s.!?\u3002\uff01\uff1f][^\n.!?\u3002\uff01\uff1f]{{0,{MAX_ITEM_CHARS}}})[.;,\u3002\uff0c\uff1b]?[^\S\n]*(?:\n|$)"
)


def joined_lists(text: str) -> str:
    """Return a text in which each list of lines after a colon stands behind it, its items parted by strokes.

    Items have a bullet or a number each, or none has; the first line that is no such item ends the list.
    """
    if not _OPENS.search(text):
        return text
    pieces: list[str] = []
    behind = 0
    for opening in _OPENS.finditer(text):
        if opening.start() < behind:
            continue
        items, end = _items_from(text, opening.end())
        if items:
            pieces += [text[behind : opening.start()], text[opening.start()], " ", " / ".join(items), ".\n"]
            behind = end
    return "".join((*pieces, text[behind:]))


def _items_from(text: str, start: int) -> tuple[list[str], int]:
    items: list[str] = []
    bulleted = False
    while found := _ITEM.match(text, start):
        if items and bool(found["bullet"]) != bulleted:
            break
        bulleted = bool(found["bullet"])
        items.append(found["item"].strip())
        start = found.end()
    return items, start
