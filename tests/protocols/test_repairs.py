"""What is taken back in the same breath isn't said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.clauses.repairs import repaired


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I live in Porto, no wait, Braga.", "I live in Braga."),
        ("I live in Porto. Sorry, no, I live in Braga.", "I live in Braga."),
        ("My cat is called Momo, I mean Mimi", "My cat is called Mimi"),
        ("I work as a baker, sorry, as a butcher.", "I work as a butcher."),
        ("I have four, no, five sisters.", "I have five sisters."),
        ("I turned 50. Wait, 51.", "I turned 51."),
        ("I'm from Turin, well, actually from Asti.", "I'm from Asti."),
        ("I have a goat, scratch that, a sheep.", "I have a sheep."),
        ("My exam is on Tuesday, or rather Wednesday.", "My exam is on Wednesday."),
        (
            "It is hot. I live in Porto, no wait, Braga. It rains.",
            "It is hot. I live in Braga. It rains.",
        ),
        ("我住在长沙，不对，武汉。", "我住在武汉。"),
        ("我哥哥叫小刚，不是，叫小强。", "我哥哥叫小强。"),
        ("我有四个，哦不，五个侄子。", "我有五个侄子。"),
        ("我住在廣州。說錯了，我住在佛山。", "我住在佛山。"),
        ("我來自西安，不對，是咸陽。", "我來自咸陽。"),
        ("福岡に住んでいます、いや、熊本です。", "熊本に住んでいます。"),
        ("姉の名前はまり、じゃなくて、まみです。", "姉の名前はまみです。"),
        ("40歳です。間違えた、41歳です。", "41歳です。"),
    ],
)
def test_what_is_put_right_at_once_is_all_that_is_said(said: str, meant: str) -> None:
    assert repaired(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "",
        "no",
        "I have a dog. No, it's not big.",
        "My brother Owen lives in Leeds. Actually Owen moved to York last month.",
        "My sister works at Bosch. No wait, Maria works at Siemens.",
        "I have a cat, no dogs",
        "I like tea, no wait, I'm kidding.",
        "I like tea. No, I don't.",
        "I'm tired, sorry, work is busy",
        "I live in Porto, actually",
        "I have a dog. Sorry, I have a meeting.",
        "I like coffee, not tea.",
        "I moved to Porto, wait for me",
        "No, that's wrong, I don't work as a nurse. I'm a paramedic.",
        "不是这样的，我没结过婚。",
        "我喜欢茶，不，我不喜欢",
        "我有一只狗，等等，我有事",
        "违う、看護師じゃない",
        "違うよ、姉は弁護士だよ。",
        "Soy de Lima, no, de Cusco",
    ],
)
def test_what_is_no_repair_is_left_as_it_is(said: str) -> None:
    assert repaired(said) == said


@given(st.text(max_size=120))
def test_a_repaired_text_is_no_longer_than_it_was(text: str) -> None:
    assert len(repaired(text)) <= len(text)
