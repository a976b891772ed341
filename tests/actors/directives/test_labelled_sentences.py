"""Precision and recall over what people say, half of it near misses."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from omoide.actors.directives.folding import fold_term
from omoide.actors.directives.phrasebook import LOCALES
from omoide.actors.directives.wishes import Ban, Lift, find_wishes

FOLDER = Path(__file__).parent / "labelled"
KINDS = ("ban", "alias", "bare", "lift", "forget")
FLOORS = {"en": (0.97, 0.9), "zh": (0.97, 0.9)}
OTHER_FLOORS = (0.9, 0.85)


def rows_of(locale: str) -> list[dict[str, Any]]:
    halves: dict[str, list[dict[str, Any]]] = yaml.safe_load((FOLDER / f"{locale}.yaml").read_text("utf-8"))
    return [row for part in halves.values() for row in part]


def meant(row: dict[str, Any]) -> set[tuple[str, str]]:
    return {(kind, term if term == "*" else fold_term(term)) for kind in KINDS for term in row.get(kind, ())}


def heard(sentence: str) -> set[tuple[str, str]]:
    wishes: set[tuple[str, str]] = set()
    for wish in find_wishes(sentence):
        if isinstance(wish, Ban):
            wishes.add(("bare" if wish.bare else "ban", fold_term(wish.term)))
            wishes |= {("alias", fold_term(name)) for name in wish.aliases}
        elif isinstance(wish, Lift):
            wishes.add(("lift", "*" if wish.term is None else fold_term(wish.term)))
        else:
            wishes.add(("forget", fold_term(wish.object)))
    return wishes


@pytest.mark.parametrize("locale", LOCALES)
def test_wishes_are_heard_as_often_and_as_rightly_as_promised(locale: str) -> None:
    counts: Counter[str] = Counter()
    for row in rows_of(locale):
        wanted, found = meant(row), heard(row["say"])
        counts.update(right=len(wanted & found), wrong=len(found - wanted), missed=len(wanted - found))
    recall = counts["right"] / (counts["right"] + counts["missed"])
    precision = counts["right"] / (counts["right"] + counts["wrong"])
    floor = FLOORS.get(locale, OTHER_FLOORS)
    assert recall >= floor[0], f"recall {recall:.3f}"
    assert precision >= floor[1], f"precision {precision:.3f}"


def test_the_labelled_set_is_large_and_half_of_it_near_misses() -> None:
    rows = [row for locale in LOCALES for row in rows_of(locale)]
    wishes = sum(bool(meant(row)) for row in rows)
    assert len(rows) >= 400
    assert 0.4 <= wishes / len(rows) <= 0.6


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_english_and_chinese_have_eighty_sentences_each(locale: str) -> None:
    assert len(rows_of(locale)) >= 80


@pytest.mark.parametrize("locale", LOCALES)
def test_no_sentence_is_labelled_twice(locale: str) -> None:
    said = [row["say"] for row in rows_of(locale)]
    assert len(set(said)) == len(said)
