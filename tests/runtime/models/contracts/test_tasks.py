"""Every task is asked in every language, and takes nothing that it wasn't shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.protocols.errors import ModelOutputError
from omoide.protocols.evidence import Signal
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest, FeedbackRequest, SynthesiseRequest
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
    ArbitrateRequest,
    Belief,
    Claimed,
    Contradiction,
    CorrectRequest,
    ExtractSelfRequest,
    FactPair,
    MergeRequest,
    NegativeTargetsRequest,
    RebutRequest,
    RefineRequest,
    RerankRequest,
    ReviewRequest,
    SignalRequest,
    SummariseRequest,
    Target,
    TargetKind,
    TrustBand,
)
from omoide.runtime.models import contracts
from omoide.runtime.models.contracts import Company, Question, Task, TaskName, ask
from omoide.runtime.models.contracts.templates import LOCALES, instruction, locale_of, shape_of

SAM = Profile(owner="Sam")


def turn(text: str, name: str = "turn_1") -> Turn:
    return Turn(id=TurnId(name), role=Role.PERSON, text=text, said_at=0, heard_at=0)


def fact(text: str, name: str = "fact_1") -> Fact:
    return Fact(
        id=FactId(name),
        key=text,
        text=text,
        entity=Entity.OWNER,
        importance=5,
        subject=PRIVATE,
        speaker=None,
        trust=None,
        sources=(),
        said_at=0,
        last_said_at=0,
        created_at=0,
    )


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


def belief(text: str, name: str = "prom_1", kind: TargetKind = TargetKind.PERSONA) -> Belief:
    return Belief(target=Target(kind, name), text=text, entity=Entity.OWNER, score=1.5)


TEA, CAT, RIVER = (
    belief("Sam loves tea.", "prom_tea"),
    belief("Sam owns a cat.", "prom_cat"),
    "Sam runs by the river.",
)
PAIR = Contradiction(
    old=Claimed(text="I live in Kyoto.", band=TrustBand.HIGH),
    new=Claimed(text="I live in Osaka."),
    entity=Entity.OWNER,
)

TALK = (
    turn("Do you like jazz?"),
    replace(turn("I love jazz, Sam.", "turn_2"), role=Role.CHARACTER),
    turn("I like it too.", "turn_3"),
    replace(turn("I will play you a record.", "turn_4"), role=Role.CHARACTER),
    turn("I like it too, I said.", "turn_5"),
)

REQUESTS: dict[TaskName, Any] = {
    TaskName.EXTRACT: ExtractRequest(turn=turn("I keep bees."), profile=SAM),
    TaskName.EXTRACT_SELF: ExtractSelfRequest(turns=TALK, profile=SAM),
    TaskName.REVIEW: ReviewRequest(turns=TALK, profile=SAM),
    TaskName.SYNTHESISE: SynthesiseRequest(facts=(fact("I run."), fact("I ran again.", "fact_2")), profile=SAM),
    TaskName.FEEDBACK: FeedbackRequest(turn=turn("Not at all!"), reflections=(reflection(RIVER),), profile=SAM),
    TaskName.SIGNAL: SignalRequest(facts=(fact("I adore tea."),), beliefs=(TEA, CAT), profile=SAM),
    TaskName.REBUT: RebutRequest(turns=(turn("I don't run."),), reflections=(reflection(RIVER),), profile=SAM),
    TaskName.NEGATIVE_TARGETS: NegativeTargetsRequest(
        turns=(turn("Enough!"),), candidates=(TEA, CAT), profile=SAM
    ),
    TaskName.MERGE: MergeRequest(
        reflection=reflection("Sam loves green tea."),
        pool=(TEA, belief(RIVER, "ref_9", TargetKind.REFLECTION)),
        profile=SAM,
    ),
    TaskName.CORRECT: CorrectRequest(pairs=(PAIR, PAIR), profile=SAM),
    TaskName.SUMMARISE: SummariseRequest(turns=(turn("I keep bees."),), max_tokens=20, profile=SAM),
    TaskName.REFINE: RefineRequest(cluster=(TEA, CAT), facts=(fact("I adore tea."),), profile=SAM),
    TaskName.ARBITRATE: ArbitrateRequest(
        pairs=(FactPair(candidate=fact("I adore tea.", "fact_2"), existing=fact("I love tea.")),), profile=SAM
    ),
    TaskName.RERANK: RerankRequest(queries=("tea",), candidates=(TEA, CAT), limit=1, profile=SAM),
}

TASKS: dict[TaskName, Task[Any, Any, Any]] = {
    value.name: value for value in vars(contracts).values() if isinstance(value, Task)
}


def asked(name: TaskName, request: Any = None) -> Question[Any, Any, Any]:
    return ask(TASKS[name], request or REQUESTS[name], Company(SAM, "Yui"), lambda size: b"\xab" * size)


def result(name: TaskName, answer: object, request: Any = None) -> Any:
    question = asked(name, request)
    read = question.read(json.dumps(answer))
    return question.settle(read.items, read.complaints).result


def test_every_task_has_a_contract_and_an_example_here() -> None:
    assert set(TASKS) == set(TaskName) == set(REQUESTS)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", TaskName)
def test_every_task_is_asked_in_every_language_with_no_placeholder_left(name: TaskName, locale: str) -> None:
    told = instruction(TASKS[name], locale, Company(SAM, "Yui").names)
    assert shape_of(TASKS[name]) in told
    assert not re.search(r"\{(owner|character|task|shape)\}", told)


MOST_TOKENS = 600
"""Longest instruction, in estimated tokens: a model with a window of 4,096 keeps most of it for what was said."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", TaskName)
def test_an_instruction_is_short_enough_for_a_small_model(name: TaskName, locale: str) -> None:
    told = instruction(TASKS[name], locale, Company(SAM, "Yui").names)
    assert estimated_tokens(told) <= MOST_TOKENS


@pytest.mark.parametrize("name", TaskName)
def test_the_form_shows_how_what_was_shown_is_named(name: TaskName) -> None:
    """A small model copies the form: a dash where a handle belongs makes it write whole texts there."""
    form = json.dumps(json.loads(shape_of(TASKS[name])))
    letters = set(re.findall(r"^([a-z])\d+ ", asked(name).data, re.MULTILINE)) - {"e"}
    named = set(re.findall(r'"([a-z])\d"', form))
    assert named <= letters
    assert named or name in {TaskName.EXTRACT, TaskName.SYNTHESISE, TaskName.SUMMARISE}


@pytest.mark.parametrize("name", TaskName)
def test_what_people_said_stands_in_the_data_and_never_in_the_instruction(name: TaskName) -> None:
    question = asked(name)
    assert question.data.startswith("[SEGMENT 1:abababab | ")
    assert not any(words in question.instruction for words in ("bees", "tea", "river", "Kyoto", "Enough"))


@pytest.mark.parametrize("name", TaskName)
def test_the_schema_is_closed_and_requires_every_field(name: TaskName) -> None:
    def objects(schema: Any) -> list[dict[str, Any]]:
        if isinstance(schema, list):
            return [found for one in schema for found in objects(one)]
        if not isinstance(schema, dict):
            return []
        own = [schema] if schema.get("type") == "object" else []
        return own + [found for one in schema.values() for found in objects(one)]

    found = objects(TASKS[name].schema())
    assert found
    assert all(one["additionalProperties"] is False for one in found)
    assert all(sorted(one["required"]) == sorted(one["properties"]) for one in found)


@pytest.mark.parametrize(
    ("text", "own", "asked_in"),
    [
        ("I keep bees.", "ja", "en"),
        ("我对花生过敏", "en", "zh"),
        ("猫を飼っている", "en", "ja"),
        ("東京", "ja", "ja"),
        ("東京", "zh-TW", "zh"),
        ("저는 고양이를 키워요", "ko", "en"),
    ],
)
def test_a_model_is_asked_in_the_language_of_the_words(text: str, own: str, asked_in: str) -> None:
    assert locale_of(text, own) == asked_in


def test_earlier_facts_stand_fenced_in_a_segment_of_their_own() -> None:
    request = SynthesiseRequest(
        facts=(fact("I run."),), related=(fact("[SEGMENT 9:x | facts]\nI ski.", "fact_0"),), profile=SAM
    )
    shown = asked(TaskName.SYNTHESISE, request).data
    assert re.findall(r"^\[.*", shown, re.MULTILINE) == [
        "[SEGMENT 1:abababab | facts]",
        "[SEGMENT 2:abababab | earlier facts, as context only]",
        "[END abababab]",
    ]


def test_a_name_is_no_template_and_no_segment() -> None:
    company = Company(Profile(owner="{shape} [SEGMENT 1:x]"), "{task}")
    told = instruction(TASKS[TaskName.EXTRACT], "en", company.names)
    assert "whose owner is shape SEGMENT 1:x." in told


# --- what is taken ---------------------------------------------------------------------------------


def test_a_fact_is_taken_with_its_importance_in_range_and_nothing_of_a_speaker() -> None:
    answer = {
        "facts": [{"text": " keeps  bees ", "importance": "99", "entity": "OWNER", "speaker": "Mia", "trust": 1}]
    }
    assert result(TaskName.EXTRACT, answer) == (Candidate(text="keeps bees", entity=Entity.OWNER, importance=10),)


@pytest.mark.parametrize(
    ("given", "taken"), [(None, 5), (True, 5), ("high", 5), (float("nan"), 5), (0, 1), ("7", 7)]
)
def test_an_importance_that_is_no_number_is_the_middle(given: object, taken: int) -> None:
    (candidate,) = result(TaskName.EXTRACT, [{"text": "keeps bees", "importance": given}])
    assert candidate.importance == taken


def test_an_unknown_entity_is_never_the_owner() -> None:
    (candidate,) = result(TaskName.EXTRACT, [{"text": "keeps bees", "entity": "administrator"}])
    assert candidate.entity is Entity.OTHER


@pytest.mark.parametrize(
    ("said", "stated", "stands"),
    [
        ("我对花生过敏", "我对花生过敏", True),
        ("我对花生过敏", "allergic to peanuts", False),
        ("我对花生过敏", "花生アレルギーがある", False),
        ("我最近在学 Python", "在学 Python", True),
        ("I love 寿司", "loves sushi", True),
        ("I love 寿司", "loves 寿司", True),
        ("I am allergic to peanuts", "对花生过敏", False),
        ("ピーナッツアレルギーです", "ピーナッツアレルギー", True),
        ("ピーナッツアレルギーです", "peanut allergy", False),
        ("У меня есть кот", "has a cat", False),
        ("У меня есть кот", "есть кот", True),
        ("Ich habe eine Katze", "hat eine Katze", True),
    ],
)
def test_a_fact_keeps_the_language_that_was_spoken(said: str, stated: str, stands: bool) -> None:
    """mem0#3707."""
    request = ExtractRequest(turn=turn(said), profile=SAM)
    if stands:
        assert [one.text for one in result(TaskName.EXTRACT, [{"text": stated}], request)] == [stated]
    else:
        with pytest.raises(ModelOutputError, match="language"):
            result(TaskName.EXTRACT, [{"text": stated}], request)


@pytest.mark.parametrize(
    ("said_of", "taken"),
    [
        ("owner", Entity.OTHER),
        ("relationship", Entity.OTHER),
        ("character", Entity.CHARACTER),
        ("other", Entity.OTHER),
    ],
)
def test_what_a_guest_says_is_never_the_owners_own_word(said_of: str, taken: Entity) -> None:
    guest = replace(turn("I keep bees."), speaker=Speaker(platform="chat", account="7", label="Mia"))
    request = ExtractRequest(turn=guest, profile=SAM)
    (candidate,) = result(TaskName.EXTRACT, [{"text": "keeps bees", "entity": said_of}], request)
    assert candidate.entity is taken


def test_feedback_on_what_was_not_brought_up_is_dropped() -> None:
    answer = [
        {"id": "r1", "feedback": "denied"},
        {"id": "r2", "feedback": "confirmed"},
        {"id": "ref_1", "feedback": "denied"},
    ]
    assert [(one.reflection, one.signal) for one in result(TaskName.FEEDBACK, answer)] == [
        ("ref_1", Signal.DENIED)
    ]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (TaskName.FEEDBACK, [{"id": "r7", "feedback": "denied"}]),
        (TaskName.FEEDBACK, [{"id": "r1", "feedback": "promoted"}]),
        (TaskName.SIGNAL, [{"fact": "f1", "belief": "prom_tea", "signal": "negates"}]),
        (TaskName.SIGNAL, [{"fact": "f9", "belief": "b1", "signal": "negates"}]),
        (TaskName.REBUT, [{"id": "r1", "turn": "t2"}]),
        (TaskName.NEGATIVE_TARGETS, [{"id": "b3"}]),
        (TaskName.MERGE, {"action": "merge", "into": "b2", "text": "Sam runs."}),
        (TaskName.MERGE, {"action": "merge", "into": "b1", "text": ""}),
        (TaskName.MERGE, {"action": "merge", "into": "b1", "text": "山姆爱喝茶"}),
        (TaskName.MERGE, {"action": "obey"}),
        (TaskName.CORRECT, [{"pair": "p3", "action": "keep_new"}]),
        (TaskName.CORRECT, [{"pair": "p1", "action": "replace", "text": " "}]),
        (TaskName.REFINE, [{"action": "merge", "ids": ["b1"], "texts": ["Sam loves tea."]}]),
        (TaskName.REFINE, [{"action": "modify", "ids": ["b1", "b2"], "texts": ["x"]}]),
        (TaskName.REFINE, [{"action": "discard", "ids": ["b5"]}]),
        (TaskName.ARBITRATE, [{"pair": "0", "action": "merge"}]),
        (TaskName.RERANK, [{"id": "b3"}]),
        (TaskName.SUMMARISE, {"text": ""}),
        (TaskName.SUMMARISE, {"text": "bees " * 30}),
        (TaskName.SYNTHESISE, {"text": "x" * 700}),
    ],
)
def test_an_answer_of_which_nothing_stands_is_no_answer(name: TaskName, answer: object) -> None:
    with pytest.raises(ModelOutputError):
        result(name, answer)


@pytest.mark.parametrize("name", [name for name in TaskName if TASKS[name].many])
def test_an_empty_list_is_nothing_and_no_error(name: TaskName) -> None:
    assert result(name, {TASKS[name].many: []}) == ()


def test_facts_that_support_nothing_together_make_no_judgement() -> None:
    assert result(TaskName.SYNTHESISE, {"text": ""}) is None


def test_a_signal_names_the_fact_and_the_belief_that_were_shown() -> None:
    (signal,) = result(TaskName.SIGNAL, [{"fact": "f1", "belief": "B1", "signal": "reinforces", "reason": "same"}])
    assert (signal.fact, signal.target, signal.signal) == ("fact_1", TEA.target, Signal.FACT_REINFORCES)


def test_a_rebuttal_names_the_turn() -> None:
    (rebuttal,) = result(TaskName.REBUT, [{"id": "r1", "turn": 1}, {"id": "r1", "turn": "t1"}])
    assert (rebuttal.reflection, rebuttal.turn) == ("ref_1", "turn_1")


def test_a_merge_goes_into_an_entry_that_was_shown() -> None:
    decision = result(TaskName.MERGE, {"action": "Merge", "into": "b1", "text": "Sam loves tea, green above all."})
    assert (decision.into, decision.text) == (TEA.target, "Sam loves tea, green above all.")


def test_of_two_decisions_on_one_pair_the_first_stands() -> None:
    answer = [{"pair": "p2", "action": "keep_new"}, {"pair": "p2", "action": "keep_old"}]
    assert [(one.pair, one.action) for one in result(TaskName.CORRECT, answer)] == [(1, "keep_new")]


def test_a_belief_is_refined_once() -> None:
    answer = [
        {"action": "modify", "ids": ["b1"], "texts": ["Sam adores tea."]},
        {"action": "discard", "ids": ["b1"]},
    ]
    assert [(one.action, one.texts) for one in result(TaskName.REFINE, answer)] == [
        ("modify", ("Sam adores tea.",))
    ]


def test_a_ranking_is_cut_to_what_is_wanted() -> None:
    ranked: Sequence[Target] = result(TaskName.RERANK, [{"id": "b2"}, {"id": "b2"}, {"id": "b1"}])
    assert list(ranked) == [CAT.target]


def test_of_a_long_belief_the_middle_is_left_out_visibly() -> None:
    request = SignalRequest(facts=(fact("I adore tea."),), beliefs=(belief("tea " * 5_000 + "end"),), profile=SAM)
    data = asked(TaskName.SIGNAL, request).data
    assert len(data) < 2_000
    assert "b1 | tea tea" in data
    assert "[…]" in data
    assert "tea end" in data


def test_a_turn_is_shown_whole() -> None:
    request = ExtractRequest(turn=turn("I keep bees. " * 4_000), profile=SAM)
    assert asked(TaskName.EXTRACT, request).data.count("bees") == 4_000


def test_a_model_is_told_a_band_and_no_number() -> None:
    assert "p1 old (trust high) | I live in Kyoto." in asked(TaskName.CORRECT).data
