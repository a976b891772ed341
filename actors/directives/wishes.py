"""What an utterance asks of memory: not to mention, to mention again, to forget.

Every locale is tried on every utterance, without a model and without guessing the language, since
people mix them. Leans to hearing a wish where there may be one: hearing one too many costs a
repetition, missing one hurts. The cost grows with the length of the text and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.scripts import simplified
from .antecedents import LOOKED_BACK, antecedent
from .folding import fold_term, visible
from .limits import limit_in
from .lists import joined_lists
from .phrasebook import Locale, Rule, may_voice, phrasebook
from .sentences import MAX_CHARS, sentences
from .terms import Term, other_names, terms_in, trim

MAX_OBJECT_CHARS: Final = 200
"""Longest object of a wish to forget (characters): it may be a whole clause."""

MAX_ECHO_CHARS: Final = 48
"""Longest sentence that only takes up the one before it (characters); a longer one says something itself."""

_RESERVED: Final = re.compile(
    r"\b(?:except|apart from|other than|but not|not yet|unless|until|some ?day|one day|sauf|außer|ausser"
    r"|noch nicht|excepto|menos|todavía no|exceto|ainda não|pas encore|tranne|eccetto|non ancora|кроме|ещё не)\b"
    r"|^\W*(?:if|если|wenn|falls|si|se)\b"
    r"|除了|但是?别|但不要|如果|要是|还不行|わけじゃない|わけではない|以外|まだ|빼고|아직",
    re.IGNORECASE,
)
"""A lift with a condition, an exception or a "not yet" lifts nothing: to be asked again costs less than a slip."""

_ASKED: Final = re.compile(r"[^,\uff0c]*[?\uff1f]\W*$")
MAX_MATCHES: Final = 8
"""Most matches of one rule in one sentence. Nobody says more; it bounds what a text of nothing else costs."""

_COLONS: Final = (":", "\uff1a")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_QUOTES: Final = str.maketrans("\u2018\u2019\u02bc\u00b4`\u201f", "'''''\"")
_OTHER_WIDTH: Final = re.compile(r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\u3099\u309a]+")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00df-\u024f\u0400-\u045f]{4,}")
_HIRAGANA: Final = re.compile(r"[\u3041-\u3096]")
_IN_QUOTES: Final = re.compile(r"[\u300c\u201c\"][^\u300d\u201d\"]{1,60}[\u300d\u201d\"]")


class Ban(Struct, frozen=True, kw_only=True):
    """A topic is not to be mentioned.

    `bare` marks a term that only points ("this", 这个) or is one character long without quotes: it
    belongs in the prompt and never blocks. `locale` is that of the phrase. `aliases` are names that stand in
    the term beside the topic ("my brother Marcus") and name it as well. `limit` are the words that say how long
    it is to hold, empty where it holds until it is lifted.
    """

    term: str
    bare: bool
    locale: str
    aliases: tuple[str, ...] = ()
    limit: str = ""


class Lift(Struct, frozen=True, kw_only=True):
    """A topic may be mentioned again; all topics where `term` is None. `bare` as with `Ban`."""

    term: str | None
    bare: bool
    locale: str


class Forget(Struct, frozen=True, kw_only=True):
    """Something told is to be forgotten: a thing ("my old number") or a statement ("I told you about the loan").

    `bare` marks an object that only points at what was said just before.
    """

    object: str
    bare: bool
    locale: str


Wish: TypeAlias = Ban | Lift | Forget


class Voiced(NamedTuple):
    """What one phrase of a sentence asks for, and where in the sentence its words and its terms stand."""

    wishes: tuple[Wish, ...]
    spans: tuple[tuple[int, int], ...]


class Sentence(NamedTuple):
    """A sentence with what it asks for; `start` is where it stands in the cleaned text."""

    text: str
    start: int
    voiced: tuple[Voiced, ...]


class _Found(NamedTuple):
    """A phrase in a sentence. `triggers` is where its own words stand, without its term `raw`."""

    rule: Rule
    locale: Locale
    sentence: str
    start: int
    raw: str
    raw_start: int
    triggers: tuple[tuple[int, int], ...]

    @property
    def weight(self) -> int:
        """How many characters the phrase itself has."""
        return sum(end - start for start, end in self.triggers)

    @property
    def listed(self) -> bool:
        """Whether the topics follow a colon, so that a comma parts them."""
        return self.raw[:1] in _COLONS or self.sentence[: self.raw_start].rstrip()[-1:] in _COLONS

    def overlaps(self, other: _Found) -> bool:
        return any(
            start < other_end and other_start < end
            for start, end in self.triggers
            for other_start, other_end in other.triggers
        )


def _found(rule: Rule, locale: Locale, sentence: str, match: re.Match[str]) -> _Found:
    start, end = match.span()
    term_start, term_end = match.span("term") if rule.has_term else (end, end)
    triggers = tuple(span for span in ((start, term_start), (term_end, end)) if span[0] < span[1])
    return _Found(rule, locale, sentence, start, sentence[term_start:term_end], term_start, triggers)


def find_wishes(text: str, *, before: Sequence[str] = ()) -> tuple[Wish, ...]:
    """Return every wish that an utterance voices, in reading order, each once.

    Args:
        text: what the person said, of any length and in any mixture of languages.
        before: what was said before it, oldest first: what a pronoun of a ban may stand for.

    Returns:
        Bans, lifts and wishes to forget. Terms are as said (in one width, without invisible
        characters), trimmed of politeness and particles. A pronoun whose topic is plain from the words
        before it is replaced by the topic.
    """
    return in_order(read(cleaned(text), before=before))


def in_order(read_sentences: Iterable[Sentence]) -> tuple[Wish, ...]:
    """Return the wishes of sentences, each once."""
    wishes: dict[tuple[type[Wish], str | None], Wish] = {}
    for sentence in read_sentences:
        for voiced in sentence.voiced:
            for wish in voiced.wishes:
                named = wish.object if isinstance(wish, Forget) else wish.term
                wishes.setdefault((type(wish), named and fold_term(named)), wish)
    told = tuple(wishes.values())
    if any(not isinstance(wish, Forget) for wish in told):
        # "Forget what I said, you can talk about X": the pointer is taken up by the other wish.
        told = tuple(wish for wish in told if not (isinstance(wish, Forget) and wish.bare))
    return told


def cleaned(text: str) -> str:
    """Return a text as phrases are looked for in it: in one width, with plain quotes, lists on one line."""
    plain = _BLANKS.sub(" ", _one_width(visible(text)).translate(_QUOTES))
    return joined_lists(_without_slips(plain))


def read(clean: str, *, before: Sequence[str] = ()) -> Iterator[Sentence]:
    """Yield the sentences of a cleaned text with the wishes that they voice.

    Args:
        clean: what `cleaned` returned.
        before: as in `find_wishes`.
    """
    earlier = deque(map(cleaned, before), maxlen=LOOKED_BACK)
    pieces = deque(_placed(clean))
    phrases = _Phrases(clean)
    while pieces:
        start, sentence = pieces.popleft()
        voiced = _voiced_in(phrases.of(sentence), earlier)
        if not voiced and pieces and phrases.echoes(pieces[0][1]) and not phrases.of(pieces[0][1]):
            end = pieces[0][0] + len(pieces[0][1])
            both = _voiced_in(phrases.of(clean[start:end]), earlier) if end - start <= MAX_CHARS else ()
            # What the second says by itself is no reason to take the first for a part of it.
            if any(first < len(sentence) for one in both for first, _ in one.spans):
                voiced, sentence = both, clean[start:end]
                pieces.popleft()
        yield Sentence(sentence, start, voiced)
        if any(map(str.isalnum, sentence)):
            earlier.append(sentence)


def _placed(clean: str) -> Iterator[tuple[int, str]]:
    behind = 0
    for sentence in sentences(clean):
        start = clean.index(sentence, behind)
        behind = start + len(sentence)
        yield start, sentence


class _Phrases:
    """The phrases of the sentences of one text. What a text doesn't hold is looked for in none of its sentences.

    Args:
        text: the cleaned text.
    """

    def __init__(self, text: str) -> None:
        self._locales: tuple[Locale, ...] = phrasebook()
        if len(text) > MAX_CHARS:
            found = (locale.within(_seen_by(locale, text)) for locale in self._locales)
            self._locales = tuple(locale for locale in found if locale is not None)
        self._of: dict[str, tuple[tuple[_Found, tuple[Wish, ...]], ...]] = {}
        self._echoes: dict[str, bool] = {}

    def of(self, sentence: str) -> tuple[tuple[_Found, tuple[Wish, ...]], ...]:
        """Return the phrases of a sentence, in reading order, each with what it asks for by itself."""
        if (known := self._of.get(sentence)) is None:
            phrases = _matches(sentence, self._locales)
            known = self._of[sentence] = tuple((found, tuple(_wishes(found))) for found in phrases)
        return known

    def echoes(self, sentence: str) -> bool:
        """Return whether a sentence only takes up the one before it: "Not up for discussion.", "Don't."."""
        if len(sentence) > MAX_ECHO_CHARS:
            return False
        if (known := self._echoes.get(sentence)) is None:
            known = self._echoes[sentence] = any(
                locale.echo.match(simplified(sentence) if locale.simplify else sentence)
                for locale in phrasebook()
                if locale.echo
            )
        return known


def _voiced_in(phrases: Iterable[tuple[_Found, tuple[Wish, ...]]], earlier: Iterable[str]) -> tuple[Voiced, ...]:
    voiced = (_voiced(found, wishes, tuple(earlier)) for found, wishes in phrases)
    return tuple(one for one in voiced if one.wishes)


def _without_slips(text: str) -> str:
    """Return a text without hesitation, and with the words that phrases are made of spelt right."""
    slips, fillers = _spelling()
    text = fillers.sub("", text)
    return _LATIN_WORD.sub(lambda word: slips.get(word[0].lower(), word[0]), text) if slips else text


@cache
def _spelling() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the slips of all locales, and what finds their fillers."""
    every = {slip: word for locale in phrasebook() for slip, word in locale.slips.items()}
    fillers = "|".join(locale.fillers.pattern for locale in phrasebook() if locale.fillers)
    return every, re.compile(fillers or "(?!)", re.IGNORECASE)


def _voiced(found: _Found, asked: Iterable[Wish], earlier: Sequence[str]) -> Voiced:
    wishes = tuple(_resolved(wish, found, earlier) for wish in asked)
    named = [wish.object if isinstance(wish, Forget) else wish.term for wish in wishes]
    ends = [found.raw.find(name) + len(name) for name in named if name and name in found.raw]
    behind = found.raw_start + max(ends, default=len(found.raw) if found.rule.wish == "forget" else 0)
    return Voiced(wishes, (*found.triggers, (found.raw_start, behind)))


def _resolved(wish: Wish, found: _Found, earlier: Sequence[str]) -> Wish:
    """Return a ban or a lift with the topic that its pronoun stands for, where that is plain from before."""
    if isinstance(wish, Forget) or not wish.bare or wish.term is None:
        return wish
    # A phrase that begins with its term holds what was said before it in the sentence, too.
    lead = found.start + (found.raw.rfind(wish.term) if found.raw_start == found.start else 0)
    topic = antecedent(wish.term, (*earlier, found.sentence[: max(lead, found.start)]), found.locale)
    if not topic:
        return wish
    if isinstance(wish, Lift):
        return replace(wish, term=topic, bare=False)
    return replace(wish, term=topic, bare=False, aliases=other_names(topic, found.locale))


def _one_width(text: str) -> str:
    """Return a text with letters, digits and kana in their usual width; marks keep theirs, they end sentences."""
    return _OTHER_WIDTH.sub(
        lambda run: unicodedata.normalize("NFKC", run.group()), unicodedata.normalize("NFC", text)
    )


def _matches(sentence: str, locales: Iterable[Locale]) -> list[_Found]:
    """Return the phrases of a sentence that don't overlap, in reading order.

    Of overlapping ones the rule that comes first in its file stands, and between locales the one whose
    phrase has more characters.
    """
    if not may_voice(sentence):
        return []
    chosen: list[_Found] = []
    for locale in locales:
        mine: list[_Found] = []
        for found in _matches_of(locale, sentence):
            if not any(found.overlaps(other) for other in mine):
                mine.append(found)
        for found in mine:
            rivals = [other for other in chosen if found.overlaps(other)]
            if all(found.weight > other.weight for other in rivals):
                chosen = [other for other in chosen if other not in rivals]
                chosen.append(found)
    return sorted(chosen, key=lambda found: found.start)


def _matches_of(locale: Locale, sentence: str) -> Iterator[_Found]:
    seen = _seen_by(locale, sentence)
    lowered = seen.lower()
    if not locale.may_speak(seen, lowered):
        return
    if locale.simplify and _HIRAGANA.search(_IN_QUOTES.sub("", seen)):
        return
    if locale.supposed and locale.supposed.search(seen):
        return
    for rule in locale.rules_for(lowered):
        at = 0
        for _ in range(MAX_MATCHES):
            match = rule.pattern.search(seen, at)
            if match is None:
                break
            behind = match.start("term") if rule.has_term else match.end()
            # Whether a topic may be talked about is a question; "you may, okay?" is none.
            doubtful = rule.wish == "lift" and (_ASKED.match(seen, behind) or _RESERVED.search(seen))
            if not doubtful and (rule.free or not _vetoed(locale, seen, match)):
                yield _found(rule, locale, sentence, match)
            at = max(match.start() + 1, behind)


def _seen_by(locale: Locale, sentence: str) -> str:
    return simplified(sentence).replace("妳", "你") if locale.simplify else sentence


def _vetoed(locale: Locale, seen: str, match: re.Match[str]) -> bool:
    left, right = seen[: match.start()], seen[match.end() :]
    if locale.veto_after and locale.veto_after.search(right):
        return True
    if not locale.veto or not locale.veto.search(left):
        return False
    return not (locale.veto_unless and locale.veto_unless.search(left))


def _wishes(found: _Found) -> Iterator[Wish]:
    locale, raw = found.locale, found.raw
    if found.rule.wish == "forget":
        yield from _forgets(raw, locale)
        return
    if found.rule.wish == "lift" and _is_everything(raw, locale):
        yield Lift(term=None, bare=False, locale=locale.name)
        return
    terms = terms_in(
        raw,
        locale,
        at_start=found.sentence.startswith(raw),
        shouted=found.sentence == found.sentence.upper(),
        listed=found.listed,
    )
    for term in terms:
        if found.rule.wish == "ban":
            aliases = () if term.bare else other_names(term.text, locale, raw=raw)
            at = found.raw_start + max(raw.find(term.text), 0)
            limit = limit_in(found.sentence, found.start, at, at + len(term.text))
            yield Ban(term=term.text, bare=term.bare, locale=locale.name, aliases=aliases, limit=limit)
        else:
            yield Lift(term=term.text, bare=term.bare, locale=locale.name)


def _is_everything(raw: str, locale: Locale) -> bool:
    return not raw or not locale.everything.isdisjoint({fold_term(raw), fold_term(trim(raw, locale))})


def _forgets(raw: str, locale: Locale) -> Iterator[Forget]:
    short: list[Term] = terms_in(raw, locale)
    if short:
        for term in short:
            yield Forget(object=term.text, bare=term.bare, locale=locale.name)
        return
    whole = trim(raw, locale)
    if len(fold_term(whole)) >= 2 and len(whole) <= MAX_OBJECT_CHARS and fold_term(whole) not in locale.not_terms:
        yield Forget(object=whole, bare=False, locale=locale.name)
