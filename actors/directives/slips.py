"""Words with a slip of the finger: "metion", "takling", "agian". Pure; the words are data of the locales."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

LEAST_LEFT_OUT: Final = 5
"""Shortest word of which a letter may be missing (characters); of shorter ones what is left is often a word."""


def slips(words: Iterable[str], real: Collection[str]) -> dict[str, str]:
    """Return the ways in which words are mistyped, each with the word that is meant.

    Two neighbouring letters changed places, one inside is missing or is there twice, or the "g" of "-ing" is
    gone. The first letter stays, since people rarely miss it and other words begin with another.

    Args:
        words: in lower case.
        real: mistyped forms that are words of some language themselves, and stay.
    """
    known = {*words, *real}
    return {slip: word for word in words for slip in _slips_of(word) if slip not in known}


def _slips_of(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield word[:at] + word[at] + word[at:]
        if len(word) >= LEAST_LEFT_OUT:
            yield word[:at] + word[at + 1 :]
    if word.endswith("ing"):
        yield word[:-1]
