"""Reading a stream in order, from a seq on, and never more at once than is asked for. Runs in the asyncio loop.

The consumer on the server keeps nothing: what was read is the reader's business. It is made anew after whatever
goes wrong, from the message after the last one that was read, so that a gap is never taken for an end.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Final, NamedTuple

import msgspec
from nats import errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import api

from ....protocols.errors import BusUnavailableError
from ..place import Mark
from .link import Link

logger = logging.getLogger(__name__)

PULL_S: Final = 20.0
"""Time after which a request for messages ends without any, in seconds."""

SILENCE_S: Final = 22.0
"""Silence after which the server has forgotten the request, in seconds."""

FORGOTTEN_S: Final = 300.0
"""Time after which the server forgets a reader that asks for nothing, in seconds."""

_ACK: Final = "$JS.ACK."


class Read(NamedTuple):
    """One message of the stream. `delivery` counts the messages of this consumer, without a gap."""

    mark: Mark
    delivery: int
    pending: int
    subject: str
    body: bytes
    headers: dict[str, str]


class Reader:
    """Reads the stream of commands.

    Args:
        link: the connection.
    """

    def __init__(self, link: Link) -> None:
        self.broken = True
        """Whether it has to be opened anew."""
        self._link = link
        self._inbox = ""
        self._subscription: Subscription | None = None
        self._consumer = ""
        self._buffer: deque[Read] = deque()
        self._credit = 0
        self._delivered = 0
        self._arrived = asyncio.Event()

    async def open(self, after: int) -> None:
        """Begin with the first message after a seq.

        Raises:
            BusUnavailableError: if the server doesn't answer.
        """
        await self.close()
        client = self._link.client
        config = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=after + 1,
            ack_policy=api.AckPolicy.NONE,
            filter_subject=self._link.subjects.all_of("cmd"),
            mem_storage=True,
            num_replicas=1,
            inactive_threshold=FORGOTTEN_S,
        )
        try:
            made = await self._link.streams.add_consumer(self._link.commands, config)
            self._inbox = client.new_inbox()
            self._subscription = await client.subscribe(self._inbox, cb=self._take)
        except (TimeoutError, errors.Error, OSError) as error:
            raise BusUnavailableError(
                f"the NATS server lets nobody read {self._link.commands} ({type(error).__name__})"
            ) from error
        self._consumer = made.name
        self._credit = self._delivered = 0
        self.broken = False

    async def close(self) -> None:
        """Stop reading; what was read and not taken is read again later."""
        self.broken = True
        self._buffer.clear()
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            try:
                await subscription.unsubscribe()
                await self._link.streams.delete_consumer(self._link.commands, self._consumer)
            except (TimeoutError, errors.Error, OSError) as error:
                logger.debug("bus.consumer_left", extra={"error": type(error).__name__})

    def lose(self) -> None:
        """Note that the connection was lost or came back."""
        self.broken = True
        self._arrived.set()

    async def take(self, most: int) -> list[Read]:
        """Return the next messages, at most so many, as soon as there is one; none where it is broken."""
        while not self._buffer and not self.broken:
            self._arrived.clear()
            if not self._credit:
                await self._ask_for(most)
            try:
                await asyncio.wait_for(self._arrived.wait(), SILENCE_S)
            except TimeoutError:
                self.broken = True
        if self.broken:
            return []
        return [self._buffer.popleft() for _ in range(min(most, len(self._buffer)))]

    async def _ask_for(self, count: int) -> None:
        self._credit = count
        request = {"batch": count, "expires": int(PULL_S * 1e9)}
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{self._link.commands}.{self._consumer}"
        try:
            await self._link.client.publish(subject, msgspec.json.encode(request), reply=self._inbox)
        except (errors.Error, OSError):
            self.broken = True

    async def _take(self, message: Msg) -> None:
        if message.reply.startswith(_ACK):
            read = _read(message)
            if read.delivery != self._delivered + 1:
                logger.warning("bus.gap", extra={"seq": read.mark.seq})
                self.broken = True
            else:
                self._delivered = read.delivery
                self._credit = max(0, self._credit - 1)
                self._buffer.append(read)
        else:
            status = (message.headers or {}).get("Status", "")
            if status in {"404", "408"}:
                self._credit = 0
            elif status != "100":
                logger.info("bus.consumer_ended", extra={"status": status})
                self.broken = True
        self._arrived.set()


def _read(message: Msg) -> Read:
    """Return what a message's reply subject says of it: ...<stream seq>.<delivery>.<time in ns>.<pending>."""
    words = message.reply.split(".")
    # Later servers put domain and account before the stream and may put a word after the rest.
    seq, delivery, at_ns, pending = words[5:9] if len(words) == 9 else words[7:11]
    return Read(
        mark=Mark(int(seq), int(at_ns) // 1_000),
        delivery=int(delivery),
        pending=int(pending),
        subject=message.subject,
        body=message.data,
        headers=message.headers or {},
    )
