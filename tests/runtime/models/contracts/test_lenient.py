"""An answer is read whatever stands around it, and an unreadable one is an error and never "nothing"."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omoide.protocols.errors import ModelOutputError
from omoide.runtime.models.contracts.decisions import DecidedMerge
from omoide.runtime.models.contracts.lenient import ANSWER_CHARS, ITEMS, read_answer
from omoide.runtime.models.contracts.statements import StatedFact

Seconds = Any


def texts(answer: str) -> list[str]:
    return [item.text for item in read_answer(answer, StatedFact, "facts").items]


@pytest.mark.parametrize(
    "answer",
    [
        '{"facts": [{"text": "likes tea"}]}',
        '[{"text": "likes tea"}]',
        '{"memories": [{"text": "likes tea"}], "count": 1}',
        '```json\n{"facts": [{"text": "likes tea"}]}\n```',
        'Sure {ok}: [{"text": "likes tea"}] Anything else?',
        'I see [1] fact: {"facts": [{"text": "likes tea"}]}',
        '{"thought": "easy"} {"facts": [{"text": "likes tea"}]}',
        '<think>{"facts": []} hmm [</think>{"facts": [{"text": "likes tea"}]}',
        '{"facts": [{"text": "likes tea", "speaker": {"trust": 9}, "confidence": null}]}',
    ],
)
def test_the_facts_are_found_whatever_stands_around_them(answer: str) -> None:
    assert texts(answer) == ["likes tea"]


def test_a_list_that_was_cut_off_keeps_its_complete_elements() -> None:
    """mem0#5428: the answer met its limit, and every fact of it was dropped."""
    answer = read_answer('[{"text":"likes tea"},{"text":"has a ca', StatedFact, "facts")
    assert ([item.text for item in answer.items], answer.cut_off) == (["likes tea"], True)


@pytest.mark.parametrize("end", range(len('{"facts": [{"text": "a"},{"text": "b"}]')))
def test_wherever_it_is_cut_off_no_half_element_is_read(end: int) -> None:
    whole = '{"facts": [{"text": "a"},{"text": "b"}]}'
    try:
        answer = read_answer(whole[:end], StatedFact, "facts")
    except ModelOutputError:
        return
    assert answer.cut_off
    assert [item.text for item in answer.items] in (["a"], ["a", "b"])


@pytest.mark.parametrize("end", ["1", "1, ", '"half', "tru", "[1"])
def test_what_is_no_object_may_be_half_of_something_and_ends_the_list(end: str) -> None:
    assert read_answer('[{"text":"a"},' + end, StatedFact, "facts").given == 1


def test_one_object_that_was_cut_off_is_none() -> None:
    with pytest.raises(ModelOutputError):
        read_answer('{"action": "reject", "reason": "it is wro', DecidedMerge, "")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r'[{"text": "likes C:\data"}]', r"likes C:\data"),
        (r'[{"text": "a \u00e9 and \ud83d\ude00"}]', "a é and 😀"),
        (r'[{"text": "half a face \ud83d"}]', "half a face"),
        (r'[{"text": "the \"best\" tea"}]', 'the "best" tea'),
        ('[{"text": "two\nlines"}]', "two\nlines"),
        ('[{"text": "half a \ud83d face"}]', "half a  face"),
    ],
)
def test_a_wrong_escape_or_a_lone_surrogate_spoils_only_itself(written: str, read: str) -> None:
    """mem0#5998 and #4540."""
    assert texts(written) == [read]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Nice chat!",
        "null",
        "7",
        '"likes tea"',
        "[1, 2]",
        '{"facts": "likes tea"}',
        '[{"importance": 3}]',
        "{}",
        "[" * 5_000,
        '{"a":' * 5_000,
        '{"facts": [{"te',
    ],
)
def test_what_has_another_shape_is_an_error(answer: str) -> None:
    with pytest.raises(ModelOutputError, match="expected an object with the list"):
        texts(answer)


@pytest.mark.parametrize("answer", ['{"facts": []}', "[]", 'None were stated: {"facts": []}'])
def test_an_empty_list_is_an_answer(answer: str) -> None:
    assert texts(answer) == []


def test_a_wrong_element_costs_no_other() -> None:
    answer = read_answer('[{"text": "a"}, {"text": 3.5, "importance": []}, 4, {"text": "b"}]', StatedFact, "facts")
    assert ([item.text for item in answer.items], answer.given) == (["a", "3.5", "b"], 4)


def test_of_ten_thousand_elements_the_first_are_read_and_the_rest_is_told() -> None:
    answer = read_answer(json.dumps([{"text": f"fact {n}"} for n in range(10_000)]), StatedFact, "facts")
    assert (len(answer.items), answer.given) == (ITEMS, 10_000)
    assert "10,000" in answer.complaints[-1]


def test_an_answer_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(ModelOutputError, match="characters"):
        texts("x" * (ANSWER_CHARS + 1))


@pytest.mark.parametrize("piece", ['{"a":"', "[{", '[{"text":"a"},', "\\u", "<think>"])
def test_reading_takes_time_in_proportion_to_the_length(piece: str, cpu_seconds: Seconds) -> None:
    def read(length: int) -> None:
        with pytest.raises(ModelOutputError):
            read_answer('{"b"' + piece * (length // len(piece)), DecidedMerge, "")

    assert cpu_seconds(lambda: read(80_000)) < 12 * max(cpu_seconds(lambda: read(20_000)), 0.0005)


PIECES = st.sampled_from(['{"text": "', '"text"', '"facts": ', *'[]{}":, 7', "tea", "null"])
"""What answers are made of, so that some can be read; nothing in them stands for another character."""


@given(st.text() | st.lists(PIECES, max_size=12).map("".join))
@example('tea {"facts": [{"text": "tea 7"}]')
def test_any_text_is_refused_or_read_as_words_of_its_own(answer: str) -> None:
    try:
        read = texts(answer)
    except ModelOutputError:
        read = []

    assert [text for text in read if not text.strip() or text not in answer] == []


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Z")))))
def test_what_a_model_writes_as_json_is_read_as_it_was(written: list[str]) -> None:
    answer = json.dumps({"facts": [{"text": text} for text in written]})
    assert texts(answer) == written
