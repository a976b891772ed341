from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.records import Role, Speaker
from omoide.runtime.cli.transcript import Spoken, parse_line


def parsed(raw: str, number: int = 1) -> Spoken:
    spoken = parse_line(raw.encode(), number)
    assert spoken is not None
    return spoken


def test_a_text_alone_is_the_owner_speaking_in_private_now() -> None:
    spoken = parsed('{"text": "hello"}')

    assert (spoken.role, spoken.speaker, spoken.subject, spoken.said_at) == (Role.PERSON, None, "private", None)


def test_a_speaker_is_the_owner_the_character_or_an_account() -> None:
    jonas = '{"text": "x", "speaker": {"platform": "home", "account": "jonas", "label": "Jonas"}}'

    assert parsed('{"text": "x", "speaker": "owner"}').role is Role.PERSON
    assert parsed('{"text": "x", "speaker": "character"}').role is Role.CHARACTER
    assert parsed(jonas).speaker == Speaker(platform="home", account="jonas", label="Jonas")


@pytest.mark.parametrize(
    "at", ['"2026-03-02T18:40:00+01:00"', '"2026-03-02T17:40:00Z"', '"2026-03-02T17:40+00:00"', "1772473200"]
)
def test_a_time_is_iso_8601_with_a_zone_or_seconds(at: str) -> None:
    assert parsed(f'{{"text": "x", "at": {at}}}').said_at == 1772473200.0


@pytest.mark.parametrize("raw", [b"", b"  \t", b"\r", b"\xef\xbb\xbf"])
def test_a_blank_line_is_no_turn(raw: bytes) -> None:
    assert parse_line(raw, 1) is None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{", "truncated"),
        (b"hello", "malformed"),
        (b"[]", "object"),
        (b'{"text": 5}', "$.text"),
        (b"{}", "`text`"),
        (b'{"text": "x", "txet": "y"}', "txet"),
        (b'{"text": "\xff"}', "UTF-8"),
        (b'{"text": "x", "id": 5}', "$.id"),
        (b'{"text": "x", "speaker": "bob"}', '"owner", "character"'),
        (b'{"text": "x", "speaker": {"platform": "home"}}', "account"),
        (b'{"text": "x", "at": "2026-03-02T18:40:00"}', "without a zone"),
        (b'{"text": "x", "at": "yesterday"}', "ISO 8601"),
        (b'{"text": "x", "at": true}', "$.at"),
    ],
)
def test_a_bad_line_is_refused_with_the_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        parse_line(raw, 7)

    assert reason in str(refused.value)


def test_a_line_keeps_the_id_that_it_names() -> None:
    assert parsed('{"text": "x", "id": "D1:3"}').message_id == "D1:3"


def test_a_line_without_an_id_gets_the_same_one_however_it_is_written() -> None:
    first = parsed('{"text": "caf\\u00e9", "speaker": "owner"}', 3)
    second = parsed('  {"speaker":"owner" ,"text":"café"}\r', 3)

    assert first.message_id == second.message_id


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.text(min_size=1, max_size=3), st.none() | st.integers(0, 3)),
        unique=True,
    )
)
def test_lines_of_other_places_texts_or_times_get_other_ids(lines: list[tuple[int, str, int | None]]) -> None:
    ids = {
        parsed(msgspec.json.encode({"text": text, "at": at}).decode(), number).message_id
        for number, text, at in lines
    }

    assert len(ids) == len(lines)


@given(st.binary())
def test_no_bytes_are_anything_but_a_turn_nothing_or_an_error(raw: bytes) -> None:
    with contextlib.suppress(InvalidRequestError):
        assert isinstance(parse_line(raw, 1), Spoken | None)
