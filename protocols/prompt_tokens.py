"""How many tokens a text costs in a prompt, as an estimate that is the same everywhere.

Needs no tokenizer's files, knows no model, and errs to the high side, so that a budget holds.
"""

from __future__ import annotations

import re
from typing import Final

from .scripts import HAN, HANGUL, KANA

LATIN_CHARS_PER_TOKEN: Final = 4
"""Characters of a word in Latin letters a token: OpenAI's rule of thumb for English (help.openai.com, "What are
tokens and how to count them?"). Rounded up for each word, which makes it some 1.6 tokens a word, against the 1.3
of the same rule."""

OTHER_CHARS_PER_TOKEN: Final = 2
"""Characters of a word in another alphabet a token; our own figure, without a measurement."""

_LATIN: Final = r"A-Za-z\u00c0-\u024f0-9"
_UNSPACED: Final = rf"{HAN}{KANA}{HANGUL}"
_TOKEN: Final = re.compile(
    rf"[{_LATIN}]{{1,{LATIN_CHARS_PER_TOKEN}}}|[^\W_{_LATIN}{_UNSPACED}]{{1,{OTHER_CHARS_PER_TOKEN}}}|\S"
)
"""One token, so that counting matches costs no step of Python a word."""


def estimated_tokens(text: str) -> int:
    """Return the tokens of a text, estimated.

    A Chinese, Japanese or Korean character and a punctuation mark count 1 each, a word its length over the
    characters a token of its alphabet, rounded up, and blanks nothing.
    """
    return len(_TOKEN.findall(text))
