"""What in a person's words denies what is known of them, or affirms it again.

Only a person's own plain statement counts. Silence, questions, conditions, requests, jokes and what others are
said to say do neither; nor does "stop, I'm dying of laughter". Whether a denial meets anything that is known is
for `claims.opposes` to say: a denial of what nobody believed has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from . import denial_words as say
from .claims import Claim, affirmed, claim_of, contrasted, in_place, read_parts
from .clauses.english_words import COUNTS, IDLE, IDLE_STATES, REPORTING
from .clauses.frame import ANY_PREDICATE, SELF, Tense, Voice
from .clauses.slips import excuse_before
from .clauses.split import MAX_CHARS, Part, fold_clause, parts
from .scripts import words

_POINTERS: Final = frozenset({SELF, "thing", *words(
    "you it this that these those there everyon everybodi someon somebodi anyon anybodi nobodi peopl one other"
    " 你 您 你们 它 这 那 这个 那个 大家 别人 有人 没人 谁"
    " él ella ellos ellas tú usted ele ela eles elas você er sie ihr du il elle ils elles tu vous он она они ты вы"
    " 그 그녀 당신 너"
)})  # fmt: skip
"""Subjects, in stems, that name nobody and nothing: whom or what they mean, only the conversation tells."""


class DenialKind(StrEnum):
    """How something was denied: that it is so, that it is still so, or only that what was just said is right."""

    NEGATED = "negated"
    ENDED = "ended"
    WRONG = "wrong"


class Denial(Struct, frozen=True, kw_only=True):
    """One denial. `claim` is what is denied, with positive polarity; None for a bare "that's wrong".

    `words` is the clause that denies, folded as clauses are read.
    """

    kind: DenialKind
    claim: Claim | None
    words: str = ""


class Correction(Struct, frozen=True, kw_only=True):
    """What a person puts in the place of what was wrong, or denies of whom a pronoun means.

    `words` is the clause, folded as clauses are read.
    """

    claim: Claim
    words: str


class AffirmationKind(StrEnum):
    """How something was affirmed: as a statement that insists, or only with a bare "yes, that's right"."""

    STATED = "stated"
    RIGHT = "right"


class Affirmation(Struct, frozen=True, kw_only=True):
    """One affirmation. `claim` is what is affirmed; None for a bare "that's right"."""

    kind: AffirmationKind
    claim: Claim | None


def denials(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Denial, ...]:
    """Return what a person's words deny, in reading order.

    "That's wrong, I don't work as a nurse" is one denial, of working as a nurse; "that's wrong" alone, or with a
    new statement beside it, denies what was just brought up, which only the conversation tells.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    names = tuple(leave_out)
    found: list[Denial] = []
    doubted = _doubted(text, names)
    own = [(part, claim) for _, part, claim in _own_clauses(text, names)]
    before: tuple[Part, Claim] | None = None
    for at, (part, claim) in enumerate(own):
        if say.WRONG.search(part.text):
            meant = doubted.get(part.sentence - 1)
            kind = DenialKind.WRONG if meant is None else DenialKind.NEGATED
            found.append(Denial(kind=kind, claim=meant, words=part.text))
        elif _is_excuse(part.text):
            before = None
        else:
            found.extend(_denied_by(part, claim, before, own[at + 1 : at + 2]))
            before = (part, claim)
    named = [denial for denial in found if denial.claim is not None]
    return tuple(named or found[:1])


def corrections(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Correction, ...]:
    """Return what a person puts in the place of what was wrong: of "No, she lives in Oslo", her home.

    Only clauses that fill a slot of one value at a time count, and those that deny something of "her": "No, she
    isn't a nurse". Whom "she" means is for the caller to find.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    return tuple(
        Correction(claim=claim, words=part.text)
        for before, part, claim in _own_clauses(text, leave_out)
        if (
            _denies_a_name(claim)
            or _puts_right_after(before)
            or say.NO_START.match(part.text)
            or say.CORRECTS_START.match(part.text)
        )
        and claim.frame.subject != "you"
        and _is_stated(claim)
        and (claim.frame.slot and claim.frame.value if claim.polarity else _is_of_pronoun(claim))
    )


def affirmations(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Affirmation, ...]:
    """Return what a person's words affirm with insistence, in reading order.

    A plain statement is none: only "I do ... after all", "yes, I ..." and the like insist. What a plain statement
    can do is for `statements` and `rejections` to say.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    found: list[Affirmation] = []
    for before, part, claim in _own_clauses(text, leave_out):
        if say.RIGHT.search(part.text):
            found.append(Affirmation(kind=AffirmationKind.RIGHT, claim=None))
        elif _insists(before, part, claim) and _is_own(claim) and claim.polarity and _is_stated(claim):
            found.append(Affirmation(kind=AffirmationKind.STATED, claim=claim))
    named = [one for one in found if one.claim is not None]
    return tuple(named or found[:1])


def statements(text: str, *, leave_out: Iterable[str] = ()) -> tuple[Claim, ...]:
    """Return what a person plainly states of themselves, of what is theirs or of what they name, in reading order.

    What they ask, suppose, quote, joke about, report, or only say that they said or thought, is left out.

    Args:
        text: what the person said.
        leave_out: the person's names.
    """
    return tuple(
        claim
        for _, part, claim in _own_clauses(text, leave_out)
        if _is_own(claim) and _is_stated(claim) and not say.OWN_SAYING.search(part.text)
    )


# --- parts --------------------------------------------------------------------------------------


def _own_clauses(text: str, leave_out: Iterable[str]) -> Iterator[tuple[str, Part, Claim]]:
    """Yield the clauses in which the person speaks for themselves, each with the clause before it."""
    if len(text) > MAX_CHARS:
        return
    plain = say.QUOTED.sub(" ", fold_clause(text))
    if say.JOKE.search(plain):
        return
    before, reported = "", -1
    for part, claim in read_parts(say.QUOTED.sub(" ", text), leave_out=leave_out):
        if _is_reported(part, claim):
            reported = part.sentence
        asks = part.asks or bool(say.YES.search(part.text) or say.NO.search(part.text)) or claim.frame.hypothetical
        if not asks and part.sentence != reported and claim.frame.voice is not Voice.IMPERATIVE:
            yield before, part, claim
        before = part.text


def _doubted(text: str, names: Iterable[str]) -> dict[int, Claim]:
    """Return what each sentence doubts to have been said: "Who told you that I'm a nurse?" doubts that I am."""
    if len(text) > MAX_CHARS:
        return {}
    found: dict[int, Claim] = {}
    for part in parts(text):
        if (asked := say.DOUBT.match(part.text)) and asked.end() < len(part.text):
            claim = claim_of(part.text[asked.end() :], leave_out=names)
            if claim.polarity and _is_own(claim) and _is_stated(claim):
                found[part.sentence] = affirmed(claim)
    return found


def _denied_by(
    part: Part, claim: Claim, before: tuple[Part, Claim] | None, after: Iterable[tuple[Part, Claim]]
) -> Iterator[Denial]:
    """Yield what one clause denies, alone or beside the clauses around it."""
    if rather := say.NOT_X.match(part.text):
        denied = claim_of(f"not {rather['what']}")
        if denied.terms and denied.frame.predicate == ANY_PREDICATE:
            yield Denial(kind=DenialKind.NEGATED, claim=affirmed(denied), words=part.text)
        return
    own = _denied(part, claim)
    if own is None or claim.frame.predicate in {"be", ANY_PREDICATE}:
        beside = tuple(_contrast(before, part, claim))
        yield from (Denial(kind=DenialKind.NEGATED, claim=one, words=part.text) for one in beside)
        if beside and claim.frame.predicate == ANY_PREDICATE:
            # "My bus leaves at eight, not at seven" is of the bus, and not of all that is at seven.
            return
    if own is None or own.claim is None:
        return
    if any(_puts_right(part, claim, *one) for one in after):
        frame = replace(own.claim.frame, predicate=ANY_PREDICATE)
        own = replace(own, claim=affirmed(replace(own.claim, frame=frame)))
    yield own


def _puts_right(part: Part, claim: Claim, next_part: Part, next_claim: Claim) -> bool:
    """Return whether the next clause names another value, so that "not X" names no predicate: 不是北京，是上海."""
    fragments = {ANY_PREDICATE, "be"}
    return (
        part.sentence == next_part.sentence
        and claim.frame.voice is next_claim.frame.voice is Voice.OMITTED
        and claim.frame.predicate in fragments
        and next_claim.frame.predicate in fragments
        and next_claim.polarity
        and bool(next_claim.terms)
    )


def _is_reported(part: Part, claim: Claim) -> bool:
    if say.OWN_SAYING.search(part.text) or _is_excuse(part.text):
        return False
    return bool(say.REPORTED.search(part.text)) or (
        claim.frame.subject != SELF and claim.frame.predicate in REPORTING
    )


def _denied(part: Part, claim: Claim) -> Denial | None:
    frame = claim.frame
    if not _is_own(claim) or _is_idle(claim):
        return None
    if frame.tense is Tense.ENDED and claim.polarity and not claim.is_empty:
        return Denial(kind=DenialKind.ENDED, claim=affirmed(claim), words=part.text)
    if claim.polarity or claim.is_empty:
        return None
    if frame.voice is Voice.OMITTED and frame.predicate == ANY_PREDICATE and not say.NOT_A.search(part.text):
        # "No worries", "not much has changed": a noun with "no" is a turn of phrase where nobody is named.
        return None
    return Denial(kind=DenialKind.NEGATED, claim=affirmed(claim), words=part.text)


def _contrast(last: tuple[Part, Claim] | None, part: Part, claim: Claim) -> Iterator[Claim]:
    """Yield what a clause says isn't so beside what it or the clause before it says is.

    "I like coffee, not tea", 我喜欢咖啡，不是茶: a fragment that denies has the predicate of the clause before.
    """
    if not _is_own(claim):
        return
    beside = contrasted(claim)
    if beside is not None and claim.polarity and not claim.is_empty:
        yield beside
    frame = claim.frame
    is_fragment = not claim.polarity and frame.predicate in {ANY_PREDICATE, "be"} and bool(frame.phrases)
    if say.NOT_THAT.match(part.text):
        return
    is_of_its_own = frame.voice is Voice.FIRST and not say.NOT_START.match(part.text)
    if last is None or not is_fragment or last[0].sentence != part.sentence or is_of_its_own:
        return
    before = last[1]
    if not before.polarity or before.is_empty:
        return
    if before.frame.predicate != ANY_PREDICATE:
        yield in_place(before, _counted(frame.phrases, before.frame.phrases))
    elif len(before.frame.phrases) > len(frame.phrases):
        # "The shop opens at nine, not ten": where no predicate was read, what stands before the last stays.
        yield in_place(before, (*before.frame.phrases[: -len(frame.phrases)], *frame.phrases))


def _counted(
    phrases: tuple[tuple[str, ...], ...], before: tuple[tuple[str, ...], ...]
) -> tuple[tuple[str, ...], ...]:
    """Return phrases with what a lone number counts ("three cats, not two" is of two cats) or where from."""
    mark = before[0][-1].partition(":")[0] if len(before) == 1 and ":" in before[0][-1] else ""
    if mark and len(phrases) == 1 and ":" not in phrases[0][-1]:
        return (tuple(f"{mark}:{term}" for term in phrases[0]),)
    if len(phrases) == 1 and phrases[0][0] in COUNTS and len(phrases[0]) == 1 and before and len(before[0]) > 1:
        return ((phrases[0][0], *before[0][1:]),)
    return phrases


def _denies_a_name(claim: Claim) -> bool:
    """Return whether a clause denies the name of whom it calls "her": only whoever was called so can be meant."""
    return claim.frame.predicate == "name" and not claim.polarity and _is_of_pronoun(claim)


def _puts_right_after(before: str) -> bool:
    """Return whether a clause only says that what is known is wrong, so that the next puts it right."""
    return _is_excuse(before) or any(pattern.search(before) for pattern in (say.NO, say.WRONG, say.CORRECTS))


def _is_excuse(clause: str) -> bool:
    """Return whether a clause only owns up to a slip, and says nothing of what is so: 我之前记错了."""
    return bool(clause) and excuse_before(clause) == len(clause)


def _is_stated(claim: Claim) -> bool:
    """Return whether a clause is a whole statement, and not a word beside "yes"."""
    return not claim.is_empty and claim.frame.predicate != ANY_PREDICATE


def _is_idle(claim: Claim) -> bool:
    """Return whether a denial is a turn of phrase: "I don't know", "I can't wait", "I'm not sure"."""
    verb = claim.frame.predicate.rpartition(" ")[2]
    if verb in IDLE:
        return not claim.terms or claim.frame.predicate in {"can believe", "can wait"}
    return verb == "be" and not IDLE_STATES.isdisjoint(claim.terms[:1])


def _is_own(claim: Claim) -> bool:
    """Return whether the clause is the person's word on themselves, on what is theirs or on what they name."""
    return claim.frame.voice in {Voice.FIRST, Voice.NAMED, Voice.OMITTED} or (
        claim.frame.voice is Voice.THIRD and claim.frame.subject not in _POINTERS
    )


def _is_of_pronoun(claim: Claim) -> bool:
    """Return whether a clause is about somebody whom it names only "he" or "she"."""
    return claim.frame.voice is Voice.THIRD and claim.frame.subject == SELF


def _insists(before: str, part: Part, claim: Claim) -> bool:
    return (
        claim.frame.emphatic
        or bool(say.EMPHASIS.search(part.text))
        or bool(say.YES.search(before) or say.NO.search(before))
    )
