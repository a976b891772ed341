"""Omoide on NATS: commands are read, carried out and answered, questions answered, events published.

Puts the parts together and decides what holds when the connection or a stream isn't what it was.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import trio
from nats.aio.msg import Msg

from ....protocols.cursors import Cursor
from ....protocols.errors import BusUnavailableError, OmoideError
from ....protocols.events import Event
from ...host import Runtime
from .. import wire
from ..answers import answer_body, dead_letter, event_bodies
from ..bridge import Bridge, open_bridge
from ..commands import Received
from ..feed import Feed
from ..lanes import Lanes
from ..names import EVENTS, QUESTIONS, word_of
from ..place import Kept, Mark, Place, note_kept, path_of, read_kept
from ..questions import Questions
from ..status import BusStatus, Counts
from .link import Link, Outgoing, microseconds
from .reader import Reader
from .stream import placed, rewound

logger = logging.getLogger(__name__)

T = TypeVar("T")

KIND: Final = "nats"

NOTE_EVERY_S: Final = 1.0
"""Time between two writes of the place, in seconds."""

ANSWER_TO: Final = "Omoide-Answer-To"
"""Header that names where the answer to a command goes: an inbox of the sender's."""

ID_BYTES: Final = 512
"""Room for the header with a dead letter's id."""

INBOX: Final = "_INBOX"
"""How a subject must begin to get answers; else a message could have us publish where its sender may not."""


class NatsBus:
    """The bus of one runtime.

    Args:
        runtime: whose characters.
        bridge: the asyncio loop that the client library runs in.
        replay: whether to read the whole stream again; what is applied already is skipped.
    """

    def __init__(self, runtime: Runtime, bridge: Bridge, *, replay: bool = False) -> None:
        self._runtime = runtime
        self._bridge = bridge
        self._settings = runtime.settings.bus
        self._counts = Counts()
        self._link = Link(self._settings, self._connection_changed)
        self._reader = Reader(self._link)
        self._feed = Feed(runtime, self._told_as, self._publish, self._counts)
        self._path = path_of(runtime.settings.data_dir, KIND)
        self._place = Place() if replay else read_kept(self._path).place
        self._lanes: Lanes | None = None
        self._questions: Questions | None = None
        self._newest = 0
        self._since = runtime.clock.now()

    def status(self) -> BusStatus:
        """Return how it is doing."""
        lanes, counts = self._lanes, self._counts
        in_flight = 0 if lanes is None else lanes.in_flight
        return BusStatus(
            kind=KIND,
            connected=self._link.is_connected,
            since=self._since,
            reconnects=self._link.reconnects,
            lag=0 if lanes is None else max(0, self._newest - lanes.done),
            in_flight=in_flight,
            applied=counts.applied,
            repeated=counts.repeated,
            erased=counts.erased,
            retried=counts.retried,
            stalled=0 if lanes is None else lanes.stalled,
            missed=counts.missed,
            answered=counts.answered,
            told=counts.told,
            untold=self._feed.untold,
            dead_letters=dict(counts.dead_letters),
            error=self._link.last_error,
        )

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Serve until it is cancelled. A server that isn't there (any more) is waited for.

        Args:
            on_ready: called whenever commands are taken (again).

        Raises:
            SettingsError: if the server refuses this user, or has no streams and makes none.
        """
        try:
            await self._until_there(self._link.connect)
            await self._until_there(self._link.make_streams)
            with self._runtime.reporting(self.status):
                async with trio.open_nursery() as nursery:
                    self._questions = Questions(self._runtime, nursery, self._counts, self._answer)
                    nursery.start_soon(self._feed.run)
                    nursery.start_soon(self._note_now_and_then)
                    nursery.start_soon(self._take_commands, on_ready)
                    await self._until_there(self._take_questions)
        finally:
            self._questions = None
            with trio.move_on_after(3.0, shield=True):
                await self._note()
                await self._bridge.run(self._reader.close)
                await self._bridge.run(self._link.close)

    async def _until_there(self, function: Callable[[], Awaitable[T]]) -> T:
        """Return what a function of the connection's returns, once the server answers."""
        attempts = 0
        while True:
            try:
                return await self._bridge.run(function)
            except BusUnavailableError as error:
                if not attempts:
                    logger.warning("bus.unavailable", extra={"error": str(error)})
                wait_s = self._settings.backoff_min_s * 2 ** min(attempts, 16)
                await trio.sleep(min(self._settings.backoff_max_s, wait_s))
                attempts += 1

    def _connection_changed(self) -> None:
        self._reader.lose()

    # --- commands --------------------------------------------------------------------------------

    async def _take_commands(self, on_ready: Callable[[], None]) -> None:
        while True:
            async with trio.open_nursery() as nursery:
                self._lanes = lanes = Lanes(
                    self._runtime, nursery, self._counts, self._answer, self._bury, fetch=self._fetch
                )
                nursery.start_soon(self._read, lanes, on_ready)
                await lanes.rewound.wait()
                nursery.cancel_scope.cancel()
            self._place = await self._until_there(partial(rewound, self._link, self._place))
            self._reader.broken = True

    async def _read(self, lanes: Lanes, on_ready: Callable[[], None]) -> None:
        lanes.begin_after(self._place.done)
        read = self._place.done
        while True:
            if self._reader.broken:
                place = await self._until_there(partial(placed, self._link, self._place))
                if (place.stream, place.epoch) != (self._place.stream, self._place.epoch):
                    await lanes.until(self._settings.in_flight)  # what is under way is of the stream of before
                    self._place, read = place, place.done
                    lanes.begin_after(place.done)
                await self._open_after(read)
                on_ready()
            await lanes.until(1)
            for one in await self._bridge.run(partial(self._reader.take, lanes.free)):
                read = one.mark.seq
                self._newest = max(self._newest, read + one.pending)
                lanes.put(read, self._received(one.mark, one.subject, one.body, one.headers))
                self._place = self._place.moved(0, one.mark)

    async def _open_after(self, read: int) -> None:
        await self._until_there(partial(self._reader.open, read))
        state = await self._until_there(self._link.state)
        if self._place.marks and (gone := state.first - read - 1) > 0:
            # Nobody took them up in time: the stream's limits are the host's to choose, and not ours to hide.
            self._counts.missed += gone
            logger.warning("bus.commands_expired", extra={"count": gone})

    async def _fetch(self, word: str, seq: int) -> tuple[int, Received] | None:
        """Return a character's first command at or after a seq, unless the stream isn't the one of before."""
        if (await self._until_there(self._link.state)).stream != self._place.stream:
            return None
        found = await self._until_there(partial(self._link.next_of, word, seq))
        if found is None or found.seq is None or found.subject is None or found.time is None:
            return None
        mark = Mark(found.seq, microseconds(found.time))
        return found.seq, self._received(mark, found.subject, found.data or b"", found.headers or {})

    def _received(self, mark: Mark, subject: str, body: bytes, given: Mapping[str, str]) -> Received:
        headers = {name.lower(): value for name, value in given.items()}
        words = subject.split(".")
        word = words[2]
        wanted = headers.get(ANSWER_TO.lower(), "")
        return Received(
            subject=subject,
            word=word,
            command=".".join(words[3:]),
            body=body,
            content_type=headers.get("content-type", wire.JSON),
            id=headers.get("nats-msg-id", "") or f"nats:{mark.seq}:{mark.at_us}",
            at=mark.at_us / 1e6,
            cursor=Cursor(source=f"nats:{self._place.stream}:{word}", epoch=self._place.epoch, seq=mark.seq),
            answer_to=wanted if wanted.startswith(INBOX) else "",
        )

    def _answer(self, received: Received, result: object) -> None:
        """Answer whoever waits. An answer that gets lost is asked for again, by the same command."""
        if received.answer_to:
            body = answer_body(result, received.content_type, self._link.most_bytes)
            content_type = wire.known(received.content_type)
            self._bridge.start_soon(partial(self._link.tell, received.answer_to, body, content_type))

    async def _bury(self, received: Received, error: OmoideError) -> None:
        seq = 0 if received.cursor is None else received.cursor.seq
        body, headers = dead_letter(received, error, self._link.most_bytes - ID_BYTES, Seq=str(seq))
        letter = Outgoing(
            subject=self._link.subjects.dead(received.subject),
            body=body,
            id=f"dead:{self._place.stream}:{self._place.epoch}:{seq}",
            headers=headers,
        )
        await self._until_there(partial(self._link.publish, letter))

    # --- questions -------------------------------------------------------------------------------

    async def _take_questions(self) -> None:
        await self._link.client.subscribe(self._link.subjects.all_of(QUESTIONS), cb=self._asked)

    async def _asked(self, message: Msg) -> None:
        """Hand a question over to Trio's thread."""
        if message.reply.startswith(INBOX):
            self._bridge.call_trio(partial(self._put_question, message))

    def _put_question(self, message: Msg) -> None:
        headers = {name.lower(): value for name, value in (message.headers or {}).items()}
        words = message.subject.split(".")
        question = Received(
            subject=message.subject,
            word=words[2],
            command=".".join(words[3:]),
            body=message.data,
            content_type=headers.get("content-type", wire.JSON),
            id="",
            at=self._runtime.clock.now(),
            answer_to=message.reply,
        )
        if self._questions is not None:
            self._questions.put(question)

    # --- events ----------------------------------------------------------------------------------

    def _told_as(self, word: str) -> str:
        return f"nats:{self._link.events}:{word}"

    async def _publish(self, name: str, events: Sequence[Event]) -> None:
        content_type = wire.MSGPACK if self._settings.format == "msgpack" else wire.JSON
        word = word_of(name)
        told = event_bodies(
            *(name, word, events, self._link.most_bytes), content_type=content_type, texts=self._settings.texts
        )
        left = [
            Outgoing(
                subject=self._link.subjects.of(EVENTS, word, one.kind),
                body=body,
                id=one.id,
                headers={"Content-Type": content_type, "Omoide-Seq": str(one.seq)},
            )
            for one, body in told
        ]
        # One after the other: several at once would arrive out of order where the first of them fails.
        while left:
            await self._until_there(partial(self._publish_all, left))

    async def _publish_all(self, left: list[Outgoing]) -> None:
        while left:
            await self._link.publish(left[0])
            del left[0]

    # --- the place -------------------------------------------------------------------------------

    async def _note_now_and_then(self) -> None:
        while True:
            await trio.sleep(NOTE_EVERY_S)
            # Whoever is held up reads nothing, and would not learn what waits.
            try:
                self._newest = (await self._bridge.run(self._link.state)).last
            except BusUnavailableError as error:
                logger.info("bus.lag_unknown", extra={"error": str(error)})
            await self._note()

    async def _note(self) -> None:
        if self._lanes is not None:
            self._place = self._place.moved(self._lanes.done, None)
        kept = Kept(place=self._place, status=self.status(), written_at=self._runtime.clock.now())
        await trio.to_thread.run_sync(note_kept, self._path, kept)


async def serve_nats(
    runtime: Runtime, *, replay: bool = False, on_ready: Callable[[], None] = lambda: None
) -> None:
    """Serve a runtime's characters over NATS until it is cancelled.

    Args:
        runtime: whose characters.
        replay: whether to read the whole stream of commands again; what is applied already is skipped.
        on_ready: called whenever commands are taken (again).

    Raises:
        SettingsError: if the server refuses this user, or has no streams and makes none.
    """
    async with open_bridge() as bridge:
        await NatsBus(runtime, bridge, replay=replay).run(on_ready)
