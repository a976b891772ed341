"""What changes of facts and rejections mean for what is believed, as work for those who keep it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from ...protocols.events import AnyChange, FactAdded, FactRestored, RejectionLifted, ValueRejected
from ...protocols.records import FactId, TurnId
from ...protocols.scopes import Subject
from ...protocols.self_account import is_self_account
from ...protocols.work import AnyWork, CorrectPersona, FollowRejection, JudgeFacts, JudgePersona


def follow_up(turn: TurnId, changes: Iterable[AnyChange], *, by: str = "") -> tuple[AnyWork, ...]:
    """Return the work that a commit of these changes must queue with it.

    Facts that are new, or in force again, are judged against what is believed; reflections and the persona follow
    a rejection that came into force or was lifted. Rejections come first, so that facts are judged by what they
    left. What the character said of itself is no evidence of anything that is believed.

    Args:
        turn: the turn that the changes come from.
        changes: the changes of one commit.
        by: what changed rejections, where that neither put them in force nor lifted them.
    """
    rejections: dict[FollowRejection | CorrectPersona, None] = {}
    facts: dict[Subject, list[FactId]] = {}
    for change in changes:
        match change:
            case FactAdded(fact=fact) | FactRestored(fact=fact) if not is_self_account(fact.speaker):
                facts.setdefault(fact.subject, []).append(fact.id)
            case ValueRejected(rejection=one) | RejectionLifted(rejection=one):
                cause = by or (one.cause if one.lifted_at is None else one.lifted_by)
                rejections[FollowRejection(rejection=one.id, by=cause)] = None
                rejections[CorrectPersona(rejection=one.id, by=cause)] = None
            case _:
                continue
    return (
        *rejections,
        *(JudgeFacts(subject=subject, turn=turn, facts=tuple(ids)) for subject, ids in facts.items()),
        *(JudgePersona(turn=turn, facts=tuple(ids)) for ids in facts.values()),
    )
