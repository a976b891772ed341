"""Whether a question in other words than the memory's finds it: 24 in Chinese and in Japanese, and 12 more each.

    python -m benchmarks.languages [--model none multilingual]

Each language's 24 memories are heard by one character; each question shares few or no words with its memory.
Printed is the share of questions whose memory is among the first three hits, and how many hits questions have that
none of the memories answers. The twelve of the sets called `blind` were written without a look at what is found;
`recall.meaning_margin` was then chosen with all sets in view.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import trio
import yaml

from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.runtime.host import open_runtime

PROBES: Final = Path(__file__).parent / "languages.yaml"
DEPTH: Final = 3


class Found(NamedTuple):
    """Whether each question found its memory, and the mean number of hits of those that nothing answers."""

    hits: list[bool]
    noise: float


async def asked_of(
    language: str, pairs: Sequence[tuple[str, str]], unanswered: Sequence[str], model: str
) -> Found:
    """Let a character hear the memories of some pairs, and ask the questions."""
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
            noise = [len((await character.recall(question)).hits) for question in unanswered]
            return Found(found, sum(noise) / len(noise))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.languages", description=__doc__.partition("\n")[0])
    parser.add_argument("--model", nargs="+", default=["none", "multilingual"], help="values of embeddings.model")
    parser.add_argument("--misses", action="store_true", help="print the questions that found nothing")
    asked = parser.parse_args()
    probes = yaml.safe_load(PROBES.read_text(encoding="utf-8"))
    unanswered = probes.pop("unanswered")
    print(f"{'language':<10}{'embeddings':<14}{'asked':>6}{'hit@3':>8}{'unanswered: hits':>20}")
    for name, pairs in probes.items():
        language = name.partition("-")[0]
        for model in asked.model:
            found = trio.run(
                partial(asked_of, language, [tuple(pair) for pair in pairs], unanswered[language], model)
            )
            share = sum(found.hits) / len(found.hits)
            print(f"{name:<10}{model:<14}{len(found.hits):>6}{share:>8.2f}{found.noise:>20.1f}", flush=True)
            for hit, (said, question) in zip(found.hits, pairs, strict=True):
                if asked.misses and not hit:
                    print(f"  {question} / {said}")


if __name__ == "__main__":
    main()
