"""`omoide reject` and `omoide affirm`: what a person decides about a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ...protocols.explanations import Explanation
from .access import use
from .command import NameArgument, command
from .explain import WhatArgument
from .invocation import Invocation
from .presentation import ago, short_id, show_each

if TYPE_CHECKING:
    from ..character import Character


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    command(
        app,
        "reject",
        examples=('omoide reject yui "as a nurse"', "omoide reject yui fact_1f2e3d4c"),
    )(reject)
    command(
        app,
        "affirm",
        examples=('omoide affirm yui "as a nurse"', "omoide affirm yui rej_5a6b7c8d"),
    )(affirm)


def reject(invocation: Invocation, name: NameArgument, what: WhatArgument) -> None:
    """Reject a memory: it is retracted, and what it says doesn't come back until it is affirmed.

    It is kept, and `omoide explain` tells why it isn't recalled any more.
    """
    _decide(invocation, name, what, affirms=False)


def affirm(invocation: Invocation, name: NameArgument, what: WhatArgument) -> None:
    """Affirm a memory that was denied or overtaken: what held it back is lifted, and it is recalled again."""
    _decide(invocation, name, what, affirms=True)


def _decide(invocation: Invocation, name: str, what: str, *, affirms: bool) -> None:
    async def act(character: Character) -> tuple[Explanation, ...]:
        meant = await character.meant(what, affirms=affirms)
        decided = await (character.affirm(meant) if affirms else character.reject(meant))
        await character.drain()
        changed = [await character.explain(record) for record in decided.records]
        return tuple(one for found in changed for one in found)

    changed = use(invocation, name, act)
    show_each(
        invocation,
        changed,
        ("id", "kind", "is now", "since", "text"),
        lambda one: (short_id(one.id), one.kind, one.status, ago(one.since, invocation.now), one.text),
        empty=f"Nothing changed: it {'is in force' if affirms else 'was rejected'} already.",
    )
