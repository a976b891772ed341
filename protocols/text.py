"""What counts as a text: the checks at the door and the folding that comparisons use."""

from __future__ import annotations

import unicodedata
from typing import Final

from .errors import InvalidTextError

_ALLOWED_CONTROLS: Final = frozenset("\t\n\r")


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
        InvalidTextError: if it is no string, is blank, is too long, or holds a lone surrogate or a control
            character other than tab, line feed and carriage return.
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
    for position, char in enumerate(trimmed):
        if unicodedata.category(char) == "Cc" and char not in _ALLOWED_CONTROLS:
            raise InvalidTextError(
                f"{what} has the control character U+{ord(char):04X} at character {position}: remove it",
            )
    return unicodedata.normalize("NFC", trimmed)


def fold(text: str) -> str:
    """Return a text folded for comparison: compatibility forms, width and case are gone, blanks are single."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
