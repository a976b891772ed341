"""Whether a person's words may say that a topic is unwelcome: the cheap first look, before any model.

A hit is no signal: it only lets a model look for a target among what was lately brought up, and where it finds
none nothing happens. So this errs to hitting.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from ...protocols.clauses.split import fold_clause
from ...protocols.scripts import CJK
from .keyword_lists import PHRASES

_SPACED_LETTER: Final = r"[a-z\u00c0-\u024f\u0400-\u04ff]"
"""A letter of a script with blanks between words; beside a Chinese character a Latin word begins anew."""


def has_negative_keyword(text: str, locale: str) -> bool:
    """Return whether a text holds one of the language's phrases, whatever its case, width or Chinese script.

    Where words have blanks between them, a phrase counts only as whole words at its start, so that endings may
    follow.

    Args:
        text: what the person said.
        locale: such as "en-GB"; the region doesn't count, and a language without a list is searched for all.
    """
    language = locale.replace("_", "-").partition("-")[0].casefold()
    return _pattern_of(language if language in PHRASES else "").search(fold_clause(text)) is not None


@cache
def _pattern_of(language: str) -> re.Pattern[str]:
    phrases = PHRASES[language] if language else tuple(phrase for known in PHRASES.values() for phrase in known)
    return re.compile("|".join(_as_pattern(fold_clause(phrase)) for phrase in phrases))


def _as_pattern(phrase: str) -> str:
    escaped = re.escape(phrase).replace("\\ ", r"\s*" if CJK.search(phrase) else r"\s+")
    return escaped if CJK.search(phrase) else rf"(?<!{_SPACED_LETTER}){escaped}"
