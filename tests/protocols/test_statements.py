"""When two statements are one: only form, fillers and articles may differ."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.statements import fact_id, statement_key

SAME = [
    ("I'm a nurse.", "I am a nurse"),
    ("I\u2019m a nurse!!", "im a nurse"),
    ("I don't like tea", "I do not like tea…"),
    ("I can't swim", "I cannot swim"),
    ("She won't come", "She will not come"),
    ("It's been cold", "It has been cold"),
    ("I have a dog", "I have the dog"),
    ("I really like tea", "I like tea"),
    ("Well, I just like tea, you know.", "I like tea"),
    ("Oh well I actually like tea", "I like tea"),
    ("Ｉ　ｌｉｋｅ　ｔｅａ", "i LIKE   tea"),
    ("My café", "My cafe\u0301"),
    ("I like tea\u200b", "I like tea"),
    ('I like "tea"', "I like tea"),
    ("my ex-wife is Ann", "My ex wife is Ann."),
    ("我真的很喜欢茶啊。", "我喜欢茶"),
    ("其实，我是护士", "我是护士"),
    ("其实我是护士", "我是护士!"),
    ("我就是喜欢茶", "我喜欢茶"),
    ("我 叫 林晚", "我叫林晚"),
    ("日本に住んでいるよね。", "日本に住んでいる"),
    ("実は学生です", "学生ですよ"),
    ("ｺｰﾋｰが好きです", "コーヒーが好きです"),
]

DIFFERENT = [
    ("Alice loves Bob", "Bob loves Alice"),
    ("I like tea", "I don't like tea"),
    ("I lived in Rome", "I live in Rome"),
    ("I am with Tom", "I am without Tom"),
    ("I have a sister", "I have two sisters"),
    ("I moved to Rome", "I moved from Rome"),
    ("I know few people", "I know a few people"),
    ("I sing", "I sing well"),
    ("I don't like tea", "I don't just like tea"),
    ("You know Tom", "Tom"),
    ("I hate us", "I hate the US"),
    ("My plan is A", "My plan is"),
    ("I take vitamin A daily", "I take vitamin daily"),
    ("Pedro conoce a María", "A Pedro conoce María"),
    ("It is 3.5 km away", "It is 35 km away"),
    ("It was -5 outside", "It was 5 outside"),
    ("I write C", "I write C#"),
    ("I own 50%", "I own 50"),
    ("I'd lived there", "I would lived there"),
    ("He's left", "He is left"),
    ("He's just left", "He is left"),
    ("She's never been", "She is never been"),
    ("my sister's cat", "my sisters cat"),
    ("I can swim", "I can't swim"),
    ("I could swim", "I can swim"),
    ("I only like tea", "I like tea"),
    ("我喜欢茶", "我不喜欢茶"),
    ("我喜欢茶", "我喜欢过茶"),
    ("我就是医生", "我医生"),
    ("我就是爱丽丝", "我爱丽丝"),
    ("我吃饭啦", "我吃饭"),
    ("我是认真的", "我是认"),
    ("食べるな", "食べる"),
    ("好きなのはコーヒー", "好きなのはコーヒ"),
    ("学生だ", "学生だった"),
    ("猫が犬を追う", "犬が猫を追う"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_say_the_same(one: str, other: str) -> None:
    assert statement_key(one) == statement_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_these_do_not_say_the_same(one: str, other: str) -> None:
    assert statement_key(one) != statement_key(other)


@pytest.mark.parametrize("text", ["really", "Oh, well…", "you know", "其实", "えっと", "the"])
def test_a_statement_of_fillers_alone_keeps_its_words(text: str) -> None:
    assert statement_key(text)


VOCABULARY = (
    "I i'm don't cannot a an the few us well oh so really just not never you know mean like Ann's he's left been "
    "vitamin A 3.5 -5 c++ 50% 真的 其实 就是 我 喜欢 不 其 实 啊 よ ね 住んでいる 本当に は "
    "café , . ! — ' \" ( ) 。 ，"
)
WORDS = st.sampled_from(VOCABULARY.split())
SAYINGS = st.lists(WORDS, max_size=14).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)]),
)


@given(st.one_of(SAYINGS, st.text(max_size=60)))
@example("well 其实 well 其实 i")
@example("really, oh")
@example("住んでいるよ啊")
@example("you just know")
@example("其其实实")
@example("ΐ\u0345")
def test_the_form_of_a_canonical_form_is_itself(text: str) -> None:
    key = statement_key(text)
    assert statement_key(key) == key


@given(
    st.one_of(SAYINGS, st.text(alphabet="ab éЖ我ひ한1", max_size=40)),
    st.sampled_from([".", "!", "。", "！", "…", " ;"]),
)
def test_trailing_punctuation_does_not_count(text: str, mark: str) -> None:
    assert statement_key(text + mark) == statement_key(text)


@given(SAYINGS)
def test_case_does_not_count(text: str) -> None:
    assert statement_key(text.upper()) == statement_key(text)


@given(SAYINGS)
def test_width_does_not_count(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    assert statement_key(wide) == statement_key(text)


@given(SAYINGS, st.sampled_from(["  ", "\t", "\n ", "\u3000"]))
def test_extra_blanks_do_not_count(text: str, blank: str) -> None:
    assert statement_key(blank + text.replace(" ", blank) + blank) == statement_key(text)


@given(st.text(alphabet="ab我 ", min_size=1, max_size=20).filter(str.strip))
def test_a_statement_with_a_letter_has_a_form(text: str) -> None:
    assert statement_key(text)


Seconds = Callable[[Callable[[], object]], float]

ADVERSARIAL: dict[str, Callable[[int], str]] = {
    "blanks": lambda size: "a" + " " * size + "b",
    "quotes": lambda size: "'\"" * (size // 2),
    "apostrophes": lambda size: "a'" * (size // 2),
    "dots": lambda size: "1." * (size // 2),
    "openers": lambda size: "well oh " * (size // 8),
    "nested fillers": lambda size: "其" * (size // 2) + "实" * (size // 2),
    "nested phrases": lambda size: "you " * (size // 8) + "know " * (size // 8),
    "final particles": lambda size: "猫" + "よね" * (size // 2),
    "mixed particles": lambda size: "住んでいる" + "よ啊" * (size // 2),
    "brackets": lambda size: "(" * size,
}


@pytest.mark.parametrize("shape", ADVERSARIAL)
def test_time_grows_with_the_length_and_not_with_its_square(shape: str, cpu_seconds: Seconds) -> None:
    half, whole = (ADVERSARIAL[shape](size) for size in (20_000, 40_000))
    assert cpu_seconds(lambda: statement_key(whole)) < 3.2 * cpu_seconds(lambda: statement_key(half)) + 0.02


def test_a_fact_id_depends_on_subject_speaker_and_form() -> None:
    group = Subject("group:qq:7")
    ids = {
        fact_id(PRIVATE, "", "i like tea"),
        fact_id(group, "", "i like tea"),
        fact_id(PRIVATE, "qq:1", "i like tea"),
        fact_id(PRIVATE, "", "i like coffee"),
    }
    assert len(ids) == 4


def test_a_fact_id_is_the_digest_of_its_parts() -> None:
    # printf 'private\0\0i like tea' | sha256sum
    assert fact_id(PRIVATE, "", "i like tea") == "fact_eda0f259547f4682"
