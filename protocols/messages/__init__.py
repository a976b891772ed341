"""What actors say to each other: tagged, frozen msgspec Structs. A request names the type of its reply.

Commands are verbs, replies are nouns. Every message is immutable, so that it can be sent on as it is.
"""

from .belief import (
    ApplySignals,
    Decide,
    Decided,
    Prepared,
    PrepareForgetting,
    PrepareMentions,
    PreparePromotion,
    PrepareWishes,
    ReflectionMentions,
    ReflectionSignal,
    SignalsApplied,
)
from .briefing import Brief, Briefing, BriefingEntry, BriefingTurn, WithheldFor
from .conversation import Describe, Hear, Receipt, Say, Utterance
from .journal import Commit, Committed, Delivery, IdempotencyKey, OpFailure
from .learning import Candidate, Learn, Learned, NearValue
from .message import Message, Reply, Request
from .outbox import (
    DiscardOp,
    Drain,
    Drained,
    EmbeddingsQueued,
    OpDone,
    QueueEmbeddings,
    RetryOp,
    RunOp,
    Tick,
    Ticked,
    Wake,
)
from .recall import Hit, MemoryKind, Reason, Recall, Recollection, ScoreParts

__all__ = [
    "ApplySignals",
    "Brief",
    "Briefing",
    "BriefingEntry",
    "BriefingTurn",
    "Candidate",
    "Commit",
    "Committed",
    "Decide",
    "Decided",
    "Delivery",
    "Describe",
    "DiscardOp",
    "Drain",
    "Drained",
    "EmbeddingsQueued",
    "Hear",
    "Hit",
    "IdempotencyKey",
    "Learn",
    "Learned",
    "MemoryKind",
    "Message",
    "NearValue",
    "OpDone",
    "OpFailure",
    "PrepareForgetting",
    "PrepareMentions",
    "PreparePromotion",
    "PrepareWishes",
    "Prepared",
    "QueueEmbeddings",
    "Reason",
    "Recall",
    "Receipt",
    "Recollection",
    "ReflectionMentions",
    "ReflectionSignal",
    "Reply",
    "Request",
    "RetryOp",
    "RunOp",
    "Say",
    "ScoreParts",
    "SignalsApplied",
    "Tick",
    "Ticked",
    "Utterance",
    "Wake",
    "WithheldFor",
]
