"""What an utterance states beside the wishes in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.stated import INLINE_CHARS, take_apart, understand


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I work at a bakery.", "I work at a bakery."),
        ("Please stop mentioning Marcus.", ""),
        ("I work at a bakery. Stop mentioning Marcus. I have a cat.", "I work at a bakery.  I have a cat."),
        ("Can you forget my phone number? I keep bees.", "I keep bees."),
        ("You can talk about Marcus again! Did he call?", "Did he call?"),
        ("Never mention Petra, and by the way I moved to Leeds", "I moved to Leeds"),
        ("I moved to Leeds, so never mention York again.", "I moved to Leeds"),
        ("Please, for once, stop mentioning Petra, okay?", ""),
        ("Stop mentioning Petra, because she hurt me badly", ""),
        ("Never mention Petra, since Petra lives with my ex", ""),
        ("My pin is 1234 at the bank, please forget what I just said", ""),
        ("Forget my old number, and I have a new cat now", "I have a new cat now"),
        ("我搬到北京了，以后别再提上海了", "我搬到北京了"),
        ("我今天吃了面。以后别再提李雷了。", "我今天吃了面。"),
        ("猫を飼っています。元カレの話はもうしないで。", "猫を飼っています。"),
    ],
)
def test_the_clauses_of_wishes_go_and_the_others_stay(text: str, stated: str) -> None:
    assert take_apart(text).stated == stated


def test_the_wishes_come_along() -> None:
    wishes = take_apart("Stop mentioning Marcus. You can talk about Dana again. Forget my old number.").wishes
    assert [type(wish).__name__ for wish in wishes] == ["Ban", "Lift", "Forget"]


PIECES = st.sampled_from(
    [
        "I have a cat. ",
        "Stop mentioning Marcus. ",
        "Dr. No said hi! ",
        "别提考试了。",
        "「别提」",
        "\n",
        "  ",
        "Forget my pin",
        "a" * 310,
        "… ",
    ],
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_nothing_is_added_and_a_text_without_wishes_stays_as_it_is(text: str) -> None:
    understood = take_apart(text)
    rest = iter(text)
    assert all(char in rest for char in understood.stated)
    assert understood.wishes or understood.stated == text


@given(st.text(max_size=120))
def test_any_text_can_be_taken_apart(text: str) -> None:
    assert len(take_apart(text).stated) <= len(text)


async def test_a_long_text_is_understood_like_a_short_one() -> None:
    long = "What a day it was. " * (INLINE_CHARS // 10)
    understood = await understand(f"{long}Stop mentioning Marcus.")
    assert (len(understood.wishes), understood.stated) == (1, long.strip())
