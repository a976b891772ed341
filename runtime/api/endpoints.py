"""Every operation of `/v1` that takes and answers JSON: the one list that routes and document are made from."""

from __future__ import annotations

from typing import Any, Final

from .endpoint import Endpoint
from .looking import LOOKING
from .talking import TALKING
from .tending import TENDING

ENDPOINTS: Final[tuple[Endpoint[Any], ...]] = (*TALKING, *LOOKING, *TENDING)
"""All of them; those of a conversation first, since a route is looked for in order."""
