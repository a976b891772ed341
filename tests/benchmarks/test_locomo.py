from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from omoide.benchmarks.locomo import transcript
from omoide.runtime.cli.transcript import parse_line
from omoide.tests.runtime.cli.command_line import Omoide

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data" / "locomo"

CONVERSATION: dict[str, Any] = {
    "speaker_a": "Ann",
    "speaker_b": "Ben",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ben", "dia_id": "D1:1", "text": "hi,  Ann", "clean_text": "Hi, Ann!"},
        {"speaker": "Ann", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a dog"},
    ],
    "session_2_date_time": "12:05 am on 1 June, 2023",
    "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "Late again."}],
    "session_3_date_time": "9:00 am on 2 June, 2023",
}


def test_turns_keep_their_ids_speakers_and_times() -> None:
    ben = {"platform": "locomo", "account": "Ben", "label": "Ben"}

    assert list(transcript(CONVERSATION)) == [
        {"id": "D1:1", "speaker": ben, "text": "Hi, Ann!", "at": "2023-05-08T13:56:00+00:00"},
        {
            "id": "D1:2",
            "speaker": "owner",
            "text": "Look! [shares a photo of a dog]",
            "at": "2023-05-08T13:56:01+00:00",
        },
        {"id": "D2:1", "speaker": "owner", "text": "Late again.", "at": "2023-06-01T00:05:00+00:00"},
    ]


def test_every_line_is_one_that_a_replay_takes() -> None:
    assert all(parse_line(json.dumps(line).encode(), 1) for line in transcript(CONVERSATION))


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the data set is not part of the repository: no {SHARED}")
def test_a_conversation_of_600_turns_is_replayed_and_answers(tmp_path: Path) -> None:
    out = tmp_path / "43.jsonl"
    subprocess.run([sys.executable, "-m", "benchmarks.locomo", SHARED / "43.json", out], cwd=ROOT, check=True)
    omoide = Omoide(tmp_path / "data")

    summary = omoide("replay", "tim", str(out), "--json").documents[-1]["summary"]
    (found,) = omoide("recall", "tim", "what position does John play on the team?", "--json").documents

    assert summary == {"new": 680, "known": 0, "skipped": 0, "settled": True, "parked": 0}
    assert found["hits"]
