"""What may be read for a turn: where a host's list of subjects is made, for recall and briefing alike.

The order is that of the render budgets: who comes first is told first. A turn in a group reads that group and the
members who speak there, and nothing else: no private memory and no other group. Pure; whatever a model or a text
says is no argument here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .errors import InvalidSubjectError
from .records import Speaker
from .scopes import MAX_SUBJECTS, Subject, parse_subject

_GROUP: Final = "group"


def readable_by_turn(
    where: str, speaker: Speaker | None, recent: Iterable[Speaker | None], *, members: bool, most_recent: int
) -> tuple[Subject, ...]:
    """Return the subjects that may be read for a turn, in order of priority, at most `MAX_SUBJECTS`.

    In a group that is the group itself, then the one who speaks and the members who spoke there last, each as a
    member of that group. Elsewhere it is the subject of the conversation alone.

    Args:
        where: the subject of the conversation.
        speaker: who speaks; None is the owner, who is no member.
        recent: who spoke there lately, the latest first; the owner and the character are None.
        members: whether members have a memory of their own.
        most_recent: members that are read beside the one who speaks.

    Raises:
        InvalidSubjectError: if `where` is blank or malformed. Then nothing may be read: a request without a
            subject is for private memory, so that a group without an id must not ask at all.
    """
    if not isinstance(where, str) or not where.strip():
        raise InvalidSubjectError(
            "the conversation has no subject: name it, such as 'group:<platform>:<id>', or don't ask at all"
        )
    subject = parse_subject(where)
    kind, _, rest = subject.partition(":")
    if kind != _GROUP or not members:
        return (subject,)
    speaking = _member(rest, speaker)
    found = dict.fromkeys(member for one in recent if (member := _member(rest, one)) is not None)
    found.pop(speaking or subject, None)
    slots = (*((speaking,) if speaking else ()), *list(found)[:most_recent])
    return (subject, *slots)[:MAX_SUBJECTS]


def _member(group: str, speaker: Speaker | None) -> Subject | None:
    """Return somebody's slot in a group, or None where they have none.

    An account of another platform is no member, nor is a blank one. A group whose id has a colon has no members:
    their keys couldn't be told from those of another group.
    """
    platform, _, group_id = group.partition(":")
    if speaker is None or ":" in group_id:
        return None
    if not speaker.account.strip() or speaker.platform.strip().lower() != platform:
        return None
    try:
        return parse_subject(f"member:{group}:{speaker.account}")
    except InvalidSubjectError:
        return None
