"""Subjects and topics: how a character's name becomes one word of them, and what each is for. Pure.

Every name has exactly one word and every word at most one name, so that a permission on a word is a permission
on the character and can't be got around by another way of writing it.
"""

from __future__ import annotations

import unicodedata
from typing import Final
from urllib.parse import quote, unquote

from ...protocols.errors import InvalidNameError
from ...protocols.text import has_control_or_surrogate

MAX_NAME_CHARS: Final = 256
"""Longest name of a character on a bus (characters)."""

MOST_SUBJECT_BYTES: Final = 3_500
"""Longest subject that is published to: NATS servers take lines of 4,096 bytes, with the reply's subject in them.
Every character's name fits."""

NOBODY: Final = "%"
"""A word that stands for no character's name."""

COMMANDS: Final = "cmd"
QUESTIONS: Final = "ask"
EVENTS: Final = "evt"
DEAD: Final = "dead"
STATUS: Final = "status"


def word_of(name: str) -> str:
    """Return a character's name as one word of a subject: letters, digits, `-`, `_` and `%XX` of its UTF-8."""
    return quote(name, safe="").replace(".", "%2E").replace("~", "%7E")


def name_of(word: str) -> str:
    """Return the name that a word of a subject stands for.

    Raises:
        InvalidNameError: if no name is written so; there is one word for a name, and no other is taken.
    """
    name = unquote(word, errors="replace")
    if word_of(name) != word:
        raise InvalidNameError(f"{word!r:.80} is no character's name as a subject writes it: see `word_of`")
    if (
        name != unicodedata.normalize("NFC", name.strip())
        or not name
        or len(name) > MAX_NAME_CHARS
        or has_control_or_surrogate(name)
    ):
        raise InvalidNameError(f"the name {name!r:.80} is blank, too long, or not trimmed and in normal form C")
    return name


class Subjects:
    """The subjects of one installation; with `/` between the words they are MQTT's topics.

    Args:
        prefix: first word.
        separator: what stands between words.
    """

    def __init__(self, prefix: str, separator: str = ".") -> None:
        self._prefix = prefix
        self._separator = separator

    def of(self, kind: str, word: str, last: str) -> str:
        """Return one subject, such as `omoide.cmd.yui.hear`."""
        return self._separator.join((self._prefix, kind, word, last))

    def all_of(self, kind: str, wildcard: str = ">") -> str:
        """Return the pattern of every subject of a kind."""
        return self._separator.join((self._prefix, kind, wildcard))

    @property
    def status(self) -> str:
        """The subject that tells whether Omoide is there."""
        return self._separator.join((self._prefix, STATUS))

    def dead(self, subject: str) -> str:
        """Return where a command of a subject goes that can't be carried out; those too long share one place."""
        words = subject.split(self._separator)
        whole = self._separator.join((self._prefix, DEAD, *words[2:]))
        if len(whole.encode()) <= MOST_SUBJECT_BYTES:
            return whole
        return self._separator.join((self._prefix, DEAD, NOBODY))
