"""A handler may leave its reply for later; whoever asked gets it once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from omoide.actors.kernel import Actor, ActorSystem, PendingReply
from omoide.protocols.errors import (
    CallerError,
    InvalidTextError,
)

if TYPE_CHECKING:
    pass
from omoide.tests.actors.kernel.scripted import Scripted


async def test_a_reply_can_be_given_later_while_the_actor_goes_on(system: ActorSystem) -> None:
    ref, held = system.spawn(Scripted), list[PendingReply]()

    async def defer(actor: Actor) -> str:
        held.append(actor.reply_later())
        return "ignored"

    answer = ref.ask(defer, block=False)
    assert await ref.aask("meanwhile") == "meanwhile"
    await trio.to_thread.run_sync(held[0].set, "later")
    assert await answer == "later"


async def test_a_later_reply_can_be_an_exception(system: ActorSystem) -> None:
    async def defer(actor: Actor) -> None:
        actor.reply_later().set_exception(InvalidTextError("seen late"))

    with pytest.raises(InvalidTextError, match="seen late"):
        await system.spawn(Scripted).aask(defer)


async def test_a_later_reply_is_still_the_holders_after_a_crash(system: ActorSystem) -> None:
    ref, held = system.spawn(Scripted), list[PendingReply]()

    async def defer_and_crash(actor: Actor) -> None:
        held.append(actor.reply_later())
        raise ZeroDivisionError

    answer = ref.ask(defer_and_crash, block=False)
    await trio.testing.wait_all_tasks_blocked()
    assert not ref.is_alive()
    assert not answer.done()
    held[0].set("I kept it")
    assert await answer == "I kept it"


async def test_a_handler_that_refuses_after_reply_later_has_answered(system: ActorSystem) -> None:
    ref, held = system.spawn(Scripted), list[PendingReply]()

    async def defer_and_refuse(actor: Actor) -> None:
        held.append(actor.reply_later())
        raise InvalidTextError("no")

    with pytest.raises(InvalidTextError):
        await ref.aask(defer_and_refuse)
    held[0].set("dropped")


async def test_a_later_reply_is_given_once(system: ActorSystem) -> None:
    held = list[PendingReply]()

    async def defer(actor: Actor) -> None:
        held.append(actor.reply_later())

    answer = system.spawn(Scripted).ask(defer, block=False)
    await trio.testing.wait_all_tasks_blocked()
    held[0].set(1)
    with pytest.raises(CallerError, match="once"):
        held[0].set(2)
    assert await answer == 1


async def test_a_reply_that_nobody_waits_for_goes_nowhere(system: ActorSystem) -> None:
    async def defer(actor: Actor) -> None:
        actor.reply_later().set("to nobody")

    ref = system.spawn(Scripted)
    ref.tell(defer)
    assert await ref.aask("on") == "on"


async def test_replying_later_outside_a_handler_is_refused(system: ActorSystem) -> None:
    refused = list[str]()

    async def beside(actor: Actor) -> None:
        await trio.testing.wait_all_tasks_blocked()
        try:
            actor.reply_later()
        except CallerError as error:
            refused.append(str(error))

    async def begin(actor: Actor) -> None:
        actor.start_soon(beside, actor)

    await system.spawn(Scripted).aask(begin)
    await trio.testing.wait_all_tasks_blocked()
    await trio.testing.wait_all_tasks_blocked()
    assert "inside receive()" in refused[0]
