"""What the provider of a soak answers: a model that repeats what it is told, and one that misbehaves for a while.

It reads a request as any model does, from its text alone: the statements among the lines that it is shown are the
facts. Every other task gets the answer that changes nothing.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any, Final

from .grammar import is_statement
from .plan import Misbehaviour
from .provider import Behaviour, Handler, breaks_off, fails, hangs_up, says

_LINE: Final = re.compile(r"^[^|\n]* \| (.*)$", re.MULTILINE)

SILENCE_S: Final = 15.0
"""How long a silent provider keeps a request open; longer than the client waits for it."""

SLOWNESS_S: Final = 0.4
"""How long a slow provider takes, within what the client waits."""


def answer(body: dict[str, Any]) -> object:
    """Return the answer to a request, as JSON of the shape that its schema asks for."""
    said = "\n".join(message["content"] for message in body["messages"])
    wanted = body.get("response_format", {}).get("json_schema", {})
    fields = wanted.get("schema", {}).get("properties", {})
    match wanted.get("name"):
        case "extract":
            texts = dict.fromkeys(text for text in _LINE.findall(said) if is_statement(text))
            return {"facts": [{"text": text, "importance": 6, "entity": "owner"} for text in texts]}
        case "summarise":
            return {"text": next(iter(_LINE.findall(said)), "")}
        case "merge":
            return {"action": "new", "into": "", "text": "", "reason": ""}
        case _:
            return {name: "" if kind.get("type") == "string" else [] for name, kind in fields.items()}


class Mouth:
    """The behaviour of the provider, which changes while it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self._how: Misbehaviour | None = None
        self._until = 0.0

    def misbehave(self, how: Misbehaviour, for_s: float) -> None:
        """Misbehave in a way that a plan names, for so many seconds from now."""
        self._how, self._until = how, time.monotonic() + for_s

    @property
    def misbehaves(self) -> bool:
        """Whether it misbehaves now."""
        return time.monotonic() < self._until

    @property
    def left_s(self) -> float:
        """Seconds for which it goes on to misbehave."""
        return max(0.0, self._until - time.monotonic())

    def __call__(self, handler: Handler) -> None:
        """Answer one request."""
        self.asked += 1
        if self.misbehaves and (behaviour := self._misbehaviour()) is not None:
            behaviour(handler)
            return
        if self.misbehaves:
            handler.server.over.wait(SILENCE_S if self._how is Misbehaviour.IS_SILENT else SLOWNESS_S)
        says(answer(handler.asked))(handler)

    def _misbehaviour(self) -> Behaviour | None:
        match self._how:
            case Misbehaviour.FAILS:
                return fails(503)
            case Misbehaviour.LIMITS:
                return fails(429, retry_after="1")
            case Misbehaviour.BABBLES:
                return says(json.dumps({"facts": "many"})[:9])
            case Misbehaviour.HANGS_UP:
                return hangs_up
            case Misbehaviour.BREAKS_OFF:
                return breaks_off
            case _:
                return None
