"""A hostile text takes time in proportion to its length, not to its square."""

from collections.abc import Callable

import pytest

from omoide.protocols.clauses.repairs import MAX_CHARS, repaired
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
    "clauses": lambda size: "I swim and I ski, " * (size // 18),
    "predicates": lambda size: "I live in X" + " and work as Y" * (size // 14),
    "chinese clauses": lambda size: "我住在这，" * (size // 5),
    "japanese clauses": lambda size: "本ですが、" * (size // 5),
    "pronouns": lambda size: "My dog is old. He eats. " * (size // 24),
    "repairs": lambda size: "I am A, no wait, B. " * (size // 20),
    "chinese repairs": lambda size: "我住在甲，不对，乙。" * (size // 10),
    "idle pieces": lambda size: "太好了，" * (size // 4) + "我",
    "that is": lambda size: "that is " * (size // 8),
    "you": lambda size: "我想你" * (size // 3),
    "english joke": lambda size: "jk" + "!" * size + "x",
}


def turn(text: str) -> Turn:
    return Turn(id=TurnId("t1"), role=Role.PERSON, text=text, said_at=0.0, heard_at=0.0)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_takes_about_twice_the_time(shape: str, cpu_seconds: Seconds) -> None:
    half, whole = (turn(SHAPES[shape](size)) for size in (20_000, 40_000))
    assert cpu_seconds(lambda: candidates(whole)) < 3.2 * cpu_seconds(lambda: candidates(half)) + 0.03


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_is_repaired_in_about_twice_the_time(shape: str, cpu_seconds: Seconds) -> None:
    half, whole = (SHAPES[shape](size) for size in (MAX_CHARS // 2, MAX_CHARS))
    assert cpu_seconds(lambda: repaired(whole)) < 3.2 * cpu_seconds(lambda: repaired(half)) + 0.03
