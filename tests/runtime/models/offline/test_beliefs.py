"""Offline, beliefs are moved where two texts say the same or the opposite, and nothing is reworded."""

import pytest

from omoide.protocols.evidence import Signal
from omoide.protocols.prompt_tokens import estimated_tokens
from omoide.protocols.records import (
    Entity,
    Evidence,
    Fact,
    FactId,
    Profile,
    Reflection,
    ReflectionId,
    Role,
    Speaker,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.tasks import (
    ArbitrateAction,
    ArbitrateRequest,
    Belief,
    Claimed,
    Contradiction,
    CorrectAction,
    CorrectRequest,
    FactPair,
    MergeAction,
    MergeRequest,
    NegativeTargetsRequest,
    RebutRequest,
    RefineAction,
    RefineRequest,
    RerankRequest,
    SignalRequest,
    SummariseRequest,
    Target,
    TargetKind,
    TrustBand,
)
from omoide.runtime.models.offline import beliefs
from omoide.runtime.models.offline.engine import OfflineEngine

SAM = Profile(owner="Sam")


def fact(text: str, name: str = "fact_1", entity: Entity = Entity.OWNER) -> Fact:
    return Fact(
        id=FactId(name),
        key=text,
        text=text,
        entity=entity,
        importance=5,
        subject=PRIVATE,
        speaker=None,
        trust=None,
        sources=(),
        said_at=0,
        last_said_at=0,
        created_at=0,
    )


def belief(
    text: str, name: str = "prom_1", kind: TargetKind = TargetKind.PERSONA, score: float | None = None
) -> Belief:
    return Belief(target=Target(kind, name), text=text, entity=Entity.OWNER, score=score)


def reflection(text: str, name: str = "ref_1") -> Reflection:
    return Reflection(
        id=ReflectionId(name),
        text=text,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(),
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
    )


def turn(text: str, name: str = "t1", role: Role = Role.PERSON, speaker: Speaker | None = None) -> Turn:
    return Turn(id=TurnId(name), role=role, text=text, speaker=speaker, said_at=0, heard_at=0)


@pytest.mark.parametrize(
    ("said", "believed", "signal"),
    [
        ("I love tea.", "Sam loves tea.", Signal.FACT_REINFORCES),
        ("I don't love tea.", "Sam loves tea.", Signal.FACT_NEGATES),
        ("我喜欢喝茶", "Sam喜欢喝茶", Signal.FACT_REINFORCES),
        ("我不喜欢喝茶", "Sam喜欢喝茶", Signal.FACT_NEGATES),
    ],
)
def test_a_fact_that_says_the_same_or_the_opposite_is_a_signal(said: str, believed: str, signal: Signal) -> None:
    request = SignalRequest(facts=(fact(said),), beliefs=(belief(believed),), profile=SAM)
    assert [(one.fact, one.target.id, one.signal) for one in beliefs.signalled(request)] == [
        ("fact_1", "prom_1", signal)
    ]


@pytest.mark.parametrize("believed", ["Sam loves coffee.", "Sam drinks tea at the station."])
def test_a_fact_about_something_else_is_none(believed: str) -> None:
    request = SignalRequest(facts=(fact("I love tea."),), beliefs=(belief(believed),), profile=SAM)
    assert beliefs.signalled(request) == ()


def test_a_fact_about_somebody_else_is_none() -> None:
    request = SignalRequest(
        facts=(fact("I love tea.", entity=Entity.CHARACTER),), beliefs=(belief("Sam loves tea."),), profile=SAM
    )
    assert beliefs.signalled(request) == ()


def test_a_reflection_is_rebutted_by_the_first_turn_that_denies_it_and_once() -> None:
    turns = (turn("Nice day.", "t1"), turn("I don't love running.", "t2"), turn("I hate running.", "t3"))
    request = RebutRequest(turns=turns, reflections=(reflection("Sam loves running."),), profile=SAM)
    assert [(one.reflection, one.turn) for one in beliefs.rebutted(request)] == [("ref_1", "t2")]


def test_a_bare_no_rebuts_nothing() -> None:
    request = RebutRequest(turns=(turn("No."),), reflections=(reflection("Sam loves running."),), profile=SAM)
    assert beliefs.rebutted(request) == ()


def test_a_person_who_is_annoyed_means_what_the_last_turn_names() -> None:
    candidates = (belief("Sam loves running.", "prom_run"), belief("Sam loves tea.", "prom_tea"))
    request = NegativeTargetsRequest(
        turns=(turn("I had tea."), turn("Stop it with the running!")), candidates=candidates, profile=SAM
    )
    assert [one.target.id for one in beliefs.unwelcome(request)] == ["prom_run"]


def test_a_mere_mood_means_nothing() -> None:
    request = NegativeTargetsRequest(
        turns=(turn("Ugh, that's annoying."),), candidates=(belief("Sam loves tea."),), profile=SAM
    )
    assert beliefs.unwelcome(request) == ()


def test_a_reflection_goes_into_the_entry_that_says_the_same_whose_wording_stays() -> None:
    request = MergeRequest(
        reflection=reflection("Sam loves tea"),
        pool=(belief("Sam owns a cat.", "prom_cat"), belief("Sam loves tea.", "prom_tea")),
        profile=SAM,
    )
    decision = beliefs.merged(request)
    assert (decision.action, decision.into, decision.text) == (
        MergeAction.MERGE,
        Target(TargetKind.PERSONA, "prom_tea"),
        "Sam loves tea.",
    )


@pytest.mark.parametrize(
    "other", [belief("Sam owns a cat."), belief("Sam loves tea.", "ref_2", TargetKind.REFLECTION)]
)
def test_a_reflection_that_no_entry_says_becomes_a_new_one(other: Belief) -> None:
    request = MergeRequest(reflection=reflection("Sam loves tea"), pool=(other,), profile=SAM)
    assert beliefs.merged(request).action is MergeAction.NEW


@pytest.mark.parametrize(
    ("old", "new", "bands", "action"),
    [
        ("I live in Kyoto.", "I live in Osaka.", ("unknown", "unknown"), CorrectAction.KEEP_NEW),
        ("I live in Kyoto.", "I live in Osaka.", ("high", "low"), CorrectAction.KEEP_OLD),
        ("I live in Kyoto.", "I live in Osaka.", ("high", "unknown"), CorrectAction.KEEP_NEW),
        ("I live in Kyoto.", "I live in Osaka.", ("high", "high"), CorrectAction.KEEP_NEW),
        ("I live in Kyoto.", "i live in kyoto", ("unknown", "unknown"), CorrectAction.KEEP_OLD),
        ("I work at Foo.", "I manage Foo's repository.", ("unknown", "unknown"), CorrectAction.KEEP_BOTH),
    ],
)
def test_of_a_contradiction_the_newer_stands_unless_the_older_is_better_believed(
    old: str, new: str, bands: tuple[str, str], action: CorrectAction
) -> None:
    pair = Contradiction(
        old=Claimed(text=old, band=TrustBand(bands[0])),
        new=Claimed(text=new, band=TrustBand(bands[1])),
        entity=Entity.OWNER,
    )
    decided = beliefs.corrected(CorrectRequest(pairs=(pair,), profile=SAM))
    assert [(one.pair, one.action) for one in decided] == [(0, action)]


@pytest.mark.parametrize(
    ("candidate", "action"),
    [("i love tea", ArbitrateAction.MERGE), ("I love coffee.", ArbitrateAction.KEEP_BOTH)],
)
def test_facts_that_say_the_same_are_merged(candidate: str, action: ArbitrateAction) -> None:
    pair = FactPair(candidate=fact(candidate, "fact_2"), existing=fact("I love tea."))
    decided = beliefs.arbitrated(ArbitrateRequest(pairs=(pair,), profile=SAM))
    assert [one.action for one in decided] == [action]


def test_refining_merges_the_same_statement_and_leaves_the_rest() -> None:
    cluster = (belief("Sam loves tea.", "a"), belief("Sam owns a cat.", "b"), belief("sam loves tea", "c"))
    (change,) = beliefs.refined(RefineRequest(cluster=cluster, facts=(), profile=SAM))
    assert (change.action, [one.id for one in change.targets], change.texts) == (
        RefineAction.MERGE,
        ["a", "c"],
        ("Sam loves tea.",),
    )


def test_what_shares_words_with_a_query_comes_first_and_then_what_is_better_believed() -> None:
    candidates = (
        belief("Sam plays chess.", "weak", score=0.5),
        belief("Sam owns a cat.", "strong", score=2.0),
        belief("Sam drinks tea.", "tea", score=0.1),
    )
    request = RerankRequest(queries=("a cup of tea?",), candidates=candidates, limit=2, profile=SAM)
    assert [one.id for one in beliefs.reranked(request)] == ["tea", "strong"]


async def test_a_memo_keeps_the_persons_own_statements_and_not_the_characters_words() -> None:
    request = SummariseRequest(
        turns=(
            turn("Good morning! I adopted a cat yesterday."),
            turn("How lovely, cats are my favourites.", "t2", Role.CHARACTER),
            turn("I play the cello.", "t3", speaker=Speaker(platform="chat", account="1", label="Mia")),
        ),
        earlier="I am moving to Kyoto.",
        profile=SAM,
    )
    assert (await OfflineEngine().summarise(request)).text.splitlines() == [
        "I am moving to Kyoto.",
        "I adopted a cat yesterday.",
        "Mia: I play the cello.",
    ]


async def test_a_memo_stays_within_its_tokens_and_keeps_the_newest() -> None:
    turns = tuple(
        turn(f"I read book number {number} on the long train to work.", f"t{number}") for number in range(50)
    )
    memo = await OfflineEngine().summarise(SummariseRequest(turns=turns, max_tokens=100, profile=SAM))
    assert estimated_tokens(memo.text) <= 100
    assert memo.text.splitlines()[-1] == turns[-1].text
