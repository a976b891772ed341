"""The lines and the text of a briefing: Markdown for a prompt, in the language of the character.

Every word of people passes `quotable` on its way in. Knows no budget.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from ...protocols.messages import Briefing, BriefingEntry, BriefingTurn
from ...protocols.records import Profile, Role, Speaker
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.self_account import is_self_account
from .quoting import quotable, quoted
from .wording import Wording, told_ago, told_date, wording_of

_OPENS: Final = "<memory>"
_CLOSES: Final = "</memory>"


class Voice(Struct, frozen=True, kw_only=True):
    """Whose briefing it is, for whom, and when: what every line depends on.

    `several` says that more than one subject is read, so that each line names its own.
    """

    character: str
    profile: Profile
    now: float
    several: bool = False

    @property
    def words(self) -> Wording:
        """The words of the character's language."""
        return wording_of(self.profile.locale)


def entry_line(entry: BriefingEntry, voice: Voice) -> str:
    """Return the line of one memory."""
    who = f"{_name(entry.speaker, voice)}: " if entry.quoted else ""
    details = _details(entry.at, entry.subject, voice, doubtful=entry.doubtful)
    return f"- {who}{quoted(entry.text)}{details}"


def turn_line(turn: BriefingTurn, voice: Voice) -> str:
    """Return the line of one turn."""
    name = quotable(voice.character) if turn.role is Role.CHARACTER else _name(turn.speaker, voice)
    what = quoted(turn.text) if turn.withheld_for is None else voice.words.withheld[turn.withheld_for]
    return f"- {name}{_details(turn.said_at, turn.subject, voice)}: {what}"


def text_of(briefing: Briefing, voice: Voice, *, talked: bool) -> str:
    """Return a briefing as one block.

    Args:
        briefing: its parts.
        voice: whose it is.
        talked: whether there was any conversation with these subjects yet.
    """
    words = voice.words
    name = quotable(voice.character)
    parts = [words.note.format(name=name)]
    for title, entries in (
        (words.persona.format(name=name), briefing.persona),
        (words.known, briefing.known),
        (words.certain, briefing.certain),
        (words.impressions, briefing.impressions),
        (words.past, briefing.past),
        (words.associated, briefing.associated),
        (words.quiet, briefing.quiet),
    ):
        parts += _section(title, (entry_line(entry, voice) for entry in entries))
    parts += _section(words.memo, (entry_line(entry, voice) for entry in briefing.memo))
    parts += _section(words.recent, (turn_line(turn, voice) for turn in briefing.recent))
    parts += [f"## {words.now}", *_moment(briefing, voice, talked=talked)]
    return "\n".join([_OPENS, *parts, _CLOSES])


def _section(title: str, lines: Iterable[str]) -> list[str]:
    written = list(lines)
    return [f"## {title}", *written] if written else []


def _moment(briefing: Briefing, voice: Voice, *, talked: bool) -> list[str]:
    words = voice.words
    told = [told_date(voice.now, words)]
    if briefing.last_talk_at is not None:
        told.append(words.last_talk.format(ago=told_ago(briefing.last_talk_at, voice.now, words)))
    elif not talked:
        told.append(words.first_talk)
    return told


def _details(at: float | None, subject: Subject, voice: Voice, *, doubtful: bool = False) -> str:
    """Return when something was, whose memory it is where that isn't plain, and whether to doubt it."""
    details = [] if at is None else [told_ago(at, voice.now, voice.words)]
    if voice.several and subject != PRIVATE:
        details.append(quotable(subject))
    if doubtful:
        details.append(voice.words.doubtful)
    return f" ({', '.join(details)})" if details else ""


def _name(speaker: Speaker | None, voice: Voice) -> str:
    """Return how somebody is named: the owner plainly, and nobody else so, whatever they call themselves."""
    if is_self_account(speaker):
        return quotable(voice.character)
    if speaker is None:
        return quotable(voice.profile.owner) or voice.words.owner
    account = quotable(speaker.key)
    return f"{quoted(speaker.label)} [{account}]" if quotable(speaker.label) else f"[{account}]"
