"""What of memory goes into a briefing: scope first, then what must not be told, then budgets.

Pure, and the same for the same memories. What the caller may not read is gone before anything is counted, and
what doesn't fit is left out for what comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.evidence import is_disputed, score
from ...protocols.memos import ConversationMemo
from ...protocols.messages import Briefing, BriefingEntry, BriefingTurn, WithheldFor
from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import (
    Entity,
    EntrySource,
    Fact,
    FactStatus,
    PersonaEntry,
    Reflection,
    ReflectionStatus,
    Turn,
    TurnId,
)
from ...protocols.scopes import Subject
from ...protocols.settings import Settings
from ...protocols.statements import statement_key
from ...protocols.trust import is_doubtful
from ..compaction.heeding import Banned
from ..persona.budget import Item, Picked, pick, pick_scoped, pick_suppressed
from ..persona.mentions import is_suppressed
from ..reflection.lifecycle import is_outdated
from .conversation import last_talk_at
from .lines import Voice, entry_line, text_of, turn_line
from .quoting import cut, quotable


class Sources(Struct, frozen=True, kw_only=True):
    """What a briefing is made from.

    `found` is what recall found for the cue, best first; `memo` are the lines of the memos that may be told;
    `turns` are the last ones of the subjects that are told, oldest first. Of these, `forgotten` tell what
    somebody asked to forget and `corrected` what was corrected or overtaken since; neither are quoted.
    """

    entries: tuple[PersonaEntry, ...] = ()
    reflections: tuple[Reflection, ...] = ()
    facts: tuple[Fact, ...] = ()
    found: tuple[Fact | Reflection | Turn, ...] = ()
    memo: tuple[tuple[ConversationMemo, str], ...] = ()
    turns: tuple[Turn, ...] = ()
    forgotten: frozenset[TurnId] = frozenset()
    corrected: frozenset[TurnId] = frozenset()


class _Told(Struct, frozen=True, kw_only=True):
    """A memory with its worth. `part` is the field of `Briefing` that it goes into; all may read `public` ones."""

    entry: BriefingEntry
    part: str
    score: float
    importance: int
    protected: bool = False
    public: bool = False


KNOWN_CONSIDERED: Final = 256
"""Newest facts of a subject that are weighed against its budget, of those that may be told."""

_REFLECTIONS: Final = frozenset({"certain", "impressions", "past"})


def compose(
    sources: Sources, subjects: Sequence[Subject], voice: Voice, settings: Settings, banned: Banned
) -> Briefing:
    """Return the briefing for whoever may read these subjects, in their order.

    The character card is who the character is, and is told to everybody.

    Args:
        sources: the memories in force, also those of other subjects.
        subjects: what the caller may read, the first served first.
        voice: whose briefing it is, and when.
        settings: the budgets, half-lives and cool-downs.
        banned: what must not be brought up.
    """
    turns = tuple(turn for turn in sources.turns if turn.subject in subjects)
    recent = _recent(turns, voice, settings, lambda turn: _withheld_for(turn, sources, banned))
    told = _tellable(sources, subjects, voice, settings, banned)
    parts, left_out = _within_budgets(told, subjects, voice, settings)
    quiet = [one for one in told if one.part == "quiet"]
    said_lately = {turn.id for turn in recent}
    brought = (_brought_to_mind(found, said_lately, voice, settings) for found in sources.found)
    associated, unfit = _associated(
        [entry for entry in brought if entry and entry.subject in subjects and not banned(entry.text)],
        [*(entry for entries in parts.values() for entry in entries), *(one.entry for one in quiet)],
        voice,
        settings,
    )
    shown = pick_suppressed([_item(one, voice) for one in quiet], settings.render)
    briefing = Briefing(
        now=voice.now,
        persona=parts["persona"],
        known=parts.get("known", ()),
        certain=parts.get("certain", ()),
        impressions=parts.get("impressions", ()),
        past=parts.get("past", ()),
        quiet=_entries_of(shown, quiet),
        associated=associated,
        memo=tuple(_of_memo(memo, line) for memo, line in sources.memo if memo.subject in subjects),
        recent=recent,
        last_talk_at=last_talk_at([turn.said_at for turn in turns], voice.now, settings.render.gap_s),
        left_out=left_out + unfit + len(shown.left_out),
    )
    return replace(briefing, text=text_of(briefing, voice, talked=bool(turns)))


def _tellable(
    sources: Sources, subjects: Sequence[Subject], voice: Voice, settings: Settings, banned: Banned
) -> list[_Told]:
    """Return each memory once that may be told to whoever may read these subjects."""
    return _distinct(
        one
        for one in (
            *(_of_entry(entry, voice.now, settings) for entry in sources.entries),
            *(_of_reflection(reflection, voice.now, settings) for reflection in sources.reflections),
            *(_of_fact(fact, settings) for fact in _newest(sources.facts, subjects, banned)),
        )
        if one is not None and _is_readable(one, subjects) and not banned(one.entry.text)
    )


# --- which part a memory belongs to -------------------------------------------------------------


def _of_memo(memo: ConversationMemo, line: str) -> BriefingEntry:
    return BriefingEntry(id=memo.id, text=line, entity=Entity.RELATIONSHIP, subject=memo.subject)


def _of_entry(entry: PersonaEntry, now: float, settings: Settings) -> _Told | None:
    if is_disputed(entry.evidence, now, settings.evidence):
        return None
    protected = entry.evidence.protected
    hushed = not protected and is_suppressed(entry.mentions, now, settings.mentions)
    return _Told(
        entry=BriefingEntry(id=entry.id, text=entry.text, entity=entry.entity, subject=entry.subject),
        part="quiet" if hushed else "persona",
        score=score(entry.evidence, now, settings.evidence),
        importance=entry.importance,
        protected=protected,
        public=entry.source is EntrySource.CARD,
    )


def _of_reflection(reflection: Reflection, now: float, settings: Settings) -> _Told | None:
    worth = score(reflection.evidence, now, settings.evidence)
    outdated = is_outdated(reflection, now, settings.reflections)
    match reflection.status:
        case ReflectionStatus.CONFIRMED if worth > 0:
            part = "past" if outdated else "certain"
            if is_suppressed(reflection.mentions, now, settings.mentions):
                part = "quiet"
        case ReflectionStatus.PENDING if not is_disputed(reflection.evidence, now, settings.evidence):
            part = "impressions"
        case _:
            return None
    when = reflection.created_at if reflection.event_at is None else reflection.event_at
    return _Told(
        entry=BriefingEntry(
            id=reflection.id,
            text=reflection.text,
            entity=reflection.entity,
            subject=reflection.subject,
            at=when if part == "past" else None,
        ),
        part=part,
        score=worth,
        importance=reflection.importance,
    )


def _newest(facts: Iterable[Fact], subjects: Sequence[Subject], banned: Banned) -> list[Fact]:
    """Return the newest facts of each subject, of those that may be told, so that no other crowds them out."""
    found: list[Fact] = []
    left = dict.fromkeys(subjects, KNOWN_CONSIDERED)
    for fact in sorted(facts, key=lambda fact: (-fact.last_said_at, fact.id)):
        if left.get(fact.subject) and fact.status is FactStatus.ACTIVE and not banned(fact.text):
            left[fact.subject] -= 1
            found.append(fact)
    return found


def _of_fact(fact: Fact, settings: Settings) -> _Told:
    return _Told(
        entry=_quoted_fact(fact, settings), part="known", score=fact.last_said_at, importance=fact.importance
    )


def _quoted_fact(fact: Fact, settings: Settings) -> BriefingEntry:
    return BriefingEntry(
        id=fact.id,
        text=fact.text,
        entity=fact.entity,
        subject=fact.subject,
        quoted=True,
        speaker=fact.speaker,
        at=fact.last_said_at,
        doubtful=is_doubtful(fact.contested_at, fact.trust, settings.trust),
    )


def _quoted_turn(turn: Turn) -> BriefingEntry:
    return BriefingEntry(
        id=turn.id,
        text=turn.text,
        entity=Entity.OWNER if turn.speaker is None else Entity.OTHER,
        subject=turn.subject,
        quoted=True,
        speaker=turn.speaker,
        at=turn.said_at,
    )


def _is_readable(one: _Told, subjects: Sequence[Subject]) -> bool:
    return one.public or one.entry.subject in subjects


def _distinct(told: Iterable[_Told]) -> list[_Told]:
    """Return the memories without those that say what an earlier one says.

    What is hushed hushes its likes, but for protected ones.
    """
    ordered = sorted(told, key=lambda one: (not one.protected, one.part != "quiet"))
    first: dict[tuple[Subject, str], _Told] = {}
    for one in ordered:
        first.setdefault((one.entry.subject, statement_key(one.entry.text) or one.entry.id), one)
    return list(first.values())


# --- what fits ----------------------------------------------------------------------------------


def _within_budgets(
    told: Sequence[_Told], subjects: Sequence[Subject], voice: Voice, settings: Settings
) -> tuple[dict[str, tuple[BriefingEntry, ...]], int]:
    """Return what fits of the parts with a budget a subject, and how much doesn't."""
    render = settings.render
    card = [one for one in told if one.protected and one.part == "persona"]
    (picked,) = pick_scoped([[_item(one, voice, at) for at, one in enumerate(card)]], 0, render)
    parts: dict[str, tuple[BriefingEntry, ...]] = {"persona": _entries_of(picked, card)}
    left_out, left = len(picked.left_out), render.total_tokens - _cost(picked, settings)
    budgets = (
        (frozenset({"persona"}), render.persona_tokens),
        (_REFLECTIONS, render.reflection_tokens),
        (frozenset({"known"}), render.known_tokens),
    )
    for subject in subjects:
        own = [one for one in told if one.entry.subject == subject and not one.protected and one.part != "quiet"]
        if left < render.least_tokens:
            left_out += len(own)
            continue
        for names, tokens in budgets:
            asked = [one for one in own if one.part in names]
            picked = pick([_item(one, voice) for one in asked], min(tokens, left), render)
            left -= picked.tokens
            left_out += len(picked.left_out)
            for name in sorted(names):
                fit = _entries_of(picked, [one for one in asked if one.part == name])
                parts[name] = (*parts.get(name, ()), *fit)
    return parts, left_out


def _brought_to_mind(
    found: Fact | Reflection | Turn, said_lately: AbstractSet[TurnId], voice: Voice, settings: Settings
) -> BriefingEntry | None:
    """Return what recall found as an entry, or None where it isn't to be told or was said a moment ago."""
    if isinstance(found, Reflection):
        told = _of_reflection(found, voice.now, settings)
        return None if told is None or told.part == "quiet" else told.entry
    if isinstance(found, Turn):
        return None if found.id in said_lately else _quoted_turn(found)
    fresh = not {source.turn for source in found.sources} <= said_lately
    return _quoted_fact(found, settings) if fresh and found.status is FactStatus.ACTIVE else None


def _associated(
    found: Sequence[BriefingEntry], told: Sequence[BriefingEntry], voice: Voice, settings: Settings
) -> tuple[tuple[BriefingEntry, ...], int]:
    """Return what fits of what the cue brings to mind and isn't told already, and how much doesn't."""
    render = settings.render
    if not found:
        return (), 0
    ids = {entry.id for entry in told}
    keys = {statement_key(entry.text) for entry in told}
    fresh = [
        _Told(
            entry=replace(entry, text=cut(quotable(entry.text), render.cue_entry_tokens)),
            part="associated",
            score=-float(place),
            importance=0,
        )
        for place, entry in enumerate(found)
        if entry.id not in ids and statement_key(entry.text) not in keys
    ]
    picked = pick([_item(one, voice) for one in fresh], render.cue_tokens, render)
    return _entries_of(picked, fresh), len(picked.left_out)


def _withheld_for(turn: Turn, sources: Sources, banned: Banned) -> WithheldFor | None:
    """Return why a turn isn't quoted, the reason that asks most of whoever reads it first, or None where it is."""
    if banned(turn.text):
        return WithheldFor.BANNED
    if turn.id in sources.forgotten:
        return WithheldFor.FORGOTTEN
    return WithheldFor.CORRECTED if turn.id in sources.corrected else None


def _recent(
    turns: Sequence[Turn], voice: Voice, settings: Settings, withheld_for: Callable[[Turn], WithheldFor | None]
) -> tuple[BriefingTurn, ...]:
    """Return the last turns that fit, oldest first; the newest are served first."""
    render = settings.render
    kept: list[BriefingTurn] = []
    left = render.recent_tokens
    for turn in reversed(turns):
        reason = withheld_for(turn)
        whole = quotable(turn.text)
        text = "" if reason else cut(whole, render.recent_turn_tokens)
        told = BriefingTurn(
            id=turn.id,
            role=turn.role,
            text=text,
            subject=turn.subject,
            speaker=turn.speaker,
            said_at=turn.said_at,
            cut=reason is None and text != whole,
            withheld=reason is not None,
            withheld_for=reason,
        )
        cost = estimated_tokens(turn_line(told, voice)) + render.entry_tokens
        if cost <= left:
            kept.append(told)
            left -= cost
    return tuple(reversed(kept))


def _item(one: _Told, voice: Voice, place: int = 0) -> Item:
    """Return a memory as what is budgeted: with the tokens of its whole line."""
    return Item(
        id=f"{place:06d}{one.entry.id}",
        text=entry_line(one.entry, voice),
        score=one.score,
        importance=one.importance,
        protected=one.protected,
    )


def _entries_of(picked: Picked, told: Sequence[_Told]) -> tuple[BriefingEntry, ...]:
    by_id = {one.entry.id: one.entry for one in told}
    return tuple(by_id[item.id[6:]] for item in picked.kept if item.id[6:] in by_id)


def _cost(picked: Picked, settings: Settings) -> int:
    return sum(estimated_tokens(item.text) + settings.render.entry_tokens for item in picked.kept)
