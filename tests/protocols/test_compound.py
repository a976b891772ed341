"""A sentence of several statements is several statements, each whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.clauses.compound import MAX_CHARS, parted, statements_in


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("I live in Metz and teach Latin", ("I live in Metz", "I teach Latin")),
        ("My aunt is a glazier, but she lives in Nice", ("My aunt is a glazier", "My aunt lives in Nice")),
        ("My son has a drone and loves it", ("My son has a drone", "My son loves it")),
        ("I don't ski; my wife does not swim", ("I don't ski", "my wife does not swim")),
        ("我住在青岛，在码头上班", ("我住在青岛", "我在码头上班")),
        ("我叔叔是渔民，不过他怕水", ("我叔叔是渔民", "我叔叔怕水")),
        ("我叫阿凤，屬兔，是裁縫", ("我叫阿凤", "我屬兔", "我是裁縫")),
        ("広島に住んでいますが、職場は呉です", ("広島に住んでいます", "職場は呉です")),
    ],
)
def test_each_clause_is_a_statement_with_a_subject_of_its_own(said: str, statements: tuple[str, ...]) -> None:
    assert statements_in(said) == statements


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I like bread and butter",
        "I can read and write",
        "I have a son named Ole and a daughter named Pia",
        "When I was small we had hens and I fed them",
        "I know he is kind and she is not",
        "I moved because the roof leaked and fell in",
        "I met Olaf, and he waved",
        "I was hit and left for dead",
        "I went to see her but she wasn't in, which was sad",
        '"I live in Metz and teach Latin"',
        "I can't cook and my husband can't either",
        "我喜欢猫和狗",
        "因为下雨，我没出门",
        "我有两个妹妹，都在上学",
        "我养了一只猫，叫咪咪",
        "我不吃辣，一吃就咳嗽",
        "我的生日是七月，不是六月",
        "私は教師で、夫は警察官です",
        "x and y " * MAX_CHARS,
    ],
)
def test_what_belongs_together_stays_whole(said: str) -> None:
    assert statements_in(said) == (said,)


@pytest.mark.parametrize(
    ("first", "next_one", "resolved"),
    [
        ("My niece Ida is a nurse", "She lives in Cork", "My niece Ida lives in Cork"),
        ("My dog Bo is lame", "He's never barked", "My dog Bo is never barked"),
        ("My uncle owns a mill", "His wife is Irish", "My uncle's wife is Irish"),
        ("我弟弟在青岛", "他是厨师", "我弟弟是厨师"),
        ("我奶奶九十岁", "她的耳朵不好", "我奶奶的耳朵不好"),
        ("My niece Ida met Eva", "She lives in Cork", "She lives in Cork"),
        ("My niece lives with my sister", "She is tall", "She is tall"),
        ("My niece is tall", "He is short", "He is short"),
        ("我弟弟和我妹妹在青岛", "他是厨师", "他是厨师"),
        ("I like rain", "She is tall", "She is tall"),
    ],
)
def test_a_pronoun_is_whom_it_can_only_mean(first: str, next_one: str, resolved: str) -> None:
    assert parted(next_one, parted(first).antecedent).statements == (resolved,)


PIECES = st.sampled_from(
    ["I live in X", " and ", "my sister ", "she ", "works", ", ", "我", "住在", "，", "他", "。", "が、", "is "]
)


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=9).map("".join)))
def test_any_text_is_parted_into_its_own_characters(text: str) -> None:
    allowed = set(text) | set(" 's")
    assert all(set(statement) <= allowed for statement in statements_in(text))
