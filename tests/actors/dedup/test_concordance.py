"""The few statements that are found by pieces of words are all those that a claim may be about."""

import random

import pytest
from msgspec.structs import replace

from omoide.actors.dedup import concordance as concordance_module
from omoide.actors.dedup.concordance import READ_AT_ONCE, Concordance
from omoide.actors.dedup.stored import StoredFacts
from omoide.protocols.claims import Claim, opposes, replaces, same_claim
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Role, Turn, TurnId
from omoide.protocols.rejections import readings
from omoide.protocols.relation import relation
from omoide.tests.protocols import labelled_claims as labelled

PAIRS = [
    pair
    for language in ("ENGLISH", "CHINESE", "JAPANESE")
    for kind in ("SAME", "OPPOSITE", "REPLACES", "UNRELATED")
    for pair in getattr(labelled, f"{language}_{kind}")
]
SENTENCES = sorted({text for pair in PAIRS for text in pair})
MORE = [tuple(random.Random(seed).sample(SENTENCES, 2)) for seed in range(1_500)]


def read(text: str) -> tuple[Claim, ...]:
    return readings(text, labelled.OWNERS)


def touch(one: str, other: str) -> bool:
    rules = (same_claim, opposes, replaces)
    return any(
        rule(mine, theirs) or rule(theirs, mine) for mine in read(one) for theirs in read(other) for rule in rules
    )


@pytest.fixture(scope="module")
def concordance() -> Concordance:
    made = Concordance(read)
    for text in SENTENCES:
        made.put(text, text)
    return made


def test_whatever_a_claim_touches_is_near_it(concordance: Concordance) -> None:
    touching = [(one, other) for one, other in (*PAIRS, *MORE) if touch(one, other)]
    missed = [(one, other) for one, other in touching if other not in concordance.near(read(one))]
    assert (missed, len(touching) > len(PAIRS) // 3) == ([], True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The club meets on Friday.", "The club doesn't meet on Friday."),
        ("The bakery is closed on Mondays.", "The bakery is not closed on Mondays."),
        ("Bob lives in Osaka.", "Bob does not live in Osaka."),
        ("The bus is red.", "The bus is red!"),
        ("面包店是安全的。", "面包店不是安全的。"),
        ("会议室有投影仪。", "会议室没有投影仪。"),
        ("会議は金曜日です。", "会議は金曜日ではありません。"),
    ],
)
def test_what_is_one_with_a_text_but_for_a_negation_is_like_it(
    concordance: Concordance, one: str, other: str
) -> None:
    for text, its in ((one, other), (other, one)):
        concordance.put(its, its)
        assert relation(text, its) is not None
        assert its in concordance.alike(text) | concordance.near(readings(text))


def test_most_statements_are_not_near_a_claim(concordance: Concordance) -> None:
    found = [len(concordance.near(read(text))) for text in SENTENCES]
    assert sum(found) / len(found) < len(SENTENCES) / 20


def test_a_slot_finds_what_is_said_in_other_words() -> None:
    texts = {"old": "I live in Kyoto", "other": "I like tea"}
    concordance = Concordance(lambda name: readings(texts[name]))
    for name, text in texts.items():
        concordance.put(name, text)
    assert concordance.near(readings("I moved to Osaka")) == {"old"}


def test_what_names_nothing_is_found_by_what_one_does() -> None:
    texts = {"bare": "I smoke", "other": "I like cigars", "more": "I smoke a pipe"}
    concordance = Concordance(lambda name: readings(texts[name]))
    for name, text in texts.items():
        concordance.put(name, text)
    found = [concordance.near(readings(text)) for text in ("I don't smoke", "I don't smoke a pipe")]
    assert found == [{"bare", "more"}, {"bare", "more"}]


def test_a_stem_of_two_letters_finds_short_words_that_begin_so_and_no_long_ones() -> None:
    concordance = Concordance(lambda _: ())
    for text in ("Ann goes home", "They are going", "Let it go", "The government", "An ego"):
        concordance.put(text, text)
    (claim,) = readings("I go skiing")
    assert concordance.near([replace(claim, terms=("go",))]) == {"Ann goes home", "They are going", "Let it go"}


@pytest.mark.parametrize("count", [0, 1, 450])
def test_facts_that_are_filed_step_by_step_are_those_that_are_filed_at_once(count: int) -> None:
    facts = [fact_about(f"I own boat {number}.", number) for number in range(count)]
    steps = StoredFacts.filed(facts, ("Sam",))
    while True:
        try:
            next(steps)
        except StopIteration as done:
            stored = done.value
            break
    at_once = StoredFacts(facts, ("Sam",))
    assert (stored.facts, stored.unread) == (at_once.facts, at_once.unread)
    assert stored.near(readings("I own a boat")) == at_once.near(readings("I own a boat"))


def fact_about(text: str, number: int) -> Fact:
    turn = Turn(id=TurnId(f"turn_{number}"), role=Role.PERSON, text=text, said_at=0.0, heard_at=0.0)
    return fact_of(turn, Candidate(text=text, entity=Entity.OWNER, importance=5), 0.0)


def test_who_reads_many_statements_pauses_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[None] = []
    monkeypatch.setattr(concordance_module, "pause", lambda: pauses.append(None))
    many = Concordance(readings)
    for number in range(3 * READ_AT_ONCE):
        many.put(f"I own boat {number}", f"I own boat {number}")
    many.near(readings("I live in Oslo"))
    assert len(pauses) == 3
