"""The words that a character begins with: it comes into being with what can be taken in, and with nothing less."""

from __future__ import annotations

from functools import partial

import trio

from ..actors.scribe.envelope import open_envelope
from ..protocols.messages import Utterance
from ..protocols.records import Role
from .host import Runtime


async def check_first_words(runtime: Runtime, name: str, utterance: Utterance, side: Role) -> None:
    """Hold that a turn can be made of an utterance, unless its character is in memory and says so itself.

    Args:
        runtime: where the character would come into being.
        name: of the character.
        utterance: what it would begin with.
        side: whose it is.

    Raises:
        CallerError: if no turn can be made of it; the message says why.
    """
    if name not in runtime.residents():
        check = partial(open_envelope, utterance, side, fresh_id="", now=0.0, settings=runtime.settings)
        await trio.to_thread.run_sync(check)
