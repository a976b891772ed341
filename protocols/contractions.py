"""English contractions written out, as far as the words themselves tell what was contracted.

"He's" is "he is" or "he has", and "I'd" is "I had" or "I would": where the next word doesn't decide, the
contraction stays as it is, because a wrong expansion makes one statement out of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .fillers import INTENSITY
from .scripts import words

_WHOLE: Final[dict[str, tuple[str, ...]]] = {
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "cant": ("can", "not"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "arent": ("are", "not"),
    "wasnt": ("was", "not"),
    "werent": ("were", "not"),
    "hasnt": ("has", "not"),
    "havent": ("have", "not"),
    "couldnt": ("could", "not"),
    "shouldnt": ("should", "not"),
    "wouldnt": ("would", "not"),
}
_SUFFIXES: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "n't": "not"}
_AS_IT_IS: Final = frozenset({"ain't"})
_IS_HOSTS: Final = frozenset({"it", "he", "she", "that", "there", "here", "what", "who", "where"})
_HAS_BEFORE: Final = frozenset({"been", "got"})
_BETWEEN: Final = INTENSITY | words("all already also always both ever never not now often only still")
_PARTICIPLES: Final = words(
    "become begun bought brought caught come cut done felt found gone had heard held hit kept left let lost made "
    "met paid put read run said sat sent set shut slept sold spent stood swum taught thought told won"
)


def expand(tokens: Sequence[str]) -> list[str]:
    """Return the folded tokens with their contractions written out where that is certain."""
    expanded: list[tuple[str, ...]] = []
    after = ""
    for token in reversed(tokens):
        expanded.append(_expand(token, after))
        if token not in _BETWEEN:
            after = token
    return [word for parts in reversed(expanded) for word in parts]


def _expand(token: str, after: str) -> tuple[str, ...]:
    whole = _WHOLE.get(token)
    if whole is not None:
        return whole
    if "'" not in token or token in _AS_IT_IS:
        return (token,)
    for suffix, word in _SUFFIXES.items():
        if token.endswith(suffix) and len(token) > len(suffix):
            return (token.removesuffix(suffix), word)
    host = token.removesuffix("'s")
    if host == token or host not in _IS_HOSTS:
        return (token,)
    if after in _HAS_BEFORE:
        return (host, "has")
    return (token,) if after in _PARTICIPLES or after.endswith(("ed", "en")) else (host, "is")
