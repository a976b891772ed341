"""What a text's words imply and leave out, as terms: who moved to Osaka lives there, a puppy is a pet. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from ...protocols.claims import claims_of
from ...protocols.clauses.frame import Tense
from ...protocols.scripts import HAN, KANA
from ...protocols.word_kinds import KINDS
from .search_terms import search_terms

_MOVES: Final = re.compile(r"\b(?:mov(?:ed?|ing)|relocated?)\b|搬|移居|引っ越|引越", re.IGNORECASE)
"""By what a text is seen that may tell of a home in other words than those of a question for it.

Reading what a text claims takes some 0.3 ms, too long for each of many thousands.
"""

_HOME: Final = "home"
_LIVING: Final[Mapping[str, tuple[str, ...]]] = {
    "latin": tuple(search_terms("lives living home")),
    "han": tuple(search_terms("住在 居住")),
    "kana": tuple(search_terms("に住んでいる 住む")),
}
_SCRIPTS: Final = {"kana": re.compile(rf"[{KANA}]"), "han": re.compile(rf"[{HAN}]")}


def implied_terms(text: str) -> tuple[str, ...]:
    """Return the terms by which a question would ask for what a text tells in other words; mostly none."""
    if not _may_tell_of_a_move(text):
        return ()
    if not any(claim.frame.slot == _HOME and claim.frame.tense is Tense.PRESENT for claim in claims_of(text)):
        return ()
    script = next((name for name, characters in _SCRIPTS.items() if characters.search(text)), "latin")
    return _LIVING[script]


def _stemmed(kinds: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Return the terms of what words are kinds of by their own; some words have one term ("pup" and "pups")."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word, its in kinds.items():
        found[search_terms(word)[0]] += search_terms(" ".join(its))
    return dict(found)


_KINDS_OF: Final = _stemmed(KINDS)


def kinds_of(terms: Iterable[str]) -> list[str]:
    """Return the terms of what the words of a text are kinds of, by the text's own terms, repetitions kept."""
    return [kind for term in terms if term in _KINDS_OF for kind in _KINDS_OF[term]]


def _may_tell_of_a_move(text: str) -> bool:
    """Return what `_MOVES` finds, of most texts by a look for the letters, which takes a tenth of the time."""
    lowered = text.lower()
    if lowered.isascii() and "mov" not in lowered and "relocat" not in lowered:
        return False
    return _MOVES.search(text) is not None
