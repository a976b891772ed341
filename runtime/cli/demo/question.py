"""What the demonstration asks about its conversation, and what must be in the answer."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ....protocols.scopes import PRIVATE

KITCHEN: Final = "group:home:kitchen"

BEST_LOOKED_AT: Final = 3
"""Memories among which the answer has to be."""


class Question(Struct, frozen=True, kw_only=True):
    """A question with what the person who asks may read.

    `answer` is a word of the memory that answers it. Where it `may_come_out`, it has to be found;
    elsewhere it must not be.
    """

    text: str
    answer: str
    subjects: tuple[str, ...] = (PRIVATE,)
    may_come_out: bool = True


QUESTIONS: Final = (
    Question(text="What is Mara allergic to?", answer="hazelnuts"),
    Question(text="Where is grandma's recipe for the dumplings?", answer="tin box"),
    Question(text="When does the choir sing, and where?", answer="21 March"),
    Question(text="What is the cat afraid of?", answer="thunder"),
    Question(text="What does Jonas get for his birthday?", answer="telescope"),
    Question(text="How does Jonas drink his coffee?", subjects=(KITCHEN,), answer="cardamom"),
    Question(
        text="What does Jonas get for his birthday?", subjects=(KITCHEN,), answer="telescope", may_come_out=False
    ),
)
"""The last one is the fifth again, asked in the kitchen, where Jonas listens."""
