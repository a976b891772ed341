"""What a statement claims, so that a value is known again in other words, and so is its opposite.

Conservative: two claims are opposed or the same only where the words say so. English, Chinese and Japanese are
read by rules, six other languages by their words and plain negations, the rest as English. Knows no storage, and
entities, speakers and subjects of memory are the caller's to compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .clauses import chinese, english, foreign, japanese
from .clauses.english_words import LIGHT, MODALS, OBJECTS
from .clauses.foreign_phrases import ONE_ALONE
from .clauses.frame import ANY_PREDICATE, SELF, Frame, Tense, Voice
from .clauses.kin import SEVERAL
from .clauses.slots import filled_slot, same_level
from .clauses.split import Part, fold_clause, parts
from .scripts import CJK, HAN, KANA

CACHED_CLAUSES: Final = 1 << 13
"""Clauses whose frames are remembered: what a turn denies, affirms and states is each read from the same ones."""

_BROAD: Final = frozenset({*LIGHT, *MODALS, *"去说做看听用开给让", "want", "can", ANY_PREDICATE, foreign.SAYS})
"""Predicates, or the last words of such, that claim nothing without their content."""

_ALIKE_PREDICATES: Final = frozenset({"be", "work"})
_NAMING: Final = frozenset({"be", "name"})
"""What names somebody: "my sister is Ana" and "my sister is called Ana" are one value."""

_LEAST_TERMS: Final = 4
"""Terms that a rejected claim has at least before one of them may be missing in a claim that is the same."""

_LEAST_SHARE: Final = 0.7
"""Share of a longer unspaced term that a shorter one with the same head has at least to stand for it."""

_NEGATIVES: Final = frozenset("不没無无非未别")
_HAS_KANA: Final = re.compile(rf"[{KANA}]")
_HAS_HAN: Final = re.compile(rf"[{HAN}]")


class Claim(Struct, frozen=True, kw_only=True):
    """What one clause claims.

    `key` is equal for claims that differ in form and word order only. `polarity` is False for what is
    denied, `terms` are the folded content terms, and `frame` is the clause as it was read.
    """

    polarity: bool
    terms: tuple[str, ...]
    key: str
    frame: Frame

    @property
    def is_empty(self) -> bool:
        """Whether the clause claims nothing that could be compared."""
        return OBJECTS.issuperset(self.terms) and self.frame.predicate.rpartition(" ")[2] in _BROAD


def claim_of(text: str, *, leave_out: Iterable[str] = ()) -> Claim:
    """Return what a statement of one clause claims; of several clauses, what the first with content does.

    Args:
        text: an atomic statement, such as a fact's.
        leave_out: the owner's names. They, "the user", he, she and the first person are one subject.
    """
    claims = claims_of(text, leave_out=leave_out)
    return next((claim for claim in claims if not claim.is_empty), claims[0] if claims else _claim(Frame()))


def claims_of(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Claim, ...]:
    """Return what each clause of a text claims, in reading order."""
    return tuple(claim for _, claim in read_parts(text, leave_out=leave_out))


def read_parts(text: str, *, leave_out: Iterable[str] = ()) -> tuple[tuple[Part, Claim], ...]:
    """Return each clause of a text with what it claims.

    A clause without a subject of its own is about whom the clause before it in the sentence is about, and
    what follows a condition is a condition too.
    """
    names = frozenset(folded for name in leave_out if (folded := fold_clause(name)))
    read: list[tuple[Part, Claim]] = []
    for part in parts(text):
        frame = _frame(part.text, names)
        if read and read[-1][0].sentence == part.sentence:
            frame = _continued(read[-1][1].frame, frame)
        read.append((part, _claim(frame)))
    return tuple(read)


def opposes(statement: Claim, known: Claim) -> bool:
    """Return whether a statement denies what is known: same subject and slot, opposite polarity.

    What is denied must be covered by what is affirmed: "I don't work as a nurse" opposes "I work as a nurse at
    Saint Mary's hospital", but not "I work at the hospital". What is said to have ended opposes that it holds.
    """
    denied, affirmed = (statement, known) if known.polarity else (known, statement)
    if statement.polarity == known.polarity and statement.frame.tense is Tense.ENDED:
        denied, affirmed = statement, known
    elif statement.polarity == known.polarity:
        return False
    return (
        statement.frame.subject == known.frame.subject
        and not statement.frame.hypothetical
        and affirmed.frame.tense in _denied_tenses(denied)
        and _reaches(denied, affirmed.frame.predicate)
        and not denied.is_empty
        and _covers(denied, affirmed)
    )


def replaces(new: Claim, old: Claim, *, corrects: bool = False) -> bool:
    """Return whether a newer statement of the same speaker takes the place of an older one.

    Only in slots of one value at a time, such as the home, the job or the name, and never where the newer
    one adds ("I also work as ..."), tells of the past, or says the older one again more or less closely. Of a
    friend or a sister somebody may have two: there, only "my friend moved to Rome" takes a place.

    Args:
        new: the newer statement.
        old: the older one.
        corrects: whether the newer one was said to put the older one right ("No, my friend ...").
    """
    slot = new.frame.slot
    return (
        bool(slot)
        and slot == old.frame.slot
        and new.frame.subject == old.frame.subject
        and new.polarity
        and old.polarity
        and new.frame.tense is old.frame.tense is Tense.PRESENT
        and not (new.frame.added or new.frame.hypothetical or old.frame.hypothetical)
        and bool(new.frame.value and old.frame.value)
        and (slot != "home" or same_level(new.terms, old.terms))
        and (corrects or new.frame.moved or not _may_be_two(new.frame))
        and not _fills(new.frame.value, old.frame.value)
    )


def same_claim(rejected: Claim, claim: Claim) -> bool:
    """Return whether a claim says what was rejected: the same value in other words, or more closely.

    Never the opposite, and never what is merely related: what a claim says besides may only narrow what was
    rejected ("at the hospital"), or leave out one term of many.
    """
    one, other = rejected.frame, claim.frame
    return (
        rejected.polarity == claim.polarity
        and one.subject == other.subject
        and one.tense is other.tense
        and one.hypothetical == other.hypothetical
        and (one.predicate == other.predicate or {one.predicate, other.predicate} == _NAMING)
        and not rejected.is_empty
        and (rejected.key == claim.key or _covers(rejected, claim) or _nearly_covers(claim, rejected))
    )


def affirmed(claim: Claim) -> Claim:
    """Return the claim that a denial denies: the same with positive polarity, as if it held now.

    What is denied of the past stays past: "I was never a nurse" denies that I am one, and that I was.
    """
    tense = Tense.PAST if claim.frame.tense is Tense.PAST and not claim.polarity else Tense.PRESENT
    return _claim(replace(claim.frame, negated=False, tense=tense, contrast=()))


def contrasted(claim: Claim) -> Claim | None:
    """Return what a claim says isn't so beside what is: liking tea, of "I like coffee, not tea"."""
    return in_place(claim, claim.frame.contrast) if claim.frame.contrast else None


def in_place(claim: Claim, phrases: tuple[tuple[str, ...], ...]) -> Claim:
    """Return a claim with other content in the same place: the same predicate of the same subject, affirmed."""
    frame = claim.frame
    value = phrases[0] if frame.slot and phrases else ()
    return _claim(replace(frame, phrases=phrases, value=value, negated=False, tense=Tense.PRESENT, contrast=()))


def of_subject(claim: Claim, subject: str) -> Claim:
    """Return a claim as one about another subject: of "she lives in Oslo", that my sister does."""
    return claim if claim.frame.subject == subject else _claim(replace(claim.frame, subject=subject))


def resolved(denied: Claim, known: Claim) -> Claim:
    """Return the claim to reject where a denial met what is known, in the terms of what is known.

    A denial may name no predicate ("not a nurse"), an ability ("I can't play the piano") or the past ("I never
    was a nurse").
    """
    frame = denied.frame
    if frame.tense is Tense.PAST and known.frame.tense in _denied_tenses(denied):
        frame = replace(frame, tense=known.frame.tense)
    if frame.predicate == f"can {known.frame.predicate}":
        # What one can't do, one doesn't do.
        return _claim(replace(frame, predicate=known.frame.predicate))
    if frame.predicate != ANY_PREDICATE:
        return _claim(frame)
    frame = replace(frame, predicate=known.frame.predicate, subject=known.frame.subject)
    return _claim(frame) if denied.terms else known


def lifts(affirmation: Claim, rejected: Claim) -> bool:
    """Return whether an affirmation takes back a rejection: it says what was rejected, more or less closely."""
    return same_claim(rejected, affirmation) or same_claim(affirmation, rejected)


# --- parts --------------------------------------------------------------------------------------


@lru_cache(CACHED_CLAUSES)
def _frame(clause: str, names: frozenset[str]) -> Frame:
    if _HAS_KANA.search(clause):
        frame = japanese.read(clause, names)
    elif _HAS_HAN.search(clause):
        frame = chinese.read(clause, names)
    elif foreign.is_foreign(clause):
        frame = foreign.read(clause, names)
    else:
        frame = english.read(clause, names)
    if frame.slot or not frame.phrases:
        return frame
    slot = filled_slot(frame.predicate, frame.phrases[0])
    return replace(frame, slot=slot, value=frame.phrases[0] if slot else ())


def _continued(before: Frame, frame: Frame) -> Frame:
    if frame.voice is Voice.OMITTED and before.subject != SELF:
        frame = replace(frame, subject=before.subject, voice=before.voice)
    return replace(frame, hypothetical=frame.hypothetical or before.hypothetical)


def _claim(frame: Frame) -> Claim:
    terms = tuple(term for phrase in frame.phrases for term in phrase)
    sign = "-" if frame.negated else "+"
    key = " ".join((f"{sign}{frame.tense}", f"{frame.subject}:{frame.predicate}", *sorted(terms)))
    return Claim(polarity=not frame.negated, terms=terms, key=key, frame=frame)


def _reaches(denied: Claim, predicate: str) -> bool:
    """Return whether a denial is about a predicate: the same, or any where it names none ("not a nurse")."""
    own = denied.frame.predicate
    if own == ANY_PREDICATE:
        return not OBJECTS.issuperset(denied.terms)
    return own == predicate or {own, predicate} == _ALIKE_PREDICATES


def _denied_tenses(denied: Claim) -> frozenset[Tense]:
    """Return the tenses that a denial reaches: "I was never a nurse" denies that I am one, not the reverse."""
    if denied.frame.tense is Tense.PAST:
        return frozenset({Tense.PAST, Tense.PRESENT, Tense.ENDED})
    return frozenset({Tense.PRESENT})


def _covers(general: Claim, special: Claim) -> bool:
    """Return whether every phrase of one claim is in the other, its head as a head."""
    if general.frame.predicate == "live":
        # A place inside another is named beside it, in either order, so that no head is to be kept.
        return all(_is_among(term, special.terms) or _is_place_of(term, special.terms) for term in general.terms)
    heads = [phrase[-1] for phrase in special.frame.phrases]
    return all(
        _is_among(phrase[-1], heads) and all(_is_among(term, special.terms) for term in phrase[:-1])
        for phrase in general.frame.phrases
    )


def _is_place_of(place: str, terms: Sequence[str]) -> bool:
    return bool(CJK.match(place)) and any(term.startswith(place) for term in terms)


def _nearly_covers(claim: Claim, rejected: Claim) -> bool:
    """Return whether a claim leaves out at most one term of a long rejected one, and adds none."""
    missing = [term for term in rejected.terms if not _is_among(term, claim.terms)]
    return (
        len(rejected.terms) >= _LEAST_TERMS
        and len(missing) <= 1
        and missing != list(rejected.frame.value[-1:])
        and _covers(claim, rejected)
    ) or _insertions_alone(claim, rejected)


def _insertions_alone(claim: Claim, rejected: Claim) -> bool:
    """Return whether unspaced terms differ by characters put in alone."""
    return len(claim.terms) == len(rejected.terms) and all(
        one == other or _is_shortened(one, other) or _is_shortened(other, one)
        for one, other in zip(claim.terms, rejected.terms, strict=True)
    )


def _is_shortened(short: str, long: str) -> bool:
    if not CJK.match(short) or len(short) < _LEAST_SHARE * len(long) or short[-2:] != long[-2:]:
        return False
    left = iter(long)
    return all(char in left for char in short) and _NEGATIVES.isdisjoint(set(long) - set(short))


def _is_among(term: str, terms: Sequence[str]) -> bool:
    return any(_is(term, other) for other in terms)


def _is(general: str, special: str) -> bool:
    """Return whether a term is another, or the head that another ends in: compounds end in their head."""
    if general == special:
        return True
    if not CJK.match(general) or not special.endswith(general):
        return False
    return special[-len(general) - 1] not in _NEGATIVES


def _may_be_two(frame: Frame) -> bool:
    """Return whether somebody may have several of a subject that isn't called by a name, or several employers."""
    is_foreign = frame.predicate == foreign.SAYS and frame.subject != SELF
    if frame.slot == "employer":
        return True
    return frame.subject not in ONE_ALONE if is_foreign else frame.subject in SEVERAL


def _fills(new: Sequence[str], old: Sequence[str]) -> bool:
    """Return whether one value is the other, more or less closely."""
    return all(_is_among(term, old) for term in new) or all(_is_among(term, new) for term in old)
