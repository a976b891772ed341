"""`omoide outbox`: background work that waits or is parked, and what a person can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...protocols.errors import InvalidRequestError, NotFoundError
from ...protocols.ports import Journal
from ...protocols.work import OpState, OutboxOp
from .access import read, use
from .command import NameArgument, command, epilog
from .group import ListByDefault
from .invocation import Invocation
from .presentation import ago, short_id, show

if TYPE_CHECKING:
    from ..character import Character

_ACTIVE = (OpState.PENDING, OpState.PARKED)

OpArgument = Annotated[
    str, typer.Argument(metavar="OP", help="The op's id, or a beginning of it that no other op has.")
]


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    verbs = typer.Typer(
        cls=ListByDefault,
        no_args_is_help=True,
        epilog=epilog(
            (
                "omoide outbox yui",
                "omoide outbox yui --state parked",
                "omoide outbox retry yui op_1f2e3d4c",
                "omoide outbox discard yui op_1f2e3d4c",
            )
        ),
    )
    app.add_typer(verbs, name="outbox", help="Show background work (`omoide outbox NAME`), retry or discard it.")
    command(
        verbs,
        "list",
        examples=("omoide outbox yui", "omoide outbox list yui --state done", "omoide outbox yui --json"),
    )(list_ops)
    command(verbs, "retry", examples=("omoide outbox retry yui op_1f2e3d4c",))(retry)
    command(verbs, "discard", examples=("omoide outbox discard yui op_1f2e3d4c",))(discard)


def list_ops(
    invocation: Invocation,
    name: NameArgument,
    *,
    states: Annotated[
        list[OpState] | None,
        typer.Option("--state", help="Only work in this state (default: pending and parked); can be repeated."),
    ] = None,
) -> None:
    """List background work in its order. `omoide outbox NAME` does the same.

    Works while another process has the character open. JSON output has one op a line.
    """

    async def query(journal: Journal) -> tuple[OutboxOp, ...]:
        return await journal.ops(states=states or _ACTIVE)

    found = read(invocation, name, query)
    if invocation.as_json:
        for op in found:
            invocation.emit(op)
        return
    show_ops(invocation, found, empty=f"No work {' or '.join(states or _ACTIVE)} for {name}.")


def retry(invocation: Invocation, name: NameArgument, op: OpArgument) -> None:
    """Send parked work again, with its attempts counted anew, and do what is due."""

    async def act(character: Character) -> OutboxOp:
        sent = await character.retry(await _find(character, op))
        await character.drain()
        return next((one for one in await character.outbox(states=tuple(OpState)) if one.id == sent.id), sent)

    _show_one(invocation, use(invocation, name, act), name)


def discard(invocation: Invocation, name: NameArgument, op: OpArgument) -> None:
    """Give up pending or parked work for good. What was heard stays; it is only not worked out."""

    async def act(character: Character) -> OutboxOp:
        return await character.discard(await _find(character, op))

    _show_one(invocation, use(invocation, name, act), name)


def show_ops(invocation: Invocation, ops: tuple[OutboxOp, ...], *, empty: str) -> None:
    """Print ops in their order."""
    show(
        invocation,
        ("id", "state", "failed", "next try", "queued", "work", "last error"),
        (
            (
                short_id(op.id),
                op.state.value,
                f"{op.attempts}×" if op.attempts else "never",
                ago(op.not_before, invocation.now) if op.state is OpState.PENDING else "",
                ago(op.enqueued_at, invocation.now),
                op.work.key,
                op.error,
            )
            for op in ops
        ),
        empty=empty,
    )


def _show_one(invocation: Invocation, op: OutboxOp, name: str) -> None:
    if invocation.as_json:
        invocation.emit(op)
    else:
        show_ops(invocation, (op,), empty=f"No such work for {name}.")


async def _find(character: Character, beginning: str) -> str:
    """Return the full id of the only op whose id begins so; where none does, the program asks for it as it is.

    Raises:
        InvalidRequestError: if several do.
        NotFoundError: if it is blank.
    """
    if not beginning.strip():
        raise NotFoundError(f"no op has a blank id: `omoide outbox {character.name}` lists them")
    ops = await character.outbox(states=tuple(OpState))
    found = [op.id for op in ops if op.id.startswith(beginning)]
    if len(found) > 1:
        raise InvalidRequestError(f"{len(found)} ops begin with {beginning!r}: write more of the id")
    return found[0] if found else beginning
