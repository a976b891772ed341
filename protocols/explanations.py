"""Why a memory is as it is, and since when: a pure answer from the journal's events.

One explanation a record, whatever its kind: what it rests on, every event that touched it, what holds it back,
and, where it has evidence, every change of its tier, also those that decay brought between the events. Knows no
journal and no terminal; texts in it are what people said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from msgspec import Struct

from .events import Event, ReflectionEvidenceUpdated, record_of
from .evidence import score, tier
from .facts import speaker_key
from .records import (
    Entity,
    Evidence,
    Fact,
    PersonaEntry,
    Reflection,
    Rejection,
    Turn,
    TurnId,
)
from .rejections import holds_back
from .settings import EvidenceSettings
from .text import fold
from .transitions import Timeline, transitions

Explained: TypeAlias = Fact | Reflection | PersonaEntry | Rejection
"""What can be explained. A rejection is found by its id alone, as its words are those of what it rejects."""

_KINDS: Final[dict[type, str]] = {
    Fact: "fact",
    Reflection: "reflection",
    PersonaEntry: "persona entry",
    Rejection: "rejection",
}


class Support(Struct, frozen=True, kw_only=True):
    """One thing that a record rests on: another record, or a turn, and then who said it when."""

    id: str
    text: str
    said_at: float | None = None
    by: str = ""


class Happening(Struct, frozen=True, kw_only=True):
    """One event that touched a record. `words` are those of the turn that caused it, where one did.

    `signal` says what it did to the evidence, empty where it did nothing: which signal it was where the event
    tells, and `reinforced`, `ignored`, `negated` or `affirmed` with the counter before and after it.
    """

    seq: int
    at: float
    kind: str
    actor: str
    cause: str
    status: str
    reason: str = ""
    words: str = ""
    signal: str = ""


class Explanation(Struct, frozen=True, kw_only=True):
    """Why one record is as it is.

    `status` is where it stands since `since`, and `reason` why. `held_back_by` are the rejections in force that it
    matches, `timeline` the changes of its tier; `tier` and `score` are of the moment of asking, None where a
    record of its kind has no evidence. Times are in seconds since the epoch.
    """

    id: str
    kind: str
    text: str
    entity: Entity
    subject: str
    speaker: str
    trust: float | None = None
    status: str
    since: float
    reason: str
    supports: tuple[Support, ...]
    history: tuple[Happening, ...]
    held_back_by: tuple[Rejection, ...] = ()
    evidence: Evidence | None = None
    score: float | None = None
    tier: str | None = None
    timeline: Timeline | None = None

    def lines(self) -> tuple[str, ...]:
        """Return the explanation for people, a line a thing."""
        return tuple(_lines(self))


class _Trail(Struct, kw_only=True):
    """A record as it is now, and the events that touched it, oldest first."""

    record: Explained
    events: list[Event]


def explain(
    what: str, events: Iterable[Event], *, now: float, settings: EvidenceSettings, owner: str = ""
) -> tuple[Explanation, ...]:
    """Return the explanations of what an id, the beginning of one, or words of a text name, in order of storing.

    Args:
        what: an id, its beginning with the kind (`fact_1f2e`), or words that the text contains, compared
            without case and width.
        events: the character's journal, oldest first.
        now: the moment of asking.
        settings: how evidence fades and makes tiers.
        owner: what the owner is called.
    """
    journal = tuple(events)
    turns: dict[TurnId, Turn] = {}
    trails: dict[str, _Trail] = {}
    for event in journal:
        match event.change and record_of(event.change):
            case Turn() as turn:
                turns[turn.id] = turn
            case Fact() | Reflection() | PersonaEntry() | Rejection() as record:
                trail = trails.setdefault(record.id, _Trail(record=record, events=[]))
                trail.record = record
                trail.events.append(event)
            case _:
                continue
    rejections = [trail.record for trail in trails.values() if isinstance(trail.record, Rejection)]
    return tuple(
        _explanation(trail, turns, trails, rejections, now=now, settings=settings, owner=owner)
        for trail in _named(what, trails)
    )


# --- parts --------------------------------------------------------------------------------------


def _named(what: str, trails: dict[str, _Trail]) -> list[_Trail]:
    if what in trails:
        return [trails[what]]
    beginning = [trail for record_id, trail in trails.items() if "_" in what and record_id.startswith(what)]
    wanted = fold(what)
    if beginning or not wanted:
        return beginning
    return [
        trail
        for trail in trails.values()
        if not isinstance(trail.record, Rejection) and wanted in fold(trail.record.text)
    ]


def _explanation(
    trail: _Trail,
    turns: dict[TurnId, Turn],
    trails: dict[str, _Trail],
    rejections: Sequence[Rejection],
    *,
    now: float,
    settings: EvidenceSettings,
    owner: str,
) -> Explanation:
    record = trail.record
    evidence = _evidence_of(record)
    status, since, reason = _standing(record, trail.events[0].at)
    fact = record if isinstance(record, Fact) else None
    return Explanation(
        id=record.id,
        kind=_KINDS[type(record)],
        text=record.text,
        entity=record.entity,
        subject=record.subject,
        speaker=speaker_key(fact) if fact else "",
        trust=fact.trust if fact else None,
        status=status,
        since=since,
        reason=_quoted(reason, turns),
        supports=tuple(_supports(record, turns, trails)),
        history=tuple(_happenings(trail.events, turns)),
        held_back_by=tuple(one for one in rejections if _holds(one, record, owner)),
        evidence=evidence,
        score=None if evidence is None else score(evidence, now, settings),
        tier=None if evidence is None else tier(evidence, now, settings).value,
        timeline=None if evidence is None else transitions(_history(trail.events), now, settings),
    )


def _evidence_of(record: Explained) -> Evidence | None:
    return record.evidence if isinstance(record, Reflection | PersonaEntry) else None


def _history(events: Iterable[Event]) -> list[tuple[float, Evidence]]:
    """Return the evidence after each event; of no fact and no erased change, of which there is none."""
    carried = ((event.at, event.change and record_of(event.change)) for event in events)
    return [(at, record.evidence) for at, record in carried if isinstance(record, Reflection | PersonaEntry)]


def _standing(record: Explained, stored_at: float) -> tuple[str, float, str]:
    """Return a record's status, since when it has it, and why."""
    match record:
        case Fact():
            return record.status.value, stored_at if record.status_at is None else record.status_at, record.reason
        case Rejection(lifted_at=None):
            return "in force", record.disputed_at, f"rejected in {record.cause}"
        case Rejection():
            return "lifted", record.lifted_at or record.disputed_at, f"affirmed in {record.lifted_by}"
        case _:
            return record.status.value, record.status_at, record.reason


def _supports(record: Explained, turns: dict[TurnId, Turn], trails: dict[str, _Trail]) -> Iterator[Support]:
    match record:
        case Fact(sources=sources):
            for source in sources:
                turn = turns.get(source.turn)
                by = "" if turn is None or turn.speaker is None else turn.speaker.key
                text = source.text if turn is None else turn.text
                yield Support(id=source.turn, text=text, said_at=source.said_at, by=by)
        case Reflection(sources=facts):
            yield from (_support(fact, trails) for fact in facts)
        case PersonaEntry(lineage=reflections):
            yield from (_support(reflection, trails) for reflection in reflections)
        case Rejection(cause=cause):
            if (turn := turns.get(TurnId(cause))) is not None:
                by = turn.speaker.key if turn.speaker else ""
                yield Support(id=turn.id, text=turn.text, said_at=turn.said_at, by=by)


def _support(record_id: str, trails: dict[str, _Trail]) -> Support:
    trail = trails.get(record_id)
    return Support(id=record_id, text=trail.record.text if trail else "")


def _happenings(events: Iterable[Event], turns: dict[TurnId, Turn]) -> Iterator[Happening]:
    before: Evidence | None = None
    for event in events:
        record = event.change and record_of(event.change)
        evidence = record.evidence if isinstance(record, Reflection | PersonaEntry) else None
        named = event.change.signal if isinstance(event.change, ReflectionEvidenceUpdated) else ""
        moved = _moved(before, evidence)
        yield _happening(event, turns, signal=", ".join(filter(None, (named, moved))))
        before = evidence


def _moved(before: Evidence | None, after: Evidence | None) -> str:
    """Return what an event did to the evidence: which side got a signal, and from what to what; empty for none."""
    if before is None or after is None:
        return ""
    moved: list[str] = []
    if after.rein_last_signal_at != before.rein_last_signal_at:
        word = "reinforced" if after.reinforcement >= before.reinforcement else "ignored"
        moved.append(f"{word}: reinforcement {before.reinforcement:g} to {after.reinforcement:g}")
    if after.disp_last_signal_at != before.disp_last_signal_at:
        word = "negated" if after.disputation >= before.disputation else "affirmed"
        moved.append(f"{word}: disputation {before.disputation:g} to {after.disputation:g}")
    return ", ".join(moved)


def _happening(event: Event, turns: dict[TurnId, Turn], *, signal: str) -> Happening:
    record = event.change and record_of(event.change)
    status, _, reason = (
        _standing(record, event.at)
        if isinstance(record, Fact | Reflection | PersonaEntry | Rejection)
        else ("erased", event.at, "")
    )
    turn = turns.get(TurnId(event.cause))
    return Happening(
        seq=event.seq,
        at=event.at,
        kind=event.kind,
        actor=event.actor,
        cause=event.cause,
        status=status,
        reason=_quoted(reason, turns),
        words=turn.text if turn else "",
        signal=signal,
    )


def _holds(rejection: Rejection, record: Explained, owner: str) -> bool:
    if isinstance(record, Rejection) or rejection.subject != record.subject:
        return False
    speaker = speaker_key(record) if isinstance(record, Fact) else ""
    names = (owner,) if owner else ()
    return holds_back(rejection, record.text, entity=record.entity, speaker=speaker, names=names)


def _quoted(reason: str, turns: dict[TurnId, Turn]) -> str:
    """Return a reason in which each turn that it names is followed by its words."""
    named = (
        f"{word} ({turns[TurnId(word)].text!r})" if TurnId(word) in turns else word for word in reason.split(" ")
    )
    return " ".join(named)


def _lines(one: Explanation) -> Iterator[str]:
    yield f"{one.kind} {one.id}: {one.text!r}"
    yield f"{one.status} since {_time(one.since)}{f': {one.reason}' if one.reason else ''}"
    said = f", said by {_teller(one)}" if one.kind == "fact" else ""
    yield f"about {one.entity.value}{said}, in {one.subject}"
    if one.tier is not None and one.score is not None and one.evidence is not None:
        yield (
            f"tier {one.tier}, score {one.score:.2f}: reinforcement {one.evidence.reinforcement:g} of"
            f" {_time(one.evidence.rein_last_signal_at)}, disputation {one.evidence.disputation:g} of"
            f" {_time(one.evidence.disp_last_signal_at)}"
        )
    for support in one.supports:
        when = (
            f" of {_time(support.said_at)} by {support.by or 'the owner'}" if support.said_at is not None else ""
        )
        yield f"rests on {support.id}{when}: {support.text!r}"
    for event in one.history:
        why = f" ({event.words!r})" if event.words else ""
        yield (
            f"{_time(event.at)} {event.kind} by {event.actor} because of {event.cause}{why}: {event.status}"
            f"{f', {event.reason}' if event.reason else ''}{f', {event.signal}' if event.signal else ''}"
        )
    yield from _tier_lines(one.timeline)
    for rejection in one.held_back_by:
        yield (
            f"held back by {rejection.id}: {(rejection.denial or rejection.text)!r} was rejected on"
            f" {_time(rejection.disputed_at)} in {rejection.cause}, disputation {rejection.disputation:g}"
        )


def _teller(one: Explanation) -> str:
    """Return who said a fact, and how far they were trusted; nobody abstains from trusting the owner."""
    if one.trust is not None:
        return f"{one.speaker or 'the owner'}, trust {one.trust:g}"
    return f"{one.speaker}, trust abstained" if one.speaker else "the owner"


def _tier_lines(timeline: Timeline | None) -> Iterator[str]:
    if timeline is None:
        return
    for change in timeline.past:
        by = "by an event" if change.by is not None else "by decay"
        before = "new" if change.before is None else change.before.value
        yield f"{_time(change.at)} tier {before} → {change.after.value} {by}"
    if (coming := timeline.upcoming) is not None:
        before = "new" if coming.before is None else coming.before.value
        yield f"{_time(coming.at)} tier {before} → {coming.after.value} is coming by decay"


def _time(at: float | None) -> str:
    if at is None:
        return "never"
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, OSError, ValueError):
        return f"{at:g} s"
