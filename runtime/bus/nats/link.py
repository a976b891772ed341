"""The connection to a NATS server, its streams, and publishing. Runs in the asyncio loop of the bridge.

Knows NATS; must not know what a message says.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from nats import errors
from nats.aio.client import Client
from nats.js import JetStreamContext, api
from nats.js import errors as stream_errors

from ....protocols.errors import BusUnavailableError, SettingsError
from ....protocols.settings import BusSettings
from ..names import COMMANDS, DEAD, EVENTS, Subjects

logger = logging.getLogger(__name__)

DUPLICATES_S: Final = 120.0
"""Time for which a stream knows the ids of its messages, in seconds (the server's default)."""

RECONNECT_S: Final = 0.25
"""Time between two tries to reach the server, in seconds."""

_NO_ANSWER: Final = (errors.Error, asyncio.TimeoutError, OSError)
"""What the client raises where a server is gone, slow or restarting."""


@dataclass(frozen=True, slots=True)
class StreamState:
    """What the server says of the stream of commands: what it is, and its first and last seq."""

    stream: str
    first: int
    last: int


@dataclass(slots=True)
class Outgoing:
    """One message to be published into a stream. `id` makes it one, however often it is sent."""

    subject: str
    body: bytes
    id: str
    headers: dict[str, str] = field(default_factory=dict)


class Link:
    """One connection, which is kept up by itself.

    Args:
        settings: where the server is and how subjects begin.
        on_change: called whenever the connection is lost or back.
    """

    def __init__(self, settings: BusSettings, on_change: Callable[[], None]) -> None:
        self.subjects = Subjects(settings.prefix)
        self.reconnects = 0
        self.last_error = ""
        self._settings = settings
        self._on_change = on_change
        self._client = Client()
        self._refused = self._was_there = False
        upper = settings.prefix.upper()
        self.commands, self.events, self.dead = f"{upper}_CMD", f"{upper}_EVT", f"{upper}_DEAD"

    @property
    def client(self) -> Client:
        """The client of the library."""
        return self._client

    @property
    def streams(self) -> JetStreamContext:
        """The server's streams."""
        return self._client.jetstream(timeout=self._settings.nats.timeout_s)

    @property
    def most_bytes(self) -> int:
        """Longest message that the server takes, in bytes: headers and body."""
        return self._client.max_payload

    @property
    def is_connected(self) -> bool:
        """Whether the server can be reached, as far as is known."""
        return self._client.is_connected

    async def connect(self) -> None:
        """Connect once; from then on the connection comes back by itself.

        Raises:
            SettingsError: if the server doesn't let this user in, or the credentials can't be read.
            BusUnavailableError: if it can't be reached.
        """
        settings = self._settings.nats
        credentials = settings.credentials_file
        if credentials is not None and not credentials.is_file():
            raise SettingsError(
                f"bus.nats.credentials_file {credentials} is no file: name the one that `nsc` made"
            )
        try:
            await self._client.connect(
                servers=[one.strip() for one in settings.url.split(",")],
                name="omoide",
                user_credentials=None if credentials is None else str(credentials),
                connect_timeout=max(1, round(settings.timeout_s)),
                max_reconnect_attempts=1,  # else it would try for ever with a password that is wrong
                reconnect_time_wait=RECONNECT_S,  # type: ignore[arg-type] # seconds, and fractions work
                allow_reconnect=True,
                ping_interval=10,
                max_outstanding_pings=2,
                error_cb=self._failed,
                disconnected_cb=self._changed,
                reconnected_cb=self._came_back,
            )
        except _NO_ANSWER as error:
            self._client = Client()
            if self._refused:
                raise SettingsError(
                    f"the NATS server at {shown(settings.url)} doesn't let this user in: check bus.nats.url and "
                    "bus.nats.credentials_file"
                ) from error
            raise BusUnavailableError(f"no NATS server answers at {shown(settings.url)} ({error})") from error
        self._client.options["max_reconnect_attempts"] = -1
        self._was_there = True

    async def close(self) -> None:
        """Send what is left and close the connection."""
        if not self._was_there:
            return
        try:
            if self._client.is_connected:
                await asyncio.wait_for(self._client.flush(), 1)
            await self._client.close()
        except _NO_ANSWER as error:
            logger.info("bus.closed_unflushed", extra={"error": type(error).__name__})

    async def make_streams(self) -> StreamState:
        """Make the streams that aren't there, and return the state of the one with the commands.

        Raises:
            BusUnavailableError: if the server doesn't answer.
            SettingsError: if a stream can't be made; the message says why.
        """
        keep = self._settings.nats
        for name, kind, age_s in (
            (self.commands, COMMANDS, keep.keep_commands_s),
            (self.events, EVENTS, keep.keep_events_s),
            (self.dead, DEAD, keep.keep_events_s),
        ):
            await self._make_stream(name, self.subjects.all_of(kind), age_s)
        return await self.state()

    async def _make_stream(self, name: str, subject: str, age_s: float) -> None:
        try:
            await self.streams.stream_info(name)
        except stream_errors.NotFoundError:
            await self._add_stream(name, subject, age_s)
        except _NO_ANSWER as error:
            raise BusUnavailableError(f"the NATS server doesn't tell of its stream {name} ({error})") from error

    async def _add_stream(self, name: str, subject: str, age_s: float) -> None:
        config = api.StreamConfig(
            name=name,
            subjects=[subject],
            storage=api.StorageType.FILE,
            max_age=age_s,
            duplicate_window=min(DUPLICATES_S, age_s),
        )
        try:
            await self.streams.add_stream(config)
        except stream_errors.ServiceUnavailableError as error:
            raise BusUnavailableError(
                f"the NATS server keeps no streams: start it with JetStream ({error})"
            ) from error
        except stream_errors.ServerError as error:  # as while a stream of that name is being deleted
            raise BusUnavailableError(
                f"the NATS server makes no stream {name} just now ({error.description})"
            ) from error
        except stream_errors.APIError as error:
            raise SettingsError(
                f"the NATS server makes no stream {name} for {subject}: {error.description}. Make it yourself, "
                "or give this user the right to"
            ) from error
        except _NO_ANSWER as error:
            raise BusUnavailableError(f"the NATS server makes no stream {name} ({error})") from error

    async def state(self) -> StreamState:
        """Return the state of the stream of commands.

        Raises:
            BusUnavailableError: if the server doesn't answer, or the stream is gone.
        """
        try:
            info = await self.streams.stream_info(self.commands)
        except _NO_ANSWER as error:
            raise BusUnavailableError(f"the NATS server doesn't tell of {self.commands} ({error})") from error
        made = 0 if info.created is None else microseconds(info.created)
        return StreamState(f"{self.commands}:{made}", info.state.first_seq, info.state.last_seq)

    async def time_of(self, seq: int) -> int | None:
        """Return when the stream of commands got a message, in microseconds since the epoch; None if it's gone."""
        try:
            message = await self.streams.get_msg(self.commands, seq=seq)
        except stream_errors.NotFoundError:
            return None
        except _NO_ANSWER as error:
            raise BusUnavailableError(f"the NATS server doesn't tell of {self.commands} ({error})") from error
        return None if message.time is None else microseconds(message.time)

    async def next_of(self, word: str, seq: int) -> api.RawStreamMsg | None:
        """Return the first command of a character at or after a seq; None where the stream has none.

        Raises:
            BusUnavailableError: if the server doesn't answer.
        """
        subject = self.subjects.of(COMMANDS, word, ">")
        try:
            return await self.streams.get_msg(self.commands, seq=seq, subject=subject, next=True)
        except stream_errors.NotFoundError:
            return None
        except _NO_ANSWER as error:
            raise BusUnavailableError(f"the NATS server doesn't tell of {self.commands} ({error})") from error

    async def publish(self, message: Outgoing) -> None:
        """Publish one message into its stream, and return once the server has it.

        Raises:
            BusUnavailableError: if it doesn't say so; it may have it all the same.
        """
        try:
            await self.streams.publish(
                message.subject, message.body, headers={**message.headers, api.Header.MSG_ID: message.id}
            )
        except _NO_ANSWER as error:
            self.last_error = f"{type(error).__name__}"
            raise BusUnavailableError(
                f"the NATS server doesn't acknowledge what is published to {message.subject.split('.')[1]} "
                f"({type(error).__name__})"
            ) from error

    async def tell(self, subject: str, body: bytes, content_type: str) -> None:
        """Send an answer to whoever waits for it; one that can't be sent is lost, and the question comes again."""
        try:
            await self._client.publish(subject, body, headers={"Content-Type": content_type})
        except _NO_ANSWER as error:
            logger.info("bus.answer_lost", extra={"error": type(error).__name__})

    async def _failed(self, error: Exception) -> None:
        self.last_error = type(error).__name__
        self._refused = self._refused or "authorization" in str(error).lower()
        logger.info("bus.connection_error", extra={"error": type(error).__name__})

    async def _changed(self) -> None:
        self._on_change()

    async def _came_back(self) -> None:
        self.reconnects += 1
        logger.info("bus.reconnected", extra={"reconnects": self.reconnects})
        self._on_change()


def microseconds(at: datetime) -> int:
    """Return a time in microseconds since the epoch."""
    return (at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


def shown(url: str) -> str:
    """Return a server's address without what is secret in it."""
    parts = [urlsplit(one.strip()) for one in url.split(",")]
    return ",".join(part._replace(netloc=part.netloc.rpartition("@")[2]).geturl() for part in parts)
