"""`omoide trust`: whom the characters of a data folder believe, and which accounts are one person."""

from __future__ import annotations

import getpass
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec
import trio
import typer

from ...actors.trust.pool import checked_account
from ...protocols.errors import NotFoundError, UnknownCharacterError
from ...protocols.people import Person, holder_of
from ...protocols.trust import Base, trust_of
from ..host import open_runtime
from ..people import TrustedPeople
from ..store import POOL, open_reader
from .command import command, epilog
from .group import ListByDefault
from .invocation import Invocation
from .presentation import counted, printable, short_id, show

T = TypeVar("T")

_EXAMPLES: Final = ("omoide trust list", "omoide trust show qq:1001", "omoide trust bind discord:77 qq:1001")

AccountArgument = Annotated[str, typer.Argument(metavar="ACCOUNT", help="<platform>:<account>, such as qq:1001.")]
ByOption = Annotated[
    str | None,
    typer.Option("--by", metavar="WHO", help="Who says so, for the record.", show_default="your user name"),
]


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    verbs = typer.Typer(cls=ListByDefault, no_args_is_help=True, epilog=epilog(_EXAMPLES))
    app.add_typer(
        verbs, name="trust", help="Show whom the characters believe, and say which accounts are one person."
    )
    command(verbs, "list", examples=("omoide trust list", "omoide trust list --json"))(list_people)
    command(verbs, "show", examples=("omoide trust show qq:1001",))(show_person)
    command(
        verbs, "bind", examples=("omoide trust bind discord:77 qq:1001", "omoide trust bind qq:1 owner --by Sam")
    )(bind)
    command(verbs, "unbind", examples=("omoide trust unbind discord:77",))(unbind)
    command(verbs, "merge", examples=("omoide trust merge qq:1001 discord:77",))(merge)
    command(verbs, "forget", examples=("omoide trust forget qq:1001",))(forget)


def list_people(invocation: Invocation) -> None:
    """List the persons of the pool of accounts, in order of storing.

    Works while another process has it open. JSON output has one person a line.
    """
    _show(invocation, tuple(person for person in _stored(invocation) if person.accounts))


def show_person(invocation: Invocation, account: AccountArgument) -> None:
    """Show the person who holds an account: their accounts, what each did, and what that adds to each tier."""
    key = checked_account(account)
    person = holder_of(key, _stored(invocation))
    if person is None:
        raise NotFoundError(f"the pool holds no account {key!r}: `omoide trust list` shows those that it holds")
    _show(invocation, (person,))
    if not invocation.as_json:
        settings = invocation.settings.trust
        for tier in ("admin", "trusted", "normal", "none"):
            base = Base(value=getattr(settings, tier))
            invocation.line(f"  {tier:8}{trust_of(base, person.tally, settings):.3f}")


def bind(
    invocation: Invocation,
    account: AccountArgument,
    to: Annotated[
        str,
        typer.Argument(metavar="ACCOUNT|ID|owner", help="Another account of the person, their id, or `owner`."),
    ],
    *,
    by: ByOption = None,
) -> None:
    """Say whose an account is: its history moves to that person. Only ever because a human knows it."""
    who = _who(by)
    _show(invocation, _link(invocation, lambda people: people.bind(account, to, by=who)))


def unbind(invocation: Invocation, account: AccountArgument, *, by: ByOption = None) -> None:
    """Say that an account is a person of its own: it leaves with its history, and no other moves."""
    who = _who(by)
    _show(invocation, _link(invocation, lambda people: people.unbind(account, by=who)))


def merge(
    invocation: Invocation,
    one: Annotated[str, typer.Argument(metavar="ACCOUNT|ID", help="An account of a person, or the person's id.")],
    other: Annotated[str, typer.Argument(metavar="ACCOUNT|ID", help="An account of another, or the other's id.")],
    *,
    by: ByOption = None,
) -> None:
    """Say that two persons are one; which is named first doesn't matter."""
    who = _who(by)
    _show(invocation, _link(invocation, lambda people: people.merge(one, other, by=who)))


def forget(invocation: Invocation, account: AccountArgument) -> None:
    """Erase what the pool knows of an account, for good: what it did, and whose it is.

    It begins anew when it next speaks. What characters heard of it is theirs: `omoide erase NAME --account`.
    """

    async def run() -> None:
        async with open_runtime(invocation.settings) as runtime:
            await runtime.trust.forget(account)

    trio.run(run)
    if not invocation.as_json:
        invocation.line(f"{printable(account)}: forgotten by the pool of accounts", style="green")


def _who(by: str | None) -> str:
    return by or getpass.getuser()


def _stored(invocation: Invocation) -> tuple[Person, ...]:
    """Return the people of the pool; none where there is no pool yet."""

    async def run() -> tuple[Person, ...]:
        async with open_reader(invocation.settings, POOL) as journal:
            return await journal.records(Person)

    try:
        return trio.run(run)
    except UnknownCharacterError:
        return ()


def _link(
    invocation: Invocation, action: Callable[[TrustedPeople], Awaitable[tuple[Person, ...]]]
) -> tuple[Person, ...]:
    async def run() -> tuple[Person, ...]:
        async with open_runtime(invocation.settings) as runtime:
            return await action(runtime.trust)

    return trio.run(run)


def _show(invocation: Invocation, people: tuple[Person, ...]) -> None:
    if invocation.as_json:
        for person in people:
            document: dict[str, Any] = msgspec.to_builtins(person)
            invocation.emit({**document, "tally": msgspec.to_builtins(person.tally)})
        return
    show(
        invocation,
        ("person", "accounts", "messages", "confirmed", "corrected", "bound by"),
        (
            (
                short_id(person.id),
                ", ".join(printable(account.key) for account in person.accounts) or "(none any more)",
                str(person.tally.messages),
                counted(person.tally.confirmations, "time"),
                counted(person.tally.corrections, "time"),
                ", ".join(sorted({printable(one.bound_by) for one in person.accounts if one.bound_by})),
            )
            for person in people
        ),
        empty="The pool of accounts has nobody in it.",
    )
