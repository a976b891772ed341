"""Questions are read without the words that only ask, with what a misspelt word may mean, and for their time."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest

from omoide.actors.recall.asking import asked_terms, query_of
from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.search_terms import search_terms
from omoide.actors.recall.tense import Asked, asked_tense, tells_past
from omoide.protocols.scopes import PRIVATE, Subject

GROUP = Subject("group:qq:77")


def index_of(texts: Iterable[str], subject: Subject = PRIVATE) -> InvertedIndex:
    index = InvertedIndex()
    for number, text in enumerate(texts):
        index.put(str(number), subject, search_terms(text))
    return index


def asked(question: str, index: InvertedIndex, subject: Subject = PRIVATE) -> tuple[str, ...]:
    return tuple(query_of(question, frozenset(), index, (subject,), None, 0.3).terms)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("¿Cuál es la capital de Francia?", ["capit", "francia"]),
        ("Was ist die Hauptstadt von Frankreich?", ["hauptstadt", "frankreich"]),
        ("Quelle est la capitale de l'Espagne ?", ["capital", "espagn"]),
        ("Qual é a capital da França?", ["capit", "franca"]),
        ("Какая столица Франции?", ["столиц", "франц"]),
        ("how did my son die?", ["son", "die"]),
        ("did I go to LA?", ["go", "la"]),
    ],
)
def test_words_that_only_ask_are_left_out_in_the_language_of_the_question(question: str, left: list[str]) -> None:
    assert asked_terms(question) == left


def test_a_question_of_nothing_else_keeps_them() -> None:
    assert asked_terms("¿qué es?")


@pytest.mark.parametrize(
    ("misspelt", "known"),
    [("alergic", "allergic"), ("bicicle", "bicycle"), ("freinds", "friends"), ("appartement", "apartment")],
)
def test_a_misspelt_word_stands_for_a_known_one(misspelt: str, known: str) -> None:
    assert search_terms(known)[0] in asked(misspelt, index_of([known]))


def test_a_long_question_of_words_that_nobody_said_costs_what_its_length_costs() -> None:
    letters = "bdfgklmn"
    words = [f"zu{a}{b}{c}{d}" for a in letters for b in letters for c in letters for d in letters]
    index = index_of(["marten"])

    def least(number: int) -> float:
        taken = []
        for turn in range(4):
            question = " ".join(words[turn : turn + number])
            started = time.process_time()
            asked(question, index)
            taken.append(time.process_time() - started)
        return min(taken)

    assert least(1_600) < 8 * least(400)


def test_a_word_that_is_known_stands_for_itself() -> None:
    assert asked("marten", index_of(["marten", "martens", "martin"])) == ("marten",)


def test_a_short_word_is_no_other_short_word() -> None:
    assert asked("horse", index_of(["house"])) == ("hors",)


@pytest.mark.parametrize(("word", "known"), [("political", "positive"), ("condition", "confidence")])
def test_a_word_is_no_other_one_that_only_its_stem_is_like(word: str, known: str) -> None:
    assert asked(word, index_of([known])) == tuple(search_terms(word))


def test_a_word_of_another_subject_is_never_meant() -> None:
    assert asked("bicicle", index_of(["bicycle"], GROUP)) == ("bicicl",)


@pytest.mark.parametrize(
    ("question", "tense"),
    [
        ("where do I live?", Asked.PRESENT),
        ("where did I live before?", Asked.FORMER),
        ("where did I go?", Asked.ANY),
        ("我现在住在哪里？", Asked.PRESENT),
        ("我以前住在哪里？", Asked.FORMER),
        ("前はどこに住んでいた？", Asked.FORMER),
        ("今どこに住んでいる？", Asked.PRESENT),
        ("昨日どこに行った？", Asked.ANY),
        ("¿Dónde vivía antes?", Asked.FORMER),
        ("Wo wohne ich?", Asked.PRESENT),
    ],
)
def test_a_question_is_about_a_time(question: str, tense: Asked) -> None:
    assert asked_tense(question) is tense


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("I lived in Leeds.", True),
        ("I used to smoke.", True),
        ("I have lived here since May.", False),
        ("I live in Bristol.", False),
        ("我以前住在成都。", True),
        ("以前は名古屋に住んでいました。", True),
        ("大阪に住んでいます。", False),
    ],
)
def test_a_text_tells_of_what_was(text: str, past: bool) -> None:
    assert tells_past(text) is past
