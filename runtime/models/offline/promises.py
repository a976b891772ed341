"""What a character promises, by the words with which one does: English, Chinese and Japanese. Pure.

In a person's mouth such words are mostly talk about the talk ("I'll tell you what"); in the character's own they
are what the person will remember.
"""

from __future__ import annotations

import re
from typing import Final

from .claims import plain

PROMISE: Final = 8
"""Importance of a promise: it is asked for later."""

LEAST_CHARS: Final = 6
"""Shortest sentence that promises something (characters): "I will" promises nothing."""

_PROMISES: Final = re.compile(
    r"\bi(?:'ll| will| shall| promise| won't| swear)\b(?! be (?:right )?(?:back|here)\b)(?! see\b)"
    r"|\byou have my word\b"
    r"|我(?:会|一定|保证|答应|发誓|向你保证|绝不|绝对不会|不会再|来帮你|明天|下次)"
    r"|約束(?:する|します|だ)|(?:て|で)(?:あげる|あげます|おく|おきます|みせる)[よね]?[。!！\s]*$"
    r"|(?:忘れ|破ら|やら|言わ)ない(?:から|よ)|(?:必ず|絶対に?|きっと).{1,40}(?:る|ます)(?:よ|ね|から)*[。!！\s]*$"
)
_NONE: Final = re.compile(r"[?？]\W*$|\b(?:if|unless)\b|如果|要是|的话|もし|(?:たら|れば)[、,]")


def promises(sentence: str) -> bool:
    """Return whether a sentence promises something, of its own accord and without a condition."""
    folded = plain(sentence).strip()
    return len(folded) >= LEAST_CHARS and bool(_PROMISES.search(folded)) and not _NONE.search(folded)
