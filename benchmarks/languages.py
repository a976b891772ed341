"""Whether a question in other words than the memory's finds it: 24 in Chinese and 24 in Japanese.

    python -m benchmarks.languages [--model none multilingual]

Each language's 24 memories are heard by one character; each question shares few or no words with its memory.
Printed is the share of questions whose memory is among the first three hits.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio
import yaml

from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.runtime.host import open_runtime

PROBES: Final = Path(__file__).parent / "languages.yaml"
DEPTH: Final = 3


async def hits(language: str, pairs: Sequence[tuple[str, str]], model: str) -> list[bool]:
    """Return for each question whether its memory is among the first hits."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), embeddings=EmbeddingSettings(model=model, query_timeout_s=60.0))
        async with open_runtime(settings) as runtime:
            character = await runtime.character("yui", locale=language)
            for number, (said, _) in enumerate(pairs):
                # A day apart, so that no memory is found by what was said around it.
                await character.hear(said, said_at=1_770_000_000.0 + number * 86_400)
            await character.settle()
            await character.recall("?")
            await character.settle()
            found = []
            for said, question in pairs:
                hits_ = (await character.recall(question, limit=DEPTH)).hits
                found.append(any(hit.text in said or said in hit.text for hit in hits_))
            return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.languages", description=__doc__.partition("\n")[0])
    parser.add_argument("--model", nargs="+", default=["none", "multilingual"], help="values of embeddings.model")
    parser.add_argument("--misses", action="store_true", help="print the questions that found nothing")
    asked = parser.parse_args()
    probes = yaml.safe_load(PROBES.read_text(encoding="utf-8"))
    print(f"{'language':<10}{'embeddings':<14}{'asked':>6}{'hit@3':>8}")
    for language, pairs in probes.items():
        for model in asked.model:
            found = trio.run(partial(hits, language, [tuple(pair) for pair in pairs], model))
            print(f"{language:<10}{model:<14}{len(found):>6}{sum(found) / len(found):>8.2f}", flush=True)
            for hit, (said, question) in zip(found, pairs, strict=True):
                if asked.misses and not hit:
                    print(f"  {question} / {said}")


if __name__ == "__main__":
    main()
