"""A name has one word of a subject, and a word at most one name; a place notices what became of its stream."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import InvalidNameError
from omoide.runtime.bus.names import name_of, word_of
from omoide.runtime.bus.place import MARKS_KEPT, Mark, Place

names = (
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp")), min_size=1, max_size=40)
    .map(lambda text: unicodedata.normalize("NFC", text.strip()))
    .filter(bool)
)


@given(names)
def test_a_name_comes_back_from_its_word(name: str) -> None:
    assert name_of(word_of(name)) == name


@given(names)
def test_a_word_holds_nothing_that_nats_or_mqtt_reads_as_more_than_a_word(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_%-]+", word_of(name))


@pytest.mark.parametrize(
    "word", ["%79ui", "yui%2e", "由依", "%", "%E7%94", "", "%20yui", "%00", "a%0A", "e%CC%81"]
)
def test_another_way_of_writing_a_name_is_refused(word: str) -> None:
    with pytest.raises(InvalidNameError):
        name_of(word)


def test_marks_are_few_and_the_newest_is_always_there() -> None:
    place = Place(stream="S")
    for seq in range(1, 10_000):
        place = place.moved(seq - 1, Mark(seq, seq * 10))

    assert (len(place.marks), place.read, place.done) == (MARKS_KEPT, 9_999, 9_998)
    assert place.marks[0].seq < 9_999 - 1_000


def test_a_stream_that_lost_its_end_goes_on_in_another_epoch() -> None:
    place = Place(stream="S").moved(5, Mark(7, 70))

    assert place.rewound(4) == Place(stream="S", epoch=1, done=4, marks=())
    assert place.begun_anew("T") == Place(stream="T", epoch=0)
