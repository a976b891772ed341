"""What was forgotten comes back by the person's word alone, and only what that word names."""

import pytest

from omoide.actors.dedup.remembering import allowed_again


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("You can remember my surgery again, it's fine.", "my surgery"),
        ("ok feel free to remember the loan after all", "the loan"),
        ("胃镜检查的事可以重新记住了", "胃镜检查的事"),
        ("请重新记住我的地址", "我的地址"),
        ("手術のこと、また覚えていていいよ", "手術"),
    ],
)
def test_what_may_be_remembered_again_is_named(text: str, named: str) -> None:
    assert allowed_again(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "You can remember my surgery?",
        "Can you remember my surgery again?",
        "I can remember my surgery again.",
        "Please remember my surgery.",
        "You can talk about my surgery again.",
        "I don't think you should remember my surgery again.",
        "My therapist said you can remember my surgery again.",
        "You can remember my surgery again? No way.",
        "别再记住我的手术了",
        "不要再记得我的手术",
        "手术的事不能再记了",
        "我记得手术的事",
        "また手術を受けた",
    ],
)
def test_other_words_allow_nothing(text: str) -> None:
    assert allowed_again(text) == ""
