"""What must not be kept in mind of a conversation: what a person rejected, banned or asked to forget.

Turns that tell it don't go into a memo, and lines that tell it are left out where a memo is written and where it
is told. A mind may still put it in other words of its own; so a memo that is older than a rejection isn't told at
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...protocols.memos import ConversationMemo
from ...protocols.records import Rejection
from ...protocols.rejections import holds_back
from ...protocols.scopes import Subject

Banned = Callable[[str], bool]
"""Returns whether a text names a topic that must not be brought up."""

Rejects = Callable[[str, Subject, str | None], bool]
"""Returns whether words tell what was rejected in a subject, as `rejected_in` does for who said them."""


def rejected_in(
    text: str,
    subject: Subject,
    rejections: Iterable[Rejection],
    names: tuple[str, ...],
    *,
    speaker: str | None = None,
) -> bool:
    """Return whether a text tells what is rejected in a subject.

    Args:
        text: somebody's words, or a line of a memo.
        subject: where it was said.
        rejections: those of the character; one that isn't in force holds nothing back.
        names: the owner's names.
        speaker: account key of who said it, empty for the owner; None takes it for the words of whoever each
            rejection is about.
    """
    return any(
        holds_back(
            one,
            text,
            entity=one.entity,
            speaker=(one.by or one.about) if speaker is None else speaker,
            names=names,
        )
        for one in rejections
        if one.subject == subject
    )


def is_overtaken(memo: ConversationMemo, rejections: Iterable[Rejection]) -> bool:
    """Return whether something was rejected since what a memo rests on was read, so that it may tell it."""
    return any(
        one.subject == memo.subject and one.lifted_at is None and one.disputed_at > memo.made_at
        for one in rejections
    )


def told(
    memo: ConversationMemo, rejections: Iterable[Rejection], rejects: Rejects, banned: Banned
) -> tuple[str, ...]:
    """Return the lines of a memo that may be told now."""
    if is_overtaken(memo, rejections):
        return ()
    return tuple(
        line
        for line in memo.text.splitlines()
        if line and not banned(line) and not rejects(line, memo.subject, None)
    )
