"""What counts as a text: the checks at the door and the folding that comparisons use."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .errors import InvalidTextError

MAX_MARKS: Final = 30
"""Most combining marks in a row (source: UAX 15, stream-safe text): to order n of them takes n * n steps."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters but tab, line feed and carriage return."""


def has_control_or_surrogate(text: str) -> bool:
    """Return whether a text holds a C0/C1 control character or a lone surrogate."""
    return any(unicodedata.category(char) in {"Cc", "Cs"} for char in text)


def check_unicode(text: str, what: str) -> None:
    """Hold that a text can be encoded, as what is stored or looked up must be.

    Args:
        text: the text.
        what: how the message calls it.

    Raises:
        InvalidTextError: if it holds a lone surrogate.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X} at character {error.start}"
        raise InvalidTextError(f"{what} has the lone surrogate {surrogate}: send valid Unicode") from error


def check_text(text: object, *, max_chars: int, what: str = "text", setting: str = "") -> str:
    """Return a text that can be stored, in normal form C.

    Args:
        text: what the caller sent.
        max_chars: longest text accepted, in code points after trimming.
        what: how the message calls it.
        setting: the path of the setting that says how long it may be, if one does.

    Raises:
        InvalidTextError: if it is no string, is blank, is too long, or holds a lone surrogate, a control character
            other than tab, line feed and carriage return, or more than `MAX_MARKS` marks on one letter.
    """
    if not isinstance(text, str):
        raise InvalidTextError(f"{what} must be a string, got {type(text).__name__}")
    trimmed = text.strip()
    if not trimmed:
        raise InvalidTextError(f"{what} is empty: send at least one visible character")
    if len(trimmed) > max_chars:
        raise InvalidTextError(
            f"{what} has {len(trimmed):,} characters and at most {max_chars:,} are taken: shorten it"
            + (f", or raise {setting}" if setting else "")
        )
    check_unicode(trimmed, what)
    if (control := _CONTROL.search(trimmed)) is not None:
        raise InvalidTextError(
            f"{what} has the control character U+{ord(control[0]):04X} at character {control.start()}: remove it",
        )
    if trimmed.isascii():
        return trimmed
    _check_marks(trimmed, what)
    return unicodedata.normalize("NFC", trimmed)


def _check_marks(text: str, what: str) -> None:
    marks = 0
    for position, char in enumerate(text):
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > MAX_MARKS:
            raise InvalidTextError(
                f"{what} has more than {MAX_MARKS} marks on one letter at character {position}: leave some out"
            )


def fold(text: str) -> str:
    """Return a text folded for comparison: compatibility forms, width and case are gone, blanks are single."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
