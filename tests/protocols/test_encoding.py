"""How things are written as JSON: an abstention has no key, and nothing else is lost."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.encoding import encoded
from omoide.protocols.events import AnyChange, TurnHeard
from omoide.protocols.records import Role, Speaker, Turn, TurnId


def turn(text: str, trust: float | None, label: str = "") -> Turn:
    return Turn(
        id=TurnId("turn_1"),
        role=Role.PERSON,
        text=text,
        speaker=Speaker(platform="qq", account="1", label=label),
        trust=trust,
        said_at=1.0,
        heard_at=2.0,
    )


def test_an_abstention_writes_no_key_and_a_trust_does() -> None:
    assert b"trust" not in encoded(turn("hello", None))
    assert b'"trust":0.5' in encoded(turn("hello", 0.5))
    assert encoded([{"id": 1, "band": None}, {"id": 2, "trust": 0.0}]) == b'[{"id":1},{"id":2,"trust":0.0}]'


@settings(max_examples=30)
@given(
    st.text(st.characters(codec="utf-8"))
    | st.sampled_from([',"trust":null', '\\",\\"trust":null', '","trust":null,"']),
    st.none() | st.floats(0, 1),
    st.sampled_from(["", ',"trust":null', '"', "\\"]),
)
def test_whatever_is_said_reads_as_it_was_written(text: str, trust: float | None, label: str) -> None:
    change: AnyChange = TurnHeard(turn=turn(text, trust, label))

    assert msgspec.json.decode(encoded(change), type=AnyChange) == change


def test_a_null_of_an_older_program_is_an_abstention() -> None:
    old = msgspec.json.encode(turn("hello", None))

    assert b'"trust":null' in old
    assert msgspec.json.decode(old, type=Turn) == turn("hello", None)
