"""Settings of the language models: which one thinks for whom, how it is reached, and what it may cost.

A key is no setting: settings are shown, stored and logged, so that they name only where a key is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

OFFLINE: Final = "offline"
"""Name of the engine that needs no provider."""


class ProviderSettings(BaseModel):
    """One server that speaks OpenAI's chat completions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = Field(description="Address up to and with the version, such as `http://127.0.0.1:11434/v1`.")
    fast: str = Field(min_length=1, description="Model of the fast tier: extraction, signals, feedback, memos.")
    strong: str = Field(default="", description="Model of the strong tier; empty is the fast one.")
    key_env: str = Field(default="", description="Environment variable that holds the key; empty is none.")
    key_file: Path | None = Field(default=None, description="File whose first line is the key.")
    response_format: Literal["auto", "json_schema", "json_object", "none"] = Field(
        default="auto",
        description="How JSON is asked for; auto begins with the schema and asks for less where it is refused.",
    )
    extra_body: dict[str, Any] = Field(
        default={}, description="Further fields of every request, such as `reasoning_effort`."
    )
    connect_timeout_s: float = Field(default=5.0, gt=0, description="Longest wait for a connection, in seconds.")
    read_timeout_s: float = Field(
        default=60.0, gt=0, description="Longest silence of a server that is answering, in seconds."
    )
    task_timeout_s: float | None = Field(
        default=None,
        gt=0,
        description="Longest time for one task, retries included, in seconds; None is each task's own, 8 to 100.",
    )
    attempts: int = Field(default=3, ge=1, description="Times that one request is sent (baseline: 3).")
    backoff_min_s: float = Field(default=0.5, gt=0, description="Wait before the second time, in seconds.")
    backoff_max_s: float = Field(
        default=8.0,
        gt=0,
        description="Longest wait in place, in seconds; for a longer one the work goes back to the outbox.",
    )
    backoff_jitter_s: float = Field(default=0.5, ge=0, description="Most that chance adds to a wait, in seconds.")
    breaker_failures: int = Field(
        default=5, ge=1, description="Failures in a row after which the server is left alone."
    )
    breaker_min_s: float = Field(default=30.0, gt=0, description="For how long at first, in seconds.")
    breaker_max_s: float = Field(
        default=600.0, gt=0, description="For how long at most, in seconds; it doubles each time."
    )
    concurrency: int = Field(default=4, ge=1, description="Requests at a time.")
    queue_timeout_s: float = Field(
        default=15.0,
        gt=0,
        description="Longest wait for one of these, in seconds; then the work goes back to the outbox.",
    )
    tokens_per_hour: int | None = Field(
        default=None, gt=0, description="Tokens that may be used in one hour of the clock; None is no bound."
    )
    response_bytes: int = Field(default=2_097_152, ge=1_024, description="Longest answer, in bytes.")

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("must begin with http:// or https:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user, password, query or fragment: name the key by key_env or key_file")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        if self.key_env and self.key_file is not None:
            raise ValueError("has both key_env and key_file: keep one")
        if self.backoff_min_s > self.backoff_max_s or self.breaker_min_s > self.breaker_max_s:
            raise ValueError("has a smallest wait above the largest")
        return self


class ModelSettings(BaseModel):
    """Which mind thinks for whom, and what happens when it is gone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    use: str = Field(default=OFFLINE, description="A name of `models.providers`, or offline for the rules alone.")
    characters: dict[str, str] = Field(
        default={}, description="Characters that use another one, by the character's name."
    )
    when_gone: Literal["wait", "offline"] = Field(
        default="wait",
        description="Where the provider is unreachable, or never answers what it is asked: the work waits in the "
        "outbox, or the offline engine does it.",
    )
    providers: dict[str, ProviderSettings] = Field(
        default={}, description="Servers by a name of your choice; each has the settings below."
    )
    usage_d: int = Field(default=31, ge=1, description="Days for which use is kept by the hour.")

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        for name in (self.use, *self.characters.values()):
            if name != OFFLINE and name not in self.providers:
                known = ", ".join((OFFLINE, *self.providers))
                raise ValueError(f"names the provider {name!r}, and known are {known}")
        if OFFLINE in self.providers:
            raise ValueError(f"calls a provider {OFFLINE!r}, which is the engine's name: choose another one")
        return self
