"""A rejected value is kept out in other words too, without vectors; what is merely near it is not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.claims import claim_of
from omoide.protocols.records import Entity, Rejection, RejectionId
from omoide.protocols.rejections import holds_back
from omoide.protocols.rewordings import rewords
from omoide.protocols.scopes import PRIVATE

NAMES = ("Mika", "阿明", "健太")


def held(rejected: str, text: str, entity: Entity = Entity.OWNER) -> bool:
    rejection = Rejection(
        id=RejectionId("rej_1"),
        text=rejected,
        entity=Entity.OWNER,
        subject=PRIVATE,
        names=NAMES,
        disputation=1.0,
        disputed_at=1.0,
        cause="turn_1",
        created_at=1.0,
    )
    return holds_back(rejection, text, entity=entity, names=NAMES)


REWORDED = [
    ("I work as a baker", "Mika's profession is baking"),
    ("I work as a baker", "Baker Mika loves trains"),
    ("I work as a baker", "Mika, a baker, lives in Bern"),
    ("I work as a baker", "Mika earns a living by baking"),
    ("I work as a baker", "Mika, who is a baker, has twins"),
    ("I work as a baker", "As a baker, Mika gets up early"),
    ("I work as a baker", "Mika lives in Bern and works as a baker"),
    ("I like chess", "Mika is a chess lover"),
    ("I like chess", "Chess is Mika's favourite hobby"),
    ("I like chess", "Mika is a big fan of chess"),
    ("I live in Basel", "Mika's home is Basel"),
    ("I live in Basel", "Mika is a Basel resident"),
    ("I have a parrot", "Mika's parrot is loud"),
    ("I have a parrot", "Mika is a parrot owner"),
    ("I'm a vegetarian", "Mika follows a vegetarian diet"),
    ("My name is Rosa", "Mika goes by Rosa"),
    ("我是厨师", "阿明的职业是厨师"),
    ("我是厨师", "厨师阿明住在成都"),
    ("我是厨师", "阿明从事厨师工作"),
    ("我是廚師", "阿明的職業是厨师"),
    ("我喜欢篮球", "阿明是篮球迷"),
    ("我住在成都", "阿明的家在成都"),
    ("料理人です", "健太の職業は料理人です"),
    ("料理人です", "料理人健太は猫が好き"),
]

NEAR = [
    ("I work as a baker", "Mika's sister is a baker"),
    ("I work as a baker", "Mika met a baker in Bern"),
    ("I work as a baker", "Mika likes trains"),
    ("I work as a baker", "Mika was a baker"),
    ("I work as a baker", "Mika isn't a baker"),
    ("I work as a baker", "Mika works as a roofer"),
    ("I work as a baker", "Mika's baker sells rye bread"),
    ("I like chess", "Mika hates chess"),
    ("I like chess", "Mika likes draughts"),
    ("I like chess", "Mika's brother likes chess"),
    ("I like chess", "Mika bought a chess board for her nephew"),
    ("I live in Basel", "Mika works in Basel"),
    ("I live in Basel", "Mika lives in Bern"),
    ("I have a parrot", "Mika saw a parrot at the zoo"),
    ("I have a parrot", "Mika has a canary"),
    ("I'm a vegetarian", "Mika cooked a vegetarian curry for her friends"),
    ("我是厨师", "阿明的妹妹是厨师"),
    ("我是厨师", "阿明不是厨师"),
    ("我是厨师", "阿明认识一位厨师"),
    ("我是厨师", "阿明以前是厨师"),
    ("我喜欢篮球", "阿明买了一个篮球"),
    ("我住在成都", "阿明在成都出差"),
    ("料理人です", "健太の妹は料理人です"),
    ("料理人です", "健太は料理人ではありません"),
]


@pytest.mark.parametrize(("rejected", "text"), REWORDED)
def test_a_rejected_value_in_other_words_is_kept_out(rejected: str, text: str) -> None:
    assert held(rejected, text)


@pytest.mark.parametrize(("rejected", "text"), NEAR)
def test_what_is_only_near_it_passes(rejected: str, text: str) -> None:
    assert not held(rejected, text)


@pytest.mark.parametrize(("rejected", "text"), REWORDED)
def test_a_rewording_of_somebody_else_passes(rejected: str, text: str) -> None:
    for name in NAMES:
        text = text.replace(name, "Zoë" if name.isascii() else "小红")
    assert not rewords(claim_of(rejected), text, NAMES, speaks_of_self=False)


@given(st.sampled_from([one for one, _ in REWORDED]), st.text(max_size=80))
def test_any_text_can_be_compared(rejected: str, text: str) -> None:
    assert rewords(claim_of(rejected), text, NAMES) in {True, False}


@pytest.mark.parametrize("piece", ["baker ", "Mika ", "Mika's ", "a baker ", "阿明", "厨师", "not "])
def test_a_long_text_is_compared_in_no_time(piece: str) -> None:
    text = piece * (64_000 // len(piece))
    started = time.thread_time()
    assert held("I work as a baker", text) in {True, False}
    assert time.thread_time() - started < 1.0
