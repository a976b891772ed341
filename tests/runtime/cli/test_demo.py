from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from omoide.runtime.cli.demo import performance
from omoide.runtime.cli.demo.question import BEST_LOOKED_AT, KITCHEN, QUESTIONS, Question
from omoide.runtime.cli.transcript import parse_line
from omoide.tests.runtime.cli.command_line import Omoide


def shipped() -> list[bytes]:
    return (files("omoide.runtime.cli.demo") / "conversation.jsonl").read_bytes().splitlines()


def test_the_shipped_conversation_is_a_transcript_in_order() -> None:
    turns = [parse_line(raw, number) for number, raw in enumerate(shipped(), start=1)]

    times = [turn.said_at for turn in turns if turn is not None and turn.said_at is not None]
    assert len(times) == len(turns)
    assert times == sorted(times)
    assert {turn.subject for turn in turns if turn is not None} == {"private", KITCHEN}


def test_every_answer_is_in_the_conversation() -> None:
    said = b"\n".join(shipped()).decode()

    assert all(question.answer in said for question in QUESTIONS)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance, "TURNS_A_SECOND", 60.0)


@pytest.mark.kill
def test_the_demonstration_holds_what_it_claims_and_keeps_what_it_stored(omoide: Omoide, tmp_path: Path) -> None:
    ended = omoide("demo", "--keep", str(tmp_path / "kept"))

    assert "SIGKILL to process" in ended.out
    assert "✗" not in ended.out
    assert f"{5 + len(QUESTIONS)} of {5 + len(QUESTIONS)} checks hold." in ended.out
    kept = Omoide(tmp_path / "kept")
    assert len([e for e in kept("events", "yui", "--json").documents if "turn" in e["change"]]) == len(shipped())
    assert not omoide.data.exists()
    assert "is not empty" in omoide("demo", "--keep", str(tmp_path / "kept"), code=2).err


@pytest.mark.kill
def test_a_claim_that_does_not_hold_is_shown_and_ends_with_1(
    omoide: Omoide, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Question(text="What is Mara allergic to?", answer="a cheese that nobody named")
    monkeypatch.setattr(performance, "QUESTIONS", (wrong,))

    ended = omoide("demo", "--json", code=1)

    (played,) = [json.loads(line) for line in ended.out.splitlines()]
    assert [check["claim"] for check in played["checks"] if not check["holds"]] == [
        f"'a cheese that nobody named' is among the best {BEST_LOOKED_AT}"
    ]
