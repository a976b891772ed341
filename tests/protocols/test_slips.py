"""What people say of an earlier telling is read as what it means now."""

import time

import pytest

from omoide.protocols.clauses.slips import excuse_before, retold, slip_in


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "I told you my sister is a nurse, but she's actually a vet.",
            "my sister isn't a nurse. my sister is a vet.",
        ),
        ("I was wrong about Ingrid, she's from Norway.", "Ingrid is from Norway."),
        ("You keep calling my boss Jan, but his name is Jens.", "my boss's name is Jens."),
        ("我之前说我弟弟是老师，其实他是教练。", "我弟弟不是老师，是教练。"),
        ("前に妹は看護師って言ったけど、薬剤師だった。", "妹は看護師じゃなくて薬剤師です。"),
    ],
)
def test_what_was_told_before_is_denied_and_what_is_so_stated(text: str, meant: str) -> None:
    assert retold(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "I told you my sister is a nurse.",
        "I told you my dog is sick, but he is better now.",
        "I said my boss was nice, but he's mean today.",
        "I was wrong about the weather, it's raining.",
        "My boss told me she is a nurse, but she's a vet.",
        "我弟弟说他是老师。",
        "母が先生って言ったけど、聞こえなかった。",
    ],
)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert retold(text) == text


@pytest.mark.parametrize("piece", ["oops ", "sorry, ", "i ", "not ", "打错", "ごめん、", "haha, ", "wait "])
def test_a_text_of_nothing_but_excuses_is_read_in_no_time(piece: str) -> None:
    text = piece * 400
    started = time.process_time()
    slip_in(text[:119] + "x")
    excuse_before(text)
    retold(text)
    assert time.process_time() - started < 0.2
