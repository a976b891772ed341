"""When two words are forms of one word: "spiders" and "spider", «развод» and «разводе».

Owns stems and plurals. Stems are Snowball's (Porter, "Snowball: a language for stemming algorithms",
2001); what they conflate beyond inflection is accepted, since a word too many costs a repetition.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import snowballstemmer

from .folding import fold_term, visible

Language: TypeAlias = Literal["english", "russian", "spanish", "portuguese", "german", "french", "italian"]

LANGUAGES: Final[dict[str, Language]] = {
    "en": "english",
    "ru": "russian",
    "es": "spanish",
    "pt": "portuguese",
    "de": "german",
    "fr": "french",
    "it": "italian",
}
"""The stemmer of a locale; in the other locales words in Latin letters are stemmed as English."""

NAMES_STAY: Final = frozenset({"english", "spanish", "portuguese", "french", "italian"})
"""Languages in which a capital inside a sentence means a name, and names have no endings but the plural."""

CACHED_STEMS: Final = 1 << 14
"""Stems remembered. Only words that begin like a term are ever stemmed."""

_PAIRS: Final = (
    "man men|woman women|child children|person people|mouse mice|foot feet|tooth teeth|goose geese|wife wives"
    "|life lives|wolf wolves|knife knives|leaf leaves|half halves|thief thieves|calf calves|loaf loaves"
    "|shelf shelves|self selves|die dice|ox oxen"
)
_IRREGULAR: Final = {
    word: other
    for one, many in (pair.split() for pair in _PAIRS.split("|"))
    for word, other in ((one, many), (many, one))
}
_ENDINGS: Final = (
    ("z", "ces"),
    ("ao", "oes"),
    ("ao", "aes"),
    ("al", "ais"),
    ("el", "eis"),
    ("ol", "ois"),
    ("em", "ens"),
    ("al", "aux"),
    ("eau", "eaux"),
    ("eu", "eux"),
    ("fe", "ves"),
    ("f", "ves"),
)
"""Endings, folded, that change in the plural: Spanish, Portuguese, French and English."""

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SPELLED_OUT: Final = re.compile("([aou])e(?!$)")
_FLEETING: Final = re.compile("[ео]([цкн])$")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")

_stemmers: Final = {language: snowballstemmer.stemmer(language) for language in LANGUAGES.values()}
_stemming: Final = threading.Lock()


def language_of(word: str, locale: str) -> Language:
    """Return whose rules inflect a word that was said in a locale."""
    if _CYRILLIC.search(word):
        return "russian"
    language = LANGUAGES.get(locale, "english")
    return "english" if language == "russian" else language


@lru_cache(CACHED_STEMS)
def stem(word: str, language: Language) -> str:
    """Return the folded stem of a word as it is written, with its accents, which the stemmers use."""
    plain = unicodedata.normalize("NFC", visible(word)).casefold()
    # A stemmer keeps the word that it is working on in itself, so two threads must not share it.
    with _stemming:
        stemmed: str = _stemmers[language].stemWord(plain)
    return fold_term(stemmed)


def stems(word: str, language: Language) -> frozenset[str]:
    """Return the stems of a word as it is written: more than one where a vowel comes and goes between its forms.

    German umlauts can be spelled out ("Aepfel"), and Russian vowels are fleeting («отец», «отца»).
    """
    own = stem(word, language)
    if language == "german" and _SPELLED_OUT.search(own):
        return frozenset({own, _SPELLED_OUT.sub(r"\1", own)})
    if language == "russian" and (shorter := _FLEETING.sub(r"\1", own)) != own:
        return frozenset({own, shorter})
    return frozenset({own})


def spelled_out(word: str) -> str:
    """Return a folded word with the umlauts that it is written with spelled out: "mueller" for "Müller"."""
    plain = unicodedata.normalize("NFC", visible(word)).casefold()
    return fold_term(plain.translate(_UMLAUTS))


def without_umlauts(folded: str) -> str:
    """Return a folded word with spelled-out umlauts as folding leaves umlauts: "muller" for "mueller"."""
    return _SPELLED_OUT.sub(r"\1", folded)


def plurals(folded: str) -> frozenset[str]:
    """Return a folded word with its plural and singular forms, by the rules of the Latin scripts' languages.

    Those of another language make no word, or one of the same topic: they cost a look-up at most.
    """
    forms = {folded, folded + "s", folded + "es"}
    if folded.endswith("y"):
        forms.add(folded[:-1] + "ies")
    if folded.endswith("ies") and len(folded) > 4:
        forms.add(folded[:-3] + "y")
    if folded.endswith("s") and not folded.endswith("ss") and len(folded) > 3:
        forms.add(folded[:-1])
    if folded.endswith(("ses", "xes", "zes", "ches", "shes")):
        forms.add(folded[:-2])
    if folded in _IRREGULAR:
        forms.add(_IRREGULAR[folded])
    for one, many in _ENDINGS:
        if folded.endswith(one) and len(folded) > len(one) + 1:
            forms.add(folded[: -len(one)] + many)
        if folded.endswith(many) and len(folded) > len(many) + 1:
            forms.add(folded[: -len(many)] + one)
    return frozenset(forms)
