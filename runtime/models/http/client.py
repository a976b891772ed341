"""Sends chats to one server and brings back what it says, within bounds of time, size, number and cost.

Owns the retries, the breaker, the slots and the budget of a provider. Knows no task but its name, and nothing of
what is said. A key goes into one header; neither it nor the words of a server's error go into any message.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import stamina
import trio
from msgspec import Struct

from .... import __version__
from ....protocols.errors import (
    DefectError,
    ModelBusyError,
    ModelError,
    ModelOutputError,
    ModelUnavailableError,
)
from ....protocols.ports import Clock
from ....protocols.prompt_tokens import estimated_tokens
from ....protocols.settings import ProviderSettings
from ..usage import HOUR_S, Spent, Usage
from .breaker import Breaker
from .wire import (
    Completion,
    Dialect,
    Message,
    body_of,
    dialect_of,
    error_code,
    read_completion,
    retry_after_s,
    simpler,
    unpacked,
)

ERROR_BYTES: Final = 16_384
"""Most of a server's error that is read (bytes); its code stands at the beginning."""

_AGAIN: Final = frozenset({408, 409, 429})
"""Statuses below 500 after which the same request may succeed."""

_NO_ENTRY: Final = {
    401: "refuses the key: check key_env or key_file",
    403: "refuses access: check the key and what it may use",
    404: "knows no such path or model: check base_url and the names of the models",
}
_TOO_MANY: Final = 429
_UNAVAILABLE: Final = 503


class _TransientError(Exception):
    """One request failed in a way that may pass."""

    def __init__(self, what: str, *, status: int | None = None, after_s: float | None = None) -> None:
        super().__init__(what)
        self.status = status
        self.after_s = after_s


class _RefusedError(Exception):
    """The server doesn't take the request as it is. The complaint is looked at, and never passed on."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class Asking(Struct, frozen=True, kw_only=True):
    """What is asked of a server: the task's name, the model, the schema of the answer, and its longest length."""

    task: str
    model: str
    schema: Mapping[str, Any]
    max_tokens: int


class ChatClient:
    """One provider.

    Args:
        name: what the settings call it.
        settings: how it is reached.
        key: what authorises, or an empty text.
        clock: the time.
        usage: the counts, for the budget.
    """

    def __init__(self, name: str, settings: ProviderSettings, key: str, clock: Clock, usage: Usage) -> None:
        self.name = name
        self.settings = settings
        self.breaker = Breaker(settings)
        self._clock = clock
        self._usage = usage
        self._slots = trio.Semaphore(settings.concurrency)
        self._reserved = 0
        self._dialects: dict[str, Dialect] = {}
        headers = {"User-Agent": f"omoide/{__version__}", "Accept-Encoding": "identity"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._http = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(settings.read_timeout_s, connect=settings.connect_timeout_s),
            limits=httpx.Limits(max_connections=settings.concurrency),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def complete(self, asking: Asking, messages: Sequence[Message], spent: Spent) -> Completion:
        """Return the answer to a chat. What it costs is added to `spent`, also where it fails.

        Raises:
            ModelBusyError: if the server or the budget asks to wait.
            ModelUnavailableError: if the server can't be reached, refuses the key, or is left alone.
            ModelOutputError: if what came back is no answer.
            ModelError: if the server failed otherwise.
        """
        expected = sum(estimated_tokens(message.content) for message in messages) + asking.max_tokens
        async with self._slot(), self._budget(expected):
            try:
                completion = await self._persistently(asking, messages, spent)
            except _TransientError as error:
                raise self._given_up(error) from error
        prompt = completion.prompt_tokens
        spent.prompt_tokens += (
            sum(estimated_tokens(message.content) for message in messages) if prompt is None else prompt
        )
        written = completion.completion_tokens
        spent.completion_tokens += estimated_tokens(completion.text) if written is None else written
        return completion

    # --- bounds ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        wait_s = self.settings.queue_timeout_s
        with trio.move_on_after(wait_s) as waiting:
            await self._slots.acquire()
        if waiting.cancelled_caught:
            raise ModelBusyError(
                f"all {self.settings.concurrency} connections to {self.name} were in use for {wait_s:g} s",
                self._clock.now() + wait_s,
            )
        try:
            yield
        finally:
            self._slots.release()

    @asynccontextmanager
    async def _budget(self, expected: int) -> AsyncIterator[None]:
        bound = self.settings.tokens_per_hour
        if bound is not None:
            now = self._clock.now()
            used = await self._usage.tokens_this_hour(self.name, now) + self._reserved
            # What is larger than the whole budget goes alone, or it would wait for ever.
            if used and used + expected > bound:
                raise ModelBusyError(
                    f"{used:,} of {bound:,} tokens an hour of {self.name} are used up or spoken for, and this "
                    f"needs up to {expected:,}: it waits for the next hour "
                    f"(models.providers.{self.name}.tokens_per_hour)",
                    (now // HOUR_S + 1) * HOUR_S,
                )
        self._reserved += expected
        try:
            yield
        finally:
            self._reserved -= expected

    # --- sending ---------------------------------------------------------------------------------

    async def _persistently(self, asking: Asking, messages: Sequence[Message], spent: Spent) -> Completion:
        settings = self.settings
        async for attempt in stamina.retry_context(
            on=self._pause,
            attempts=settings.attempts,
            timeout=None,
            wait_initial=settings.backoff_min_s,
            wait_max=settings.backoff_max_s,
            wait_jitter=settings.backoff_jitter_s,
        ):
            with attempt:
                return await self._in_some_dialect(asking, messages, spent)
        raise DefectError("retrying ended without an outcome")

    def _pause(self, error: Exception) -> bool | float:
        """Return whether to send again, and after how many seconds where the server says so."""
        if not isinstance(error, _TransientError):
            return False
        if error.after_s is None:
            return True
        if error.after_s > self.settings.backoff_max_s:
            return False
        return error.after_s + random.uniform(0, self.settings.backoff_jitter_s)  # noqa: S311 - no secret

    async def _in_some_dialect(self, asking: Asking, messages: Sequence[Message], spent: Spent) -> Completion:
        dialect: Dialect | None = self._dialects.get(asking.model) or dialect_of(self.settings.response_format)
        refusal: _RefusedError | None = None
        while dialect is not None:
            body = body_of(
                asking.model,
                messages,
                dialect,
                name=asking.task,
                schema=asking.schema,
                max_tokens=asking.max_tokens,
                extra=self.settings.extra_body,
            )
            try:
                answer = await self._send(body, spent)
            except _RefusedError as error:
                refusal = error
                dialect = simpler(dialect, error.body.decode("utf-8", "replace"))
            else:
                self._dialects[asking.model] = dialect
                return read_completion(answer)
        status, code = (refusal.status, error_code(refusal.body)) if refusal else (0, "")
        raise ModelError(f"{self.name} refused the request with status {status}{f' ({code})' if code else ''}")

    async def _send(self, body: bytes, spent: Spent) -> bytes:
        """Send one request and return the body of its answer."""
        if not self.breaker.admits(self._clock.now()):
            raise ModelUnavailableError(
                f"{self.name} failed {self.settings.breaker_failures} times in a row and is left alone for now",
                self.breaker.retry_at,
            )
        spent.requests += 1
        try:
            status, headers, answer = await self._post(body)
        except httpx.TransportError as error:
            self.breaker.failed(self._clock.now())
            raise _TransientError(_what(error)) from error
        except BaseException:  # a cancellation, or an answer out of bounds, tells nothing of the server's health
            self.breaker.released()
            raise
        now = self._clock.now()
        if status == httpx.codes.OK:
            self.breaker.succeeded()
            return answer
        if status in _NO_ENTRY:
            self.breaker.failed(now)
            raise ModelUnavailableError(
                f"{self.name} {_NO_ENTRY[status]} (status {status})",
                self.breaker.retry_at or now + self.settings.breaker_min_s,
            )
        if status in _AGAIN or httpx.codes.is_server_error(status):
            if status != _TOO_MANY:
                self.breaker.failed(now)
            raise _TransientError(
                f"status {status}", status=status, after_s=retry_after_s(headers.get("retry-after"), now)
            )
        self.breaker.succeeded()
        raise _RefusedError(status, answer)

    async def _post(self, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        headers = {"Content-Type": "application/json"}
        url = f"{self.settings.base_url}/chat/completions"
        async with self._http.stream("POST", url, content=body, headers=headers) as response:
            good = response.status_code == httpx.codes.OK
            most = self.settings.response_bytes if good else ERROR_BYTES
            received = await _first_bytes(response, most + 1)
            if good and len(received) > most:
                raise ModelOutputError(f"{self.name} answered more than {most:,} bytes")
            packing = response.headers.get("content-encoding") if good else None
            return response.status_code, response.headers, unpacked(received[:most], packing, most)

    def _given_up(self, error: _TransientError) -> ModelError:
        """Return the error that a task ends with after the last attempt."""
        now, times = self._clock.now(), self.settings.attempts
        later = now + (self.settings.breaker_min_s if error.after_s is None else error.after_s)
        if error.status == _TOO_MANY or (error.status == _UNAVAILABLE and error.after_s is not None):
            return ModelBusyError(f"{self.name} asks to wait for {later - now:,.0f} s ({error})", later)
        if error.status is None and isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout):
            return ModelUnavailableError(
                f"{self.name} can't be reached at {self.settings.base_url} ({error}): is it running?",
                self.breaker.retry_at or later,
            )
        return ModelError(f"{self.name} gave no answer in {times} attempts ({error})")


async def _first_bytes(response: httpx.Response, most: int) -> bytes:
    """Return at most so many bytes of a body, as they came over the wire, and leave the rest unread.

    Raw, since a few packed bytes can be made to unpack into as many as there is memory.
    """
    received = bytearray()
    enough = False
    try:
        async for chunk in response.aiter_raw():
            received += chunk[: most - len(received)]
            if len(received) == most and not enough:
                enough = True
                # Leaving the loop would leave the generators under it to the garbage collector. So the connection
                # is closed below them, and the loop ends by itself.
                await response.aclose()
    except httpx.TransportError:
        if not enough:
            raise
    return bytes(received)


def _what(error: httpx.TransportError) -> str:
    """Return what a failed transport is called, without anything of the request."""
    match error:
        case httpx.ConnectTimeout():
            return "no connection in time"
        case httpx.ConnectError():
            return "connection refused or host unknown"
        case httpx.TimeoutException():
            return "silence"
        case httpx.RemoteProtocolError():
            return "the answer broke off"
        case _:
            return type(error).__name__
