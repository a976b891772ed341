"""How far a character has taken a stream up, or has been told to one."""

from __future__ import annotations

from .records import Record


class Cursor(Record, frozen=True, kw_only=True):
    """The last place in a stream whose effect is in the journal, or which the stream has got from the journal.

    `source` names the stream, and in it the character: one that is imported under another name has another place.
    Places are ordered by `epoch`, then `seq`: a stream that lost its end counts on
    from an earlier seq, and gets a new epoch, so that what follows isn't taken for what was there before.
    """

    source: str
    epoch: int = 0
    seq: int

    @property
    def place(self) -> tuple[int, int]:
        """The place that it names, in the order of the stream."""
        return (self.epoch, self.seq)
