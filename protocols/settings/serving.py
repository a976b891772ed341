"""What is refused at the door, how characters live in memory, and where the server listens."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from .section import Section


class LimitSettings(Section):
    """What is refused at the door."""

    text_chars: int = Field(default=65_536, ge=1, description="Longest utterance, in characters.")
    query_chars: int = Field(default=8_192, ge=1, description="Longest recall query, in characters.")
    name_chars: int = Field(default=256, ge=1, le=1024, description="Longest character name, in characters.")
    recall_limit: int = Field(default=100, ge=1, description="Most hits that one recall may ask for.")


class ActorSettings(Section):
    """How characters live in memory."""

    mailbox_size: int = Field(default=1_000, ge=1, description="Messages that wait for one role.")
    reply_timeout_s: float = Field(default=30.0, gt=0, description="Longest wait for an answer, in seconds.")
    passivate_after_s: float = Field(
        default=600.0,
        gt=0,
        description="Idle time after which a character leaves memory, in seconds.",
    )
    shutdown_s: float = Field(default=5.0, gt=0, description="Time a role gets to stop in order, in seconds.")


class ServerSettings(Section):
    """Where the HTTP server listens, who may call, and what a request may cost."""

    host: str = Field(default="127.0.0.1", description="Address to listen at; another than loopback needs tokens.")
    port: int = Field(default=7077, ge=0, le=65_535, description="Port to listen at; 0 takes a free one.")
    tokens_file: Path | None = Field(
        default=None, description="TOML file with the tokens; without one, this machine's programs may do all."
    )
    neko: bool = Field(
        default=False, description="Serve the routes that N.E.K.O.'s application calls of its memory server, too."
    )
    body_bytes: int = Field(default=1_048_576, ge=1, description="Longest body of a request, in bytes.")
    import_bytes: int = Field(
        default=1_073_741_824, ge=1, description="Longest body of an import over HTTP, in bytes."
    )
    request_timeout_s: float = Field(default=60.0, gt=0, description="Longest time for one request, in seconds.")
    idle_s: float = Field(
        default=30.0,
        ge=1,
        description="Silence after which a client that has something to send is hung up on, in seconds.",
    )
    shutdown_s: float = Field(
        default=5.0, ge=0, description="Time that requests under way get when the server stops, in seconds."
    )
