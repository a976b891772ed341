"""Windows of long talks: terms that few of them hold and terms that many do, said once or in one breath."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from omoide.actors.recall.arrangement import REACH
from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.rows import Entry
from omoide.protocols.scopes import PRIVATE
from omoide.tests.actors.recall.loaded import load

TURNS = 300
FEW, MANY = 100, 16
"""Every how many turns a word is said, so that few windows hold it or many."""

ONCE, IN_ONE_BREATH = 1, 60


def talk(every: int, times: int) -> list[Entry]:
    """Return the turns of one conversation: in some "tea" is said, and in the next two, which say "mug" too."""
    said = [[f"w{number}"] for number in range(TURNS)]
    for number in range(0, TURNS - REACH, every):
        said[number] += ["tea"] * times
        said[number + 1] += ["tea"] * times + ["mug"]
        said[number + 2] += ["tea"] * times + ["mug"]
    return [Entry(f"{number:03}", words, place=number, at=float(number)) for number, words in enumerate(said)]


def windows(turns: list[Entry]) -> list[list[str]]:
    """Return the words of each window, by the plainest reading of what a window is."""
    near = [range(max(0, at - REACH), min(len(turns), at + REACH + 1)) for at in range(len(turns))]
    return [[term for one in its for term in turns[one].terms] for its in near]


def one_by_one(turns: list[Entry]) -> InvertedIndex:
    index = InvertedIndex()
    for turn in turns:
        index.enter(PRIVATE, turn)
    return index


def at_once(turns: list[Entry]) -> InvertedIndex:
    index = InvertedIndex()
    load(index, PRIVATE, turns)
    return index


@pytest.mark.parametrize("made", [one_by_one, at_once])
@pytest.mark.parametrize("times", [ONCE, IN_ONE_BREATH])
@pytest.mark.parametrize("every", [FEW, MANY])
def test_windows_score_as_rank_bm25_however_often_they_are_asked_for(
    every: int, times: int, made: Callable[[list[Entry]], InvertedIndex]
) -> None:
    turns = talk(every, times)
    reading = made(turns).read((PRIVATE,))
    okapi, terms = BM25Okapi(windows(turns)), ["tea", "mug", "w7", "tea", "mug"]
    expected = [pytest.approx(okapi.get_scores([term]).tolist(), rel=0, abs=1e-9) for term in terms]

    asked = [reading.around([term]).scores_at(np.arange(reading.size)).tolist() for term in terms]

    assert asked == expected


@pytest.mark.parametrize("every", [FEW, MANY])
def test_a_window_holds_a_question_where_it_holds_as_many_of_its_terms_as_are_asked_for(every: int) -> None:
    turns = talk(every, ONCE)
    reading = at_once(turns).read((PRIVATE,))
    terms = ["tea", "mug"]

    held = [reading.around(terms, counting=frozenset(terms), least=2).held_by_rows().tolist() for _ in range(2)]

    assert held == [[set(terms) <= set(words) for words in windows(turns)]] * 2
