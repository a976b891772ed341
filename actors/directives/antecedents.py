"""What a pronoun of a wish stands for, such as "him" in "Marcus? Never mention him again".

Answers only where it is plain: a topic that stands alone just before, or the one name that was said. A wrong
guess would ban what nobody minds, and the pronoun by itself is in the prompt in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ...protocols.scripts import simplified
from .folding import fold_term
from .phrasebook import Locale, phrasebook, pointers
from .terms import terms_in

ANY: Final = "any"
"""The patterns of topics that any pronoun can stand for."""

_SORTS: Final = {"person": ("person",), "thing": ("thing",), "either": ("person", "thing")}
"""Whose topics a pronoun of a sort can stand for."""

CACHED_SENTENCES: Final = 64
"""Sentences whose topics are remembered: each is looked back to from several that follow."""

LOOKED_BACK: Final = 3
"""Sentences before that of the wish in which its topic is looked for, nearest first."""


def antecedent(pronoun: str, before: Sequence[str], locale: Locale) -> str:
    """Return the topic that a pronoun stands for; empty where none is plain.

    The nearest sentence that names one decides; where it names two, neither is meant for sure.

    Args:
        pronoun: the bare term; one that stands for nothing else ("me") has no antecedent.
        before: what was said before the wish, oldest first.
        locale: that of the wish.
    """
    sort = locale.anaphors.get(fold_term(pronoun))
    if sort is None:
        return ""
    sorts = (ANY, *_SORTS[sort])
    for sentence in reversed(before[-LOOKED_BACK - 1 :]):
        topics = _topics(sentence, sorts, locale.name)
        if topics:
            return topics[0] if len(topics) == 1 else ""
    return ""


@lru_cache(CACHED_SENTENCES)
def _topics(sentence: str, sorts: tuple[str, ...], name: str) -> tuple[str, ...]:
    locale = next(one for one in phrasebook() if one.name == name)
    patterns = (pattern for one in sorts for pattern in locale.topics.get(one, ()))
    seen = simplified(sentence) if locale.simplify else sentence
    for pattern in patterns:
        named: dict[str, str] = {}
        for found in pattern.finditer(seen):
            start, end = found.span(1)
            for term in terms_in(sentence[start:end], locale):
                key = fold_term(term.text)
                if not (term.bare or key in pointers() or key in locale.no_topics or key in locale.not_terms):
                    named.setdefault(key, term.text)
        if named:
            return tuple(named.values())
    return ()
