"""What is asked of the scribe beside hearing and saying."""

from __future__ import annotations

from ...protocols.messages import Request
from ...protocols.records import Profile


class SwitchStrongMemory(Request[Profile], frozen=True, kw_only=True):
    """Switch strong memory on or off. Reply: the `Profile` as it is then."""

    on: bool
