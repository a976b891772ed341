"""What is larger than the NATS server takes in one message holds nobody up."""

from __future__ import annotations

from functools import partial

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.events import Event, TurnHeard
from omoide.runtime.bus import wire
from omoide.runtime.bus.answers import dead_letter, event_bodies
from omoide.runtime.bus.commands import Received
from omoide.runtime.host import Runtime
from omoide.tests.runtime.bus.looks import dead
from omoide.tests.runtime.bus.servers import Sender
from omoide.tests.runtime.store.samples import a_turn

PAYLOAD = 1_048_576
"""What a server takes by default, in bytes: headers and body."""


async def test_a_command_that_fills_a_message_becomes_a_dead_letter_and_the_next_goes_on(
    runtime: Runtime, sender: Sender
) -> None:
    await sender.publish(f"{sender.prefix}.cmd.yui.hear", b"x" * (PAYLOAD - 100))
    await sender.order("yui", "hear", text="hi")
    (letter,) = await sender.stored("dead")

    assert [turn.text for turn in await (await runtime.character("yui")).turns(newest=9)] == ["hi"]
    assert letter.headers["Omoide-Reason"] == "InvalidRequestError"


async def test_a_command_whose_subject_is_as_long_as_can_be_becomes_a_dead_letter_and_the_next_goes_on(
    runtime: Runtime, sender: Sender
) -> None:
    subject = f"{sender.prefix}.cmd.{'y' * 4_070}.hear"
    await sender.bridge.run(partial(sender.client.publish, subject, b"{}"))
    await sender.order("yui", "hear", text="hi")
    (letter,) = await dead(sender)
    (bus,) = (await runtime.status()).buses

    assert (letter.headers["Omoide-Subject"], bus.reconnects) == (subject, 0)


async def test_an_answer_that_fits_no_message_says_so(runtime: Runtime, sender: Sender) -> None:
    for number in range(20):
        await sender.order("yui", "hear", text=f"Bees {number}: " + "buzz " * 13_000)
    yui = await runtime.character("yui")
    await yui.drain()

    answer = await sender.ask("yui", "recall", query="bees", limit=20)

    assert (answer["error"]["type"], answer["error"]["again"]) == ("InvalidRequestError", False)


def test_an_event_that_fits_no_message_goes_without_its_record() -> None:
    event = Event(
        seq=1,
        at=0.0,
        actor="scribe",
        cause="turn_1",
        kind="turn_heard",
        subject="private",
        record_ids=("turn_1",),
        change=TurnHeard(turn=a_turn("turn_1", "buzz " * 1_000)),
        digest="",
        chain="ab",
    )
    ((small, _), (large, _)) = (
        *event_bodies("yui", "yui", (event,), 4_000, content_type=wire.JSON, texts=True),
        *event_bodies("yui", "yui", (event,), 8_000, content_type=wire.JSON, texts=True),
    )

    assert (small.change, large.change) == (None, event.change)


def test_a_dead_letter_that_fits_no_message_leaves_out_its_body_and_then_the_end_of_its_subject() -> None:
    received = Received(subject="s" * 9_000, word="yui", command="hear", body=b"b" * 9_000, id="m1", at=0.0)
    lengths = [
        (len(body), len(headers["Omoide-Subject"]), headers.get("Omoide-Left-Out"))
        for body, headers in (
            dead_letter(received, InvalidRequestError("no"), most) for most in (20_000, 10_000, 5_000)
        )
    ]

    assert lengths == [(9_000, 9_000, None), (0, 9_000, "9000"), (0, 300, "9000")]
