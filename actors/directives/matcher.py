"""Where a text names a topic of the directives.

Words are found as words, in any inflected form, and scripts without blanks as runs of characters; both
on the folded text, so that no way of writing hides a term. The cost of a text is one pass over its
words and one C search for each run of characters, however many directives there are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ...protocols.records import Directive, DirectiveId
from ...protocols.scripts import CJK, HAN, HANGUL, KANA
from .folding import Folded, fold, fold_term
from .inflection import NAMES_STAY, Language, language_of, plurals, stem
from .phrasebook import phrasebook, pointers

MAX_GAP: Final = 3
"""Most characters between two words of a term in a text ("ex-wife", "Dr. Who"), none of them a letter."""

MAX_OKURIGANA: Final = 3
"""Longest all-kana term that may be the ending of another word (characters), such as かに in 確かに."""

PREFIX: Final = 3
"""Characters of a stem by which words that may be forms of it are picked before they are stemmed."""

SHORTEST_STEMMED: Final = 4
"""Shortest word that is stemmed (characters); shorter ones have forms that differ by their plural alone."""

_LETTER: Final = rf"[^\W_{HAN}{KANA}{HANGUL}]"
_WORD: Final = re.compile(rf"({_LETTER}+)(?:'s(?!{_LETTER}))?")
_ALPHABETIC: Final = re.compile("[0-9a-z\u00df-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]")
_WORDS_ONLY: Final = re.compile(rf"(?:{_ALPHABETIC.pattern}+[ '.-]*)+")
_KANA_ONLY: Final = re.compile(rf"[{KANA}]+")
_HIRAGANA_ONLY: Final = re.compile("[\u3041-\u3096\u30fc]+")
_HAN_CHAR: Final = re.compile(f"[{HAN}]")
_SCRIPT_CHANGE: Final = re.compile(
    rf"(?<=[{HAN}{KANA}{HANGUL}])(?=[0-9a-z])|(?<=[0-9a-z])(?=[{HAN}{KANA}{HANGUL}])"
)
_PERSONS: Final = ("我", "你", "您", "我的", "你的", "您的", "他", "她")


class Span(NamedTuple):
    """Where a directive's topic stands in a text: from `start` to before `end`, in code points."""

    directive: DirectiveId
    start: int
    end: int


class _Word(NamedTuple):
    """One word of a term: the folded forms that it has, and its stem where it is stemmed."""

    forms: frozenset[str]
    stem: str
    language: Language

    @property
    def longest(self) -> int:
        """The longest form that is taken for this word, in folded characters."""
        return 2 * max(map(len, self.forms))

    def matches(self, folded: str, written: str) -> bool:
        if folded in self.forms:
            return True
        return bool(self.stem) and len(folded) <= self.longest and stem(written, self.language) == self.stem


class _Phrase(NamedTuple):
    """A term of words. `exact` is how it must be written where only its capitals tell it from a pointer."""

    directive: DirectiveId
    words: tuple[_Word, ...]
    exact: str


class _Run(NamedTuple):
    """A term that is found as a run of characters."""

    directive: DirectiveId
    text: str
    pattern: re.Pattern[str] | None
    okurigana: bool


class Matcher:
    """Finds the topics of a set of directives; made by `compile_terms`, never changed."""

    __slots__ = ("_by_form", "_by_prefix", "_keys", "_longest", "_openings", "_runs")

    def __init__(self, phrases: Sequence[_Phrase], runs: Sequence[_Run], keys: dict[DirectiveId, str]) -> None:
        self._keys = keys
        self._runs = tuple(runs)
        self._by_form: defaultdict[str, list[_Phrase]] = defaultdict(list)
        self._by_prefix: defaultdict[str, list[_Phrase]] = defaultdict(list)
        for phrase in phrases:
            first = phrase.words[0]
            for form in first.forms:
                self._by_form[form].append(phrase)
            if first.stem:
                self._by_prefix[first.stem[:PREFIX]].append(phrase)
        self._openings = frozenset(word[:2] for word in (*self._by_form, *self._by_prefix))
        self._longest = max(
            *(sum(word.longest + MAX_GAP for word in phrase.words) for phrase in phrases),
            *((1 + MAX_GAP) * len(run.text) for run in runs),
            0,
            0,
        )

    @property
    def longest(self) -> int:
        """An upper bound of what one match can span, in folded characters; 0 if nothing can match."""
        return self._longest

    def key(self, directive: DirectiveId) -> str:
        """Return the key of one of the directives."""
        return self._keys[directive]

    def find(self, text: str) -> tuple[Span, ...]:
        """Return every place where a topic is named, by start, then end. Spans may overlap.

        Bare directives and those that aren't among the compiled ones are never found.
        """
        if not self._longest or not text:
            return ()
        folded = fold(text)
        return tuple(
            sorted({*self._phrases_in(text, folded), *self._runs_in(text, folded)}, key=lambda span: span[1:])
        )

    def _phrases_in(self, text: str, folded: Folded) -> Iterator[Span]:
        by_form, by_prefix, openings = self._by_form, self._by_prefix, self._openings
        if not openings:
            return
        words = [(match.group(1), match.start(1), match.end(1)) for match in _WORD.finditer(folded.text)]
        for at, (word, _, _) in enumerate(words):
            if word[:2] not in openings:
                continue
            candidates = (*by_form.get(word, ()), *by_prefix.get(word[:3], ()), *by_prefix.get(word[:2], ()))
            for phrase in dict.fromkeys(candidates):
                if (end := _end_of(phrase, words, at, text, folded)) is not None:
                    start, stop = folded.span(words[at][1], end)
                    if not phrase.exact or text[start:stop] == phrase.exact:
                        yield Span(phrase.directive, start, stop)

    def _runs_in(self, text: str, folded: Folded) -> Iterator[Span]:
        haystack = folded.text
        for run in self._runs:
            behind = 0
            for start, end in _occurrences(run, haystack):
                if start < behind or _joined(haystack, start - 1, start) or _joined(haystack, end - 1, end):
                    continue
                first, last = folded.span(start, end)
                if run.okurigana and first and _is_okurigana(text, first, last):
                    continue
                behind = end
                yield Span(run.directive, first, last)


def compile_terms(directives: Iterable[Directive]) -> Matcher:
    """Return what finds the topics of directives, aliases included; bare ones are left out.

    Args:
        directives: those that are in force; whether one is, is not looked at here.
    """
    phrases: list[_Phrase] = []
    runs: list[_Run] = []
    keys: dict[DirectiveId, str] = {}
    for directive in directives:
        if directive.bare:
            continue
        keys[directive.id] = directive.key
        for term in (directive.term, *directive.aliases):
            core = core_of(term, directive.locale)
            if _WORDS_ONLY.fullmatch(fold_term(core)):
                phrases.append(_phrase(directive, term, core))
            else:
                runs.extend(_run(directive.id, text) for text in _variants(fold_term(term), fold_term(core)))
    return Matcher(phrases, runs, keys)


def core_of(term: str, locale: str) -> str:
    """Return a term without its determiner and possessives, which a draft has in another person or not at all.

    Args:
        term: the term as said.
        locale: whose determiners are taken off; English ones for a locale without phrases.
    """
    lowered = term.casefold()
    for determiner in _determiners(locale):
        if not lowered.startswith(determiner) or len(lowered) == len(determiner):
            continue
        rest = term[len(determiner) :]
        joined = determiner.endswith("'") or bool(CJK.search(determiner) and not rest.startswith(" "))
        if (joined or rest.startswith(" ")) and (core := rest.strip()):
            return core
    return term


def _determiners(locale: str) -> Sequence[str]:
    by_name = {entry.name: entry.determiners for entry in phrasebook()}
    return sorted(by_name.get(locale, by_name["en"]), key=len, reverse=True)


def _phrase(directive: Directive, term: str, core: str) -> _Phrase:
    shouted = core == core.upper()
    folded = fold(core)
    words: list[_Word] = []
    for match in _WORD.finditer(folded.text):
        start, end = folded.span(*match.span(1))
        written = core[start:end]
        name = not shouted and written[:1].isupper()
        words.append(_word(match.group(1), written, name=name, locale=directive.locale))
    return _Phrase(directive.id, tuple(words), term if directive.key in pointers() else "")


def _word(folded: str, written: str, *, name: bool, locale: str) -> _Word:
    language = language_of(folded, locale)
    forms = plurals(folded) if language != "russian" else frozenset({folded})
    stemmed = not (name and language in NAMES_STAY) and (len(folded) >= SHORTEST_STEMMED or language == "russian")
    own = stem(written, language) if stemmed and not folded.isdigit() else ""
    return _Word(forms, own if len(own) > 1 else "", language)


def _end_of(
    phrase: _Phrase, words: Sequence[tuple[str, int, int]], at: int, text: str, folded: Folded
) -> int | None:
    """Return where a phrase that may begin at a word ends in the folded text, or None if it isn't there."""
    if at + len(phrase.words) > len(words):
        return None
    end = words[at][1]
    for offset, word in enumerate(phrase.words):
        token, start, stop = words[at + offset]
        if offset and start - end > MAX_GAP:
            return None
        first, last = folded.span(start, stop)
        if not word.matches(token, text[first:last]):
            return None
        end = stop
    return end


def _variants(whole: str, core: str) -> Iterator[str]:
    """Yield the runs that stand for a term without its determiner."""
    if len(core) > 1 or whole == core:
        yield core
        return
    # 我爸 without 我 is one character, which would be found inside any word.
    yield core * 2
    yield from (person + core for person in _PERSONS)
    yield whole


def _run(directive: DirectiveId, text: str) -> _Run:
    spaced = _SCRIPT_CHANGE.sub(" ", text)
    pattern = None
    if " " in spaced:
        pattern = re.compile(rf"\s{{0,{MAX_GAP}}}".join(map(re.escape, spaced.split())))
    return _Run(directive, text, pattern, bool(_KANA_ONLY.fullmatch(text)) and len(text) <= MAX_OKURIGANA)


def _occurrences(run: _Run, haystack: str) -> Iterator[tuple[int, int]]:
    if run.pattern:
        yield from (match.span() for match in run.pattern.finditer(haystack))
        return
    at = haystack.find(run.text)
    while at >= 0:
        yield at, at + len(run.text)
        at = haystack.find(run.text, at + 1)


def _joined(text: str, left: int, right: int) -> bool:
    """Return whether two neighbouring characters are letters of one alphabetic word."""
    return (
        left >= 0
        and right < len(text)
        and bool(_ALPHABETIC.match(text[left]))
        and bool(_ALPHABETIC.match(text[right]))
    )


def _is_okurigana(text: str, start: int, end: int) -> bool:
    """Return whether hiragana directly after a Han character is the ending of that word, as in 確かに."""
    return bool(_HIRAGANA_ONLY.fullmatch(text[start:end]) and _HAN_CHAR.match(text[start - 1]))
