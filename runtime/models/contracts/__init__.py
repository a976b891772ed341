"""Contracts of the tasks: what a model is asked, what it is shown, and what its answer must keep to."""

from .decisions import ARBITRATE, CORRECT, MERGE, REFINE, RERANK
from .judgements import FEEDBACK, NEGATIVE_TARGETS, REBUT, SIGNAL
from .question import Question, ask
from .statements import EXTRACT, SUMMARISE, SYNTHESISE
from .task import Company, Task, TaskName, Tier

__all__ = [
    "ARBITRATE",
    "CORRECT",
    "EXTRACT",
    "FEEDBACK",
    "MERGE",
    "NEGATIVE_TARGETS",
    "REBUT",
    "REFINE",
    "RERANK",
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
