"""No secret passes a door: it is in no file, no log, no answer of memory, and no model sees it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from omoide import open_runtime
from omoide.protocols.errors import IdempotencyConflictError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Speaker
from omoide.protocols.settings import SecretSettings, Settings
from omoide.runtime.models.offline import OfflineEngine
from omoide.tests.runtime.store.traces import traces

CARD = "4111 1111 1111 1111"
PASSWORD = "hunter2"  # noqa: S105 - nobody's


class Listener(OfflineEngine):
    """A mind that remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        self.shown.append(request.turn.text)
        return await super().extract(request)


async def test_what_is_heard_and_said_is_stored_without_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    mind = Listener()
    async with open_runtime(tmp_path, model=mind) as runtime:
        yui = await runtime.character("yui", owner=PASSWORD, card=[f"My password is {PASSWORD}."])
        receipt = await yui.hear(f"My password is {PASSWORD} and my card is {CARD}.")
        await yui.say(f"So your card is {CARD}.", surfaced=[f"your card is {CARD}"])
        await yui.hear("Hello", speaker=Speaker(platform="qq", account="1", label=CARD))
        await yui.add_directive(CARD, aliases=[f"password {CARD}"])
        await yui.drain()

        assert receipt.notes == ("not stored, because it is secret: password, card number",)
        assert mind.shown[0] == "My password is [redacted password] and my card is [redacted card number]."
        assert "[redacted card number]" in [directive.term for directive in await yui.directives()]
    assert traces(tmp_path, CARD, "4111", f"is {PASSWORD}") == []
    assert CARD not in caplog.text
    assert f"is {PASSWORD}" not in caplog.text


async def test_the_same_utterance_with_a_secret_heard_twice_is_one_turn(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        first = await yui.hear(f"My password is {PASSWORD}.", message_id="m1")
        again = await yui.hear(f"My password is {PASSWORD}.", message_id="m1")

        assert (again.turn, again.repeated) == (first.turn, True)
        with pytest.raises(IdempotencyConflictError):
            await yui.hear("Something else.", message_id="m1")


async def test_who_switches_it_off_has_everything_remembered(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, secrets=SecretSettings(redact=False))
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        receipt = await yui.hear(f"My password is {PASSWORD}.")

        assert receipt.notes == ()
        assert [turn.text for turn in await yui.turns(newest=1)] == [f"My password is {PASSWORD}."]


async def test_what_is_no_text_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        for wrong in (None, 7, b"x"):
            with pytest.raises(Exception, match="must be a string"):
                await yui.hear(wrong)  # type: ignore[arg-type]

        assert (await yui.hear("x" * 60_000)).seq
