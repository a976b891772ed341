"""The session with an MQTT broker: connecting, taking messages, and acknowledging them once they are done.

The client library runs in a thread of its own; what it tells is handed to Trio's thread before anything else.
Knows MQTT; must not know what a message says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import paho.mqtt.client as paho
import trio
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from ....protocols.errors import SettingsError
from ....protocols.settings import BusSettings

logger = logging.getLogger(__name__)

AT_LEAST_ONCE: Final = 1
"""The quality of service of everything here but answers."""

MOST_BYTES: Final = 268_435_455
"""Longest message that the protocol knows, in bytes (MQTT 5, 1.5.5). A broker may take shorter ones alone."""

_REFUSED: Final = frozenset(
    {"Not authorized", "Bad user name or password", "Banned", "Client identifier not valid"}
)
"""Reasons to refuse a connection for which trying again is no use."""


class Arrived(NamedTuple):
    """One message. `connection` counts connections: an older one's message can't be acknowledged any more.

    `again` says that the broker has sent it before, over an earlier connection.
    """

    topic: str
    body: bytes
    content_type: str
    answer_to: str
    correlation: bytes
    mid: int
    qos: int
    connection: int
    again: bool


def _properties(packet: int) -> Properties:
    return Properties(packet)  # type: ignore[no-untyped-call] # the library's only class without types


class Session:
    """One session, which is kept up by itself and outlives connections.

    Args:
        settings: where the broker is, and as whom to connect.
        topics: what to take.
        status: topic of the retained status.
        states: the status while connected, and the one that the broker tells when the connection is lost.
        on_message: called on Trio's thread with each message.
        on_lost: called on Trio's thread when a connection has ended.
    """

    def __init__(
        self,
        settings: BusSettings,
        topics: tuple[str, ...],
        status: str,
        states: tuple[bytes, bytes],
        on_message: Callable[[Arrived], None],
        on_lost: Callable[[], None],
    ) -> None:
        self.is_connected = False
        self.connections = 0
        self.last_error = ""
        self.refused = ""
        self.changed = trio.Event()
        self.most_bytes = MOST_BYTES
        self._settings = settings.mqtt
        self._topics = topics
        self._status = status
        self._online, self._offline = states
        self._on_message = on_message
        self._on_lost = on_lost
        self._token = trio.lowlevel.current_trio_token()
        self._waiting: dict[int, tuple[trio.Event, list[str]]] = {}
        self._connection = 0
        self._properties = _properties(PacketTypes.CONNECT)
        self._properties.SessionExpiryInterval = self._settings.session_s
        self._properties.ReceiveMaximum = min(settings.in_flight, 65_535)
        self._client = self._made()

    def _made(self) -> paho.Client:
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._settings.client_id,
            protocol=paho.MQTTv5,
            manual_ack=True,
        )
        if self._settings.user:
            client.username_pw_set(self._settings.user, self._password())
        if self._settings.ca_file is not None:
            client.tls_set(ca_certs=str(self._settings.ca_file))
        client.will_set(self._status, self._offline, qos=AT_LEAST_ONCE, retain=True)
        client.reconnect_delay_set(1, 10)
        client.on_connect = self._connected
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_message = self._arrived
        client.on_publish = self._published
        return client

    def _password(self) -> str | None:
        path = self._settings.password_file
        if path is None:
            return None
        try:
            return path.read_text(encoding="utf-8").split("\n", 1)[0]
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"bus.mqtt.password_file {path} can't be read ({error})") from error

    def start(self) -> None:
        """Connect, and keep connecting."""
        self._client.connect_async(
            self._settings.host,
            self._settings.port,
            keepalive=30,
            clean_start=False,
            properties=self._properties,
        )
        self._client.loop_start()

    async def stop(self) -> None:
        """Say that nobody is there any more, and end the connection; the broker keeps what comes."""
        if self.is_connected:
            with trio.move_on_after(self._settings.timeout_s):
                await self.publish(self._status, self._offline, retain=True)
        self._client.disconnect()
        await trio.to_thread.run_sync(self._client.loop_stop)

    async def publish(
        self,
        topic: str,
        body: bytes,
        *,
        content_type: str = "",
        retain: bool = False,
        more: Mapping[str, str] | None = None,
    ) -> str:
        """Publish one message, and return once the broker has it: an empty text, or why it refused it.

        Where it isn't there, that is when it is back.
        """
        properties = _properties(PacketTypes.PUBLISH)
        if content_type:
            properties.ContentType = content_type
        if more:
            properties.UserProperty = list(more.items())
        sent = self._client.publish(topic, body, qos=AT_LEAST_ONCE, retain=retain, properties=properties)
        done, refusal = self._waiting[sent.mid] = trio.Event(), []
        try:
            await done.wait()
        finally:
            self._waiting.pop(sent.mid, None)
        return "".join(refusal)

    def answer(self, topic: str, body: bytes, content_type: str, correlation: bytes) -> None:
        """Send an answer to whoever waits for it; one that is lost is asked for again."""
        properties = _properties(PacketTypes.PUBLISH)
        properties.ContentType = content_type
        if correlation:
            properties.CorrelationData = correlation
        # What the broker sends again may come before it has said what we are subscribed to.
        if self._client.is_connected():
            self._client.publish(topic, body, properties=properties)

    def acknowledge(self, message: Arrived) -> None:
        """Let the broker forget a message; it sends every other one again at the next connection."""
        if message.connection == self._connection:
            self._client.ack(message.mid, message.qos)

    # --- on the library's thread -----------------------------------------------------------------

    def _tell(self, function: Callable[..., None], *args: object) -> None:
        try:
            self._token.run_sync_soon(function, *args)
        except trio.RunFinishedError:
            return  # nobody is there to be told

    def _connected(self, client: paho.Client, _: Any, __: Any, reason: ReasonCode, told: Any) -> None:  # noqa: ANN401 - the library's
        if reason.is_failure:
            self._tell(self._note_refusal, str(reason))
            return
        self.most_bytes = getattr(told, "MaximumPacketSize", MOST_BYTES)
        options = SubscribeOptions(qos=AT_LEAST_ONCE, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
        client.subscribe([(topic, options) for topic in self._topics])
        self._connection += 1

    def _subscribed(self, client: paho.Client, _: Any, __: Any, reasons: list[ReasonCode], ___: Any) -> None:  # noqa: ANN401 - the library's
        """Only now nothing that is sent goes past us."""
        if refused := [str(reason) for reason in reasons if reason.is_failure]:
            self._tell(self._note_refusal, refused[0])
            return
        client.publish(self._status, self._online, qos=AT_LEAST_ONCE, retain=True)
        self._tell(self._note_connection, True)

    def _disconnected(self, _: Any, __: Any, ___: Any, reason: ReasonCode, ____: Any) -> None:  # noqa: ANN401 - the library's
        if reason.is_failure:
            self.last_error = str(reason)
        self._tell(self._note_connection, False)

    def _arrived(self, _: Any, __: Any, message: paho.MQTTMessage) -> None:  # noqa: ANN401 - the library's
        told = message.properties
        arrived = Arrived(
            topic=message.topic,
            body=bytes(message.payload),
            content_type=getattr(told, "ContentType", ""),
            answer_to=getattr(told, "ResponseTopic", ""),
            correlation=getattr(told, "CorrelationData", b""),
            mid=message.mid,
            qos=message.qos,
            connection=self._connection,
            again=message.dup,
        )
        self._tell(self._on_message, arrived)

    def _published(self, _: Any, __: Any, mid: int, reason: ReasonCode, ___: Any) -> None:  # noqa: ANN401 - the library's
        self._tell(self._note_published, mid, str(reason) if reason.is_failure else "")

    # --- on Trio's thread ------------------------------------------------------------------------

    def _note_refusal(self, reason: str) -> None:
        self.last_error = reason
        if reason in _REFUSED and not self.connections:
            self.refused = reason
        logger.warning("bus.connection_refused", extra={"reason": reason})
        self._change()

    def _note_connection(self, connected: bool) -> None:  # noqa: FBT001 - handed over between threads
        was_connected, self.is_connected = self.is_connected, connected
        self.connections += connected
        if was_connected:
            self._on_lost()
        logger.info("bus.connected" if connected else "bus.disconnected")
        self._change()

    def _note_published(self, mid: int, refusal: str) -> None:
        waiting = self._waiting.get(mid)
        if waiting is not None:
            waiting[1].append(refusal)
            waiting[0].set()

    def _change(self) -> None:
        self.changed.set()
        self.changed = trio.Event()
