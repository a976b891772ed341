"""The phrases of all locales, read once from the files beside this module.

Owns the format of `phrases/<locale>.yaml` and turns it into compiled rules; knows nothing of what
follows from a match. A file has:

- `words`: fragments that patterns use as `{name}`; they may use those above them.
- `script`: a character that a sentence needs for any rule of the file to be tried.
- `cues`: of these (in lower case) it needs at least one. They only save time: every phrase holds one.
- `simplify`: match on simplified characters, so that one pattern serves both kinds.
- `fillers`: what people say while they think, left out before anything is looked for.
- `spelt`, `real`: words of phrases that are understood with a slip of the finger, and slips that are other words.
- `echo`: a short sentence that takes up the one before it ("My weight? Not up for discussion."): where that one
  voices no wish, both are read as one.
- `veto`: patterns over what stands before a match, up to it, that make it no wish: reported speech,
  questions, statements. `veto_unless` takes a veto back. `veto_after` looks at what stands behind.
- `supposed`: patterns of a sentence that only supposes a wish ("would you stop if I asked you to?").
- `lead`, `tail`: what is taken off the ends of a term, again and again; `cut`: where a term ends early.
- `shapes`: patterns whose group is the term proper ("the topic of X").
- `names`: patterns of a term that holds other names of its topic, as their groups ("my brother <Marcus>").
- `joiner`: what parts the terms of a list; `clause`: the beginning of an item that is no term any more.
- `bare`: terms that only point. `not_terms`: terms that are none. `everything`: what lifts all.
- `anaphors`: bare terms that stand for what was named before, a person ("him") or a thing ("it"); `topics`:
  patterns whose group is what those of a sort, or any, can stand for in an earlier sentence, the surest first;
  `no_topics`: what such a group is when it is none.
- `name_words`: words that are names as well, if with a capital ("Will", "Rose").
- `determiners`: words before a term that the character would use differently ("my ex", "your ex").
- `rules`: `wish` (ban, lift, forget), `pattern`, `examples` (sentence to terms) and `near_misses`; `cues` are
  those of this rule alone.

In a pattern `<term>` is a term with something after it, `<rest>` the rest of the sentence, also after a colon, and
`<before>` what stands between the last comma and the pattern. A rule with `free: true` is not vetoed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias

import yaml
from msgspec import Struct, convert
from msgspec.structs import replace

from .folding import fold_term
from .slips import slips

WishKind: TypeAlias = Literal["ban", "lift", "forget"]

LOCALES: Final = ("en", "zh", "ja", "ko", "ru", "es", "pt", "de", "fr", "it")

_PLACES: Final = {
    "term": r"(?P<term>\S(?:.{0,78}?\S)??)",
    "rest": r"(?P<term>\S.*)",
    "before": (
        r"(?:^|(?<=[,\uff0c:\uff1a\u2014!?\uff01\uff1f\u2026]))\s?"
        r"(?P<term>[^,\uff0c;\uff1b:\uff1a\s][^,\uff0c;\uff1b:\uff1a]{0,60}?)"
    ),
}

_SLASH: Final = r" / |(?<=[^\W\d_]{3})/(?=[^\W\d_]{3})"
"""What parts topics in any locale; not the stroke of "24/7" and "AC/DC"."""

_PLACE: Final = re.compile(r"(?<!\?P)<(term|rest|before)>")


class _RuleText(Struct, frozen=True, forbid_unknown_fields=True):
    wish: WishKind
    pattern: str
    examples: dict[str, list[str]]
    near_misses: list[str] = []
    free: bool = False
    cues: list[str] = []


class _LocaleText(Struct, frozen=True, forbid_unknown_fields=True):
    cues: list[str]
    rules: list[_RuleText]
    words: dict[str, str] = {}
    script: str = ""
    simplify: bool = False
    fillers: str = ""
    spelt: list[str] = []
    real: list[str] = []
    echo: str = ""
    veto: list[str] = []
    veto_unless: list[str] = []
    veto_after: list[str] = []
    supposed: list[str] = []
    lead: list[str] = []
    tail: list[str] = []
    cut: list[str] = []
    shapes: list[str] = []
    names: list[str] = []
    joiner: str = ""
    clause: list[str] = []
    bare: list[str] = []
    not_terms: list[str] = []
    everything: list[str] = []
    determiners: list[str] = []
    name_words: list[str] = []
    anaphors: dict[str, list[str]] = {}
    topics: dict[str, list[str]] = {}
    no_topics: list[str] = []


class Rule(Struct, frozen=True):
    """One way to voice a wish, with sentences that do and sentences that don't."""

    wish: WishKind
    source: str
    free: bool
    cues: frozenset[str]
    examples: dict[str, list[str]]
    near_misses: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """What voices the wish; compiled when asked for, since all at once take 0.25 s and few are tried."""
        return _compiled(self.source)

    @property
    def has_term(self) -> bool:
        """Whether the pattern captures a term."""
        return "term" in self.pattern.groupindex


class Locale(Struct, frozen=True):
    """The compiled rules of a locale; see the module for what each part means."""

    name: str
    script: re.Pattern[str] | None
    cues: tuple[str, ...]
    rule_cues: tuple[str, ...]
    rules: tuple[Rule, ...]
    simplify: bool
    fillers: re.Pattern[str] | None
    slips: dict[str, str]
    echo: re.Pattern[str] | None
    veto: re.Pattern[str] | None
    veto_unless: re.Pattern[str] | None
    veto_after: re.Pattern[str] | None
    supposed: re.Pattern[str] | None
    lead: re.Pattern[str] | None
    tail: re.Pattern[str] | None
    cut: re.Pattern[str] | None
    shapes: tuple[re.Pattern[str], ...]
    names: tuple[re.Pattern[str], ...]
    joiner: re.Pattern[str] | None
    clause: re.Pattern[str] | None
    bare: frozenset[str]
    not_terms: frozenset[str]
    everything: frozenset[str]
    determiners: tuple[str, ...]
    name_words: frozenset[str]
    anaphors: dict[str, str]
    topics: dict[str, tuple[re.Pattern[str], ...]]
    no_topics: frozenset[str]

    def within(self, seen: str) -> Locale | None:
        """Return the locale with those of its rules and cues that occur in a text; None where it can't be spoken.

        For whatever is in the text both say the same.

        Args:
            seen: the text, simplified where this locale is.
        """
        lowered = seen.lower()
        cues = tuple(filter(lowered.__contains__, self.cues))
        if not cues or (self.script and not self.script.search(seen)):
            return None
        return replace(
            self,
            cues=cues,
            rule_cues=tuple(filter(lowered.__contains__, self.rule_cues)),
            rules=tuple(self.rules_for(lowered)),
        )

    def may_speak(self, seen: str, lowered: str) -> bool:
        """Return whether a sentence, simplified where this locale is, can hold a phrase of the locale.

        Args:
            seen: the sentence.
            lowered: the same in lower case.
        """
        if self.script and not self.script.search(seen):
            return False
        return any(map(lowered.__contains__, self.cues))

    def rules_for(self, lowered: str) -> Iterator[Rule]:
        """Yield the rules of which a sentence in lower case has a cue, and those that have none, in order."""
        there = set(filter(lowered.__contains__, self.rule_cues))
        for rule in self.rules:
            if not rule.cues or not rule.cues.isdisjoint(there):
                yield rule


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


_Loader: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml's loader, where PyYAML was built with it, takes a tenth of the time."""


@cache
def phrasebook() -> tuple[Locale, ...]:
    """Return the rules of every locale, in the order of `LOCALES`; read and compiled on the first call."""
    folder = files(__package__).joinpath("phrases")
    return tuple(_compile(name, folder.joinpath(f"{name}.yaml").read_text("utf-8")) for name in LOCALES)


class _Cues(NamedTuple):
    """The cues in ASCII of the locales that need no script: how the longer ones begin, and the short ones."""

    beginnings: frozenset[str]
    short: tuple[str, ...]


_BEGINNING: Final = 4
"""Characters of the beginning of a cue: few words that are no cue have it."""


@cache
def _ascii_cues() -> _Cues:
    cues = {cue for locale in phrasebook() if not locale.script for cue in locale.cues if cue.isascii()}
    return _Cues(
        frozenset(cue[:_BEGINNING] for cue in cues if len(cue) >= _BEGINNING),
        tuple(sorted(cue for cue in cues if len(cue) < _BEGINNING)),
    )


def may_voice(sentence: str) -> bool:
    """Return whether a sentence can hold a phrase of any locale, for a tenth of what it costs to ask each."""
    if not sentence.isascii():
        return True
    lowered, cues = sentence.lower(), _ascii_cues()
    if any(map(lowered.__contains__, cues.short)):
        return True
    pieces = [lowered[at : at + _BEGINNING] for at in range(len(lowered) - _BEGINNING + 1)]
    return not cues.beginnings.isdisjoint(pieces)


@cache
def pointers() -> frozenset[str]:
    """Return the folded terms of all locales that only point at something ("this", それ, 他)."""
    return frozenset().union(*(locale.bare for locale in phrasebook()))


@cache
def name_words() -> frozenset[str]:
    """Return the folded words of all locales that are names as well ("will", "rosa")."""
    return frozenset().union(*(locale.name_words for locale in phrasebook()))


def _compile(name: str, source: str) -> Locale:
    # The base loader leaves every scalar a string: "on", "off", "no" and "yes" are words here.
    text = convert(yaml.load(source, _Loader), _LocaleText, strict=False)  # noqa: S506
    words: dict[str, str] = {}
    for word, fragment in text.words.items():
        words[f"{{{word}}}"] = f"(?:{_filled(fragment, words)})"

    def pattern(fragment: str) -> re.Pattern[str]:
        return _compiled(_filled(fragment, words))

    def either(fragments: list[str], around: str) -> re.Pattern[str] | None:
        return pattern(around % "|".join(fragments)) if fragments else None

    return Locale(
        name=name,
        script=re.compile(text.script, re.IGNORECASE) if text.script else None,
        cues=_shortest(text.cues),
        rule_cues=tuple(sorted({cue for rule in text.rules for cue in rule.cues})),
        rules=tuple(_rule(rule, _filled(rule.pattern, words)) for rule in text.rules),
        simplify=text.simplify,
        fillers=pattern(text.fillers) if text.fillers else None,
        slips=slips(text.spelt, frozenset(text.real)),
        echo=pattern(text.echo) if text.echo else None,
        veto=either(text.veto, "(?:%s)$"),
        veto_unless=either(text.veto_unless, "(?:%s)$"),
        veto_after=either(text.veto_after, "^(?:%s)"),
        supposed=either(text.supposed, "%s"),
        lead=either(text.lead, "^(?:%s)"),
        tail=either(text.tail, "(?:%s)$"),
        cut=either(text.cut, "%s"),
        shapes=tuple(pattern(f"^(?:{shape})$") for shape in text.shapes),
        names=tuple(map(pattern, text.names)),
        joiner=pattern(f"{text.joiner}|{_SLASH}") if text.joiner else None,
        clause=either(text.clause, "^(?:%s)"),
        bare=frozenset(map(fold_term, text.bare)),
        not_terms=frozenset(map(fold_term, text.not_terms)),
        everything=frozenset(map(fold_term, text.everything)),
        determiners=tuple(text.determiners),
        name_words=frozenset(map(fold_term, text.name_words)),
        anaphors={fold_term(word): sort for sort, listed in text.anaphors.items() for word in listed},
        topics={sort: tuple(map(pattern, listed)) for sort, listed in text.topics.items()},
        no_topics=frozenset(map(fold_term, text.no_topics)),
    )


def _rule(text: _RuleText, source: str) -> Rule:
    return Rule(
        wish=text.wish,
        source=source,
        free=text.free,
        cues=frozenset(text.cues),
        examples=text.examples,
        near_misses=tuple(text.near_misses),
    )


def _shortest(cues: list[str]) -> tuple[str, ...]:
    """Return cues without those that hold another, which is there whenever they are."""
    return tuple(cue for cue in dict.fromkeys(cues) if not any(other in cue for other in cues if other != cue))


def _filled(fragment: str, words: dict[str, str]) -> str:
    for name, value in words.items():
        fragment = fragment.replace(name, value)
    fragment = fragment.replace(" <rest>", ":? <rest>")
    return _PLACE.sub(lambda place: _PLACES[place.group(1)], fragment)
