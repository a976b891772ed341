"""The turns that every peer is given, and the questions about them."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

_WHO: Final = (
    "sister",
    "brother",
    "aunt",
    "uncle",
    "cousin",
    "neighbour",
    "colleague",
    "teacher",
    "flatmate",
    "boss",
)
_NAMES: Final = (
    "Ingrid", "Marcus", "Leila", "Tomas", "Yuki", "Amara", "Pavel", "Chiara", "Omar", "Freya",
    "Ravi", "Noemi", "Stefan", "Aiko", "Dmitri", "Paloma", "Kwame", "Sofia", "Anders", "Mei",
)  # fmt: skip
_DOES: Final = (
    "lives in", "was born in", "moved to", "works in", "studies in", "spent the summer in", "owns a bakery in",
    "teaches in", "got married in", "plays football in",
)  # fmt: skip
_PLACES: Final = (
    "Bergen", "Lisbon", "Osaka", "Nairobi", "Quito", "Tallinn", "Hobart", "Ghent", "Tbilisi", "Cusco",
    "Malmo", "Porto", "Sapporo", "Kampala", "Bogota", "Riga", "Perth", "Leuven", "Yerevan", "Arequipa",
)  # fmt: skip
_DETAILS: Final = (
    "near the harbour", "behind the cathedral", "above a bookshop", "by the old mill", "across from the station",
    "with two dogs", "since the flood", "for a violin maker", "next to the museum", "on the fourth floor",
)  # fmt: skip

_QUESTION_WORDS: Final = 4


class Question(NamedTuple):
    """A few words of one turn, and that turn's number."""

    text: str
    number: int


def make_turns(count: int, seed: int) -> list[str]:
    """Return `count` different sentences, the same for the same seed.

    Raises:
        ValueError: for more than there are.
    """
    shapes = (len(_WHO), len(_NAMES), len(_DOES), len(_PLACES), len(_DETAILS))
    total = 1
    for size in shapes:
        total *= size
    turns = []
    for index in random.Random(seed).sample(range(total), count):  # noqa: S311 - the same turns in every run
        rest = index
        picked = []
        for size in shapes:
            rest, at = divmod(rest, size)
            picked.append(at)
        who, name, does, place, detail = picked
        turns.append(f"My {_WHO[who]} {_NAMES[name]} {_DOES[does]} {_PLACES[place]} {_DETAILS[detail]}.")
    return turns


def make_questions(turns: list[str], count: int, seed: int) -> list[Question]:
    """Return questions, each of four words of one turn in another order."""
    rng = random.Random(seed)  # noqa: S311 - the same questions in every run
    questions = []
    for number in rng.sample(range(len(turns)), min(count, len(turns))):
        words = turns[number].rstrip(".").split()[1:]
        questions.append(Question(" ".join(rng.sample(words, min(_QUESTION_WORDS, len(words)))), number))
    return questions
