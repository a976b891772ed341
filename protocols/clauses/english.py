"""English clauses as frames. Also reads other languages written with blanks, by their words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ..contractions import expand
from ..tokens import terms
from . import english_words as data
from .frame import ANY_PREDICATE, SELF, Frame, Tense, Voice
from .slots import owned_slot

_WORD: Final = re.compile(r"[^\W_]+(?:[.,:/][0-9]+)*(?:'[^\W_]+)*")
_APOSTROPHES: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'"})
_FOREIGN_NEGATIONS: Final = frozenset("não nunca jamás jamais nicht kein keine не нет никогда 안 못".split())
_HEADS: Final = {
    "BE": "be",
    "JOB": "be",
    "AGE": "be",
    "LIVE": "live",
    "MOVED": "live",
    "NAME": "name",
    "ANY": ANY_PREDICATE,
}
_SLOTS: Final = {"JOB": "job", "LIVE": "home", "MOVED": "home", "NAME": "name", "AGE": "age"}
_SKIPPED: Final = frozenset({*data.ADVERBS, "ALSO", "EMPH"})
_MODALS: Final = frozenset("can will would shall should must may might".split())
_IMPERATIVES: Final = frozenset("stop quit never let".split())
_VERBLIKE: Final = frozenset(
    {*data.VERBS, *data.AUXILIARIES, *_HEADS, *_MODALS, "NOT", "PAST", "ENDED", "like", "have"}
)
_MOST_SUBJECT_WORDS: Final = 5


class _Subject(Struct, frozen=True):
    """Who a clause is about, how they are named, where the clause goes on, and whose possession it is."""

    of: str
    voice: Voice
    end: int
    slot: str = ""


class _Head(Struct):
    """A predicate with what stands around it, and where its content begins."""

    predicate: str = ""
    negated: bool = False
    past: bool = False
    ended: bool = False
    slot: str = ""
    moved: bool = False
    end: int = 0


def read(clause: str, names: frozenset[str]) -> Frame:
    """Return the frame of a folded clause.

    Args:
        clause: one clause, folded as `claims` folds.
        names: the owner's names, folded.
    """
    words = _without_openers(_words(clause, names))
    hypothetical = _supposes(words)
    marked = _adjunct_last(
        _marked([word for word in words if word not in data.CONDITIONS] if hypothetical else words)
    )
    subject = _subject(marked)
    head = _head(marked[subject.end :], named=subject.voice is not Voice.OMITTED)
    phrases = _phrases(marked[subject.end + head.end :])
    slot = head.slot or (subject.slot if head.predicate == "be" else "")
    return Frame(
        subject=subject.of,
        voice=Voice.IMPERATIVE if _is_imperative(words) else subject.voice,
        predicate=head.predicate,
        negated=head.negated,
        tense=_tense(head),
        phrases=phrases,
        slot=slot,
        value=phrases[0] if slot and phrases else (),
        moved=head.moved,
        added="ALSO" in marked,
        emphatic="EMPH" in marked,
        hypothetical=hypothetical,
    )


def _supposes(words: Sequence[str]) -> bool:
    return any(word in data.CONDITIONS for word in words[:2]) or "wonder" in words[:2]


def _words(clause: str, names: frozenset[str]) -> list[str]:
    """Return the words with contractions written out and the owner's names as `OWNER` or "my"."""
    text = clause.translate(_APOSTROPHES)
    for name in sorted(names, key=len, reverse=True):
        owner = re.escape(name)
        text = re.sub(rf"(?<!\w){owner}'s (?=(?:an?|not|the)\b|\w+ing\b)", "OWNER is ", text)
        text = re.sub(rf"(?<!\w){owner}'s?(?= \w)", "my", text)
        text = re.sub(rf"(?<!\w){owner}(?!\w)", "OWNER", text)
    return expand(_WORD.findall(text))


def _without_openers(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and words[start] in data.OPENERS:
        start += 1
    opener = start and words[start - 1] == "no" and start < len(words)
    # "No dogs live here" denies; "no" before a pronoun only answers.
    is_determiner = opener and words[start] not in {
        *data.FIRST,
        *data.THIRD,
        *data.POSSESSIVES,
        *data.OTHERS,
        "not",
    }
    return words[start - 1 :] if is_determiner else words[start:]


def _marked(words: Sequence[str]) -> list[str]:
    text = " ".join("NOT" if word in _FOREIGN_NEGATIONS else word for word in words)
    for pattern, marker in data.RULES:
        text = " ".join(pattern.sub(marker, text).split())
    return text.split()


def _adjunct_last(tokens: list[str]) -> list[str]:
    """Return the tokens with what stands before the person ("these days I ...") moved to the end."""
    for at, token in enumerate(tokens[:_MOST_SUBJECT_WORDS]):
        if token in _VERBLIKE or token in data.THIRD or (at == 0 and token in data.POSSESSIVES):
            return tokens
        if token in data.FIRST or token == "OWNER":
            return [*tokens[at:], *tokens[:at]] if at and tokens[at - 1] != "and" else tokens
    return tokens


def _subject(tokens: Sequence[str]) -> _Subject:
    first = tokens[0] if tokens else ""
    if first in data.FIRST:
        return _Subject(SELF, Voice.FIRST, 1)
    if first == "OWNER":
        return _Subject(SELF, Voice.NAMED, 1)
    if first in data.THIRD:
        return _Subject(SELF, Voice.THIRD, 1)
    end = next((at for at, token in enumerate(tokens[: _MOST_SUBJECT_WORDS + 1]) if token in _VERBLIKE), 0)
    if not end:
        return _Subject(SELF, Voice.OMITTED, 0)
    if "i" in tokens[:end]:
        return _Subject(SELF, Voice.FIRST, end)
    content = [_stem(token) for token in tokens[:end] if token not in data.BREAKS and token not in _SKIPPED]
    if first in data.POSSESSIVES and content:
        slot = owned_slot(content)
        return _Subject(
            "" if slot else " ".join(content), Voice.FIRST if first in {"my", "our"} else Voice.THIRD, end, slot
        )
    return _Subject(" ".join(content) or first, Voice.THIRD, end)


def _head(tokens: Sequence[str], *, named: bool) -> _Head:
    head = _Head()
    for at, token in enumerate(tokens):
        if token == "NOT":
            head.negated = not head.negated
        elif token in {"PAST", "ENDED"}:
            head.past = True
            head.ended = head.ended or token == "ENDED"
        elif token not in _SKIPPED:
            if head.predicate or not _take(head, token, named=named):
                head.end = at
                break
    else:
        head.end = len(tokens)
    head.predicate = head.predicate or ANY_PREDICATE
    return head


def _take(head: _Head, token: str, *, named: bool) -> bool:
    """Read the token as the predicate; False where it is none."""
    if token in _HEADS:
        head.predicate = _HEADS[token]
        head.slot = _SLOTS.get(token, "")
        head.moved = token == "MOVED"
        return True
    stem = _stem(token)
    known = data.PREDICATES.get(stem) or data.PREDICATES.get(token)
    is_verb = token in _MODALS or (token not in data.BREAKS and (named or token in data.VERBS))
    if not known and not is_verb:
        return False
    head.predicate = known or stem
    head.past = head.past or token in {"had", "lived", "worked"}
    return True


def _tense(head: _Head) -> Tense:
    if head.ended:
        return Tense.ENDED
    return Tense.PAST if head.past and head.predicate in data.STATES and not head.moved else Tense.PRESENT


def _phrases(tokens: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the content in phrases; what stands after a second "not" is contrast and left out."""
    phrases: list[list[str]] = [[]]
    prefix = ""
    for token in tokens:
        if token == "NOT":
            break
        if token in data.MARKED or token in data.BREAKS or token.isupper():
            phrases.append([])
            prefix = data.MARKED.get(token, "")
        elif token not in _SKIPPED:
            phrases[-1].append(prefix + _stem(token))
    return tuple(tuple(phrase) for phrase in phrases if phrase)


def _is_imperative(words: Sequence[str]) -> bool:
    return list(words[:2]) == ["do", "not"] or (bool(words) and words[0] in _IMPERATIVES)


def _stem(word: str) -> str:
    return terms(word)[-1] if terms(word) else word
