"""Where one English statement ends and the next begins, and whom "he" and "she" mean in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..scripts import words
from . import english_verbs as verbs
from . import kin

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_SEAM: Final = re.compile(
    r"\s*;\s*"
    r"|\s*,?\s+(?P<joint>and|but)\s+(?=\S)"
    r"|\s*,\s+(?=(?:i|i['\u2019]\w+|we|we['\u2019]\w+|my|our|he|he['\u2019]\w+|she|she['\u2019]\w+|there['\u2019]s"
    r"|there)\b)"
    r"|\s*,\s+(?P<aside>(?:so |and )?(?:please|wish me|don['\u2019]t|do not|remember|let me|tell me"
    r"|help|thanks|thank you|can you"
    r"|could you|would you|isn['\u2019]t|imagine|lol|haha)\b)",
    re.IGNORECASE,
)
_UNDONE: Final = re.compile(r"\b(?:was|were) going to\b|\b(?:wanted|tried|meant|planned|used) to\b", re.IGNORECASE)
_MOST_SEAMS: Final = 12
_DEPENDENT: Final = re.compile(
    r"(?:when|if|since|because|although|though|while|after|before|as|once|until|unless|whenever|whether|imagine"
    r"|suppose|both|either|neither|not only|what|how|why|where|who)\b",
    re.IGNORECASE,
)
_LEANING: Final = re.compile(
    r"\b(?:when|if|because|although|though|while|until|unless|whether|that|which|who|whose|whom)\b", re.IGNORECASE
)
_NOMINATIVES: Final = words("i we you he she it they there")
_CONTRACTED: Final = re.compile(r"(?:i|we|you|he|she|it|they|there)['\u2019](?:m|ve|d|ll|re|s)")
_POSSESSIVES: Final = words("my our his her their")
_DETERMINERS: Final = _POSSESSIVES | {"the"}
_ADVERBS: Final = words("also always never sometimes usually often really still now just only then even mostly")
_REPORTING: Final = words(
    "think thinks thought believe believes know knows knew say says said hope hopes guess wish wishes "
    "feel feels felt"
    " told tell tells heard hear suppose imagine doubt"
)
_NOUN_TOO: Final = words(
    "work play cook dance drink paint walk run study sleep travel love talk watch book fish hike cycle swim camp"
    " garden design post text film sail ski skate sing test plan hope help visit report record train "
    "market cut set"
    " place mix plant crash shop show call cover cross answer care end exercise practice measure match rest smoke"
)
_AFTER_VERB: Final = words(
    "a an the my your his her our their me him us them it this that in on at to from with for every as two three"
    " about by alone home hard nights mornings part-time there here some no"
)
_PLURAL_VERBS: Final = verbs.BASES | words("am are have do don't can't won't was were had didn't haven't wasn't")
_SINGULAR_VERBS: Final = verbs.THIRD_PERSONS | words(
    "is has does doesn't isn't was had didn't hasn't wasn't can't"
)
_BEFORE_BASE: Final = words(
    "can could will would shall should must may might to gonna wanna 'll i'd i'll we'd we'll cannot can't won't"
    " wouldn't couldn't let"
)
_PLURAL: Final = frozenset({"i", "we", "you", "they"})
_PLURAL_NOUNS: Final = frozenset({"play", "book", "drink"})
_ALONE: Final = frozenset({"smoke", "swim", "sing"})
_ELLIPTIC: Final = re.compile(
    r"(?:\w+ ){1,3}(?:do|does|don't|doesn't|can|can't|did|didn't|is|isn't|am|are|aren't|has|hasn't|too)"
    r"(?: either| too| not)?[\s.!]*$",
    re.IGNORECASE,
)
_PASSIVE: Final = words("was were been got is are being")
_FINITE: Final = verbs.AUXILIARIES | verbs.PASTS | verbs.THIRD_PERSONS
_LONGEST_SUBJECT: Final = 5

_ANTECEDENT: Final = re.compile(
    r"(?P<noun_phrase>(?i:my|our)(?:\s+(?:older|younger|little|big|best|old|elder|twin|late|new|only))*\s+"
    r"(?P<noun>[^\W\d_]+)(?:\s+[A-Z][^\W\d_]+)?)\s+(?P<rest>[^,\s].*)$",
    re.DOTALL,
)
_DENIED_NAME: Final = re.compile(
    r"(?P<name>[A-Z][^\W\d_]+) (?:is|was)(?:n['\u2019]t| not)(?: actually| really)? (?:an?|from|called) [^,]+$"
)
"""What says of a name what it isn't, so that the next clause says what it is."""

_WHAT_THEY_ARE: Final = re.compile(r"^(?:is|was|works as|became) (?:an?|the)\b[^,]*")
_NAME_ELSEWHERE: Final = re.compile(
    r"(?<!\bin )(?<!\bfrom )(?<!\bat )(?<!\bto )(?<!\bnear )(?<!\bof )(?<!\bspeaks )(?<!\bon "
    r")(?<!^)\b[A-Z][^\W\d_]+"
)
_PRONOUN: Final = re.compile(r"(?P<who>he|she|his|her)(?P<short>['\u2019]s)?\b", re.IGNORECASE)
_HAS: Final = re.compile(r"\s+(?:been|got|had|gone|become|lost|left|never been|always been|just been)\b")


def pieces(text: str) -> tuple[str, ...]:
    """Return the statements of a sentence, each with a subject of its own."""
    if _DEPENDENT.match(text.lstrip()):
        return (text,)
    found: list[str] = []
    start, subject = 0, ""
    for seam in list(_SEAM.finditer(text))[:_MOST_SEAMS]:
        left = f"{subject} {text[start : seam.start()]}".strip()
        right = _tokens(text[seam.end() : seam.end() + 80])
        own = _tokens(left)
        undone = (seam["joint"] or "").lower() == "but" and _UNDONE.search(left)
        if not _is_statement(own) or not right or undone or _ELLIPTIC.match(text, seam.end()):
            continue
        if seam["aside"]:
            found.append(left)
            start, subject = seam.start("aside"), ""
        elif _begins_clause(right, own) and not _dangles(right[0], left):
            found.append(left)
            start, subject = seam.end(), ""
        elif seam["joint"] and (carried := _carried(left, own, right)):
            found.append(left)
            start, subject = seam.end(), carried
    found.append(f"{subject} {text[start:]}".strip())
    return tuple(found)


def antecedent(text: str) -> str:
    """Return whom "he" or "she" in the next clause means, as the text calls them; empty where that is unclear."""
    if denied := _DENIED_NAME.match(text.strip(" .!")):
        return denied["name"]
    found = _ANTECEDENT.match(text.strip())
    if found is None or found["noun"].lower() not in kin.PERSONS or not _finite_at_start(found["rest"]):
        return ""
    rest = _WHAT_THEY_ARE.sub("", found["rest"])
    others = kin.PERSONS.intersection(token.lower() for token in _tokens(rest))
    return "" if others or _NAME_ELSEWHERE.search(rest) else found["noun_phrase"]


def resolved(text: str, meant: str) -> str:
    """Return a clause with the "he", "she", "his" or "her" that it begins with as whom it can mean.

    Args:
        text: the clause.
        meant: such as "My sister Ana".
    """
    found = _PRONOUN.match(text)
    if found is None or not _agrees(found["who"].lower(), meant):
        return text
    rest = text[found.end() :]
    if found["who"].lower() in {"his", "her"}:
        return f"{meant}'s{rest}"
    if found["short"]:
        return f"{meant} {'has' if _HAS.match(rest) else 'is'}{rest}"
    return f"{meant}{rest}"


# --- parts ----------------------------------------------------------------------------------------


def _tokens(text: str) -> list[str]:
    return [token.lower().replace("\u2019", "'") for token in _WORD.findall(text)]


def _dangles(first: str, left: str) -> bool:
    """Return whether a clause begins with a pronoun for somebody whom the clause before doesn't clearly name."""
    who = first.partition("'")[0]
    if who in {"he", "she", "his", "her"}:
        meant = antecedent(left)
        return not meant or not _agrees(who, meant)
    return who in {"it", "they", "their", "its"}


def _is_statement(tokens: Sequence[str]) -> bool:
    """Return whether tokens are a clause with a subject and a verb, which may stand alone."""
    if len(tokens) < 2:
        return False
    return any(
        token in _FINITE or _CONTRACTED.fullmatch(token) or (before in _NOMINATIVES and token in verbs.BASES)
        for before, token in zip(["", *tokens], tokens, strict=False)
    )


def _begins_clause(right: Sequence[str], left: Sequence[str]) -> bool:
    """Return whether what follows a seam begins a statement with a subject and a verb of its own."""
    first = right[0]
    second = right[1] if len(right) > 1 else ""
    if _CONTRACTED.fullmatch(first):
        return not _reports(left, first)
    if first in _NOMINATIVES:
        at = 2 if second in _ADVERBS and len(right) > 2 else 1
        verb = right[at] if len(right) > at else ""
        return bool(verb) and (verb in _FINITE or verb in verbs.BASES) and not _reports(left, first)
    if first not in _DETERMINERS:
        return False
    for at, token in enumerate(right[1:_LONGEST_SUBJECT], start=1):
        if at > 1 and (token in _SINGULAR_VERBS or token in _FINITE):
            return not _reports(left, first)
        if at > 1 and token in verbs.BASES and right[at - 1].endswith("s"):
            return not _reports(left, first)
    return False


def _reports(left: Sequence[str], first: str) -> bool:
    """Return whether a clause may still be what the one before reports: "I know he's nice and she's mean"."""
    mine = first in {"my", "our"} or first.partition("'")[0] in {"i", "we"}
    return not mine and not _REPORTING.isdisjoint(left)


def _carried(left: str, own: Sequence[str], right: Sequence[str]) -> str:
    """Return the subject that goes on from a clause to a predicate after "and", or nothing where none does."""
    at = 1 if right[0] in _ADVERBS and len(right) > 1 else 0
    verb, after = right[at], right[at + 1] if len(right) > at + 1 else ""
    subject = "" if _LEANING.search(left) else _subject(left, own)
    if not subject:
        return ""
    if verb in verbs.PASTS and verb not in verbs.BASES:
        goes_on = _PASSIVE.isdisjoint(own)
    else:
        goes_on = _goes_on(verb, after, own, is_plural=subject.lower() in _PLURAL)
    return subject if goes_on else ""


def _goes_on(verb: str, after: str, own: Sequence[str], *, is_plural: bool) -> bool:
    """Return whether a word in the present is a verb of the clause's subject, as its form and neighbours show."""
    if verb not in (_PLURAL_VERBS if is_plural else _SINGULAR_VERBS):
        return False
    base = verb if is_plural else verb.removesuffix("s")
    if verb in verbs.BASES and not _BEFORE_BASE.isdisjoint(own):
        return False
    if base in _NOUN_TOO and after not in _AFTER_VERB:
        return not is_plural and base not in _PLURAL_NOUNS
    return bool(after) or verb in _ALONE


def _subject(left: str, own: Sequence[str]) -> str:
    """Return the subject of a clause as it is written."""
    for token, found in list(zip(own, _WORD.finditer(left), strict=False))[:4]:
        if token in _NOMINATIVES:
            return found.group()
        if _CONTRACTED.fullmatch(token):
            return re.split("['\u2019]", found.group())[0]
    if own[0] not in _DETERMINERS and not left[:1].isupper():
        return ""
    spans = list(_WORD.finditer(left))[: _LONGEST_SUBJECT + 1]
    for at, found in enumerate(spans):
        if at and own[at] in _FINITE:
            return "" if "and" in own[:at] else left[: found.start()].strip()
    return ""


def _finite_at_start(rest: str) -> bool:
    first = next(iter(_tokens(rest[:40])), "")
    return first in _FINITE or first in verbs.BASES or first in _ADVERBS


def _agrees(pronoun: str, meant: str) -> bool:
    named = set(_tokens(meant))
    if meant[:1].isupper() and len(named) == 1:
        return True
    if not kin.EITHER.isdisjoint(named):
        return True
    return not (kin.MALE if pronoun in {"he", "his"} else kin.FEMALE).isdisjoint(named)
