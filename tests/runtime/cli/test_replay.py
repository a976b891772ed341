from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from omoide.runtime.cli.lines import MAX_LINE_BYTES
from omoide.tests.runtime.cli.command_line import Omoide

SENTENCES = [f"My neighbour number {number} keeps {number + 2} bees." for number in range(40)]


def written(path: Path, lines: list[dict[str, Any] | str]) -> str:
    """Write a transcript and return its path."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def conversation(tmp_path: Path) -> str:
    return written(tmp_path / "conversation.jsonl", [{"text": sentence} for sentence in SENTENCES])


def test_a_transcript_that_is_replayed_twice_is_heard_once(omoide: Omoide, conversation: str) -> None:
    first = omoide("replay", "yui", conversation, "--json").documents[-1]["summary"]
    second = omoide("replay", "yui", conversation, "--json").documents[-1]["summary"]

    assert first == {"new": 40, "known": 0, "skipped": 0, "settled": True, "parked": 0}
    assert second == {"new": 0, "known": 40, "skipped": 0, "settled": True, "parked": 0}
    assert len(omoide("facts", "yui", "--json").documents) == 40


@pytest.mark.kill
def test_a_killed_replay_is_gone_on_with_and_nothing_is_lost_or_doubled(omoide: Omoide, conversation: str) -> None:
    acknowledged: list[str] = []
    with omoide.start("replay", "yui", conversation, "--json", "--rate", "50") as process:
        assert process.stdout is not None
        while len(acknowledged) < 15:
            acknowledged.append(json.loads(process.stdout.readline())["receipt"]["turn"])
        process.send_signal(signal.SIGKILL)

    heard_before = {event["record_ids"][0] for event in omoide("events", "yui", "--json").documents}
    omoide("replay", "yui", conversation)

    texts = [
        event["change"]["turn"]["text"]
        for event in omoide("events", "yui", "--json").documents
        if event["kind"] == "turn_heard"
    ]
    assert set(acknowledged) <= heard_before
    assert sorted(texts) == sorted(SENTENCES)
    assert sorted(fact["text"] for fact in omoide("facts", "yui", "--json").documents) == sorted(SENTENCES)


def test_an_interrupt_loses_nothing_and_says_how_to_go_on(omoide: Omoide, conversation: str) -> None:
    with omoide.start("replay", "yui", conversation, "--json", "--rate", "20") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        complaint = json.loads(process.stderr.read())

    assert process.returncode == 130
    assert "run the same command again" in complaint["message"]


def test_standard_input_is_taken_line_by_line(omoide: Omoide) -> None:
    with omoide.start("replay", "yui", "-", "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"text": "The kettle is new."}\n')
        process.stdin.flush()
        receipt = json.loads(process.stdout.readline())
        process.stdin.write(b'{"text": "The stove is old."}')
        process.stdin.close()
        rest = process.stdout.read().splitlines()

    assert receipt["line"] == 1
    assert json.loads(rest[-1])["summary"]["new"] == 2


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "truncated"),
        ('{"text": ""}', "text is empty"),
        ('{"text": "a\\u0007b"}', "control character U+0007"),
        ('{"text": "x", "subject": "group:home"}', "lacks its group id"),
        ('{"text": "x", "id": " "}', "message id"),
        ('{"text": "x", "id": "first"}', "other content"),
        ('{"text": "x", "at": 1e400}', "at"),
    ],
)
def test_a_bad_line_stops_the_replay_and_is_named_with_its_reason(
    omoide: Omoide, tmp_path: Path, bad: str, reason: str
) -> None:
    file = written(tmp_path / "bad.jsonl", [{"text": "All is well.", "id": "first"}, "", bad, {"text": "Later."}])

    ended = omoide("replay", "yui", file, code=2)

    assert ended.err.startswith(f"omoide: {file}, line 3: ")
    assert reason in ended.err
    assert [event["kind"] for event in omoide("events", "yui", "--json").documents][:1] == ["turn_heard"]


@pytest.mark.parametrize(
    "bad", ["{", '{"text": ""}', '{"text": "x", "subject": "group:home"}', '{"text": "x", "id": " "}']
)
def test_a_transcript_whose_first_line_is_bad_makes_no_character(omoide: Omoide, tmp_path: Path, bad: str) -> None:
    file = written(tmp_path / "bad.jsonl", ["", bad, {"text": "Later."}])

    assert omoide("replay", "yui", file, code=2).err.startswith(f"omoide: {file}, line 2: ")
    assert omoide("characters", "--json").documents == []

    assert "1 turn acknowledged" in omoide("replay", "yui", file, "--skip-bad", code=1).out


def test_what_never_ends_a_line_is_no_transcript(omoide: Omoide, tmp_path: Path) -> None:
    endless = tmp_path / "endless"
    endless.write_bytes(b" " * (MAX_LINE_BYTES + 1))

    assert "is it text" in omoide("replay", "yui", str(endless), code=2).err


def test_a_line_that_is_read_in_many_pieces_is_one(omoide: Omoide, tmp_path: Path) -> None:
    file = written(
        tmp_path / "long.jsonl", [{"text": "All is well.", "id": "x" * 200_000}, {"text": "It still is."}]
    )

    ended = omoide("replay", "yui", file, "--skip-bad", code=1)

    assert "1 turn acknowledged" in ended.out


def test_a_transcript_without_a_turn_makes_no_character(omoide: Omoide, tmp_path: Path) -> None:
    assert "0 turns acknowledged" in omoide("replay", "yui", written(tmp_path / "empty.jsonl", ["", " "])).out

    assert omoide("characters", "--json").documents == []


@pytest.mark.parametrize(
    "command",
    [
        ("hear", "yui", ""),
        ("hear", "yui", "Hi.", "--subject", "group:home"),
        ("hear", "yui", "Hi.", "--trust", "2"),
        ("profile", "yui", "--owner", "x" * 300),
    ],
)
def test_a_command_that_is_refused_makes_no_character(omoide: Omoide, command: tuple[str, ...]) -> None:
    omoide(*command, code=2)

    assert omoide("characters", "--json").documents == []


def test_bad_lines_can_be_skipped_and_are_counted(omoide: Omoide, tmp_path: Path) -> None:
    file = written(tmp_path / "bad.jsonl", [{"text": "All is well."}, "{", "[]", {"text": "It still is."}])

    ended = omoide("replay", "yui", file, "--skip-bad", code=1)

    assert "2 turns acknowledged (2 new, 0 known already, 2 bad lines skipped)" in ended.out
    assert ended.err.splitlines()[0].startswith(f"skipped {file}, line 2: ")


def test_both_sides_and_all_subjects_of_a_transcript_are_kept_apart(omoide: Omoide, tmp_path: Path) -> None:
    jonas = {"platform": "home", "account": "jonas", "label": "Jonas"}
    file = written(
        tmp_path / "two.jsonl",
        [
            {"text": "I hid the telescope in the attic.", "at": "2026-03-02T18:40:00+01:00"},
            {"text": "I like lemon cake.", "speaker": jonas, "subject": "group:home:kitchen"},
            {"text": "I won't tell.", "speaker": "character"},
        ],
    )
    omoide("replay", "yui", file)
    omoide("replay", "yui", file)

    turns = [e["change"]["turn"] for e in omoide("events", "yui", "--json").documents if "turn" in e["change"]]

    assert [(turn["role"], turn["subject"]) for turn in turns] == [
        ("person", "private"),
        ("person", "group:home:kitchen"),
        ("character", "private"),
    ]
    assert turns[0]["said_at"] == 1772473200.0
    assert turns[1]["speaker"] == jonas


@pytest.mark.parametrize("file", ["none.jsonl", "."])
def test_a_transcript_that_cannot_be_read_is_an_error_and_makes_no_character(omoide: Omoide, file: str) -> None:
    ended = omoide("replay", "yui", file, code=2)

    assert f"'{file}' can't be read" in ended.err
    assert omoide("characters", "--json").documents == []


def test_without_settling_the_work_is_left_for_the_next_start(omoide: Omoide, tmp_path: Path) -> None:
    file = written(tmp_path / "one.jsonl", [{"text": "The kettle is new."}])

    assert "goes on at the next start" in omoide("replay", "yui", file, "--no-settle").out
