"""Which turns stay away word for word, and that it costs what they are, not how much was ever taken back."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from omoide.actors.recall.corpus import Corpus, Stored
from omoide.protocols.facts import fact_of, with_status
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, FactStatus, Profile, Role, Turn, TurnId
from omoide.protocols.settings import Settings

SETTINGS = Settings(data_dir=Path("unused"))
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


def turn(number: int, text: str, *forgets: str) -> Turn:
    return Turn(
        id=TurnId(f"turn_{number}"),
        role=Role.PERSON,
        text=text,
        said_at=float(number),
        heard_at=float(number),
        wishes=bool(forgets),
        forgets=forgets,
    )


def retracted(said: Turn) -> Fact:
    fact = fact_of(said, Candidate(text=said.text, entity=Entity.OWNER, importance=5), said.said_at)
    return with_status(fact, FactStatus.RETRACTED, said.said_at, "tested")


def followed(turns: list[Turn]) -> Corpus:
    corpus = Corpus("yui", Stored(profile=Profile()), SETTINGS)
    for one in turns:
        corpus.take(one)
    return corpus


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Mi tío Ángel vive en Lima.", "mi tío Angel"),
        ("Mon ami Émile aime le jazz.", "Emile"),
        ("\uff2d\uff59 \uff46\uff52\uff49\uff45\uff4e\uff44 Bob keeps bees.", "my friend Bob"),
        ("我的朋友叫小明，他住在大阪。", "朋友小明"),
    ],
)
def test_what_is_forgotten_is_not_recalled_word_for_word_however_it_was_spelled(text: str, named: str) -> None:
    said = [turn(0, text), turn(1, "I keep bees in Oslo."), turn(2, "Please forget it.", named)]

    for corpus in (followed(said), Corpus("yui", Stored(profile=Profile(), turns=said), SETTINGS)):
        assert set(corpus.memories) == {"turn_1"}


def test_a_turn_is_back_once_all_facts_that_held_it_back_are() -> None:
    said = turn(0, "I keep seven bees in Oslo.")
    fact = retracted(said)
    corpus = followed([said])
    corpus.take(fact)
    corpus.take(fact)
    assert not corpus.memories

    corpus.take(with_status(fact, FactStatus.ACTIVE, 1.0, ""))

    assert set(corpus.memories) == {said.id, fact.id}


def test_who_says_again_what_was_taken_back_is_not_quoted_either() -> None:
    said = turn(0, "I keep seven bees in Oslo.")
    corpus = followed([said])
    corpus.take(retracted(said))

    corpus.take(turn(1, "In Oslo, you know, I keep those seven bees!"))

    assert not corpus.memories


def test_hearing_a_turn_costs_the_same_however_many_facts_were_taken_back() -> None:
    said = talk(3_000)
    plain = Corpus("yui", Stored(profile=Profile(), turns=said), SETTINGS)
    corrected = Corpus("yui", Stored(profile=Profile(), turns=said, facts=[*map(retracted, said)]), SETTINGS)
    more = iter(talk(4_000)[3_000:])

    def hear(corpus: Corpus) -> Callable[[], None]:
        def take() -> None:
            for _ in range(50):
                corpus.take(next(more))

        return take

    assert fastest(hear(corrected)) < 10 * fastest(hear(plain))


def test_loading_reads_each_turn_once_however_many_wishes_to_forget_there_are() -> None:
    said = talk(500)

    def load(wishes: int) -> Callable[[], object]:
        asked = [turn(500 + number, "Forget it.", f"my {word()}") for number in range(wishes)]
        stored = Stored(profile=Profile(), turns=[*said, *asked])
        return lambda: Corpus("yui", stored, SETTINGS)

    assert fastest(load(160)) < 45 * fastest(load(0))


CHANCE = random.Random(7)


def word() -> str:
    return "".join(CHANCE.choices(SYLLABLES, k=2))


def talk(length: int) -> list[Turn]:
    return [turn(number, " ".join(word() for _ in range(10))) for number in range(length)]


def fastest(act: Callable[[], object], tries: int = 4) -> float:
    """Return the least processor time that something takes, in seconds."""
    gc.collect()
    taken = []
    for _ in range(tries):
        started = time.process_time()
        act()
        taken.append(time.process_time() - started)
    return min(taken)
