"""What may be read for a turn: where a host's list of subjects is made, for recall and briefing alike.

The order is that of the render budgets: who comes first is told first. A turn in a group reads that group and the
members who speak there, and nothing else: no private memory and no other group. Pure; whatever a model or a text
says is no argument here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import InvalidSubjectError
from .records import Speaker
from .scopes import GROUP, MAX_SUBJECTS, MEMBER, Subject, parse_subject, parts_of, subject_of


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
    kind, *group = parts_of(subject)
    if kind != GROUP or not members:
        return (subject,)
    speaking = _member(group, speaker)
    found = dict.fromkeys(member for one in recent if (member := _member(group, one)) is not None)
    found.pop(speaking or subject, None)
    slots = (*((speaking,) if speaking else ()), *list(found)[:most_recent])
    return (subject, *slots)[:MAX_SUBJECTS]


def _member(group: Sequence[str], speaker: Speaker | None) -> Subject | None:
    """Return somebody's slot in a group, or None where they have none.

    An account of another platform is no member, nor is a blank one.
    """
    platform, group_id = group
    if speaker is None or not speaker.account.strip() or speaker.platform.strip().lower() != platform:
        return None
    try:
        return subject_of(MEMBER, platform, group_id, speaker.account)
    except InvalidSubjectError:
        return None
