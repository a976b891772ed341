"""Omoide beside its peers: the same turns, the same searches, the same kills, in one run and one table.

    python -m benchmarks.peers [--turns 1000] [--searches 200] [--kills 5] [--peers omoide chroma]

Every peer gets each turn with the same vector, made without a model, so that storing and searching is what is
measured. mem0 stores what is said as it is (`infer=False`), since there is no language model here. Times are taken
in the peer's own process. `found` is the share of questions of four words whose turn is among the first ten.
A kill is SIGKILL while turns are being added, three of them in flight; a turn is lost if its add was answered and
the next process doesn't have it; all are, if that can't use what the kill left.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from .environments import PEERS, Peer, python_of
from .process import Driver, DriverError
from .turns import Question, make_questions, make_turns

SEED: Final = 20240501
LIMIT: Final = 10
IN_FLIGHT: Final = 3
BETWEEN_KILLS: Final = (20, 60)
"""Fewest and most turns that are answered before a kill."""


class Figures(NamedTuple):
    """What one peer did. Times are in milliseconds, memory in MiB of the whole process."""

    adds: tuple[float, float]
    settled_s: float
    searches: tuple[float, float]
    found: float
    empty_mib: float
    full_mib: float
    acknowledged: int
    lost: int


def measure(
    peer: Peer, python: Path, folder: Path, turns: list[str], questions: list[Question], kills: int
) -> Figures:
    """Run one peer through all of it, with stores under `folder`."""
    with Driver(peer, python, folder / "store") as driver:
        empty = driver.resident_mib()
        adds = [
            driver.ask(do="add", number=number, text=text)["seconds"] * 1e3 for number, text in enumerate(turns)
        ]
        settled = driver.ask(do="settle")["seconds"]
        searches, found = [], 0
        for question in questions:
            answer = driver.ask(do="search", text=question.text, limit=LIMIT)
            searches.append(answer["seconds"] * 1e3)
            found += question.number in answer["numbers"]
        full = driver.resident_mib()
    acknowledged, lost = kill(peer, python, folder / "killed", turns, kills)
    return Figures(
        adds=_percentiles(adds),
        settled_s=settled,
        searches=_percentiles(searches),
        found=found / len(questions),
        empty_mib=empty,
        full_mib=full,
        acknowledged=acknowledged,
        lost=lost,
    )


def kill(peer: Peer, python: Path, store: Path, turns: list[str], kills: int) -> tuple[int, int]:
    """Return how many turns were acknowledged before a kill, and how many of them the next process lacks."""
    rng = random.Random(SEED)  # noqa: S311 - the same kills in every run
    acknowledged: set[int] = set()
    sent = 0
    try:
        for _ in range(kills):
            with Driver(peer, python, store) as driver:
                first, answered = sent, 0
                goal = rng.randint(*BETWEEN_KILLS)
                while answered < goal:
                    while sent - first - answered < IN_FLIGHT:
                        driver.send(do="add", number=sent, text=turns[sent % len(turns)])
                        sent += 1
                    driver.answer()
                    answered += 1
                answered += driver.kill()
                acknowledged |= set(range(first, first + answered))
        with Driver(peer, python, store) as driver:
            present = set(driver.ask(do="present")["numbers"])
    except DriverError as error:
        if not acknowledged:
            raise
        print(f"{peer.name}: what a kill left can't be used any more: {_last_line(error)}", file=sys.stderr)
        present = set()
    return len(acknowledged), len(acknowledged - present)


def _last_line(error: DriverError) -> str:
    return str(error).strip().rpartition("\n")[2]


def _percentiles(times: list[float]) -> tuple[float, float]:
    p50, p99 = np.percentile(times, (50, 99))
    return float(p50), float(p99)


def main() -> int:
    """Measure and print a table; return 1 if a peer could not be run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.partition("\n")[0])
    names = [peer.name for peer in PEERS]
    parser.add_argument("--turns", type=int, default=1_000, help="turns to add (default: 1000)")
    parser.add_argument("--searches", type=int, default=200, help="questions to ask (default: 200)")
    parser.add_argument("--kills", type=int, default=5, help="times to kill the process (default: 5)")
    parser.add_argument("--peers", nargs="+", choices=names, default=names, metavar="PEER", help=", ".join(names))
    parser.add_argument(
        "--environments",
        type=Path,
        default=Path(sys.prefix) / "peers",
        help="where the peers' environments are kept (default: beside the packages of this one)",
    )
    asked = parser.parse_args()
    turns = make_turns(asked.turns, SEED)
    questions = make_questions(turns, asked.searches, SEED)
    failed = 0
    print(
        f"{'':<22}{'add ms':>18}{'settled':>10}{'search ms':>18}{'found':>8}"
        f"{'MiB':>14}{'acknowledged':>14}{'lost':>6}\n"
        f"{'':<22}{'p50':>9}{'p99':>9}{'s':>10}{'p50':>9}{'p99':>9}{'':>8}{'empty':>7}{'full':>7}"
    )
    for peer in PEERS:
        if peer.name not in asked.peers:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                its = measure(
                    peer, python_of(peer, asked.environments), Path(folder), turns, questions, asked.kills
                )
            except DriverError as error:
                failed += 1
                print(f"{peer.name:<22}could not be run: {error}", file=sys.stderr)
                continue
        print(
            f"{peer.name:<22}{its.adds[0]:>9.2f}{its.adds[1]:>9.2f}{its.settled_s:>10.2f}"
            f"{its.searches[0]:>9.2f}{its.searches[1]:>9.2f}{its.found:>8.3f}"
            f"{its.empty_mib:>7.0f}{its.full_mib:>7.0f}{its.acknowledged:>14}{its.lost:>6}",
            flush=True,
        )
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
