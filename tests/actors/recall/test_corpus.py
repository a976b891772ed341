"""What recall knows is the same whether it was loaded at once or followed record by record."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.recall.corpus import Corpus, Stored
from omoide.protocols.facts import fact_of, with_status
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, FactStatus, Profile, Role, Turn, TurnId
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
