"""Contracts of the tasks: what a model is asked, what it is shown, and what its answer must keep to."""

from .conversations import EXTRACT_SELF, REVIEW, SUMMARISE
from .decisions import ARBITRATE, CORRECT, MERGE, REFINE, RERANK
from .judgements import FEEDBACK, NEGATIVE_TARGETS, REBUT, SIGNAL
from .question import Question, ask
from .statements import EXTRACT, SYNTHESISE
from .task import Company, Task, TaskName, Tier

__all__ = [
    "ARBITRATE",
    "CORRECT",
    "EXTRACT",
    "EXTRACT_SELF",
    "FEEDBACK",
    "MERGE",
    "NEGATIVE_TARGETS",
    "REBUT",
    "REFINE",
    "RERANK",
    "REVIEW",
    "SIGNAL",
    "SUMMARISE",
    "SYNTHESISE",
    "Company",
    "Question",
    "Task",
    "TaskName",
    "Tier",
    "ask",
]
