"""Message buses: what is taken from them, what is told to them, and where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from .section import Section


class NatsSettings(Section):
    """The NATS server, and how long its streams keep what is in them where Omoide makes them."""

    url: str = Field(
        default="nats://127.0.0.1:4222",
        description="The server, or several with commas between; tls:// for TLS. May name user and password.",
    )
    credentials_file: Path | None = Field(
        default=None, description="File with a user's JWT and seed, as `nsc` makes it."
    )
    keep_commands_s: float = Field(
        default=604_800.0, gt=0, description="Time that commands stay in their stream, in seconds."
    )
    keep_events_s: float = Field(
        default=2_592_000.0, gt=0, description="Time that events and dead letters stay in theirs, in seconds."
    )
    timeout_s: float = Field(default=5.0, gt=0, description="Longest wait for the server's answer, in seconds.")


class MqttSettings(Section):
    """The MQTT broker, and this program's session with it."""

    host: str = Field(default="127.0.0.1", description="Name or address of the broker.")
    port: int = Field(default=1883, ge=1, le=65_535, description="Its port.")
    user: str = Field(default="", description="User name; empty connects without one.")
    password_file: Path | None = Field(default=None, description="File with the password on its first line.")
    ca_file: Path | None = Field(
        default=None, description="Certificates that the broker's is checked with; set it to connect by TLS."
    )
    client_id: str = Field(
        default="omoide", min_length=1, description="Name of the session; two programs may not share one."
    )
    session_s: int = Field(
        default=604_800, ge=0, description="Time that the broker keeps messages for an absent Omoide, in seconds."
    )
    timeout_s: float = Field(default=5.0, gt=0, description="Longest wait for the broker's answer, in seconds.")


class BusSettings(Section):
    """What goes over message buses, whichever it is."""

    prefix: str = Field(
        default="omoide",
        pattern=r"^[A-Za-z0-9_-]+$",
        description="First word of every subject or topic; two installations on one server need two.",
    )
    in_flight: int = Field(
        default=256, ge=1, description="Commands that are taken from the bus and not applied yet, at most."
    )
    asks: int = Field(default=64, ge=1, description="Questions that are answered at once; more are told to wait.")
    body_bytes: int = Field(default=524_288, ge=1, description="Longest body of a command, in bytes.")
    attempts: int = Field(
        default=5, ge=1, description="Crashes at one command after which it becomes a dead letter."
    )
    backoff_min_s: float = Field(default=0.1, gt=0, description="First wait after a failure, in seconds.")
    backoff_max_s: float = Field(default=10.0, gt=0, description="Longest wait between two tries, in seconds.")
    texts: bool = Field(
        default=False,
        description="Whether published events carry their records, with what people said; erasing doesn't reach "
        "what was published.",
    )
    format: Literal["json", "msgpack"] = Field(default="json", description="How published events are written.")
    nats: NatsSettings = NatsSettings()
    mqtt: MqttSettings = MqttSettings()
