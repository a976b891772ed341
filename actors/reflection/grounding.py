"""A judgement must rest on words of its facts. Pure.

A mind that invents, or repeats what it knows from elsewhere, is not believed. A judgement abstracts, so that less
of it must be found again than of a fact; what is checked is the words alone, not what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from ...protocols.records import Fact, Profile
from ...protocols.scripts import HAN, HANGUL
from ...protocols.tokens import terms

SHARE_OF_WORDS: Final = 0.25
"""Least share of a judgement's content words that its facts must hold; our own figure. A topic and three words
around it, as in "the owner often talks about running", are just enough."""

_PIECES: Final = re.compile(rf"[{HAN}{HANGUL}]|[\u30a1-\u30fa\u30fc]{{2,}}")
_UNSPACED: Final = re.compile(rf"[{HAN}{HANGUL}\u3041-\u30fa\u30fc]")


def rests_on_facts(text: str, facts: Sequence[Fact], profile: Profile, character: str) -> bool:
    """Return whether a judgement rests on the words of its facts.

    Names of owner, character and speakers don't count: a mind puts them where a person says "I".

    Args:
        text: the judgement.
        facts: what it was made of.
        profile: gives the owner's name.
        character: its name.
    """
    labels = {fact.speaker.label for fact in facts if fact.speaker is not None}
    names = (profile.owner, character, *labels)
    return rests_on_texts(text, [fact.text for fact in facts], names, share=SHARE_OF_WORDS)


def rests_on_texts(text: str, sources: Iterable[str], names: Iterable[str], *, share: float) -> bool:
    """Return whether at least a share of a text's content words, names left out, stands in its sources."""
    stated = _words([text]) - _words(names)
    return _weight(stated & _words(sources)) >= share * _weight(stated) > 0


def _weight(words: AbstractSet[str]) -> int:
    """Return how much words weigh together: a Chinese word has two characters, as a rule."""
    return sum(1 if len(word) == 1 else 2 for word in words)


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Return stems of spaced words, single Chinese and Korean characters, and katakana words.

    Hiragana are mostly grammar, and pairs of characters, as ranking has them, are seldom the same in a rewording.
    """
    found: set[str] = set()
    for text in texts:
        found.update(term for term in terms(text) if not _UNSPACED.search(term))
        found.update(_PIECES.findall(text))
    return frozenset(found)
