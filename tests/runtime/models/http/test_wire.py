"""Bodies go out as the server takes them, and come back as text or as an error that quotes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import ModelOutputError
from omoide.runtime.models.http.wire import (
    Dialect,
    Message,
    body_of,
    dialect_of,
    error_code,
    read_completion,
    retry_after_s,
    simpler,
)

NOW = 1_772_442_000.0


def body(dialect: Dialect, text: str = "hi", **extra: Any) -> dict[str, Any]:
    sent = body_of("m", [Message("user", text)], dialect, name="extract", schema={}, max_tokens=9, extra=extra)
    read: dict[str, Any] = json.loads(sent)
    return read


def test_a_lone_surrogate_can_be_sent() -> None:
    assert body(dialect_of("auto"), "half \ud83d face")["messages"][0]["content"] == "half \ud83d face"


def test_further_fields_win() -> None:
    assert body(dialect_of("auto"), temperature=0.6)["temperature"] == 0.6


@pytest.mark.parametrize("fixed", ["json_schema", "json_object", "none"])
def test_a_response_format_that_the_settings_fix_is_not_weakened(fixed: str) -> None:
    assert simpler(dialect_of(fixed), "no") is None


def test_weakening_ends() -> None:
    dialect: Dialect | None = dialect_of("auto")
    steps = 0
    while dialect is not None:
        dialect = simpler(dialect, "max_completion_tokens temperature")
        steps += 1
    assert steps == 5


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        (" 1.5 ", 1.5),
        ("-1", None),
        ("soon", None),
        ("", None),
        ("Mon, 02 Mar 2026 09:00:30 GMT", 30.0),
        ("Mon, 02 Mar 2020 09:00:30 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0),
        ("999999999", 86_400.0),
        ("٣", None),
    ],
)
def test_a_time_to_wait_is_read_in_seconds_or_as_a_date_and_is_a_day_at_most(
    value: str | None, seconds: float | None
) -> None:
    assert retry_after_s(value, NOW) == seconds


@given(st.text())
def test_any_time_to_wait_is_read_or_passed_over(value: str) -> None:
    seconds = retry_after_s(value, NOW)
    assert seconds is None or 0 <= seconds <= 86_400


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b'{"error": {"code": "rate_limit_exceeded", "message": "I keep bees"}}', "rate_limit_exceeded"),
        (b'{"error": {"code": 429, "type": "insufficient_quota"}}', "insufficient_quota"),
        (b'{"error": {"code": "bad key sk-123"}}', ""),
        (b'{"error": "I keep bees"}', ""),
        (b"<html>", ""),
        (b"[]", ""),
    ],
)
def test_of_a_servers_error_only_a_plain_word_is_told(answer: bytes, code: str) -> None:
    assert error_code(answer) == code


def test_content_in_parts_is_put_together() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert read_completion(json.dumps({"choices": [{"message": {"content": parts}}]}).encode()).text == "ab"


NAMES = st.sampled_from(["choices", "message", "content", "text", "usage", "error"])
TREES = st.recursive(
    st.none() | st.text(max_size=3), lambda inner: st.dictionaries(NAMES, inner | st.lists(inner), max_size=3)
)


@given(
    st.binary()
    | TREES.map(lambda tree: json.dumps(tree).encode())
    | TREES.map(lambda tree: json.dumps({"choices": [{"message": {"content": tree}}]}).encode())
)
def test_any_body_is_refused_or_read_as_words(answer: bytes) -> None:
    try:
        read = read_completion(answer).text
    except ModelOutputError:
        read = "refused"

    assert read.strip()
