"""What a sender is told of a command: its result, or why there is none. Pure."""

from __future__ import annotations

from typing import Final

from ...protocols.errors import OmoideError, OutsideError
from ...protocols.text import has_control_or_surrogate
from . import wire
from .commands import Received

DETAIL_CHARS: Final = 300
"""Longest reason in a header (characters)."""


def answer_to(result: object) -> wire.Answer:
    """Return the answer for a result or an error; of a fault of the program's own only that there was one."""
    if isinstance(result, OmoideError):
        error = wire.Failure(
            type=type(result).__name__, message=str(result), again=isinstance(result, OutsideError)
        )
        return wire.Answer(error=error)
    if isinstance(result, Exception):
        message = f"the program failed ({type(result).__name__}): see its log"
        return wire.Answer(error=wire.Failure(type="DefectError", message=message))
    return wire.Answer(result=result)


def reason_headers(received: Received, error: OmoideError) -> dict[str, str]:
    """Return the headers of a dead letter: what it was, and why it couldn't be carried out."""
    said = "".join(" " if has_control_or_surrogate(char) else char for char in str(error))
    return {
        "Content-Type": wire.known(received.content_type),
        "Omoide-Reason": type(error).__name__,
        "Omoide-Detail": said[:DETAIL_CHARS].strip(),
        "Omoide-Subject": received.subject,
        "Omoide-Command-Id": "".join(char for char in received.id if not has_control_or_surrogate(char)),
    }
