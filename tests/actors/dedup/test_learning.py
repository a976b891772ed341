"""Facts learned from turns: the same whatever the order of arrival, and however often each step is run."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.dedup.corrections import Occasion
from omoide.actors.dedup.learning import Heard, contradicting, learn
from omoide.actors.dedup.ledger import Ledger
from omoide.actors.dedup.spoken import spoken_in
from omoide.protocols.events import AnyChange, FactAdded, FactRepeated, record_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import (
    Entity,
    Fact,
    FactId,
    FactStatus,
    Rejection,
    RejectionId,
    Role,
    Speaker,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE, Subject

Conversation = list[tuple[Turn, tuple[Candidate, ...]]]

ALICE = Speaker(platform="qq", account="1001", label="Alice")
TEA = ["I like tea.", "i LIKE tea", "I really like tea!", "I don't like tea.", "I do like tea after all."]
HOME = ["I live in Kyoto.", "I moved to Osaka.", "I don't live in Kyoto any more."]
LIFE = ["I have a cat called Mio.", "Mio died."]
STATEMENTS = ["Ingrid lives in Bergen.", "我喜欢茶。"]


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    """Draw a conversation in which nobody says two things at once, nor contradicts themselves in one breath."""
    times = draw(st.lists(st.integers(0, 100), min_size=1, max_size=12, unique=True))
    conversation = []
    for number, said_at in enumerate(times):
        texts = [
            text
            for text in (draw(st.sampled_from(["", *group])) for group in (TEA, HOME, LIFE, STATEMENTS))
            if text
        ]
        turn = a_turn(
            " ".join(text if text[-1] in ".!。" else f"{text}." for text in texts) or "hm",
            turn=f"turn_{number}",
            said_at=float(said_at),
            subject=draw(st.sampled_from([PRIVATE, Subject("group:qq:77")])),
            speaker=draw(st.sampled_from([None, ALICE])),
            trust=draw(st.sampled_from([None, 0.2, 0.9])),
        )
        importance = draw(st.integers(1, 10))
        entity = draw(st.sampled_from([Entity.OWNER, Entity.OTHER]))
        conversation.append(
            (turn, tuple(Candidate(text=text, entity=entity, importance=importance) for text in texts))
        )
    return conversation


def a_turn(
    text: str,
    *,
    turn: str = "turn_1",
    said_at: float = 1.0,
    subject: Subject = PRIVATE,
    speaker: Speaker | None = None,
    trust: float | None = None,
) -> Turn:
    return Turn(
        id=TurnId(turn),
        role=Role.PERSON,
        text=text,
        subject=subject,
        speaker=speaker,
        trust=trust,
        said_at=said_at,
        heard_at=said_at,
    )


class Memory:
    """What is stored, changed as dedup changes it, without an actor and a journal."""

    def __init__(self) -> None:
        self.facts: dict[FactId, Fact] = {}
        self.rejections: dict[RejectionId, Rejection] = {}
        self.turns: dict[TurnId, Turn] = {}

    def learn(self, turn: Turn, candidates: tuple[Candidate, ...]) -> tuple[AnyChange, ...]:
        """Learn one turn, and return what it changed."""
        ledger = Ledger(
            (fact for fact in self.facts.values() if fact.subject == turn.subject),
            (one for one in self.rejections.values() if one.subject == turn.subject),
            ("Sam",),
        )
        self.turns[turn.id] = turn
        later = [self.turns[one] for one in contradicting(ledger, turn, candidates, 1_000.0)]
        heard = Heard(
            turn=turn,
            spoken=spoken_in(turn, ledger.names),
            candidates=candidates,
            later=tuple((one, spoken_in(one, ledger.names)) for one in later),
        )
        learn(ledger, occasion_of(turn), heard)
        for change in ledger.changes():
            match record_of(change):
                case Fact() as fact:
                    self.facts[fact.id] = fact
                case Rejection() as rejection:
                    self.rejections[rejection.id] = rejection
        return ledger.changes()

    def believed(self) -> dict[FactId, Fact]:
        """Return the facts in force, without since when and why they are."""
        return {
            fact.id: replace(fact, status_at=None, reason="")
            for fact in self.facts.values()
            if fact.status is FactStatus.ACTIVE
        }


def occasion_of(turn: Turn) -> Occasion:
    return Occasion(
        at=turn.said_at,
        cause=turn.id,
        by=turn.speaker.key if turn.speaker else "",
        subject=turn.subject,
        disputation=1.0,
        now=1_000.0,
    )


def learned(conversation: Iterable[tuple[Turn, tuple[Candidate, ...]]]) -> Memory:
    memory = Memory()
    for turn, candidates in conversation:
        memory.learn(turn, candidates)
    return memory


@settings(max_examples=60)
@given(conversations(), st.randoms(use_true_random=False))
def test_the_order_of_ops_does_not_change_what_is_believed(heard: Conversation, chance: Random) -> None:
    in_order = sorted(heard, key=lambda one: one[0].said_at)
    shuffled = list(heard)
    chance.shuffle(shuffled)

    assert learned(shuffled).believed() == learned(in_order).believed()


@settings(max_examples=40)
@given(conversations(), st.data())
def test_ops_that_run_again_do_not_change_what_is_learned(heard: Conversation, data: st.DataObject) -> None:
    memory = learned(heard)
    facts, rejections = dict(memory.facts), dict(memory.rejections)

    for turn, candidates in data.draw(st.lists(st.sampled_from(heard), max_size=10)):
        memory.learn(turn, candidates)

    assert (memory.facts, memory.rejections) == (facts, rejections)


@settings(max_examples=40)
@given(conversations())
def test_a_step_that_runs_again_at_once_changes_nothing(heard: Conversation) -> None:
    memory = learned(heard)

    assert memory.learn(*heard[-1]) == ()


def heard(
    text: str, *, turn: str = "turn_1", subject: Subject = PRIVATE, speaker: Speaker | None = None
) -> tuple[Turn, tuple[Candidate, ...]]:
    spoken = a_turn(text, turn=turn, subject=subject, speaker=speaker)
    return spoken, (Candidate(text=text, entity=Entity.OWNER, importance=5),)


def test_a_statement_in_other_clothes_is_the_same_fact_with_one_more_source() -> None:
    (fact,) = learned([heard("I like tea."), heard("i  LIKE tea!!", turn="turn_2")]).facts.values()

    assert [source.turn for source in fact.sources] == ["turn_1", "turn_2"]


def test_the_opposite_is_another_fact() -> None:
    assert len(learned([heard("I like tea."), heard("I don't like tea.", turn="turn_2")]).facts) == 2


def test_the_same_words_from_somebody_else_are_another_fact() -> None:
    assert len(learned([heard("I like tea."), heard("I like tea.", turn="turn_2", speaker=ALICE)]).facts) == 2


def test_the_same_words_in_a_group_are_another_fact() -> None:
    group = Subject("group:qq:77")

    assert len(learned([heard("I like tea."), heard("I like tea.", turn="turn_2", subject=group)]).facts) == 2


def test_what_is_new_is_added_and_what_is_known_is_repeated() -> None:
    memory = learned([heard("I like tea.")])
    turn, again = heard("I like tea.", turn="turn_2")
    _, fresh = heard("Ingrid lives in Bergen.", turn="turn_2")

    changes = memory.learn(turn, (*again, *fresh))

    assert [type(change) for change in changes] == [FactRepeated, FactAdded]


def test_a_home_that_was_taken_over_before_its_denial_stays_so_whatever_comes_first() -> None:
    said = {4: "I live in Kyoto.", 9: "I moved to Osaka.", 10: "I live in Kyoto.", 11: HOME[2]}
    heard = [
        (
            a_turn(text, turn=f"turn_{at}", said_at=float(at), speaker=ALICE),
            (Candidate(text=text, entity=Entity.OWNER, importance=6),),
        )
        for at, text in said.items()
    ]
    believed = [learned(order).believed().keys() for order in permutations(heard)]
    assert all(keys == believed[0] for keys in believed)
