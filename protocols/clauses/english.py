"""English clauses as frames. Also reads other languages written with blanks, by their words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from ..contractions import expand
from ..scripts import words
from ..tokens import CACHED_WORDS, terms
from . import english_words as data
from .frame import ANY_PREDICATE, OBJECT_PREDICATES, SELF, Frame, Tense, Voice
from .slots import is_place, owned_slot

_WORD: Final = re.compile(r"[^\W_]+(?:[.,:/][0-9]+)*(?:'[^\W_]+)*")
_TURNS_OUT: Final = re.compile(r"^(?:(?:so|and|but|oh|well) )*(?:it )?turns out(?: that)? ")
_APOSTROPHES: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'"})
_FOREIGN_NEGATIONS: Final = words("não nunca jamás jamais nicht kein keine не нет никогда 안 못")
_HEADS: Final = {
    "BE": "be",
    "JOB": "be",
    "AGE": "be",
    "LIVE": "live",
    "MOVED": "live",
    "NAME": "name",
    "EMPLOYED": "work",
    "JOINED": "work",
    "ANY": ANY_PREDICATE,
}
_SLOTS: Final = {
    "JOB": "job",
    "LIVE": "home",
    "MOVED": "home",
    "NAME": "name",
    "AGE": "age",
    "EMPLOYED": "employer",
    "JOINED": "employer",
}
_NEWLY: Final = frozenset({"MOVED", "JOINED"})
_SKIPPED: Final = frozenset({*data.ADVERBS, "ALSO", "EMPH"})
_RATHER: Final = frozenset({("instead", "of"), ("rather", "than")})
_IMPERATIVES: Final = words("stop quit never let")
_VERBLIKE: Final = frozenset(
    {*data.VERBS, *data.AUXILIARIES, *_HEADS, *data.MODALS, "NOT", "PAST", "ENDED", "like", "have"}
)
_VOICES: Final = {
    **dict.fromkeys(data.FIRST, Voice.FIRST),
    **dict.fromkeys(data.THIRD, Voice.THIRD),
    "OWNER": Voice.NAMED,
}
_NAMED_SUBJECTS: Final = frozenset({*data.FIRST, *data.THIRD, *data.POSSESSIVES, "OWNER"})
_NOMINATIVES: Final = frozenset({"i", "we", "OWNER"})
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
    awaits_verb: bool = False
    end: int = 0

    def extend(self, predicate: str) -> bool:
        """Take a predicate, alone or after its modal, and return that it was taken."""
        self.predicate = f"{self.predicate} {predicate}".strip()
        self.awaits_verb = predicate in data.MODALS
        return True


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
    negates_all = marked[:1] == ["NOT"] and marked[1:2] and marked[1] in _NAMED_SUBJECTS
    if negates_all:
        marked = marked[1:]
    subject = _subject(marked)
    if words[:1] and words[0] in data.NOBODY and subject.voice is Voice.OMITTED:
        subject = _Subject("nobodi", Voice.THIRD, subject.end)
    head = _head(marked[subject.end :], named=subject.voice is not Voice.OMITTED)
    head.negated ^= bool(negates_all)
    rest = marked[subject.end + head.end :]
    is_of_object = head.predicate in OBJECT_PREDICATES
    phrases = (_of_objects(rest) if is_of_object else _phrases(rest)) or _objects(rest)
    slot = head.slot or (subject.slot if head.predicate == "be" else "")
    if slot == "home" and not is_place(phrases[0] if phrases else (), rest[0] if rest else ""):
        slot = ""
    return Frame(
        subject=subject.of,
        voice=Voice.IMPERATIVE if _is_imperative(words) else subject.voice,
        predicate=head.predicate,
        negated=head.negated,
        tense=_tense(head),
        phrases=phrases,
        slot=slot,
        value=phrases[0] if slot and phrases else (),
        contrast=_contrast(rest, phrases),
        moved=head.moved,
        added="ALSO" in marked,
        emphatic="EMPH" in marked,
        hypothetical=hypothetical,
    )


def _supposes(words: Sequence[str]) -> bool:
    return any(word in data.CONDITIONS for word in words[:2]) or "wonder" in words[:2]


def _words(clause: str, names: frozenset[str]) -> list[str]:
    """Return the words with contractions written out and the owner's names as `OWNER` or "my"."""
    text = _TURNS_OUT.sub("", clause.translate(_APOSTROPHES))
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
        text, found = pattern.subn(marker, text)
        if found:
            text = " ".join(text.split())
    return text.split()


def _adjunct_last(marked: list[str]) -> list[str]:
    """Return the marked with what stands before the person ("these days I ...") moved to the end."""
    for at, word in enumerate(marked[:_MOST_SUBJECT_WORDS]):
        if word in _VERBLIKE or word in data.THIRD or (at == 0 and word in data.POSSESSIVES):
            return marked
        if word in _NOMINATIVES:
            return [*marked[at:], *marked[:at]] if at and marked[at - 1] != "and" else marked
    return marked


def _subject(marked: Sequence[str]) -> _Subject:
    first = marked[0] if marked else ""
    if first in _VOICES:
        return _Subject(SELF, _VOICES[first], 1)
    end = next((at for at, word in enumerate(marked[: _MOST_SUBJECT_WORDS + 1]) if word in _VERBLIKE), 0)
    if not end:
        return _Subject(SELF, Voice.OMITTED, 0)
    if "i" in marked[:end]:
        return _Subject(SELF, Voice.FIRST, end)
    content = [_stem(word) for word in marked[:end] if word not in data.BREAKS and word not in _SKIPPED]
    if first in data.POSSESSIVES and content:
        slot = owned_slot(content)
        voice = Voice.FIRST if first in {"my", "our"} else Voice.THIRD
        return _Subject("" if slot else " ".join(content), voice, end, slot)
    return _Subject(" ".join(content) or first, Voice.THIRD, end)


def _head(marked: Sequence[str], *, named: bool) -> _Head:
    """Read up to the first word of content, which is where the predicate is known and another word comes."""
    head = _Head(end=len(marked))
    for at, word in enumerate(marked):
        if word == "NOT":
            head.negated = not head.negated
        elif word in {"PAST", "ENDED"}:
            head.past = True
            head.ended = head.ended or word == "ENDED"
        elif word == "to" and head.predicate == "want":
            head.awaits_verb = True
        elif word in data.PARTICLES and head.predicate and at and marked[at - 1] not in _SKIPPED:
            head.predicate = f"{head.predicate} {word}"
        elif word not in _SKIPPED and (
            (head.predicate and not head.awaits_verb) or not _take(head, word, named=named)
        ):
            head.end = at
            break
    head.predicate = head.predicate or ANY_PREDICATE
    return head


def _take(head: _Head, word: str, *, named: bool) -> bool:
    """Read the word as the predicate, or as the verb of a modal; False where it is neither."""
    if word in _HEADS:
        head.slot = "" if head.predicate else _SLOTS.get(word, "")
        head.moved = word in _NEWLY
        return head.extend(_HEADS[word])
    stem = _stem(word)
    known = data.PREDICATES.get(stem) or data.PREDICATES.get(word)
    is_verb = word in data.MODALS or (word not in data.BREAKS and (named or word in data.VERBS))
    if not known and not is_verb:
        return False
    head.past = head.past or word in {"had", "lived", "worked"}
    return head.extend(known or stem)


def _tense(head: _Head) -> Tense:
    if head.ended:
        return Tense.ENDED
    return Tense.PAST if head.past and head.predicate in data.STATES and not head.moved else Tense.PRESENT


def _phrases(marked: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the content in phrases; what stands after a second "not" is contrast and left out."""
    phrases: list[list[str]] = [[]]
    prefix = ""
    for at, word in enumerate(marked):
        if word == "NOT" or tuple(marked[at : at + 2]) in _RATHER:
            break
        if word in data.MARKED or word in data.BREAKS or word.isupper():
            phrases.append([])
            prefix = data.MARKED.get(word, "")
        elif word not in _SKIPPED:
            phrases[-1].append(prefix + _stem(word))
    return tuple(tuple(phrase) for phrase in phrases if phrase)


def _of_objects(marked: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the content in phrases, each with what tells more of its head: "a book about ferrets" is one."""
    told: list[tuple[str, ...]] = []
    start, last = 0, _contrast_at(marked)
    for end in range(1, last + 1):
        if end < last and (marked[end] not in data.BREAKS or marked[end - 1] in data.BREAKS):
            continue
        here = _phrases(marked[start:end])
        opening = marked[start]
        counts = opening == "of" and start and marked[start - 1] in data.MEASURES
        if here and told and opening in data.ATTRIBUTIVE and not counts:
            told[-1] = (*here[0], *told[-1])
            here = here[1:]
        told.extend(here)
        start = end
    return tuple(told)


def _contrast_at(rest: Sequence[str]) -> int:
    """Return where it begins what a clause says that it isn't; its length where it says no such thing."""
    found = (at for at, word in enumerate(rest) if word == "NOT" or tuple(rest[at : at + 2]) in _RATHER)
    return next(found, len(rest))


def _contrast(rest: Sequence[str], phrases: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return what a clause says that it isn't: "coffee rather than tea", "three cats, not two"."""
    at = _contrast_at(rest)
    if not at or at == len(rest):
        return ()
    skipped = 1 if rest[at] == "NOT" else 2
    told = _phrases([word for word in rest[at + skipped :] if word != "NOT"])
    if len(told) == 1 and len(told[0]) == 1 and told[0][0] in data.COUNTS and phrases and len(phrases[0]) > 1:
        return ((*told[0], *phrases[0][1:]),)
    return told


def _objects(rest: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the pronoun that stands for the content, so that "I made it" isn't "I made"."""
    return next((((word,),) for word in rest if word in data.OBJECTS), ())


def _is_imperative(words: Sequence[str]) -> bool:
    return list(words[:2]) == ["do", "not"] or (bool(words) and words[0] in _IMPERATIVES)


@lru_cache(CACHED_WORDS)
def _stem(word: str) -> str:
    return (terms(word) or [word])[-1]
