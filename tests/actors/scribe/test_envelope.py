"""What the host hands over becomes a turn."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.scribe.envelope import idempotency_of, open_envelope
from omoide.protocols.messages import Utterance
from omoide.protocols.records import Role, Speaker, Turn
from omoide.protocols.settings import Settings


def opened(utterance: Utterance, *, fresh_id: str = "f", now: float = 50.0) -> Turn:
    return open_envelope(utterance, Role.PERSON, fresh_id=fresh_id, now=now, settings=Settings(data_dir=Path()))


@given(message_id=st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip))
def test_the_same_message_id_is_the_same_turn_whenever_it_comes(message_id: str) -> None:
    utterance = Utterance(text="I keep bees.", id=message_id)

    assert opened(utterance, fresh_id="a", now=1.0).id == opened(utterance, fresh_id="b", now=2.0).id


def test_without_a_message_id_the_turn_has_the_fresh_one() -> None:
    assert opened(Utterance(text="I keep bees."), fresh_id="abc").id == "turn_abc"


def test_a_message_id_can_not_pass_for_a_fresh_one() -> None:
    assert opened(Utterance(text="I keep bees.", id="abc")).id != "turn_abc"


def test_what_was_said_without_a_time_was_said_now() -> None:
    assert opened(Utterance(text="I keep bees."), now=50.0).said_at == 50.0


def test_the_fingerprint_covers_who_spoke() -> None:
    alice = Utterance(text="I keep bees.", id="m1", speaker=Speaker(platform="qq", account="1"))
    bob = Utterance(text="I keep bees.", id="m1", speaker=Speaker(platform="qq", account="2"))

    assert idempotency_of(opened(alice)).fingerprint != idempotency_of(opened(bob)).fingerprint


def test_the_fingerprint_does_not_cover_when_it_arrived() -> None:
    utterance = Utterance(text="I keep bees.", id="m1")

    assert idempotency_of(opened(utterance, now=1.0)) == idempotency_of(opened(utterance, now=2.0))


def test_a_platform_is_folded_and_an_account_keeps_its_case() -> None:
    turn = opened(Utterance(text="I keep bees.", speaker=Speaker(platform=" QQ", account="Ab ", label="A \t b")))

    assert turn.speaker == Speaker(platform="qq", account="Ab", label="A b")


def test_a_label_that_can_not_be_shown_does_not_cost_the_message() -> None:
    mallory = Speaker(platform="qq", account="1", label="\ud83d\x1b[1m")

    turn = opened(Utterance(text="I keep bees.", speaker=mallory))

    assert turn.speaker == Speaker(platform="qq", account="1", label="[1m")
