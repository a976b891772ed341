"""Precision and recall of the offline engine's extraction, a language, over labelled utterances.

    .venv/bin/python benchmarks/extraction.py [--misses] [FILE]

FILE has the form of tests/runtime/models/offline/utterances.yaml, which is the default. A fact is right
where its words are those of a label but for closing punctuation. Precision is the share of extracted
facts that are right, recall the share of labelled facts that were extracted, and "near" the share of the
utterances marked as near misses that are right as a whole.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import yaml

from omoide.protocols.clauses.repairs import repaired
from omoide.protocols.records import Role, Turn, TurnId
from omoide.runtime.models.offline.extraction import candidates

DEFAULT = Path(__file__).parent.parent / "tests/runtime/models/offline/utterances.yaml"
CLOSING = " .!。！…"


def facts_of(text: str) -> list[str]:
    turn = Turn(id=TurnId("t1"), role=Role.PERSON, text=repaired(text), said_at=0.0, heard_at=0.0)
    return [candidate.text.strip(CLOSING) for candidate in candidates(turn)]


def share(part: int, whole: int) -> str:
    return f"{part / whole:6.1%}" if whole else "     –"


def main() -> None:
    parser = argparse.ArgumentParser(description="Precision and recall of the offline engine's extraction.")
    parser.add_argument("file", nargs="?", type=Path, default=DEFAULT, help="labelled utterances (YAML)")
    parser.add_argument("--misses", action="store_true", help="print every utterance that came out wrong")
    arguments = parser.parse_args()
    table = yaml.safe_load(arguments.file.read_text(encoding="utf-8"))
    print("language  utterances  facts  precision  recall    near  µs/utterance")
    for language, rows in table.items():
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
            if arguments.misses and texts != wanted:
                print(f"  {row['say']!r}: wanted {wanted}, got {texts}")
        print(
            f"{language:8}  {len(rows):10}  {labelled:5}     {share(right, found)}  {share(right, labelled)}"
            f"  {share(near_right, near)}  {spent / len(rows) * 1e6:12.0f}",
        )


if __name__ == "__main__":
    main()
