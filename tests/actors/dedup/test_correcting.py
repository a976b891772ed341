"""What a correction takes away, and what it leaves: whose slot, which statement, and when."""

from __future__ import annotations

import time

import pytest

from omoide.actors.dedup.corrections import Occasion
from omoide.actors.dedup.learning import Heard, learn
from omoide.actors.dedup.ledger import Ledger
from omoide.actors.dedup.spoken import spoken_in
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, FactStatus, Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.runtime.models.offline.extraction import candidates

NOW = 1_000.0
NAMES = ("Mika", "阿明")


def talk(*said: str, times: tuple[float, ...] = (), makes: dict[str, str] | None = None) -> dict[str, FactStatus]:
    """Return the facts after a conversation, without closing punctuation, and their statuses."""
    ledger = Ledger((), (), NAMES)
    for number, text in enumerate(said, start=1):
        at = times[number - 1] if times else float(number)
        turn = Turn(
            id=TurnId(f"turn_{number}"), role=Role.PERSON, text=text, subject=PRIVATE, said_at=at, heard_at=at
        )
        made = (makes or {}).get(text)
        found = candidates(turn) if made is None else (Candidate(text=made, entity=Entity.OWNER, importance=6),)
        occasion = Occasion(at=at, cause=turn.id, subject=PRIVATE, disputation=1.0, now=NOW)
        learn(ledger, occasion, Heard(turn=turn, spoken=spoken_in(turn, NAMES), candidates=found))
    return {fact.text.rstrip(".。"): fact.status for fact in ledger.facts(*FactStatus)}


def test_learning_a_long_turn_costs_what_its_length_costs() -> None:
    """Each of its statements was compared with the whole of it, which was brought into its canonical form anew."""
    texts = ["".join(f"The pump {at} was painted in {at} colours. " for at in range(count)) for count in (60, 240)]

    def spent(text: str) -> float:
        before = time.thread_time()
        talk(text)
        return time.thread_time() - before

    talk(texts[0])
    short, long = (min(spent(text) for _ in range(3)) for text in texts)
    assert long < 8 * short


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        ("My aunt lives in Ulm.", "No, she lives in Jena."),
        ("My sister lives in Ulm.", "No, my sister lives in Jena."),
        ("My uncle is called Karl.", "That's wrong, he is called Kurt."),
        ("我姐姐住在长沙。", "不，她住在武汉。"),
        ("我姐姐住在长沙。", "不对，我姐姐住在武汉。"),
    ],
)
def test_what_is_put_right_is_rejected(known: str, correction: str) -> None:
    assert talk(known, correction)[known.rstrip(".。")] is FactStatus.RETRACTED


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("My uncle lives in Ulm.", "No, she lives in Jena."),
        ("My sister lives in Ulm. My aunt lives in Bonn.", "No, she lives in Jena."),
        ("My sister lives in Ulm.", "My sister lives in Jena."),
        ("My friend lives in Ulm.", "My friend lives in Jena."),
        ("我朋友住在长沙。", "我朋友住在武汉。"),
        ("I live in Ulm.", "I live in constant fear."),
        ("I live in Ulm.", "I moved to Debian."),
        ("I live in Ulm.", "I moved to the sofa."),
        ("I live in Ulm.", "I live in a tiny house."),
        ("我住在长沙。", "我搬到沙发上了。"),
        ("我住在长沙。", "我生活在阴影里。"),
        ("我叫林晚。", "我叫了出租车。"),
        ("長野に住んでいます。", "不安の中で暮らしています。"),
    ],
)
def test_what_fills_another_slot_or_anothers_leaves_it_in_force(known: str, later: str) -> None:
    facts = talk(known, later)
    assert all(facts[one.rstrip(".。")] is FactStatus.ACTIVE for one in known.split(". "))


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("I live in Ulm.", "I moved to Jena."),
        ("My mother lives in Ulm.", "My mother lives in Jena."),
        ("My friend lives in Ulm.", "My friend moved to Jena."),
        ("我住在长沙。", "我搬到武汉了。"),
        ("我叫林晚。", "我叫林早。"),
    ],
)
def test_the_same_slot_of_the_same_person_is_taken_over(known: str, later: str) -> None:
    assert talk(known, later)[known.rstrip(".。")] is FactStatus.SUPERSEDED


def test_a_denial_of_one_clause_leaves_the_others() -> None:
    said = "I have a goat, I live in Ulm and I work as a roofer."
    made = "Mika has a goat and lives in Ulm and works as a roofer"
    facts = talk(said, "I don't have a goat.", makes={said: made})
    assert (facts[made], facts["Mika lives in Ulm"], facts["Mika works as a roofer"]) == (
        FactStatus.RETRACTED,
        FactStatus.ACTIVE,
        FactStatus.ACTIVE,
    )


def test_a_statement_that_was_said_at_a_time_to_come_can_be_denied() -> None:
    facts = talk("I have a goat.", "I don't have a goat.", times=(NOW + 5_000, NOW))
    assert facts["I have a goat"] is FactStatus.RETRACTED


def test_a_statement_from_before_the_clock_was_set_back_gives_way() -> None:
    facts = talk("I live in Ulm.", "I moved to Jena.", times=(NOW + 5_000, NOW))
    assert facts["I live in Ulm"] is FactStatus.SUPERSEDED


def test_a_denial_that_comes_late_is_still_late() -> None:
    assert talk("I have a goat.", "I don't have a goat.", times=(20.0, 10.0))["I have a goat"] is FactStatus.ACTIVE


@pytest.mark.parametrize(
    ("known", "denial"),
    [
        ("我的朋友小明住在大阪。", "我的朋友小明不住在大阪。"),
        ("我朋友Frida住在大阪。", "不对，我的朋友Frida不住在大阪。"),
        ("我最好的朋友小明住在大阪。", "我朋友小明已经不住在大阪了。"),
        ("我妈妈王芳在医院工作。", "我妈妈王芳不在医院工作。"),
        ("我的同事小李喜欢喝茶。", "我的同事小李不喜欢喝茶。"),
        ("我姐姐王芳养了一只猫。", "我姐姐王芳没有养猫。"),
        ("我室友陈浩是医生。", "我室友陈浩不是医生。"),
        ("我堂哥林峰会弹钢琴。", "我堂哥林峰不会弹钢琴。"),
        ("友達の健太は大阪に住んでいます。", "友達の健太は大阪に住んでいません。"),
        ("友達のFridaは大阪に住んでいます。", "私の友達のFridaさんは大阪に住んでいません。"),
        ("姉の花子は病院で働いています。", "姉の花子は病院で働いていません。"),
        ("同僚の田中さんはお茶が好きです。", "同僚の田中さんはお茶が好きではありません。"),
        ("弟の拓也は猫を飼っています。", "弟の拓也は猫を飼っていません。"),
        ("妹の美咲は医者です。", "妹の美咲は医者じゃないよ。"),
        ("親友の大輔はピアノができます。", "親友の大輔はピアノができません。"),
        ("私の彼女の花子は猫が好きです。", "私の彼女の花子は猫が好きではありません。"),
        ("友達のはるかは犬を飼っている。", "友達のはるかは犬を飼ってない。"),
        ("我姐王芳住在北京。", "我姐王芳不住在北京。"),
        ("我弟弟小刚抽烟。", "我弟弟小刚不抽烟。"),
        ("我朋友小明25岁。", "我朋友小明不是25岁。"),
        ("我的朋友小明去过日本。", "我的朋友小明没去过日本。"),
        ("我女儿爱玲喜欢画画。", "我女儿爱玲不喜欢画画。"),
        ("我弟弟学友在银行工作。", "我弟弟学友不在银行工作。"),
        ("我朋友有为住在武汉。", "我朋友有为不住在武汉。"),
        ("我表弟能静会弹钢琴。", "我表弟能静不会弹钢琴。"),
        ("我哥哥和平是医生。", "我哥哥和平不是医生。"),
        ("我朋友向阳住在大阪。", "我朋友向阳不住在大阪。"),
        ("我女儿想想喜欢猫。", "我女儿想想不喜欢猫。"),
    ],
)
def test_what_is_denied_of_somebody_by_name_is_rejected(known: str, denial: str) -> None:
    assert talk(known, denial)[known.rstrip("。")] is FactStatus.RETRACTED


@pytest.mark.parametrize(
    ("known", "denial"),
    [
        ("我的朋友小明住在大阪。", "我的朋友小红不住在大阪。"),
        ("我的朋友小明住在大阪。", "我的朋友小明不住在东京。"),
        ("我的朋友小明住在大阪。", "我不住在大阪。"),
        ("我的朋友小明住在大阪。", "我的朋友小明不喜欢大阪。"),
        ("我住在大阪。", "我的朋友小明不住在大阪。"),
        ("我女儿爱玲喜欢画画。", "我女儿爱珍不喜欢画画。"),
        ("我朋友有时喜欢喝茶。", "我朋友有为不喜欢喝茶。"),
        ("友達の健太は大阪に住んでいます。", "友達の美咲は大阪に住んでいません。"),
        ("友達の健太は大阪に住んでいます。", "同僚の健太は大阪に住んでいません。"),
        ("友達の健太は大阪に住んでいます。", "友達の健太は東京に住んでいません。"),
        ("大阪に住んでいます。", "友達の健太は大阪に住んでいません。"),
        ("姉は医者です。", "姉の花子の友達は医者ではありません。"),
    ],
)
def test_what_is_denied_of_somebody_else_leaves_it_in_force(known: str, denial: str) -> None:
    assert talk(known, denial)[known.rstrip("。")] is FactStatus.ACTIVE


@pytest.mark.parametrize(
    ("known", "denial"),
    [
        ("フェレットを飼っています。", "フェレットは飼っていません。"),
        ("Fridaを飼っています。", "Fridaは飼っていません。"),
        ("I have a ferret.", "I don't have a ferret."),
        ("我养了一只雪貂。", "我没有养雪貂。"),
        ("お茶が好きです。", "お茶は好きではありません。"),
    ],
)
@pytest.mark.parametrize(
    "later",
    [
        "I own a book about Frida.",
        "I own a picture of a ferret.",
        "I have a friend with a ferret.",
        "フェレットの本を持っています。",
        "フェレットについての本を持っています。",
        "Fridaの写真を持っています。",
        "我有一本关于雪貂的书。",
        "我有雪貂的照片。",
        "お茶の本が好きです。",
    ],
)
def test_what_is_of_a_thing_is_not_the_thing_and_restores_nothing(known: str, denial: str, later: str) -> None:
    assert talk(known, denial, later)[known.rstrip(".。")] is FactStatus.RETRACTED


@pytest.mark.parametrize(
    ("known", "denial", "again"),
    [
        ("Fridaを飼っています。", "Fridaは飼っていません。", "I have a big Frida."),
        ("I have a ferret.", "I don't have a ferret.", "I have a pair of ferrets."),
        ("I have a ferret.", "I don't have a ferret.", "I have a cat and a ferret from Oslo."),
        ("フェレットを飼っています。", "フェレットは飼っていません。", "家で二匹のフェレットを飼っています。"),
        ("我养了一只雪貂。", "我没有养雪貂。", "我养了两只白色的雪貂。"),
    ],
)
def test_the_thing_itself_said_again_more_closely_restores_it(known: str, denial: str, again: str) -> None:
    assert talk(known, denial, again)[known.rstrip(".。")] is not FactStatus.RETRACTED


def test_a_denial_of_the_thing_leaves_what_is_about_it() -> None:
    facts = talk("I own a book about ferrets.", "I don't own a ferret.")
    assert facts["I own a book about ferrets"] is FactStatus.ACTIVE


FOREIGN = {
    "es": (
        "Tengo un hurón.",
        "No tengo ningún hurón.",
        ("Tengo un libro sobre hurones.", "Tengo una foto de un hurón.", "Tengo fotos de hurones y de gatos."),
        ("Tengo un hurón de Oslo.", "Tengo un par de hurones."),
    ),
    "pt": (
        "Tenho um gato.",
        "Não tenho gato.",
        ("Tenho um livro sobre gatos.", "Tenho uma foto do gato.", "Tenho uma amiga com um gato."),
        ("Tenho um gato de Braga.", "Tenho um livro sobre cães e um gato."),
    ),
    "pt likes": (
        "Gosto de chá.",
        "Não gosto de chá.",
        ("Gosto de livros sobre chá.", "Gosto da cor do chá."),
        ("Gosto muito de chá.", "Gosto de chá com leite."),
    ),
    "de": (
        "Ich habe einen Papagei.",
        "Ich habe keinen Papagei.",
        (
            "Ich habe ein Buch über Papageien.",
            "Ich habe ein Bild von einem Papagei.",
            "Ich habe Angst vor Papageien.",
        ),
        ("Ich habe einen Papagei mit bunten Federn.", "Ich habe einen Papagei aus Bremen."),
    ),
    "fr": (
        "J'ai un furet.",
        "Je n'ai pas de furet.",
        ("J'ai un livre sur les furets.", "J'ai une photo d'un furet.", "J'ai une amie avec un furet."),
        ("J'ai un furet de Lyon.", "J'ai encore des furets.", "J'ai beaucoup de furets."),
    ),
    "ru": (
        "У меня есть кошка.",
        "У меня нет кошки.",
        ("У меня есть книга о кошках.", "У меня есть фотография кошки.", "У меня есть подруга с кошкой."),
        ("У меня есть кошка из Осло.",),
    ),
    "ko": (
        "흰담비를 키워요.",
        "흰담비를 키우지 않아요.",
        ("흰담비에 관한 책을 키워요.", "흰담비 사진을 키워요.", "흰담비의 그림을 키워요."),
        ("집에서 흰담비를 키워요.", "흰담비 두 마리를 키워요."),
    ),
    "ko has": (
        "강아지가 있어요.",
        "강아지가 없어요.",
        ("강아지에 관한 책이 있어요.", "강아지 사진이 있어요.", "강아지의 그림이 있어요."),
        ("집에 강아지가 있어요.",),
    ),
}


@pytest.mark.parametrize(
    ("known", "denial", "later"),
    [(known, denial, one) for known, denial, others, _ in FOREIGN.values() for one in others],
)
def test_in_every_language_what_is_of_a_thing_restores_nothing(known: str, denial: str, later: str) -> None:
    assert talk(known, denial, later)[known.rstrip(".")] is FactStatus.RETRACTED


@pytest.mark.parametrize(
    ("known", "denial", "again"),
    [(known, denial, one) for known, denial, _, again in FOREIGN.values() for one in again],
)
def test_in_every_language_the_thing_itself_said_again_restores_it(known: str, denial: str, again: str) -> None:
    assert talk(known, denial, again)[known.rstrip(".")] is not FactStatus.RETRACTED


@pytest.mark.parametrize(("about", "denial"), [(others[0], denial) for _, denial, others, _ in FOREIGN.values()])
def test_in_every_language_a_denial_of_the_thing_leaves_what_is_about_it(about: str, denial: str) -> None:
    assert talk(about, denial)[about.rstrip(".")] is FactStatus.ACTIVE
