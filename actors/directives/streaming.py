"""A gate for text that is spoken while it is still being written.

Sans-IO: text goes in by chunks of any size, whole sentences come out. What came out has been spoken
and can't be taken back, so a sentence is judged together with the end of what was spoken before it,
and a term that lies across a boundary is caught with its last part.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

from .folding import fold
from .matcher import Matcher, Span
from .sentences import END, WIDE_ENDS

MAX_SENTENCE_CHARS: Final = 400
"""Longest text without an end that is waited for (characters); a longer one leaves at a blank."""


class Dropped(NamedTuple):
    """A sentence that was held back: where it stood in the whole text (code points), and itself."""

    start: int
    text: str


class SentenceGate:
    """Lets the sentences of a stream through that name no banned topic.

    A sentence is decided as soon as the character after its end mark is known, so nothing is delayed by
    more than a sentence. What `push` and `close` return, with `dropped` put back at their places, is
    exactly the text that went in.

    Args:
        matcher: of the directives that are in force.
        raised: keys of the topics that the person raised in this turn; they may be named.
    """

    def __init__(self, matcher: Matcher, *, raised: frozenset[str] = frozenset()) -> None:
        self._matcher = matcher
        self._raised = raised
        self._waiting = ""
        self._taken = 0
        self._spoken_tail = ""
        self._dropped: list[Dropped] = []
        self._closed = False

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What was held back so far, in order."""
        return tuple(self._dropped)

    @property
    def closed(self) -> bool:
        """Whether nothing more can come."""
        return self._closed

    def hold_to(self, matcher: Matcher, *, raised: frozenset[str]) -> None:
        """Hold what isn't decided yet to other directives; what was spoken can't be taken back."""
        self._matcher = matcher
        self._raised = raised

    def push(self, chunk: str) -> str:
        """Take the next chunk and return the sentences that may be spoken now; empty while none is complete.

        Raises:
            ValueError: after `close`; the caller's fault.
        """
        if self._closed:
            raise ValueError("the stream is closed: make a new SentenceGate for the next text")
        self._waiting += chunk
        released: list[str] = []
        while (end := self._next_end()) is not None:
            released.append(self._decide(end))
        return "".join(released)

    def close(self) -> str:
        """Return what is left and may be spoken, now that nothing more comes. Closing twice returns nothing."""
        self._closed = True
        rest: list[str] = []
        while (end := self._next_end()) is not None:
            rest.append(self._decide(end))
        if self._waiting:
            rest.append(self._decide(len(self._waiting)))
        return "".join(rest)

    def _next_end(self) -> int | None:
        """Return where the first sentence that is certainly complete ends, its one blank included.

        Looks at the same characters however the text was cut into chunks, so that the result doesn't
        depend on them.
        """
        limit = MAX_SENTENCE_CHARS + self._matcher.longest
        for mark in END.finditer(self._waiting, 0, limit):
            end = mark.end()
            if self._waiting[end - 1] == "\n":
                return end
            if end < len(self._waiting):
                return end + 1 if self._waiting[end].isspace() and self._waiting[end - 1] not in WIDE_ENDS else end
        return self._forced_end(self._waiting[:limit]) if len(self._waiting) > limit else None

    def _forced_end(self, text: str) -> int:
        """Return where a text without an end is cut: no term that begins before it goes on behind it."""
        across = self._matcher.find(text)
        blanks = [at + 1 for at in range(MAX_SENTENCE_CHARS) if text[at].isspace()]
        for end in chain(reversed(blanks), range(MAX_SENTENCE_CHARS, 0, -1)):
            if not any(span.start < end < span.end for span in across):
                return end
        return MAX_SENTENCE_CHARS

    def _decide(self, end: int) -> str:
        sentence, self._waiting = self._waiting[:end], self._waiting[end:]
        start, self._taken = self._taken, self._taken + len(sentence)
        before = len(self._spoken_tail)
        heard = self._spoken_tail + sentence
        # By itself as well: it may follow on a sentence that was dropped, where "heard" joins two words.
        found = (
            *self._matcher.find(sentence),
            *(span for span in self._matcher.find(heard) if span.end > before),
        )
        if all(self._may_be_named(span) for span in found):
            self._spoken_tail = self._tail_of(heard)
            return sentence
        self._dropped.append(Dropped(start, sentence))
        return ""

    def _may_be_named(self, span: Span) -> bool:
        return self._matcher.key(span.directive) in self._raised

    def _tail_of(self, heard: str) -> str:
        """Return the end of what was spoken that the beginning of a term could lie in."""
        reach = self._matcher.longest
        if not reach:
            return ""
        folded = fold(heard)
        if len(folded.text) <= reach:
            return heard
        start: int = folded.starts[len(folded.text) - reach]
        return heard[start:]
