"""What recall knows is the same whether it was loaded at once or followed record by record."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.recall.corpus import Corpus, Stored
from omoide.protocols.facts import fact_of, with_status
from omoide.protocols.messages import Candidate
from omoide.protocols.records import (
    Entity,
    Fact,
    FactStatus,
    Profile,
    Rejection,
    RejectionId,
    Role,
    Turn,
    TurnId,
)
from omoide.protocols.rejections import identified, lifted
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import Settings

SETTINGS = Settings(data_dir=Path("unused"))
SUBJECTS = (PRIVATE, Subject("group:qq:77"))
TEXTS = ("I keep bees in Oslo.", "Dana keeps two horses.", "Do you keep bees?", "It rains in Oslo.")


class Said(NamedTuple):
    """A turn with the fact that was made of it; either may be gone, or the fact out of force."""

    text: str
    subject: Subject
    is_heard: bool
    status: FactStatus | None


SAID = st.lists(
    st.builds(
        Said,
        st.sampled_from(TEXTS),
        st.sampled_from(SUBJECTS),
        st.booleans(),
        st.sampled_from([None, FactStatus.ACTIVE, FactStatus.ACTIVE, FactStatus.RETRACTED]),
    ),
    max_size=6,
)


def records(said: list[Said]) -> tuple[list[Turn], list[Fact]]:
    turns, facts = [], dict[str, Fact]()
    for number, one in enumerate(said):
        turn = Turn(
            id=TurnId(f"turn_{number}"),
            role=Role.PERSON,
            text=one.text,
            subject=one.subject,
            said_at=float(number),
            heard_at=float(number),
        )
        if one.is_heard:
            turns.append(turn)
        if one.status is not None:
            fact = fact_of(turn, Candidate(text=one.text, entity=Entity.OWNER, importance=5), float(number))
            facts.setdefault(fact.id, with_status(fact, one.status, float(number), "tested"))
    return turns, list(facts.values())


@given(SAID)
def test_a_corpus_loaded_at_once_finds_what_one_that_followed_finds(said: list[Said]) -> None:
    turns, facts = records(said)
    followed = Corpus("yui", Stored(profile=Profile(owner="Sam")), SETTINGS)
    for turn in turns:
        followed.take(turn)
    for fact in facts:
        followed.take(fact)

    loaded = Corpus("yui", Stored(profile=Profile(owner="Sam"), turns=turns, facts=facts), SETTINGS)

    assert loaded.memories == followed.memories
    asked = ["bee", "oslo", "keep", "hors"]
    assert loaded.index.search(asked, SUBJECTS, limit=20) == followed.index.search(asked, SUBJECTS, limit=20)


@pytest.mark.parametrize("retracted", ["I love animals.", "Sam loves animals."])
def test_a_turn_stays_that_says_only_a_kind_of_what_was_retracted(retracted: str) -> None:
    said = [
        Said(retracted, PRIVATE, is_heard=False, status=FactStatus.RETRACTED),
        Said("I love animals, all of them.", PRIVATE, is_heard=True, status=None),
        Said("I love horses.", PRIVATE, is_heard=True, status=None),
    ]
    turns, facts = records(said)

    corpus = Corpus("yui", Stored(profile=Profile(owner="Sam"), turns=turns, facts=facts), SETTINGS)

    assert corpus.memories.keys() == {"turn_2"}


REJECTION = identified(
    Rejection(
        id=RejectionId(""),
        text="I keep bees in Oslo.",
        entity=Entity.OWNER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=10.0,
        cause="turn_9",
        created_at=10.0,
    )
)


def withheld(*rejections: Rejection) -> list[bool]:
    """Return which of the texts, each said once, are no row any more once their hits were looked at."""
    turns, _ = records([Said(text, PRIVATE, is_heard=True, status=None) for text in TEXTS])
    corpus = Corpus("yui", Stored(profile=Profile(), turns=turns), SETTINGS)
    for rejection in rejections:
        corpus.take(rejection)
        corpus.withhold_rejected([turn.id for turn in turns])
    return [turn.id not in corpus.index for turn in turns]


def test_a_turn_that_says_what_was_rejected_is_not_quoted_and_others_are() -> None:
    assert withheld(REJECTION) == [text == REJECTION.text for text in TEXTS]


def test_a_turn_is_quoted_again_once_the_rejection_is_lifted() -> None:
    assert withheld(REJECTION, lifted(REJECTION, 20.0, "turn_10")) == [False] * len(TEXTS)


BEES = Turn(id=TurnId("turn_0"), role=Role.PERSON, text=TEXTS[0], said_at=0.0, heard_at=0.0)


def test_a_turn_that_comes_before_its_vector_asks_for_none() -> None:
    corpus = Corpus("yui", Stored(profile=Profile()), SETTINGS)
    corpus.take(BEES)
    assert corpus.entered == set()


def test_a_turn_that_comes_after_its_vector_asks_for_it() -> None:
    corpus = Corpus("yui", Stored(profile=Profile()), SETTINGS)
    corpus.embed([BEES.id], np.ones((1, 2), dtype=np.float32))
    corpus.take(BEES)
    assert corpus.entered == {BEES.id}


def test_a_fact_that_is_back_in_force_asks_for_its_vector() -> None:
    fact = fact_of(BEES, Candidate(text=BEES.text, entity=Entity.OWNER, importance=5), 0.0)
    corpus = Corpus("yui", Stored(profile=Profile(), facts=(fact,)), SETTINGS)
    corpus.embed([fact.id], np.ones((1, 2), dtype=np.float32))
    corpus.take(with_status(fact, FactStatus.RETRACTED, 1.0, "tested"))
    corpus.take(with_status(fact, FactStatus.ACTIVE, 2.0, "tested"))
    assert corpus.entered == {fact.id}


def test_a_fact_in_other_words_asks_for_their_vector() -> None:
    fact = fact_of(BEES, Candidate(text=BEES.text, entity=Entity.OWNER, importance=5), 0.0)
    corpus = Corpus("yui", Stored(profile=Profile(), facts=(fact,)), SETTINGS)
    corpus.take(replace(fact, text="I keep bees near Oslo."))
    assert corpus.entered == {fact.id}
