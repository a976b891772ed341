"""A wish to forget reaches the facts that it names, in three languages, and no others."""

from __future__ import annotations

import pytest

from omoide.actors.dedup.corrections import Occasion
from omoide.actors.dedup.forgetting import forget
from omoide.actors.dedup.ledger import Ledger
from omoide.protocols.events import FactRetracted, ValueRejected
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import PRIVATE

ALICE = Speaker(platform="qq", account="1001", label="Alice")
KNOWN = (
    "My phone number is 555-1234.",
    "I have a cat called Miso.",
    "I work as a nurse.",
    "I live in Kyoto.",
    "I like running.",
    "我的电话是13800001111。",
    "我养了一只猫。",
    "犬を飼っています。",
)


def a_fact(text: str, *, said_at: float = 1.0, speaker: Speaker | None = None) -> Fact:
    turn = Turn(
        id=TurnId(f"turn_{text}"),
        role=Role.PERSON,
        text=text,
        subject=PRIVATE,
        speaker=speaker,
        said_at=said_at,
        heard_at=said_at,
    )
    return fact_of(turn, Candidate(text=text, entity=Entity.OWNER, importance=5), 1.0)


def a_ledger(*facts: Fact) -> Ledger:
    return Ledger(facts or map(a_fact, KNOWN), (), ("Sam",))


def wish(at: float = 2.0, by: str = "") -> Occasion:
    return Occasion(at=at, cause="turn_9", by=by, subject=PRIVATE, disputation=1.0, now=3.0)


@pytest.mark.parametrize(
    ("named", "forgotten"),
    [
        ("my phone number", ["My phone number is 555-1234."]),
        ("my old number", ["My phone number is 555-1234."]),
        ("that I have a cat", ["I have a cat called Miso."]),
        ("my cat", ["I have a cat called Miso."]),
        ("my job", ["I work as a nurse."]),
        ("where I live", ["I live in Kyoto."]),
        ("that I work as a nurse", ["I work as a nurse."]),
        ("我的电话", ["我的电话是13800001111。"]),
        ("我養了一隻貓", ["我养了一只猫。"]),
        ("犬を飼っていること", ["犬を飼っています。"]),
        ("私の犬のこと", ["犬を飼っています。"]),
        ("it", []),
        ("everything", []),
        ("that", []),
        ("what I said", []),
        ("my dog", []),
        ("", []),
        ("   ", []),
        ("我", []),
    ],
)
def test_a_wish_forgets_what_it_names_and_nothing_else(named: str, forgotten: list[str]) -> None:
    assert list(forget(a_ledger(), wish(), (named,))) == forgotten


def test_what_is_forgotten_is_retracted_and_rejected_on_purpose() -> None:
    ledger = a_ledger()
    forget(ledger, wish(), ("my cat",))
    changes = ledger.changes()
    assert [type(change) for change in changes] == [ValueRejected, FactRetracted]
    assert [one.firm for one in ledger.rejections()] == [True]


def test_the_same_wish_once_more_changes_nothing() -> None:
    ledger = a_ledger()
    forget(ledger, wish(), ("my cat",))
    assert forget(ledger, wish(), ("my cat",)) == ()


def test_what_was_said_after_the_wish_is_not_meant() -> None:
    ledger = a_ledger(a_fact("My phone number is 777-0000.", said_at=2.5))
    assert forget(ledger, wish(at=2.0), ("my phone number",)) == ()


def test_a_wish_reaches_nobody_elses_words() -> None:
    ledger = a_ledger(a_fact("My phone number is 555-1234.", speaker=ALICE))
    assert forget(ledger, wish(), ("my phone number",)) == ()
    assert forget(ledger, wish(by="qq:1002"), ("Alice's phone number",)) == ()


def test_the_owner_can_have_forgotten_what_somebody_said_whom_they_name() -> None:
    ledger = a_ledger(a_fact("My phone number is 555-1234.", speaker=ALICE))
    assert forget(ledger, wish(), ("Alice's phone number",)) == ("My phone number is 555-1234.",)


@pytest.mark.parametrize(
    ("named", "known", "forgotten"),
    [
        ("my old number", ("My old number is 1.", "My new number is 2."), ["My old number is 1."]),
        (
            "my old number",
            ("I have a number of friends.", "I like number theory.", "My number is 1."),
            ["My number is 1."],
        ),
        ("my old address", ("My new address is Elm Street 2.",), []),
        (
            "my new job",
            ("My old job was at a bank.", "My new job is at a school."),
            ["My new job is at a school."],
        ),
        ("我的旧号码", ("我的旧号码是一。", "我的新号码是二。"), ["我的旧号码是一。"]),
        (
            "meine alte Nummer",
            ("Meine alte Nummer ist 1.", "Meine neue Nummer ist 2."),
            ["Meine alte Nummer ist 1."],
        ),
        ("mi número antiguo", ("Mi número antiguo es 1.", "Mi número nuevo es 2."), ["Mi número antiguo es 1."]),
        ("my room number", ("My room number is 12.", "My phone number is 555."), ["My room number is 12."]),
        ("my number", ("My room number is 12.", "My phone number is 555."), ["My phone number is 555."]),
        ("that I like coffee", ("I like coffee.", "My sister likes coffee."), ["I like coffee."]),
        ("where I live", ("I live in Leeds.", "My sister lives in York."), ["I live in Leeds."]),
        ("my sister", ("I live in Leeds.", "My sister lives in York."), ["My sister lives in York."]),
        ("meine Hunde", ("Ich habe einen Hund namens Rex.",), ["Ich habe einen Hund namens Rex."]),
        ("мою собаку", ("У меня есть собака Рекс.",), ["У меня есть собака Рекс."]),
        ("a Ingrid", ("Tenho uma irmã chamada Ingrid.",), ["Tenho uma irmã chamada Ingrid."]),
        ("mes chiens", ("J'ai deux chiens.",), ["J'ai deux chiens."]),
        ("내 옛날 전화번호", ("내 전화번호는 010입니다.",), ["내 전화번호는 010입니다."]),
    ],
)
def test_of_several_that_are_alike_the_one_that_is_named_goes(
    named: str, known: tuple[str, ...], forgotten: list[str]
) -> None:
    assert list(forget(a_ledger(*map(a_fact, known)), wish(), (named,))) == forgotten


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("友達の健太は大阪に住んでいます。", "友達の健太"),
        ("友達の健太は大阪に住んでいます。", "友達の健太さんのこと"),
        ("友達の健太さんは大阪に住んでいます。", "私の友達の健太くん"),
        ("友達のMikaは猫を飼っています。", "友達Mikaさん"),
        ("田中は病院で働いています。", "田中さんのこと"),
        ("我的朋友小明住在大阪。", "我朋友小明的事"),
        ("我朋友小明住在大阪。", "我的朋友小明"),
        ("我的朋友Mika喜欢喝茶。", "我那个朋友Mika的事"),
        ("我有个同事叫小李。", "我的同事小李的事情"),
        ("我的妈妈王芳在医院工作。", "关于我妈妈王芳的事"),
    ],
)
def test_somebody_by_name_is_forgotten_and_their_facts_rejected(text: str, named: str) -> None:
    ledger = a_ledger(a_fact(text))

    assert forget(ledger, wish(), (named,)) == (text,)
    assert {type(change) for change in ledger.changes()} >= {FactRetracted, ValueRejected}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("友達の健太は大阪に住んでいます。", "友達の美咲さんのこと"),
        ("友達の健太は大阪に住んでいます。", "同僚の健太さんのこと"),
        ("友達のMikasaは大阪に住んでいます。", "友達のMikaさんのこと"),
        ("私は看護婦です。", "看護婦さんのこと"),
        ("おじいちゃんは大阪に住んでいます。", "おじさんのこと"),
        ("我的朋友小明住在大阪。", "我同事小明的事"),
        ("我的朋友小明住在大阪。", "我朋友小红的事"),
    ],
)
def test_somebody_else_is_not_forgotten_with_them(text: str, named: str) -> None:
    assert forget(a_ledger(a_fact(text)), wish(), (named,)) == ()
