"""Who the character is where it is itself the one who said something of what is remembered.

What it said of itself is kept as a fact with a speaker of its own, so that it is never the owner's word, nor
anybody else's, and the same sentence in two mouths is two facts. A host can't speak under this account.
"""

from __future__ import annotations

from typing import Final

from .records import Speaker

PLATFORM: Final = "omoide"
"""Platform of the character's account; no host may use it."""

ACCOUNT: Final = "character"


def self_account(name: str) -> Speaker:
    """Return the account under which what a character said of itself is kept; `name` is what it is called."""
    return Speaker(platform=PLATFORM, account=ACCOUNT, label=name)


def is_self_account(speaker: Speaker | None) -> bool:
    """Return whether it was the character itself who said something."""
    return speaker is not None and (speaker.platform, speaker.account) == (PLATFORM, ACCOUNT)
