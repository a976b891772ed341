"""Whose words a belief rests on: what many facts' speakers fold into. Pure.

A belief keeps a speaker only if all that it rests on was said by one person, and a trust only if all of it has
one: the least. Once several people are behind it, it is nobody's word any more, for good. Accounts that a human
bound together are one person. What isn't known makes nothing known: a belief of an older program that says
nothing of it stays so, and joined with one that does it counts as several people's (baseline: 19.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from .records import Fact, Provenance, Speaker


def provenance_of(facts: Iterable[Fact], persons: Mapping[str, str]) -> Provenance:
    """Return whose words some facts are, at least one; the speaker is the account that spoke first.

    Args:
        facts: the facts.
        persons: the person of each account that is bound to others, by account key; the owner's is empty.
    """
    told = sorted(facts, key=lambda fact: (fact.said_at, fact.id))
    keys = {"" if fact.speaker is None else fact.speaker.key for fact in told}
    if len({persons.get(key, key) for key in keys}) > 1:
        return Provenance(mixed=True)
    trusts = [fact.trust for fact in told]
    known = [trust for trust in trusts if trust is not None]
    return Provenance(
        speaker=_labelled([fact.speaker for fact in told]),
        trust=min(known) if len(known) == len(trusts) else None,
    )


def joined(one: Provenance | None, other: Provenance | None, persons: Mapping[str, str]) -> Provenance | None:
    """Return whose words two beliefs are together; None where nothing is known of either.

    Args:
        one: of the one.
        other: of the other.
        persons: as of `provenance_of`.
    """
    if one is None and other is None:
        return None
    if one is None or other is None or one.mixed or other.mixed:
        return Provenance(mixed=True)
    keys = ["" if each.speaker is None else each.speaker.key for each in (one, other)]
    if persons.get(keys[0], keys[0]) != persons.get(keys[1], keys[1]):
        return Provenance(mixed=True)
    trust = None if one.trust is None or other.trust is None else min(one.trust, other.trust)
    return Provenance(speaker=_labelled([one.speaker, other.speaker]), trust=trust)


def _labelled(speakers: list[Speaker | None]) -> Speaker | None:
    """Return the first of one person's accounts, with a label only where there is but one."""
    first = speakers[0]
    labels = {speaker.label for speaker in speakers if speaker is not None and speaker.label}
    return None if first is None else replace(first, label=labels.pop() if len(labels) == 1 else "")
