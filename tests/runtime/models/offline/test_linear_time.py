"""A hostile text takes time in proportion to its length, not to its square."""

from collections.abc import Callable

import pytest

from omoide.protocols.records import Role, Turn, TurnId
from omoide.runtime.models.offline.extraction import candidates

Seconds = Callable[[Callable[[], object]], float]

SHAPES: dict[str, Callable[[int], str]] = {
    "blanks": lambda size: "I am" + " " * size + "x",
    "blanks after an interjection": lambda size: "oh" + " " * size + "x",
    "quotes": lambda size: '"' * size,
    "open quotes": lambda size: "「" * size,
    "nested brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "square brackets": lambda size: "[" * size,
    "angles": lambda size: "<" * size,
    "stars": lambda size: "*" * size,
    "dots": lambda size: "." * size,
    "spaced dots": lambda size: ". " * (size // 2),
    "initials": lambda size: "a. " * (size // 3),
    "commas": lambda size: ", " * (size // 2),
    "question marks": lambda size: "I am, " * (size // 6) + "?",
    "interjections": lambda size: "oh, " * (size // 4),
    "interjections without an end": lambda size: "oh " * (size // 3) + "x",
    "vocatives": lambda size: "please " * (size // 7),
    "hyphens": lambda size: " -" * (size // 2),
    "one word": lambda size: "a" * size,
    "capitals": lambda size: "I'm A" + "a-" * (size // 2) + " x",
    "my": lambda size: "my " * (size // 3),
    "if": lambda size: "i if " * (size // 5),
    "laughter": lambda size: "哈" * size + "我",
    "laughter, commas": lambda size: "哈，" * (size // 2) + "我",
    "chinese joke": lambda size: "开玩笑" + "，的" * (size // 2) + "x",
    "chinese questions": lambda size: "你是，" * (size // 3) + "？",
    "feelings": lambda size: "我好" * (size // 2),
    "reduplication": lambda size: "不" * size,
    "japanese joke": lambda size: "はは" * (size // 4) + "冗談" + "だよ" * (size // 4) + "x",
    "japanese fillers": lambda size: "うん、" * (size // 3),
    "japanese blanks": lambda size: "うん" + "\u3000" * size + "ね",
    "conditions": lambda size: "たら" * (size // 2),
    "kana": lambda size: "か" * size,
    "greetings": lambda size: "hola, " * (size // 6) + "ñ",
    "hangul": lambda size: "가 " * (size // 2),
    "english joke": lambda size: "jk" + "!" * size + "x",
}


def turn(text: str) -> Turn:
    return Turn(id=TurnId("t1"), role=Role.PERSON, text=text, said_at=0.0, heard_at=0.0)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_takes_about_twice_the_time(shape: str, cpu_seconds: Seconds) -> None:
    half, whole = (turn(SHAPES[shape](size)) for size in (20_000, 40_000))
    assert cpu_seconds(lambda: candidates(whole)) < 3.2 * cpu_seconds(lambda: candidates(half)) + 0.03
