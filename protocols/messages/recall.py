"""What is asked of memory, and what it answers."""

from __future__ import annotations

from enum import StrEnum

from ..evidence import Tier
from ..records import Entity, Speaker, TurnId
from ..scopes import PRIVATE, Subject
from ..trust import TrustBand
from .message import Message, Request


class Recall(Request["Recollection"], frozen=True, kw_only=True):
    """Find what is remembered. Reply: `Recollection`.

    `subjects` is what the caller may read, decided by the host. What is about a topic that the person banned
    is left out, unless `said` names it: the person's words that this recall answers. None takes the query for
    them, and an empty text means that nobody asked. `time` narrows to a time, or asks for it where the query is
    blank: YYYY, YYYY-MM, YYYY-MM-DD, an ISO time, two of these joined by `/` or `..`, or words such as
    "last summer".
    """

    query: str
    subjects: tuple[Subject, ...] = (PRIVATE,)
    limit: int = 8
    said: str | None = None
    time: str = ""


class MemoryKind(StrEnum):
    """What kind of memory a hit is: a statement, a judgement made of several, or what was said word for word."""

    FACT = "fact"
    REFLECTION = "reflection"
    TURN = "turn"


class Reason(StrEnum):
    """Why a memory is a hit.

    Its own words matched, or what was said around it, or its meaning; it is of the time that was asked for, or
    near to it; or it is the best of a conversation that no better hit is from.
    """

    WORDS = "words"
    AROUND = "around"
    MEANING = "meaning"
    TIME = "time"
    NEAR_TIME = "near_time"
    BREADTH = "breadth"


class ScoreParts(Message, frozen=True, kw_only=True):
    """What a score is made of, each 0 to 1: a share of the most that the query's words could score, or a cosine.

    `words` is of the memory's own words with who said it and when, or of the question that it answers where that
    is more, and `around` of what was said around it; `meaning` and `meaning_around` are the same of vectors.
    """

    words: float = 0.0
    around: float = 0.0
    meaning: float = 0.0
    meaning_around: float = 0.0


class Hit(Message, frozen=True, kw_only=True):
    """One memory that matched.

    `id` is that of the fact, the reflection or the turn, `entity` whom it is about, and `turns` those that it
    rests on. A fact was first and last said at `said_at` and `last_said_at` (seconds since the epoch) by
    `speaker`, None for the owner, believed as far as `trust` says, None where the host abstained. A reflection
    was said by nobody: both times are when it was made, `trust` is the least that backs it, and `tier` is what
    its evidence makes it now. What it tells of happened between `event_from` and `event_until`, None where that
    isn't known. `score` is the weighted mean of its `parts`, less where another hit tells nearly the same;
    `matched` are the query's terms found in it.
    `band` is the trust in words, and `doubtful` says that it is low and that another person says otherwise.
    """

    kind: MemoryKind
    id: str
    text: str
    entity: Entity
    subject: Subject
    speaker: Speaker | None = None
    trust: float | None = None
    band: TrustBand | None = None
    doubtful: bool = False
    tier: Tier | None = None
    said_at: float
    last_said_at: float
    score: float
    matched: tuple[str, ...] = ()
    turns: tuple[TurnId, ...] = ()
    event_from: float | None = None
    event_until: float | None = None
    reason: Reason = Reason.WORDS
    parts: ScoreParts = ScoreParts()


class Recollection(Message, frozen=True, kw_only=True):
    """The hits, best first; `truncated` if more matched than asked for; `degraded` names what was missing.

    `text` is all of that for a model's tool result, in the language of the character, with what people said as
    quoted data.
    """

    hits: tuple[Hit, ...] = ()
    truncated: bool = False
    degraded: tuple[str, ...] = ()
    text: str = ""
