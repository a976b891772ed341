"""Evidence recall on LoCoMo: whether recall finds the turns that a question's answer rests on.

    python -m benchmarks.recall [FOLDER] [--model none minilm] [--limit-conversations 41 43] [--misses]

FOLDER holds conversations of the data set as JSON files (default: ../shared/data/locomo beside the repository).
Every dialogue turn is fed through `Character.hear` in its order, with the offline engine and nothing else; then
each question of categories 1 to 4 with evidence is put once to `Character.recall`, for 20 hits. The evidence
recall of a question at k is the share of its evidence turns that are among the first k hits, where a hit stands
for the turn that it is, or for those that its fact rests on, at one place. Printed are the means over the
questions, by category; the share of the questions with an evidence session among the first ten hits (`session@10`:
a session counts as found if any of these is from it); and the mean share of a question's evidence sessions that
are among them (`sessions@10`).

The weights were chosen on the conversations in `CHOSEN_ON`; the others are printed apart. How hits are spread over
conversations was chosen leaving one conversation out at a time: on the other five, the most recall at 8 of what
reaches 0.95 of `session@10`. So was `recall.other_share`, out of 1, 0.9, 0.85, 0.8, 0.75, 0.7 and 0.6: 0.8 by
words each time, and with MiniLM 0.8 five times and 0.75 once, which gave 0.762 and 0.777 at 8 on the ones left
out. `recall.beside_share` and `recall.other_time_share` were chosen so by the sum of both figures, with MiniLM and
without: out of 0.85 and 0.9 to 0.95, 0.93 four times and 0.92 twice, and 0.8 out of 1, 0.9, 0.8, 0.7, 0.6 and 0.5
each time, which gives 0.783 and 0.785 at 8, and 0.966 and 0.961 of `session@10`, on the ones left out. That an
answer is found by its question has no number to choose. The kinds of words (`word_kinds`) were written for whole
fields of life, and yet with questions in view that found nothing: any one group of them moves the recall at 8 by
at most 0.003. A conversation that was fed once is kept in --cache, so that another model or other settings cost
only the questions.

Data: Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import trio

from omoide.benchmarks.locomo import transcript
from omoide.protocols.messages import Recollection
from omoide.protocols.records import Speaker
from omoide.protocols.settings import EmbeddingSettings, RecallSettings, Settings
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo"
CHOSEN_ON: Final = frozenset({"26", "30", "41"})
DEPTHS: Final = (4, 8, 10, 20)
CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
CHARACTER: Final = "listener"


class Question(NamedTuple):
    """One question with the turns that its answer rests on, and their sessions."""

    text: str
    evidence: frozenset[str]
    category: int


class Outcome(NamedTuple):
    """What came of one question: evidence recall at each depth, and the share of its sessions in ten hits."""

    conversation: str
    question: Question
    recall: tuple[float, ...]
    sessions: float
    degraded: tuple[str, ...]
    elapsed_s: float


def questions_of(conversation: dict[str, Any]) -> list[Question]:
    """Return the questions that count: those of categories 1 to 4 with evidence."""
    found = []
    for one in conversation["qa"]:
        named = " ".join(one.get("evidence") or ()).replace(";", " ").split()
        if one.get("category") in CATEGORIES and named:
            found.append(Question(one["question"], frozenset(named), one["category"]))
    return found


def session_of(turn: str) -> str:
    return turn.partition(":")[0]


async def feed(character: Character, lines: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Let a character hear a transcript, and return the data set's id of each turn by the turn's own."""
    ids: dict[str, str] = {}
    for line in lines:
        speaker = None if line["speaker"] == "owner" else Speaker(**line["speaker"])
        receipt = await character.hear(
            line["text"],
            speaker=speaker,
            said_at=datetime.fromisoformat(line["at"]).timestamp(),
            message_id=line["id"],
        )
        ids[receipt.turn] = line["id"]
    await character.settle()
    return ids


def judged(name: str, question: Question, found: Recollection, ids: dict[str, str], elapsed_s: float) -> Outcome:
    """Return how much of a question's evidence was found."""
    hits = [[ids[turn] for turn in hit.turns if turn in ids] for hit in found.hits]
    recall = tuple(
        len(question.evidence & {turn for turns in hits[:depth] for turn in turns}) / len(question.evidence)
        for depth in DEPTHS
    )
    asked_for = {session_of(turn) for turn in question.evidence}
    sessions = {session_of(turn) for turns in hits[:10] for turn in turns}
    return Outcome(
        name,
        question,
        recall,
        len(asked_for & sessions) / len(asked_for),
        found.degraded,
        elapsed_s,
    )


async def measure(file: Path, cache: Path, model: str, ranking: RecallSettings) -> list[Outcome]:
    """Feed a conversation if it isn't kept yet, and ask its questions."""
    conversation = json.loads(await trio.Path(file).read_text(encoding="utf-8"))
    lines = list(transcript(conversation))
    folder = cache / file.stem
    settings = Settings(
        data_dir=folder, embeddings=EmbeddingSettings(model=model, query_timeout_s=60.0), recall=ranking
    )
    kept = trio.Path(folder) / "ids.json"
    if not await kept.exists():
        shutil.rmtree(folder, ignore_errors=True)
        async with open_runtime(settings.model_copy(update={"embeddings": EmbeddingSettings()})) as runtime:
            character = await runtime.character(CHARACTER, owner=conversation["speaker_a"])
            await kept.write_text(json.dumps(await feed(character, lines)), encoding="utf-8")
    ids = json.loads(await kept.read_text(encoding="utf-8"))
    async with open_runtime(settings) as runtime:
        character = await runtime.character(CHARACTER)
        await character.settle()
        await character.recall("warm up")
        outcomes = []
        for question in questions_of(conversation):
            begun = time.perf_counter()
            found = await character.recall(question.text, limit=max(DEPTHS))
            outcomes.append(judged(file.stem, question, found, ids, time.perf_counter() - begun))
        return outcomes


def show(title: str, outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        return
    means = [sum(one.recall[at] for one in outcomes) / len(outcomes) for at in range(len(DEPTHS))]
    some = sum(one.sessions > 0 for one in outcomes) / len(outcomes)
    share = sum(one.sessions for one in outcomes) / len(outcomes)
    figures = "".join(f"{mean:>9.4f}" for mean in means)
    print(f"{title:<28}{len(outcomes):>6}{figures}{some:>12.4f}{share:>12.4f}")


def report(model: str, outcomes: Sequence[Outcome]) -> None:
    """Print the means of one model."""
    missing = sorted({part for one in outcomes for part in one.degraded})
    print(f"\nembeddings: {model}" + (f" (degraded: {', '.join(missing)})" if missing else ""))
    depths = "".join(f"{f'@{depth}':>9}" for depth in DEPTHS)
    print(f"{'':<28}{'asked':>6}{depths}{'session@10':>12}{'sessions@10':>12}")
    by_category: defaultdict[int, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_category[one.question.category].append(one)
    for category, its in sorted(by_category.items()):
        show(f"  {category} {CATEGORIES[category]}", its)
    for name in sorted({one.conversation for one in outcomes}):
        show(f"  conversation {name}", [one for one in outcomes if one.conversation == name])
    show("weights chosen on these", [one for one in outcomes if one.conversation in CHOSEN_ON])
    show("the others", [one for one in outcomes if one.conversation not in CHOSEN_ON])
    show("all", outcomes)
    elapsed = sorted(one.elapsed_s for one in outcomes)
    print(f"a question took {elapsed[len(elapsed) // 2] * 1e3:.1f} ms at the median, the query's vector included")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="conversations of LoCoMo (JSON)")
    parser.add_argument("--model", nargs="+", default=["none", "minilm"], help="values of embeddings.model")
    parser.add_argument("--cache", type=Path, default=Path(".cache/benchmarks/recall"), help="fed conversations")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of recall")
    parser.add_argument("--misses", action="store_true", help="print the questions with nothing at 8")
    asked = parser.parse_args()
    files = sorted(asked.folder.glob("*.json"))
    if not files:
        sys.exit(f"no conversations (*.json) in {asked.folder}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    ranking = RecallSettings.model_validate(dict(one.split("=", 1) for one in asked.set))
    for model in asked.model:
        outcomes = [one for file in files for one in trio.run(measure, file, asked.cache, model, ranking)]
        report(model, outcomes)
        for one in outcomes if asked.misses else ():
            if not one.recall[1]:
                print(f"  {one.conversation}: {one.question.text}")


if __name__ == "__main__":
    main()
