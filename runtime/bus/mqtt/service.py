"""Omoide on MQTT: commands are taken, carried out, answered and only then acknowledged; events are published.

The broker has no places that could be kept with an effect, so that each command that changes something carries an
id. It sends again what wasn't acknowledged, and sends no more at once than fits.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import msgspec
import trio
from msgspec import Struct

from ....protocols.errors import OmoideError, SettingsError
from ....protocols.events import Event
from ...host import Runtime
from .. import wire
from ..answers import answer_body, dead_letter, event_bodies
from ..commands import Received
from ..feed import Feed
from ..lanes import Lanes
from ..names import COMMANDS, EVENTS, QUESTIONS, Subjects, word_of
from ..place import Kept, note_kept, path_of, read_kept
from ..questions import Questions
from ..status import BusStatus, Counts
from .session import Arrived, Session

logger = logging.getLogger(__name__)

KIND: Final = "mqtt"
NOTE_EVERY_S: Final = 1.0
"""Time between two writes of the status, in seconds."""

ANSWERS: Final = "answer"
"""Second word of every topic that answers go to; else a message could have us publish where its sender may not."""


class State(Struct, frozen=True, kw_only=True):
    """The retained status: whether Omoide is there."""

    state: str
    version: int = wire.VERSION


class MqttBus:
    """The bus of one runtime.

    Args:
        runtime: whose characters.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._settings = runtime.settings.bus
        self._subjects = Subjects(self._settings.prefix, "/")
        self._counts = Counts()
        states = (msgspec.json.encode(State(state="online")), msgspec.json.encode(State(state="offline")))
        topics = (self._subjects.all_of(COMMANDS, "#"), self._subjects.all_of(QUESTIONS, "#"))
        self._session = Session(self._settings, topics, self._subjects.status, states, self._arrived, self._lost)
        self._feed = Feed(runtime, self._told_as, self._publish, self._counts)
        self._lanes: Lanes | None = None
        self._questions: Questions | None = None
        self._unacknowledged: deque[tuple[int, Arrived]] = deque()
        self._taken = 0
        self._since = runtime.clock.now()
        self._path = path_of(runtime.settings.data_dir, KIND)
        self._before = read_kept(self._path).written_at or self._since

    def status(self) -> BusStatus:
        """Return how it is doing. What waits at the broker isn't known."""
        lanes, counts = self._lanes, self._counts
        in_flight = 0 if lanes is None else lanes.in_flight
        return BusStatus(
            kind=KIND,
            connected=self._session.is_connected,
            since=self._since,
            reconnects=max(0, self._session.connections - 1),
            lag=in_flight,
            in_flight=in_flight,
            applied=counts.applied,
            erased=counts.erased,
            retried=counts.retried,
            stalled=0 if lanes is None else lanes.stalled,
            answered=counts.answered,
            told=counts.told,
            untold=self._feed.untold,
            dead_letters=dict(counts.dead_letters),
            error=self._session.last_error,
        )

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Serve until it is cancelled. A broker that isn't there (any more) is waited for.

        Args:
            on_ready: called once commands are taken.

        Raises:
            SettingsError: if the broker refuses this user.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._questions = Questions(self._runtime, nursery, self._counts, self._answer)
                self._lanes = Lanes(
                    self._runtime, nursery, self._counts, self._answer, self._bury, settled=self._settled
                )
                self._session.start()
                await self._until_connected()
                on_ready()
                with self._runtime.reporting(self.status):
                    nursery.start_soon(self._feed.run)
                    await self._note_now_and_then()
        finally:
            self._questions = None
            with trio.CancelScope(shield=True):
                await self._session.stop()
                await self._note()

    async def _until_connected(self) -> None:
        while not self._session.is_connected:
            if self._session.refused:
                raise SettingsError(
                    f"the MQTT broker at {self._settings.mqtt.host}:{self._settings.mqtt.port} refuses this user "
                    f"({self._session.refused}): check bus.mqtt.user, password_file and client_id"
                )
            await self._session.changed.wait()

    # --- commands and questions ------------------------------------------------------------------

    def _arrived(self, message: Arrived) -> None:
        if self._lanes is None or self._questions is None:
            return  # it isn't acknowledged, and comes again at the next start
        words = message.topic.split("/")
        received = Received(
            subject=message.topic,
            word=words[2] if len(words) > 2 else "",
            command="/".join(words[3:]),
            body=message.body,
            content_type=message.content_type or wire.JSON,
            id="",
            at=self._before if message.again else self._runtime.clock.now(),
            answer_to=self._checked(message.answer_to),
            correlation=message.correlation,
        )
        if words[1] == QUESTIONS:
            self._session.acknowledge(message)
            self._questions.put(received)
            return
        self._taken += 1
        self._unacknowledged.append((self._taken, message))
        self._lanes.put(self._taken, received)

    def _lost(self) -> None:
        """Note when a connection ended: what the broker sends again was sent before that."""
        self._before = self._runtime.clock.now()

    def _checked(self, topic: str) -> str:
        begins = f"{self._settings.prefix}/{ANSWERS}/"
        return topic if topic.startswith(begins) and not {"+", "#"} & set(topic) else ""

    def _settled(self, _: int) -> None:
        """Acknowledge what is done, in the order in which it came, as the protocol asks (MQTT 5, 4.6)."""
        assert self._lanes is not None
        while self._unacknowledged and self._unacknowledged[0][0] <= self._lanes.done:
            self._session.acknowledge(self._unacknowledged.popleft()[1])

    def _answer(self, received: Received, result: object) -> None:
        if received.answer_to:
            body = answer_body(result, received.content_type, self._session.most_bytes)
            content_type = wire.known(received.content_type)
            self._session.answer(received.answer_to, body, content_type, received.correlation)

    async def _bury(self, received: Received, error: OmoideError) -> None:
        body, headers = dead_letter(received, error, self._session.most_bytes)
        await self._until_taken(
            partial(
                self._session.publish,
                self._subjects.dead(received.subject),
                body,
                content_type=headers.pop("Content-Type"),
                more=headers,
            )
        )

    async def _until_taken(self, publish: Callable[[], Awaitable[str]]) -> None:
        """Publish until the broker takes it."""
        attempts = 0
        while refusal := await publish():
            if not attempts:
                logger.warning("bus.publishing_refused", extra={"reason": refusal})
            wait_s = self._settings.backoff_min_s * float(2 ** min(attempts, 16))
            await trio.sleep(min(self._settings.backoff_max_s, wait_s))
            attempts += 1

    # --- events ----------------------------------------------------------------------------------

    def _told_as(self, word: str) -> str:
        return f"mqtt:{self._settings.prefix}:{word}"

    async def _publish(self, name: str, events: Sequence[Event]) -> None:
        content_type = wire.MSGPACK if self._settings.format == "msgpack" else wire.JSON
        word = word_of(name)
        for told, body in event_bodies(
            *(name, word, events, self._session.most_bytes), content_type=content_type, texts=self._settings.texts
        ):
            topic = self._subjects.of(EVENTS, word, told.kind)
            await self._until_taken(partial(self._session.publish, topic, body, content_type=content_type))

    # --- the status ------------------------------------------------------------------------------

    async def _note_now_and_then(self) -> None:
        while True:
            await self._note()
            await trio.sleep(NOTE_EVERY_S)

    async def _note(self) -> None:
        kept = Kept(status=self.status(), written_at=self._runtime.clock.now())
        await trio.to_thread.run_sync(note_kept, self._path, kept)


async def serve_mqtt(runtime: Runtime, *, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve a runtime's characters over MQTT until it is cancelled.

    Args:
        runtime: whose characters.
        on_ready: called once commands are taken.

    Raises:
        SettingsError: if the broker refuses this user, or the password can't be read.
    """
    await MqttBus(runtime).run(on_ready)
