"""Turn a conversation of LoCoMo into a transcript that `omoide replay` takes.

    python -m benchmarks.locomo SOURCE.json OUT.jsonl

A turn keeps its `dia_id`; the turns of a session are a second apart, from the session's time on (its
zone is unknown and taken as UTC). The first speaker is the owner, the second one a speaker of the
platform `locomo`, and both talk in private. Where a turn shows an image, its caption is said.

Data: Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

SESSION_TIME: Final = "%I:%M %p on %d %B, %Y"
"""How the data set writes a time, such as `1:56 pm on 8 May, 2023`."""


def transcript(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a conversation's transcript in the order in which they were said.

    Args:
        conversation: one file of the data set, decoded.
    """
    number = 1
    while (turns := conversation.get(f"session_{number}")) is not None:
        begin = datetime.strptime(conversation[f"session_{number}_date_time"], SESSION_TIME).replace(tzinfo=UTC)
        for second, turn in enumerate(turns):
            said_at = begin + timedelta(seconds=second)
            yield {
                "id": turn["dia_id"],
                "speaker": _speaker(turn["speaker"], owner=conversation["speaker_a"]),
                "text": _text(turn),
                "at": said_at.isoformat(),
            }
        number += 1


def _speaker(name: str, *, owner: str) -> str | dict[str, str]:
    return "owner" if name == owner else {"platform": "locomo", "account": name, "label": name}


def _text(turn: dict[str, Any]) -> str:
    said = str(turn.get("clean_text") or turn.get("text") or "").strip()
    caption = str(turn.get("blip_caption") or "").strip()
    return f"{said} [shares {caption}]".strip() if caption else said


def main() -> None:
    """Convert the file that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo", description="LoCoMo to a transcript.")
    parser.add_argument("source", type=Path, metavar="SOURCE.json")
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    asked = parser.parse_args()
    lines = list(transcript(json.loads(asked.source.read_text(encoding="utf-8"))))
    written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    asked.out.write_text(written, encoding="utf-8")
    print(f"{len(lines)} turns written to {asked.out}")


if __name__ == "__main__":
    main()
