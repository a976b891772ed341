"""Whom an English claim is about, and how much it matters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ....protocols.clauses import english_verbs as verbs
from .claims import CORE, DEVELOPMENT, HEALTH, IDENTITY, PREFERENCE, TRIVIA, Person, importance

_NAMED: Final = re.compile(r"\b[Ii](?:['’]m| am) (?:[A-Z][\w’'-]+)(?: [A-Z][\w’'-]+){0,2}\s*[.!]*$")
_CUES: Final = (
    (
        IDENTITY,
        re.compile(
            r"\bmy (?:full |first |last |middle |real |nick)?names?\b|\bname's\b|\bcall(?:s|ed)? me\b|"
            r"\bi'm called\b|"
            r"\bi am called\b|\bi go by\b|\bnickname\b|\bbirthday\b|\bi was born\b|\bpronouns\b|\bdate of birth\b",
        ),
    ),
    (
        HEALTH,
        re.compile(
            r"\ballerg|intoleran|\bdiabet|\basthma|\bc(?:o?)eliac|\bepilep|\bpregnan|\bdiagnos|"
            r"\bmedication|\bcancer\b|"
            r"\bsurger|\binsulin|\bvegan|\bvegetarian|\bhalal|\bkosher|\bgluten|\badhd\b|\bautis|\bdisab|"
            r"\bwheelchair|"
            r"\bdeaf\b|\bmigraine|\bblood (?:type|pressure)|\bheart (?:condition|attack|disease)|\bpanic attack|"
            r"\bdepression\b|\banxiety\b|\bthyroid|\bpills?\b",
        ),
    ),
    (
        CORE,
        re.compile(
            r"\bfavou?rite|\bi (?:really |absolutely |truly |just |also )?(?:love|hate|adore)\b(?! (?:that|"
            r"how|it|this|these|those|his|her|your|their|the|when|what|seeing|to see|to hear))|\bcan't stand\b|"
            r"\bi (?:never|always) |\bi(?:'m| am) (?:an? |\d)|\byears old\b|\bi (?:also )?(?:work|study|"
            r"teach|live|grew up)\b|"
            r"\bmy (?:job|work|boss|career|home|hometown|house|apartment|flat|school|major|company)\b|"
            r"\bi(?:'m| am) from\b|"
            r"\bmy (?:\w+ ){0,2}(?:mother|mom|mum|father|dad|parents?|sisters?|brothers?|wife|husband|"
            r"sons?|daughters?|kids?|child|"
            r"children|grand\w+|aunt|uncle|cousins?|niece|nephew|partner|girlfriend|boyfriend|fiancée?|"
            r"twins?|family|"
            r"dogs?|cats?|pets?)\b|\bi have (?:\w+ ){1,3}(?:sisters?|brothers?|kids?|children|sons?|"
            r"daughters?|dogs?|cats?)\b|"
            r"\bmarried\b|\bengaged\b",
        ),
    ),
    (
        DEVELOPMENT,
        re.compile(
            r"\bnew job\b|\bpromot|\bfired\b|\blaid off\b|\bbroke up\b|\bdivorc|\bgraduat|\bpassed (?:my|"
            r"the|away)|\badopt|"
            r"\bmov(?:ed|ing)\b|\bstarted (?:a|my|work|learn)|\bquit (?:my|smok|drink)|\bpassed away|"
            r"\bdied\b|\bwedding\b|\blost my\b",
        ),
    ),
    (
        PREFERENCE,
        re.compile(
            r"\blikes?\b|\bprefer|\benjoy|\bdislike|\b(?:i'm|am) into\b|\bfans? of\b|\bwants? to\b|'d "
            r"(?:like|love)\b|\binterested\b|"
            r"\bhobb(?:y|ies)\b|\bplay(?:s|ing)?\b|\bgoing to\b|\bgonna\b|\bplan(?:s|ning)?\b|\bjust\b|"
            r"\brecently\b|\blately\b|"
            r"\byesterday\b|\btomorrow\b|\b(?:next|last|this) (?:week|month|year|weekend|summer|spring|"
            r"autumn|fall|winter|mon|tue|"
            r"wed|thu|fri|sat|sun)|\bnew\b|\bwill\b|\bi'll\b|\bused to\b|\bloves?\b|\bhates?\b",
        ),
    ),
)
_WEATHER: Final = re.compile(
    r"\b(?:rain(?:s|ing|y|ed)?|snow(?:s|ing|y|ed)?|sunny|cloudy|windy|foggy|humid|weather|degrees|"
    r"storm(?:y|s)?)\b",
)
_PERSONS: Final = re.compile(
    r"\b(?:(?P<plural>we|we're|we've|we'd|we'll|our|ours|us)|(?P<first>i|i'm|i've|i'd|i'll|im|ive|my|mine|"
    r"me|myself)"
    r"|(?P<second>you|you're|you've|you'd|you'll|your|yours|u))\b",
)
_QUOTATION: Final = re.compile(r"\"[^\"]*\"|“[^”]*”")
_ADVERBS: Final = frozenset({"just", "also", "still", "really"})
_OPENINGS: Final = verbs.PASTS | verbs.STATIVES | {"been", "had", "gonna", "going", "was", "am", "can't"}


def person(body: str, tokens: Sequence[str]) -> Person:
    """Return the grammatical person of a claim: the first that it names outside of quotations."""
    found = _PERSONS.search(_QUOTATION.sub(" ", body))
    if found is None:
        return Person.FIRST if _lacks_subject(tokens) else Person.THIRD
    if found["plural"]:
        return Person.FIRST_PLURAL
    return Person.FIRST if found["first"] else Person.SECOND


def _lacks_subject(tokens: Sequence[str]) -> bool:
    opening = tokens[1] if tokens[0] in _ADVERBS and len(tokens) > 1 else tokens[0]
    return opening in _OPENINGS


def weight(body: str, original: str, about: Person) -> int:
    """Return the importance of a claim.

    Args:
        body: the claim in lower case.
        original: the claim as it was written, where capitals show names.
        about: its grammatical person.
    """
    if about is Person.THIRD and _WEATHER.search(body):
        return TRIVIA
    return IDENTITY if _NAMED.search(original) else importance(body, _CUES)
