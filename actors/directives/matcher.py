"""Where a text names a topic of the directives.

Words are found as words, in any inflected form, and scripts without blanks as runs of characters; both
on the folded text, so that no way of writing hides a term. The cost of a text is one pass over its
words and one C search for each run of characters, however many directives there are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ...protocols.records import Directive, DirectiveId
from ...protocols.scripts import CJK, HAN, HANGUL, KANA
from ...protocols.scripts import words as words_of
from .compounds import apart, forms, is_phrasal
from .disguises import MAX_NOISE, as_read, without_noise
from .folding import Folded, fold, fold_term
from .inflection import NAMES_STAY, Language, language_of, plurals, spelled_out, stems, without_umlauts
from .phrasebook import name_words, phrasebook, pointers
from .same import other_runs, other_words

MAX_GAP: Final = 3
"""Most characters between two words of a term in a text ("ex-wife", "Dr. Who"), none of them a letter."""

MAX_OKURIGANA: Final = 3
"""Longest all-kana term that may be the ending of another word (characters), such as かに in 確かに."""

PREFIX: Final = 3
"""Characters of a stem by which words that may be forms of it are picked before they are stemmed."""

SHORTEST_SPELLED_OUT: Final = 5
"""Shortest name in which "ae", "oe" and "ue" may stand for umlauts (characters): "Mueller", but not "Joe"."""

MAX_SEARCHED: Final = 8
"""Most words of a text that are looked for one by one; of more, one pass over all words finds the places."""

SHORTEST_STEMMED: Final = 4
"""Shortest word that is stemmed (characters); shorter ones have forms that differ by their plural alone."""

_LETTER: Final = rf"[^\W_{HAN}{KANA}{HANGUL}]"
_WORD: Final = re.compile(rf"({_LETTER}+)(?:'s(?!{_LETTER}))?")
_LETTERS: Final = re.compile(_LETTER)
_POSSESSIVE: Final = re.compile("(?<=[0-9a-z])'s(?![0-9a-z])")
_BLANK_BETWEEN: Final = {code: " " for code in range(128) if not chr(code).isalnum()}
_FOLLOWING: Final = re.compile(
    rf"(?!{_LETTER})(?:'s(?!{_LETTER})|(?!{_LETTER}).){{1,{MAX_GAP}}}({_LETTER}+)", re.DOTALL
)
_ALPHABETIC: Final = re.compile("[0-9a-z\u00df-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff]")
_WORDS_ONLY: Final = re.compile(rf"(?:{_ALPHABETIC.pattern}+[ '.-]*)+")
_KANA_ONLY: Final = re.compile(rf"[{KANA}]+")
_HIRAGANA_ONLY: Final = re.compile("[\u3041-\u3096\u30fc]+")
_HAN_CHAR: Final = re.compile(f"[{HAN}]")
_SCRIPT_CHANGE: Final = re.compile(
    rf"(?<=[{HAN}{KANA}{HANGUL}])(?=[0-9a-z])|(?<=[0-9a-z])(?=[{HAN}{KANA}{HANGUL}])"
)
_FIRST_VOWEL: Final = re.compile("^([^aou]*)([aou])(?!e)")
_BEFORE: Final = 12
"""Characters before a word in which the end of the sentence before it is looked for."""

_ENDS: Final = ".!?\u2026:\n"
_OPENS: Final = " \t\"'\u201c\u201d\u2018\u2019()*_-"
_NEXT_WORD: Final = re.compile(r"\s+([a-z']+)")
_FUNCTION_WORDS: Final = words_of(
    "i you we he she it they there this that these those the a an my your our his her their not be no any"
    " someone somebody anyone anybody everyone nobody who what will may might can could would should must shall"
    " do does did have has had me us him them for in on at to of by with from as if so or and but up out"
)
"""Words behind which, or as which, a capital at the beginning of a sentence makes no name: "Will you ...?"."""

_VERBS_OF_A_SUBJECT: Final = words_of("has had would could should must might shall will can may did does")
"""Words before which one at the beginning of a sentence is its subject, and with a capital a name."""

_PERSONS: Final = ("我", "你", "您", "我的", "你的", "您的", "他", "她")


class Span(NamedTuple):
    """Where a directive's topic stands in a text: from `start` to before `end`, in code points."""

    directive: DirectiveId
    start: int
    end: int


class _Word(NamedTuple):
    """One word of a term: the folded forms that it has, and its stems where it is stemmed."""

    forms: frozenset[str]
    stems: frozenset[str]
    language: Language

    @property
    def longest(self) -> int:
        """The longest form that is taken for this word, in folded characters."""
        return 2 * max(map(len, self.forms))

    def matches(self, folded: str, written: str) -> bool:
        if folded in self.forms:
            return True
        if not self.stems or len(folded) > self.longest:
            return False
        return not self.stems.isdisjoint(stems(written, self.language))

    def openings(self) -> Iterator[str]:
        """Yield how a word that may be a form of this one begins, where its stem is what tells."""
        for own in self.stems:
            yield own[:PREFIX]
            if self.language == "russian":
                # A fleeting vowel changes the third character already.
                yield own[:2]
            if self.language == "german":
                yield _FIRST_VOWEL.sub(r"\1\2e", own, count=1)[:PREFIX]


class _Phrase(NamedTuple):
    """A term of words.

    `exact` is how it must be written where only its capitals tell it from a pointer; `named` says that it is a
    name which is a common word too, and needs a capital.
    """

    directive: DirectiveId
    words: tuple[_Word, ...]
    exact: str = ""
    named: bool = False


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
            for opening in dict.fromkeys(first.openings()):
                self._by_prefix[opening].append(phrase)
        self._longest = (1 + MAX_NOISE) * max(
            *(sum(word.longest + MAX_GAP for word in phrase.words) for phrase in phrases),
            *(len(run.text) for run in runs),
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
        words, single = _words_of(folded.text)
        spans = {*self._phrases_in(text, folded, words), *self._runs_in(text, folded)}
        for other in as_read(text, folded, single):
            spans.update(self._phrases_in(text, other, _words_of(other.text)[0]), self._runs_in(text, other))
        return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.directive)))

    def _phrases_in(self, text: str, folded: Folded, words: list[str]) -> Iterator[Span]:
        by_form, by_prefix = self._by_form, self._by_prefix
        if not by_form:
            return
        candidates = {
            word: dict.fromkeys(
                (*by_form.get(word, ()), *by_prefix.get(word[:3], ()), *by_prefix.get(word[:2], ()))
            )
            for word in set(words)
            if word in by_form or word[:3] in by_prefix or word[:2] in by_prefix
        }
        for start, word in _places(folded.text, candidates):
            for phrase in candidates[word]:
                if (end := _end_of(phrase, word, start, text, folded)) is None:
                    continue
                first, last = folded.span(start, end)
                if phrase.exact and text[first:last] != phrase.exact:
                    continue
                if not phrase.named or _is_name(text, first, last):
                    yield Span(phrase.directive, first, last)

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
                phrases.extend(_phrases(directive, term, core))
            else:
                texts = dict.fromkeys(_variants(fold_term(term), fold_term(core)))
                texts |= dict.fromkeys(other_runs(fold_term(core)))
                texts |= dict.fromkeys(map(without_noise, texts))
                runs.extend(_run(directive.id, text) for text in texts)
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


def _phrases(directive: Directive, term: str, core: str) -> Iterator[_Phrase]:
    """Yield the ways in which a term of words can be written: as it is, in one word, or in two."""
    shouted = core == core.upper()
    folded = fold(core)
    words: list[_Word] = []
    for match in _WORD.finditer(folded.text):
        start, end = folded.span(*match.span(1))
        written = core[start:end]
        name = not shouted and written[:1].isupper()
        words.append(_word(match.group(1), written, name=name, locale=directive.locale))
    keys = [match.group(1) for match in _WORD.finditer(folded.text)]
    if len(words) == 1:
        named = keys[0] in name_words() and (core[:1].isupper() or keys[0] in _FUNCTION_WORDS)
        exact = term if fold_term(core) in pointers() else ""
        yield _Phrase(directive.id, tuple(words), exact, named)
        if (parts := apart(keys[0])) is not None:
            yield _Phrase(directive.id, _verb_and_particle(*parts))
        return
    yield _Phrase(directive.id, tuple(words))
    if len(words) == 2 and min(map(len, keys)) > 1:
        yield _Phrase(directive.id, (_Word(plurals("".join(keys)), frozenset(), "english"),))
        if is_phrasal(*keys):
            yield _Phrase(directive.id, _verb_and_particle(*keys))


def _verb_and_particle(verb: str, particle: str) -> tuple[_Word, _Word]:
    return (
        _Word(frozenset(forms(verb)), frozenset(), "english"),
        _Word(frozenset({particle}), frozenset(), "english"),
    )


def _word(folded: str, written: str, *, name: bool, locale: str) -> _Word:
    language = language_of(folded, locale)
    its_forms = plurals(folded) if language != "russian" else frozenset({folded})
    if language == "english":
        its_forms = its_forms.union(*map(plurals, other_words(folded)))
    if (spelled := spelled_out(written)) != folded:
        its_forms |= plurals(spelled)
    if language == "german" or (name and len(folded) >= SHORTEST_SPELLED_OUT):
        its_forms |= plurals(without_umlauts(folded))
    stemmed = not (name and language in NAMES_STAY) and (len(folded) >= SHORTEST_STEMMED or language == "russian")
    own = stems(written, language) if stemmed and not folded.isdigit() else frozenset()
    return _Word(its_forms, frozenset(one for one in own if len(one) > 1), language)


def _words_of(folded: str) -> tuple[list[str], int]:
    """Return the words of a folded text and how many of them are a single letter."""
    if folded.isascii():
        # What `_WORD` finds, and the "s" of a possessive beside it, in a fifth of the time.
        words = folded.translate(_BLANK_BETWEEN).split()
        possessives = len(_POSSESSIVE.findall(folded)) if "'" in folded else 0
        return words, list(map(len, words)).count(1) - possessives
    words = _WORD.findall(folded)
    return words, list(map(len, words)).count(1)


def _places(text: str, wanted: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield where words stand in a folded text, with each. Searches for a few, and goes through all for many."""
    if len(wanted) > MAX_SEARCHED:
        for match in _WORD.finditer(text):
            if match[1] in wanted:
                yield match.start(1), match[1]
        return
    for word in wanted:
        at = text.find(word)
        while at >= 0:
            behind = at + len(word)
            if not _LETTERS.match(text, behind) and not (at and _LETTERS.match(text, at - 1)):
                yield at, word
            at = text.find(word, behind)


def _end_of(phrase: _Phrase, word: str, start: int, text: str, folded: Folded) -> int | None:
    """Return where a phrase that may begin with a word ends in the folded text, or None if it isn't there."""
    end = start + len(word)
    first, last = folded.span(start, end)
    if not phrase.words[0].matches(word, text[first:last]):
        return None
    for following in phrase.words[1:]:
        after = _FOLLOWING.match(folded.text, end)
        if after is None:
            return None
        first, last = folded.span(*after.span(1))
        if not following.matches(after[1], text[first:last]):
            return None
        end = after.end(1)
    return end


def _is_name(text: str, start: int, end: int) -> bool:
    """Return whether a word that can be a name is written as one: with a capital that no sentence gave it."""
    if not text[start].isupper():
        return False
    before = text[max(0, start - _BEFORE) : start].rstrip(_OPENS)
    if before[-1:] not in _ENDS or (not before and start > _BEFORE):
        return True
    following = _NEXT_WORD.match(text, end)
    return following is None or following[1] not in _FUNCTION_WORDS or following[1] in _VERBS_OF_A_SUBJECT


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
