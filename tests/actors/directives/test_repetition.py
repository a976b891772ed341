"""When a draft goes back to what was said lately."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from omoide.actors.directives.repetition import Corpus, Output, Repetition
from omoide.protocols.settings import RepetitionSettings
from omoide.protocols.tokens import terms

SETTINGS = RepetitionSettings()
KOALA = (
    "The koala at the zoo slept in its eucalyptus tree all afternoon "
    "while tourists photographed its fluffy round ears."
)
KOALA_AGAIN = (
    "Remember those tourists at the zoo? Photographing fluffy koala ears, while the koala sleeps "
    "in a eucalyptus tree, round and lazy, through a whole afternoon!"
)
OTHERWISE = (
    "Tomorrow morning brings heavy rain, so bring boots, an umbrella, dry socks "
    "and perhaps a thermos with ginger soup."
)
SUBJECTS = ("piano", "garden", "bakery", "harbour", "mountain", "library", "comet", "kitchen", "tailor", "violin")


def corpus_of(*outputs: Output) -> Corpus:
    corpus = Corpus(SETTINGS)
    for output in outputs:
        corpus.add(output)
    return corpus


def background(now: float) -> tuple[Output, ...]:
    """Forty ordinary lines, each of its own words, the last an hour old."""
    lines = [" ".join(f"{subject}{number}" for subject in SUBJECTS) + " lovely evening" for number in range(40)]
    return tuple(Output(text=line, said_at=now - 3_600 - 60 * age) for age, line in enumerate(reversed(lines)))[
        ::-1
    ]


def after(*lines: str, now: float = 1_000_000.0) -> Corpus:
    return corpus_of(*background(now), *(Output(text=line, said_at=now - 60) for line in lines))


def test_the_same_topic_in_other_words_is_flagged_with_the_earlier_line() -> None:
    result = after(KOALA).judge(KOALA_AGAIN, 1_000_000.0)
    assert result.action != "allow"
    assert [output.text for output in result.earlier] == [KOALA]


def test_what_is_in_common_is_named() -> None:
    assert "koala" in after(KOALA).judge(KOALA_AGAIN, 1_000_000.0).topics


def test_another_topic_is_allowed() -> None:
    result = after(KOALA).judge(OTHERWISE, 1_000_000.0)
    assert (result.action, result.earlier) == ("allow", ())


def test_the_same_line_again_is_dropped() -> None:
    assert after(KOALA, KOALA).judge(KOALA, 1_000_000.0).action == "drop"


def test_a_short_draft_is_not_scored() -> None:
    assert after(KOALA).judge("The koala slept.", 1_000_000.0) == Repetition(action="allow", score=0.0)


def test_a_line_leaves_the_foreground_after_ten_minutes() -> None:
    assert after(KOALA).judge(KOALA_AGAIN, 1_000_000.0 + 601).score == 0.0


def test_only_the_latest_five_are_in_the_foreground() -> None:
    others = [f"{OTHERWISE} {' '.join(f'word{number}{letter}' for letter in 'abcdef')}" for number in range(5)]
    assert after(KOALA, *others).judge(KOALA_AGAIN, 1_000_000.0).action == "allow"


def test_the_corpus_is_capped_by_count_and_never_by_age() -> None:
    corpus = corpus_of(*(Output(text=f"{KOALA} {number}", said_at=float(number)) for number in range(150)))
    assert [output.said_at for output in corpus.outputs] == [float(number) for number in range(50, 150)]


def test_a_short_output_is_not_kept() -> None:
    assert corpus_of(Output(text="Good morning!", said_at=0.0)).outputs == ()


def test_chinese_is_compared_by_its_characters() -> None:
    said = "动物园里的考拉整个下午都趴在桉树上睡觉，游客们围着拍它毛茸茸的圆耳朵。"
    again = "考拉下午又在桉树上睡觉啦，毛茸茸的圆耳朵真可爱，动物园的游客们都在拍。"
    assert after(said).judge(again, 1_000_000.0).action != "allow"


WORDS = st.lists(st.sampled_from(SUBJECTS), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_the_score_is_that_of_okapi_bm25_over_the_latest_lines(said: list[list[str]], draft: list[str]) -> None:
    corpus = Corpus(SETTINGS.model_copy(update={"min_terms": 1, "foreground": 3, "regenerate_above": 1e-9}))
    for line in said:
        corpus.add(Output(text=" ".join(line), said_at=0.0))
    lines = [terms(" ".join(line)) for line in said]
    okapi = BM25Okapi(lines)
    held = Counter(term for line in lines for term in set(line))
    okapi.idf = {term: math.log((len(lines) - n + 0.5) / (n + 0.5) + 1) for term, n in held.items()}
    foreground = list(range(len(lines)))[-3:]
    okapi.avgdl = sum(len(lines[at]) for at in foreground) / len(foreground)
    wanted = list(dict.fromkeys(terms(" ".join(draft))))
    expected = sum(okapi.get_batch_scores([term for term in wanted if term in held], foreground))

    assert corpus.judge(" ".join(draft), 0.0).score == pytest.approx(expected)


def test_lines_without_any_word_repeat_nothing() -> None:
    pictures = "🌊 🌙 🌱 🌸 🍀 🍁 🍄 🍊 🍋 🍎 🍓 🍙 🍜"
    assert after().judge(pictures, 1_000_000.0).score == 0.0
    assert corpus_of(Output(text=pictures, said_at=0.0)).judge(pictures, 0.0).action == "allow"


def test_what_is_said_between_two_drafts_counts_for_the_second() -> None:
    corpus = after(OTHERWISE)
    before = corpus.judge(KOALA_AGAIN, 1_000_000.0).action
    corpus.add(Output(text=KOALA, said_at=1_000_000.0))
    assert (before, corpus.judge(KOALA_AGAIN, 1_000_000.0).action != "allow") == ("allow", True)


@given(st.lists(WORDS, min_size=1, max_size=30), WORDS)
def test_a_corpus_past_its_cap_scores_as_one_of_the_newest_lines_alone(
    said: list[list[str]], draft: list[str]
) -> None:
    settings = SETTINGS.model_copy(update={"min_terms": 1, "background": 8})
    whole, newest = Corpus(settings), Corpus(settings)
    for kept, lines in ((whole, said), (newest, said[-8:])):
        for line in lines:
            kept.add(Output(text=" ".join(line), said_at=0.0))
            kept.judge("piano", 0.0)
    assert whole.judge(" ".join(draft), 0.0) == newest.judge(" ".join(draft), 0.0)
