"""What each command does: the one list of commands, and how one is carried out with its place in the stream.

A command that changes something lands in one commit with its place and its key. One that only asks has neither.
Knows no bus.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...actors.directives.messages import AddDirective, RemoveDirective
from ...protocols import messages
from ...protocols.cursors import Cursor
from ...protocols.errors import InvalidRequestError
from ...protocols.messages import Decide, Delivery, IdempotencyKey, Reply, Request, Utterance
from ...protocols.records import Directive, Role
from ...protocols.scopes import parse_subject
from ..api import bodies
from ..character import Character
from ..corrected import keeper_of
from ..first_words import check_first_words
from ..host import Runtime
from . import wire
from .names import name_of


class Received(Struct, frozen=True, kw_only=True):
    """One command as a bus delivers it.

    `id` is the sender's id of the message, and where it gave none one that the bus makes of the message's place.
    `at` is when the bus got it, in seconds since the epoch. `cursor` is its place, None where the bus has no
    places. `answer_to` is where the answer goes, empty where nobody waits for one, and `correlation` goes with it.
    """

    subject: str
    word: str
    command: str
    body: bytes
    content_type: str = wire.JSON
    id: str
    at: float
    cursor: Cursor | None = None
    answer_to: str = ""
    correlation: bytes = b""


@dataclass(frozen=True, slots=True)
class Order:
    """A command with whom it is for, as it is carried out."""

    character: Character
    received: Received

    async def ask(self, role: str, request: Request[Reply], timeout_s: float) -> Reply:
        """Return a role's reply."""
        async with self.character.resident() as resident:
            reply: Reply = await resident.roles[role].aask(request, timeout_s=timeout_s)
            return reply

    def delivery(self, message_id: str | None, body: Struct) -> Delivery:
        """Return what makes the command happen once."""
        content = hashlib.sha256(msgspec.json.encode((self.received.command, body))).hexdigest()
        key = IdempotencyKey(key=f"bus:{message_id or self.received.id}", fingerprint=content)
        return Delivery(cursor=self.received.cursor, key=key)


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `asks` says that it changes nothing; with `begins_with` it brings its character into being."""

    name: str
    takes: type[bodies.Fields]
    answers: Any
    run: Callable[[Order, Any, float], Awaitable[object]]
    asks: bool = False
    begins_with: Callable[[Received, Any], Utterance] | None = None

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.run.__doc__ or "").split("\n", 1)[0]


def _heard(received: Received, body: wire.Hear) -> Utterance:
    return Utterance(
        text=body.text,
        speaker=body.speaker,
        subject=parse_subject(body.subject),
        trust=body.trust,
        said_at=received.at if body.said_at is None else body.said_at,
        id=body.message_id or received.id,
    )


async def _hear(order: Order, body: wire.Hear, timeout_s: float) -> messages.Receipt:
    """Take in what somebody said; the answer comes once it can't be lost any more."""
    heard = messages.Hear(utterance=_heard(order.received, body), cursor=order.received.cursor)
    return await order.ask("scribe", heard, timeout_s)


async def _say(order: Order, body: wire.Say, timeout_s: float) -> messages.Receipt:
    """Take in what the character itself said."""
    received = order.received
    utterance = Utterance(
        text=body.text,
        subject=parse_subject(body.subject),
        said_at=received.at if body.said_at is None else body.said_at,
        id=body.message_id or received.id,
        surfaced=body.surfaced,
    )
    return await order.ask("scribe", messages.Say(utterance=utterance, cursor=received.cursor), timeout_s)


async def _ban(order: Order, body: wire.Ban, timeout_s: float) -> tuple[Directive, ...]:
    """Ban a topic as the owner does by saying so."""
    delivery = order.delivery(body.message_id, body)
    request = AddDirective(term=body.term, aliases=body.aliases, delivery=delivery)
    return await order.ask("scribe", request, timeout_s)


async def _unban(order: Order, body: wire.Unban, timeout_s: float) -> tuple[Directive, ...]:
    """Delete a directive by its id or its term."""
    request = RemoveDirective(name=body.name, delivery=order.delivery(body.message_id, body))
    return await order.ask("scribe", request, timeout_s)


async def _forget(order: Order, body: wire.Forget, timeout_s: float) -> messages.Decided:
    """Retract a memory by its id or its words: it doesn't come back until it is affirmed."""
    record = await order.character.meant(body.what, affirms=False)
    request = Decide(record=record, affirms=False, delivery=order.delivery(body.message_id, body))
    return await order.ask(keeper_of(record), request, timeout_s)


async def _recall(order: Order, body: wire.Recall, _: float) -> messages.Recollection:
    """Return the memories that match, best first."""
    return await order.character.recall(body.query, subjects=body.subjects, limit=body.limit)


async def _briefing(order: Order, body: wire.Briefing, _: float) -> messages.Briefing:
    """Return what the character should have in mind for its next line."""
    return await order.character.briefing(subjects=body.subjects, cue=body.cue)


async def _gate(order: Order, body: wire.Gate, _: float) -> object:
    """Judge what the character is about to say: allow, block or revise."""
    return await order.character.gate(body.draft, unprompted=body.unprompted, subject=body.subject, said=body.said)


async def _directives(order: Order, _: wire.Directives, __: float) -> tuple[Directive, ...]:
    """List what isn't to be mentioned."""
    return await order.character.directives()


COMMANDS: Final = {
    one.name: one
    for one in (
        Command("hear", wire.Hear, "Receipt", _hear, begins_with=_heard),
        Command("say", wire.Say, "Receipt", _say),
        Command("ban", wire.Ban, "a list of Directive", _ban),
        Command("unban", wire.Unban, "a list of Directive", _unban),
        Command("forget", wire.Forget, "Decided", _forget),
        Command("recall", wire.Recall, "Recollection", _recall, asks=True),
        Command("briefing", wire.Briefing, "Briefing", _briefing, asks=True),
        Command("gate", wire.Gate, "Verdict", _gate, asks=True),
        Command("directives", wire.Directives, "a list of Directive", _directives, asks=True),
    )
}
"""Every command by its name."""


def command_of(received: Received, *, only_asks: bool = False) -> Command:
    """Return what a message asks for.

    Raises:
        InvalidRequestError: if there is no such command, or it may not come this way.
    """
    known = {name: one for name, one in COMMANDS.items() if one.asks or not only_asks}
    command = known.get(received.command)
    if command is None:
        raise InvalidRequestError(
            f"no command {received.command!r:.40} can be sent this way: there are {', '.join(known)}"
        )
    return command


def sent_at(runtime: Runtime, received: Received) -> float:
    """Return when a command was sent, in seconds since the epoch: never later than now.

    Where the bus' clock is ahead of ours, what it brings would count as later than all that is said meanwhile.
    """
    return min(received.at, runtime.clock.now())


async def carry_out(runtime: Runtime, received: Received, *, only_asks: bool = False) -> object:
    """Carry a command out and return its result; a command that came before has the result of then.

    Raises:
        ErasedError: if what it is for, or says, was erased after it was sent.
        CallerError: if the message is malformed or asks for what can't be done: sent again, it fails again.
        OutsideError: if something else failed; sent again, it may succeed.
    """
    command = command_of(received, only_asks=only_asks)
    limit = runtime.settings.bus.body_bytes
    if len(received.body) > limit:
        raise InvalidRequestError(f"a command's body has at most {limit:,} bytes, got {len(received.body):,}")
    body = wire.decode(received.body, received.content_type, command.takes)
    if not (command.asks or received.id or getattr(body, "message_id", None)):
        raise InvalidRequestError(
            f"{command.name} needs a message_id here: the bus may deliver a message twice, and it is known by that"
        )
    known = replace(received, at=sent_at(runtime, received))
    name = name_of(received.word)
    if command.begins_with is not None:
        await check_first_words(runtime, name, command.begins_with(known, body), Role.PERSON)
    creates = command.begins_with is not None
    character = await runtime.received(name, create=creates, at=known.at, cursor=known.cursor)
    return await command.run(Order(character, known), body, runtime.settings.actors.reply_timeout_s)
