"""The bodies of OpenAI's chat completions, as they go out and as they come back. Pure.

Servers differ in what they take. What one refused is left out from then on: the schema of the answer, the word
for its length, the temperature. Reference: https://platform.openai.com/docs/api-reference/chat/create.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ....protocols.errors import ModelOutputError

LONGEST_RETRY_AFTER_S: Final = 86_400.0
"""Longest `Retry-After` that is honoured, in seconds: a day, after which a quota of the strictest kind is new."""

_WINDOW_BITS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""zlib's `wbits` by the name of a packing (RFC 1952; 47 finds the header by itself)."""

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")


class ResponseFormat(StrEnum):
    """How JSON is asked for, from the strictest on."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    NONE = "none"


_WEAKER: Final = {
    ResponseFormat.JSON_SCHEMA: ResponseFormat.JSON_OBJECT,
    ResponseFormat.JSON_OBJECT: ResponseFormat.NONE,
}


class Message(Struct, frozen=True):
    """One message of a chat."""

    role: str
    content: str


class Dialect(Struct, frozen=True, kw_only=True):
    """What a server takes. `may_weaken` is false where the settings fix the response format."""

    response_format: ResponseFormat
    may_weaken: bool
    length_word: str = "max_tokens"
    temperature: bool = True


class Completion(Struct, frozen=True, kw_only=True):
    """What came back. Tokens are None where the server doesn't count them."""

    text: str
    cut_off: bool
    prompt_tokens: int | None
    completion_tokens: int | None


def dialect_of(response_format: str) -> Dialect:
    """Return the dialect that the setting `response_format` begins with."""
    if response_format == "auto":
        return Dialect(response_format=ResponseFormat.JSON_SCHEMA, may_weaken=True)
    return Dialect(response_format=ResponseFormat(response_format), may_weaken=False)


def simpler(dialect: Dialect, complaint: str) -> Dialect | None:
    """Return what to try after a server refused a request, or None where nothing is left to leave out.

    Args:
        dialect: what was tried.
        complaint: the body of the refusal; only looked at for the names of fields.
    """
    if "max_completion_tokens" in complaint and dialect.length_word == "max_tokens":
        return replace(dialect, length_word="max_completion_tokens")
    if "temperature" in complaint and dialect.temperature:
        return replace(dialect, temperature=False)
    weaker = _WEAKER.get(dialect.response_format) if dialect.may_weaken else None
    return None if weaker is None else replace(dialect, response_format=weaker)


def body_of(
    model: str,
    messages: Sequence[Message],
    dialect: Dialect,
    *,
    name: str,
    schema: Mapping[str, Any],
    max_tokens: int,
    extra: Mapping[str, Any],
) -> bytes:
    """Return the body of a request, as ASCII JSON.

    Args:
        model: the server's name of the model.
        messages: the chat so far.
        dialect: what the server takes.
        name: of the schema.
        schema: of the answer.
        max_tokens: longest answer.
        extra: further fields; they win over ours.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        dialect.length_word: max_tokens,
        "stream": False,
    }
    if dialect.temperature:
        body["temperature"] = 0
    match dialect.response_format:
        case ResponseFormat.JSON_SCHEMA:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "strict": True, "schema": dict(schema)},
            }
        case ResponseFormat.JSON_OBJECT:
            body["response_format"] = {"type": "json_object"}
        case ResponseFormat.NONE:
            pass
    return json.dumps({**body, **extra}).encode("ascii")


def read_completion(body: bytes) -> Completion:
    """Return what a server answered.

    Raises:
        ModelOutputError: if it is no chat completion, is empty, or refuses. The message quotes nothing of it.
    """
    try:
        answer = _streamed(body) if body.lstrip().startswith(b"data:") else json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        finish = choice.get("finish_reason")
        text = _text(message.get("content")) or _called(message.get("tool_calls"))
        refusal = message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelOutputError(f"the server's answer of {len(body):,} bytes is no chat completion") from error
    if refusal or finish == "content_filter":
        raise ModelOutputError("the model refused to answer")
    if not text.strip():
        raise ModelOutputError("the model answered nothing")
    usage = answer.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    return Completion(
        text=text,
        cut_off=finish == "length",
        prompt_tokens=_count(counted.get("prompt_tokens")),
        completion_tokens=_count(counted.get("completion_tokens")),
    )


def unpacked(body: bytes, encoding: str | None, most: int) -> bytes:
    """Return a body as it was before it was packed, though nobody asked for that.

    Args:
        body: as it came.
        encoding: the header `Content-Encoding`, None where there was none.
        most: longest body, in bytes; a few packed ones can be made to unpack into as many as there is memory.

    Raises:
        ModelOutputError: if it is packed in a way that isn't known, is damaged, or is longer than that.
    """
    if encoding is None or encoding.strip().lower() in {"", "identity"}:
        return body
    if encoding.strip().lower() not in _WINDOW_BITS:
        raise ModelOutputError(f"the server packed its answer as {encoding[:40]!r}, which nobody asked for")
    unpacking = zlib.decompressobj(_WINDOW_BITS[encoding.strip().lower()])
    try:
        plain = unpacking.decompress(body, most + 1)
    except zlib.error as error:
        raise ModelOutputError("the server's packed answer is damaged") from error
    if len(plain) > most:
        raise ModelOutputError(f"the server's answer unpacks to more than {most:,} bytes")
    return plain


def error_code(body: bytes) -> str:
    """Return the code or type of a server's error, as far as it is a plain word; never its message.

    A message may repeat what people said, or a part of the key.
    """
    try:
        error = json.loads(body)["error"]
        words = [error.get("code"), error.get("type")] if isinstance(error, dict) else []
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return next((word for word in words if isinstance(word, str) and _CODE.fullmatch(word)), "")


def retry_after_s(value: str | None, now: float) -> float | None:
    """Return the seconds of a `Retry-After` header, given in seconds or as a date (RFC 9110, 10.2.3), or None."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", value.strip(), re.ASCII):
        seconds = float(value)
    else:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)


def _text(content: object) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _streamed(body: bytes) -> dict[str, Any]:
    """Return what a stream of events says as one answer: some servers stream though they are asked not to."""
    text, finish, usage = "", None, None
    for line in body.decode("utf-8").splitlines():
        name, _, data = line.partition(":")
        if name.strip() != "data" or data.strip() == "[DONE]":
            continue
        event = json.loads(data)
        usage = event.get("usage") or usage
        for choice in event["choices"][:1]:
            finish = choice.get("finish_reason") or finish
            text += _text(choice.get("delta", {}).get("content"))
    # A stream that never says that it ended broke off.
    choice = {"message": {"content": text}, "finish_reason": finish or "length"}
    return {"choices": [choice], "usage": usage}


def _called(calls: object) -> str:
    """Return the arguments of the tool that a model called instead of answering, as text."""
    for call in calls if isinstance(calls, list) else ():
        arguments = call["function"]["arguments"]
        return arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
