"""What vectors may decide: only that a text says in other words what was rejected, never more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from omoide.protocols.ports import Embedder
from omoide.protocols.records import Entity, Rejection, RejectionId
from omoide.protocols.rejections import holds_back, recognised, recognises
from omoide.protocols.scopes import PRIVATE
from omoide.tests.protocols.labelled_paraphrases import (
    CHINESE_CONTROLS,
    CHINESE_PARAPHRASES,
    ENGLISH_CONTROLS,
    ENGLISH_PARAPHRASES,
    JAPANESE_CONTROLS,
    JAPANESE_PARAPHRASES,
)

Pairs = list[tuple[str, str]]


def rejecting(text: str, *, entity: Entity = Entity.OWNER, about: str = "", by: str = "") -> Rejection:
    return Rejection(
        id=RejectionId("rej_1"),
        text=text,
        names=("Sam",),
        about=about,
        by=by,
        entity=entity,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=10.0,
        cause="turn_1",
        created_at=10.0,
    )


async def found(embedder: Embedder, pairs: Pairs, *, by_rules: bool = True) -> Pairs:
    """Return the pairs that a model and the rules take for one."""
    asked = [
        (one, other)
        for one, other in pairs
        if not by_rules or recognises(rejecting(one), other, entity=Entity.OWNER)
    ]
    matrix = await embedder.embed([text for pair in asked for text in pair], query=False)
    return [
        pair
        for place, pair in enumerate(asked)
        if float(matrix[2 * place] @ matrix[2 * place + 1]) >= embedder.likeness.same
    ]


async def held_back(embedder: Embedder, pairs: Pairs) -> int:
    """Return how many pairs are taken for one by their words or by the model and the rules."""
    by_words = [pair for pair in pairs if holds_back(rejecting(pair[0]), pair[1], entity=Entity.OWNER)]
    return len({*by_words, *await found(embedder, pairs)})


async def test_english_paraphrases_that_words_miss_are_found_and_controls_are_not(minilm: Embedder) -> None:
    assert await found(minilm, ENGLISH_CONTROLS) == []
    assert await held_back(minilm, ENGLISH_PARAPHRASES) >= 11


async def test_vectors_alone_would_hold_back_what_nobody_rejected(minilm: Embedder) -> None:
    assert len(await found(minilm, ENGLISH_CONTROLS, by_rules=False)) >= 8


async def test_the_multilingual_model_finds_paraphrases_in_three_languages_and_no_control(
    multilingual: Embedder,
) -> None:
    assert await found(multilingual, ENGLISH_CONTROLS + CHINESE_CONTROLS + JAPANESE_CONTROLS) == []
    assert await held_back(multilingual, ENGLISH_PARAPHRASES) >= 10
    assert len(await found(multilingual, CHINESE_PARAPHRASES)) >= 3
    assert len(await found(multilingual, JAPANESE_PARAPHRASES)) >= 2


@pytest.mark.parametrize(
    ("rejected", "text", "may"),
    [
        ("I live in Berlin", "Berlin is where I live", True),
        ("I work as a nurse", "My job is not nursing", False),
        ("I work as a nurse", "My job was nursing", False),
        ("I teach maths", "I study maths", False),
        ("I'm a pilot", "I want to become a pilot", False),
        ("I have two cats", "I'm the owner of three cats", False),
        ("I have two cats", "I'm the owner of two cats", True),
        ("I work for Toyota", "I'm an employee of Honda", False),
        ("I like green tea", "I like black tea", False),
        ("I work as a nurse", "My sister is a nurse by profession", False),
        ("I work as a nurse", "My job is nursing and I drink tea", False),
    ],
)
def test_rules_say_where_a_vector_may_decide(rejected: str, text: str, *, may: bool) -> None:
    assert recognises(rejecting(rejected), text, entity=Entity.OWNER) is may


def test_a_wording_that_was_recognised_is_held_back_without_a_model() -> None:
    rejection = rejecting("I live in Berlin")
    assert not holds_back(rejection, "Berlin is where I live.", entity=Entity.OWNER)
    knowing = recognised(rejection, ["Berlin is where I live"])
    assert holds_back(knowing, "berlin is where i live!", entity=Entity.OWNER)
    assert not holds_back(knowing, "Bergen is where I live.", entity=Entity.OWNER)


def test_a_wording_is_held_back_in_the_mouth_of_whom_it_is_about_alone() -> None:
    knowing = recognised(rejecting("I work as a nurse"), ["My job is nursing"])
    assert not holds_back(knowing, "My job is nursing", entity=Entity.OTHER, speaker="qq:1")


def test_a_lifted_rejection_recognises_nothing() -> None:
    lifted = replace(rejecting("I work as a nurse"), lifted_at=11.0)
    assert not recognises(lifted, "My job is nursing", entity=Entity.OWNER)


def test_the_newest_wordings_are_kept_where_they_are_many() -> None:
    knowing = recognised(rejecting("I work as a nurse"), [f"wording {number}" for number in range(100)])
    assert len(knowing.reworded) == 64
    assert holds_back(knowing, "wording 99", entity=Entity.OWNER)
