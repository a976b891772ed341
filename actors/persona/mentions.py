"""How often a belief was brought up, and when it is left alone for a while.

A belief counts as mentioned by what it says, not by its wording: where a text repeats enough of its terms,
weighted by how rare they are among all beliefs, so that one common word is no mention. Counting a turn again
changes nothing. Knows nothing of evidence: being mentioned too often says nothing against a belief.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ...protocols.records import Mention, Mentions, TurnId
from ...protocols.scripts import CJK, simplified
from ...protocols.settings import MentionSettings
from ...protocols.text import fold
from ...protocols.tokens import terms


class Rarity(Struct, frozen=True):
    """How rare terms are among a set of texts.

    `weight_of` is the inverse document frequency ln(1 + (N - n + 0.5) / (n + 0.5)) of Robertson and Zaragoza
    (The Probabilistic Relevance Framework, 2009, section 3.1) in the form that is never negative.
    """

    texts: int
    holding: Mapping[str, int]

    def weight_of(self, term: str) -> float:
        """Return the weight of a term, above 0; a term that no text holds is the rarest."""
        holding = self.holding.get(term, 0)
        return math.log1p((self.texts - holding + 0.5) / (holding + 0.5))


def rarity_of(texts: Iterable[str], *, names: Iterable[str] = ()) -> Rarity:
    """Return how rare the terms of these texts are: all beliefs, so that what all share counts little."""
    left_out = tuple(names)
    known = [_terms(text, left_out) for text in texts]
    return Rarity(len(known), Counter(term for one in known for term in one))


def is_mentioned(
    belief: str, said: str, rarity: Rarity, settings: MentionSettings, *, names: Iterable[str] = ()
) -> bool:
    """Return whether a text brings a belief up.

    Args:
        belief: the belief's text.
        said: what the character said.
        rarity: of the terms among all beliefs.
        settings: the share of the belief's weight, and the number of its terms, that must be repeated.
        names: the owner's and the character's, which say nothing here.
    """
    left_out = tuple(names)
    own = _terms(belief, left_out)
    repeated = own & _terms(said, left_out)
    if not own or len(repeated) < min(settings.least_terms, len(own)):
        return False
    share = sum(map(rarity.weight_of, repeated)) / sum(map(rarity.weight_of, own))
    return share >= settings.share


def mentioned(mentions: Mentions, turn: TurnId, at: float, settings: MentionSettings) -> Mentions:
    """Return the mentions after a turn of the character that brought the belief up.

    A turn that was counted before changes nothing. The mention that exceeds the limit within the window starts
    the suppression; mentions up to the start of an earlier suppression don't count towards the next.

    Args:
        mentions: the mentions so far.
        turn: the character's turn.
        at: when it was said, in seconds since the epoch.
        settings: limit, window and cool-down.
    """
    if any(known.turn == turn for known in mentions.recent):
        return mentions
    newest = max([at, *(known.at for known in mentions.recent)])
    kept = [
        known for known in (*mentions.recent, Mention(turn=turn, at=at)) if newest - known.at < settings.window_s
    ]
    recent = tuple(sorted(kept, key=lambda known: (known.at, known.turn)))
    start = mentions.suppressed_at
    counted = [known for known in recent if start is None or known.at > start]
    if len(counted) > settings.limit and not is_suppressed(mentions, newest, settings):
        start = newest
    return Mentions(recent=recent, suppressed_at=start)


def is_suppressed(mentions: Mentions, now: float, settings: MentionSettings) -> bool:
    """Return whether the belief is to be remembered without being brought up: in force for the cool-down."""
    start = mentions.suppressed_at
    return start is not None and 0 <= now - start < settings.cooldown_s


def may_bring_up(mentions: Mentions, now: float, settings: MentionSettings) -> bool:
    """Return whether the character may bring the belief up of its own accord.

    Stricter than in a reply, where the person may have asked: once within the window is enough.
    """
    if is_suppressed(mentions, now, settings):
        return False
    return not any(0 <= now - known.at < settings.window_s for known in mentions.recent)


def _terms(text: str, names: tuple[str, ...]) -> frozenset[str]:
    """Return the terms of a text in simplified characters, none of them made of a name."""
    folded = fold(simplified(text))
    for name in names:
        known = re.escape(fold(simplified(name)))
        pattern = known if CJK.search(name) else rf"(?<![^\W_]){known}(?![^\W_])"
        folded = re.sub(pattern, " ", folded) if known else folded
    return frozenset(terms(folded))
