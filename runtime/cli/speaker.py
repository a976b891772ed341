"""How a speaker is named on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from ...protocols.errors import InvalidRequestError
from ...protocols.records import Speaker

SpeakerOption = Annotated[
    str | None, typer.Option("--speaker", metavar="PLATFORM:ACCOUNT", help="Who speaks; else the owner.")
]


def parse_speaker(key: str | None) -> Speaker | None:
    """Return the speaker of a key; None is the owner.

    Raises:
        InvalidRequestError: if it is no key.
    """
    if key is None:
        return None
    platform, _, account = key.partition(":")
    if not platform or not account:
        raise InvalidRequestError(f"a speaker is written PLATFORM:ACCOUNT, such as qq:1001; got {key!r}")
    return Speaker(platform=platform, account=account)
