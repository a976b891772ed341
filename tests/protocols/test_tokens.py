"""Terms for ranking: words by their stems, scripts without blanks by bigrams."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.tokens import MAX_STEMMED_CHARS, distinct_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann's dogs were running", ["ann", "dog", "run"]),
        ("Ann\u2019s dogs", ["ann", "dog"]),
        ("I don't like mushrooms", ["like", "mushroom"]),
        ("ＣＡＦＥ latte", ["cafe", "latt"]),
        ("naïve cafés", ["naïv", "café"]),
        ("room 101, 3.5 km at 5pm", ["room", "101", "3.5", "km", "5pm"]),
        ("mp3s in 2020.", ["mp3s", "2020"]),
        ("O'Brien", ["o", "brien"]),
        ("我喜欢Python编程", ["我喜", "喜欢", "python", "编程"]),
        ("3月14日", ["3", "月", "14", "日"]),
        ("林", ["林"]),
        ("日本に住む", ["日本", "本に", "に住", "住む"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ"]),
        ("ラーメン", ["ラー", "ーメ", "メン"]),
        ("한국어 공부", ["한국", "국어", "공부"]),
        ("Живу в Москве", ["живу", "в", "москве"]),
        ("मैं हिन्दी", ["मैं", "हिन्दी"]),
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_a_text_is_split_into_these_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_query_of_stop_words_alone_still_has_terms() -> None:
    assert terms("Who are you?") == ["who", "are", "you"]


def test_names_left_out_do_not_count_in_a_longer_query() -> None:
    names = frozenset(terms("Yui 林晚"))
    assert terms("Yui, where does 林晚 swim?", leave_out=names) == ["swim"]


def test_a_query_of_nothing_but_left_out_names_falls_back_to_the_names() -> None:
    assert terms("What about Yui?", leave_out=frozenset({"yui"})) == ["yui"]


@pytest.mark.parametrize("text", ["", "  \n", "?!…", "🎉", "\u200b"])
def test_a_text_without_words_has_no_terms(text: str) -> None:
    assert terms(text) == []


@given(st.text(max_size=80))
def test_terms_do_not_depend_on_case_width_or_surrounding_blanks(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    assert terms(f"  {wide}\n") == terms(text)


@given(st.text(alphabet="aéß林ひカ한3.'’ -", max_size=60))
def test_no_term_is_blank(text: str) -> None:
    assert all(term.strip() for term in terms(text))


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_terms_of_two_lines_are_those_of_the_first_and_then_those_of_the_second(one: str, two: str) -> None:
    both = terms(f"{one}\nxyzzy\n{two}")
    expected = [*_content(one), "xyzzi", *_content(two)]
    assert both == expected


def _content(text: str) -> list[str]:
    return terms(f"{text}\nxyzzy")[:-1]


def test_threads_that_stem_at_once_get_the_stems_of_one() -> None:
    words = [f"{stem}{ending}" for stem in _syllables() for ending in ("ings", "ation", "fulness", "ied")]
    oracle = snowballstemmer.stemmer("english")
    expected = [oracle.stemWord(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda word: terms(word)[0], words))
    assert found == expected


def _syllables() -> list[str]:
    return [f"{a}{b}{c}{d}" for a in "bdfg" for b in "aeio" for c in "klmnp" for d in "rtvz"]


def test_a_word_longer_than_any_real_one_is_kept_as_it_is() -> None:
    endless = "running" * MAX_STEMMED_CHARS
    assert terms(endless) == [endless]


@given(st.text(alphabet="aé 1.,'’-_Zsthe猫", max_size=60))
def test_distinct_terms_are_the_terms_each_once(text: str) -> None:
    assert distinct_terms(text) == list(dict.fromkeys(terms(text)))


@given(st.text(alphabet="ab 1.,'`-_Z\t", max_size=40))
def test_plain_letters_are_split_as_those_of_any_other_text_are(text: str) -> None:
    assert terms(f"{text} zebra ж") == [*terms(f"{text} zebra"), "ж"]
