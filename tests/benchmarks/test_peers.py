import shutil
import sys
from pathlib import Path

import pytest

from omoide.benchmarks.peers import __main__ as peers
from omoide.benchmarks.peers.environments import HERE, PEERS, Peer
from omoide.benchmarks.peers.turns import make_questions, make_turns

OURS = [peer for peer in PEERS if not peer.requirements]
FORGETFUL = """
from .serving import folder_and_answers, ready, serve

class Forgetful:
    def __init__(self):
        self.added = []
    def add(self, number, text):
        self.added.append(number)
    def present(self):
        return self.added

_, answers = folder_and_answers()
ready(answers)
serve(Forgetful(), answers)
"""


@pytest.mark.kill
@pytest.mark.parametrize("peer", OURS, ids=lambda peer: peer.name)
def test_a_store_that_syncs_before_it_answers_loses_nothing(peer: Peer, tmp_path: Path) -> None:
    acknowledged, lost = peers.kill(peer, Path(sys.executable), tmp_path / "store", make_turns(100, 1), 1)

    assert (acknowledged >= peers.BETWEEN_KILLS[0], lost) == (True, 0)


@pytest.mark.kill
def test_a_store_that_answers_before_it_stores_is_seen_to_lose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(HERE / "drivers", tmp_path / "drivers")
    (tmp_path / "drivers" / "forgetful.py").write_text(FORGETFUL)
    monkeypatch.setattr("omoide.benchmarks.peers.process.HERE", tmp_path)
    peer = Peer("forgetful", "drivers.forgetful", ())

    acknowledged, lost = peers.kill(peer, Path(sys.executable), tmp_path / "store", make_turns(100, 1), 1)

    assert 0 < lost == acknowledged


def test_each_turn_is_given_once_and_each_question_asks_for_words_of_its_turn() -> None:
    turns = make_turns(500, 3)

    questions = make_questions(turns, 50, 3)

    assert len(set(turns)) == 500
    assert all(
        set(question.text.split()) <= set(turns[question.number].rstrip(".").split()) for question in questions
    )
