"""Hearing and gating cost what the length of the text costs, whatever is in it."""

import gc
import time
from collections.abc import Callable
from itertools import pairwise
from math import inf

import pytest

from omoide.actors.directives.matcher import compile_terms
from omoide.actors.directives.stated import take_apart
from omoide.actors.directives.streaming import SentenceGate
from omoide.actors.directives.wishes import find_wishes
from omoide.protocols.records import Directive, DirectiveId

SIZES = (6_000, 12_000, 24_000)
"""Characters; `benchmarks/directives.py` goes on to 80,000."""

MAX_GROWTH = 3.0
"""Of the time when the length doubles: 2 for a linear cost, with room for noise; 4 for a square one."""

TRIES = 8

LONG = 65_000
"""Characters; about the longest turn by default (`limits.text_chars`)."""

MOST_TIMES_PLAIN = 15.0
"""Of the time for a text without any wish. It was 50 and more while each sentence was looked at anew."""

ADVERSARIAL = {
    "blanks": " ",
    "blanks after a phrase": "stop mentioning" + " " * 200,
    "no-break blanks": "\u00a0\u2003",
    "quotes": '"',
    "open quotes": "\u201c",
    "corner brackets": "\u300c",
    "brackets": "([{",
    "quoted verbs": "别提「",
    "repeated verbs": "stop mentioning ",
    "repeated negations": "don't never not ",
    "repeated chinese": "别再提",
    "repeated adverbs": "再老是总是一直",
    "repeated japanese": "の話はもう",
    "repeated korean": "얘기 ",
    "repeated russian": "не больше ",
    "commas": "a, ",
    "wide commas": "别提，",
    "apostrophes": "n't ",
    "dots": ".",
    "dots and blanks": ". ",
    "wide ends": "。",
    "one long word": "x",
    "one long han word": "的",
    "combining marks": "e\u0301\u0302",
    "invisible": "a\u200b",
    "lists": "stop mentioning a, b, c, d or ",
    "forgets": "forget that forget ",
    "newlines": "别提\n",
    "pronouns": "Petra? Never mention her. ",
    "chinese pronouns": "他？别提他。",
    "colons": "don't mention:\n- a\n",
    "strokes": "don't mention: a / b / ",
    "markup": "**a**b_",
    "hyphens at line ends": "a-\n",
    "spelled out": "p-e-t-r-a ",
    "look-alikes": "\u0440a ",
    "name words": "Will. ",
}


def cpu_s(work: Callable[[str], object], text: str) -> float:
    """Return how long this thread works on a text, in seconds."""
    gc.collect()
    gc.disable()
    before = time.thread_time()
    work(text)
    used = time.thread_time() - before
    gc.enable()
    return used


def grows_linearly(work: Callable[[str], object], piece: str) -> bool:
    """Return whether doubling the text about doubles the least time of a few tries: noise only adds to it."""
    texts = [(piece * (size // len(piece) + 1))[:size] for size in SIZES]
    work(texts[0][:2_000])
    least = [inf] * len(texts)
    for _ in range(TRIES):
        least = [min(known, cpu_s(work, text)) for known, text in zip(least, texts, strict=True)]
        if all(after < MAX_GROWTH * max(before, 0.005) for before, after in pairwise(least)):
            return True
    return False


@pytest.mark.parametrize("piece", ADVERSARIAL.values(), ids=ADVERSARIAL.keys())
def test_hearing_costs_what_the_length_costs(piece: str) -> None:
    assert grows_linearly(take_apart, piece)


@pytest.mark.parametrize("name", ["newlines", "chinese pronouns", "quoted verbs", "repeated chinese"])
def test_sentences_that_say_the_same_cost_little_more_than_words_that_say_nothing(name: str) -> None:
    """A turn of 65,000 characters is allowed, and would keep a core busy for seconds."""
    piece, words = ADVERSARIAL[name], "word "
    texts = [(one * (LONG // len(one) + 1))[:LONG] for one in (piece, words)]
    find_wishes(texts[0][:2_000])
    spent, plain = (min(cpu_s(find_wishes, text) for _ in range(3)) for text in texts)
    assert spent < MOST_TIMES_PLAIN * plain


def directive(term: str) -> Directive:
    return Directive(
        id=DirectiveId(term), key=term, term=term, hits=1, first_said_at=0.0, last_said_at=0.0, turn=None
    )


@pytest.mark.parametrize("piece", ADVERSARIAL.values(), ids=ADVERSARIAL.keys())
def test_finding_topics_costs_what_the_length_costs(piece: str) -> None:
    matcher = compile_terms([directive(term) for term in ("spiders", "ex wife", "的的的", "c++", "ab cd 的")])
    assert grows_linearly(matcher.find, piece)


def test_a_topic_that_one_long_word_repeats_costs_what_the_length_costs() -> None:
    matcher = compile_terms([directive("ab")])
    assert grows_linearly(lambda text: matcher.find(f"ab {text}"), "ab")


@pytest.mark.parametrize("piece", ADVERSARIAL.values(), ids=ADVERSARIAL.keys())
def test_streaming_costs_what_the_length_costs(piece: str) -> None:
    matcher = compile_terms([directive("spiders"), directive("ex wife")])

    def stream(text: str) -> None:
        gate = SentenceGate(matcher)
        for start in range(0, len(text), 500):
            gate.push(text[start : start + 500])
        gate.close()

    assert grows_linearly(stream, piece)
