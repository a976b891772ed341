"""Precision and recall of the offline engine's extraction, a language, over labelled utterances.

    .venv/bin/python -m benchmarks.extraction [--misses] [FILE ...]

A FILE has the form of tests/runtime/models/offline/utterances.yaml. Without one, the utterances that the rules
were tuned on (utterances.yaml, compound.yaml) are read, and apart from them those that were written before and
that no rule was tuned on (held_out.yaml), whose misses are never printed, and at last transcripts of speech.
A fact is right where its words are
those of a label but for closing punctuation. Precision is the share of extracted facts that are right, recall the
share of labelled facts that were extracted, and "near" the share of the utterances marked as near misses that are
right as a whole. It exits with 1 where English or Chinese stay below 0.85 and 0.8 on either kind.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from omoide.protocols.clauses.repairs import repaired
from omoide.protocols.records import Role, Turn, TurnId
from omoide.runtime.models.offline.extraction import candidates

UTTERANCES = Path(__file__).parent.parent / "tests/runtime/models/offline"
TUNED = (UTTERANCES / "utterances.yaml", UTTERANCES / "compound.yaml")
HELD_OUT = (UTTERANCES / "held_out.yaml",)
SPOKEN = (UTTERANCES / "spoken.yaml", UTTERANCES / "spoken_held_out.yaml")
LEAST_PRECISION, LEAST_RECALL = 0.85, 0.8
REQUIRED = ("en", "zh")
CLOSING = " .!。！…"


def facts_of(text: str) -> list[str]:
    turn = Turn(id=TurnId("t1"), role=Role.PERSON, text=repaired(text), said_at=0.0, heard_at=0.0)
    return [candidate.text.strip(CLOSING) for candidate in candidates(turn)]


def share(part: int, whole: int) -> str:
    return f"{part / whole:6.1%}" if whole else "     –"


def read(files: Sequence[Path]) -> dict[str, list[dict[str, Any]]]:
    """Return the labelled utterances of some files, by language."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        for language, more in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            rows.setdefault(language, []).extend(more)
    return rows


def measure(title: str, files: Sequence[Path], *, misses: bool) -> bool:
    """Print the figures of some files, a language a line; return whether the required ones are reached."""
    print(f"{title}\nlanguage  utterances  facts  precision  recall    near  µs/utterance")
    reached = True
    for language, rows in read(files).items():
        right = found = labelled = near = near_right = 0
        started = time.perf_counter()
        extracted = [facts_of(row["say"]) for row in rows]
        spent = time.perf_counter() - started
        for row, texts in zip(rows, extracted, strict=True):
            wanted = [fact.strip(CLOSING) for fact in row.get("facts", [])]
            right += len(set(texts) & set(wanted))
            found += len(texts)
            labelled += len(wanted)
            near += row.get("near", False)
            near_right += row.get("near", False) and texts == wanted
            if misses and texts != wanted:
                print(f"  {row['say']!r}: wanted {wanted}, got {texts}")
        print(
            f"{language:8}  {len(rows):10}  {labelled:5}     {share(right, found)}  {share(right, labelled)}"
            f"  {share(near_right, near)}  {spent / len(rows) * 1e6:12.0f}",
        )
        is_enough = right >= LEAST_PRECISION * found and right >= LEAST_RECALL * labelled
        reached = reached and (language not in REQUIRED or is_enough)
    return reached


def main() -> int:
    """Print the figures; return the exit code."""
    parser = argparse.ArgumentParser(description="Precision and recall of the offline engine's extraction.")
    parser.add_argument("files", nargs="*", type=Path, help="labelled utterances (YAML)")
    parser.add_argument("--misses", action="store_true", help="print every utterance that came out wrong")
    arguments = parser.parse_args()
    if arguments.files:
        return 0 if measure("given", arguments.files, misses=arguments.misses) else 1
    tuned = measure("tuned on", TUNED, misses=arguments.misses)
    held_out = measure("held out", HELD_OUT, misses=False)
    spoken = measure("transcripts of speech", SPOKEN, misses=False)
    return 0 if tuned and held_out and spoken else 1


if __name__ == "__main__":
    sys.exit(main())
