"""Where there are more beliefs than a mind is shown, it is shown those that have to do with what is new."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide.actors.signals.pool import coarse, cosines_of, picked, standing
from omoide.protocols.errors import ModelError
from omoide.protocols.events import ReflectionSynthesised
from omoide.protocols.messages import Commit
from omoide.protocols.ports import Embedder
from omoide.protocols.records import Entity, Evidence, Fact, FactId, Reflection, ReflectionId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import EvidenceSettings, Settings
from omoide.protocols.tasks import FactSignal, RerankRequest, SignalRequest, Target, TargetKind
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0


def belief(name: str, text: str = "", *, for_it: float = 0.0, against: float = 0.0) -> Reflection:
    evidence = Evidence(
        reinforcement=for_it, disputation=against, rein_last_signal_at=START, disp_last_signal_at=START
    )
    return Reflection(
        id=ReflectionId(name),
        text=text or name,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId(f"fact_of_{name}"),),
        importance=6,
        evidence=evidence,
        created_at=START,
        status_at=START,
        age_anchor_at=START,
        next_eligible_at=START,
    )


def fact(name: str) -> Fact:
    return Fact(
        id=FactId(name),
        key=name,
        text=name,
        entity=Entity.OWNER,
        importance=6,
        subject=PRIVATE,
        speaker=None,
        trust=None,
        sources=(),
        said_at=0,
        last_said_at=0,
        created_at=0,
    )


def beliefs(names: str) -> list[Reflection]:
    return [belief(name) for name in names]


def names(found: Sequence[Reflection]) -> str:
    return "".join(one.id for one in found)


def target(name: str) -> Target:
    return Target(TargetKind.REFLECTION, name)


def at(degrees: float) -> NDArray[np.float32]:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def test_the_best_evidence_stands_first_and_what_more_speaks_against_is_left_out() -> None:
    held = [belief("a", for_it=0.5), belief("b", for_it=2.0), belief("c", for_it=0.5, against=1.0)]
    assert names(standing(held, START, EvidenceSettings())) == "ba"


def test_a_belief_that_was_only_ignored_still_stands_and_comes_last() -> None:
    held = [belief("a", for_it=-0.4), belief("b", for_it=0.5), belief("c", for_it=-0.4, against=0.1)]
    assert names(standing(held, START, EvidenceSettings())) == "ba"


def test_a_belief_is_as_near_as_the_nearest_fact() -> None:
    vectors = {"f": at(0), "g": at(90), "a": at(60), "b": at(10)}
    cosines = cosines_of(beliefs("abc"), [fact("f"), fact("g"), fact("h")], vectors)
    assert cosines == pytest.approx({"a": np.cos(np.deg2rad(30)), "b": np.cos(np.deg2rad(10))}, abs=1e-6)


def test_without_a_vector_of_any_fact_nothing_is_near() -> None:
    assert cosines_of(beliefs("a"), [fact("f")], {"a": at(0)}) == {}


@pytest.mark.parametrize(
    ("cosines", "most", "taken"),
    [
        ({"a": 0.1, "b": 0.9, "c": 0.5}, 3, "bcd"),
        ({"a": 0.1, "b": 0.9, "c": 0.5, "d": 0.2}, 3, "bcd"),
        ({"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}, 2, "ab"),
        ({"e": 0.9}, 4, "eabc"),
        (dict.fromkeys("efghijkl", 0.5), 8, "efghijab"),
        ({"a": 0.9, "b": 0.8}, 20, "abcdefghijkl"),
    ],
)
def test_the_nearest_come_first_and_what_has_no_vector_has_its_share(
    cosines: dict[str, float], most: int, taken: str
) -> None:
    held = beliefs("abcd" if most <= 3 else "abcdefghijkl")
    assert names(coarse(held, cosines, most)) == taken


def test_what_a_mind_named_comes_first_and_what_it_invented_or_repeated_is_nothing() -> None:
    answer = [target("c"), target("z"), target("c"), Target(TargetKind.PERSONA, "b")]
    assert names(picked(answer, beliefs("abcd"), 3)) == "cab"


class Chooser(OfflineEngine):
    """A mind that notes what it is shown; it picks as it is told, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.to_pick: list[tuple[str, ...]] = []
        self.shown: list[tuple[str, ...]] = []

    async def rerank(self, request: RerankRequest) -> Sequence[Target]:
        self.to_pick.append(tuple(one.text for one in request.candidates))
        if self.fails:
            raise ModelError("out of order")
        return [request.candidates[1].target]

    async def signal(self, request: SignalRequest) -> Sequence[FactSignal]:
        self.shown.append(tuple(one.text for one in request.beliefs))
        return ()


TEXTS = (
    ("Sam collects stamps.", 3.0),
    ("Sam repairs old radios.", 2.0),
    ("Sam votes in every election.", 1.8),
    ("Sam is fond of dogs.", 0.3),
    ("Sam trains puppies.", 0.2),
)
NEW = "My dog had puppies."


async def shown_beside(mind: Chooser, embedder: Embedder | None, folder: Path, *, most: int = 2) -> None:
    clock = VirtualClock(START)
    settings = Settings(data_dir=folder)
    settings = settings.model_copy(update={"signals": settings.signals.model_copy(update={"beliefs": most})})
    async with open_runtime(settings, clock=clock, model=mind, embedder=embedder) as runtime:
        character = await runtime.character("yui", owner="Sam")
        held = [belief(f"ref_{place}", text, for_it=worth) for place, (text, worth) in enumerate(TEXTS)]
        async with runtime.resident("yui") as resident:
            changes = tuple(ReflectionSynthesised(reflection=one) for one in held)
            await resident.journal.commit(Commit(actor="reflection", cause="test", changes=changes))
        while (drained := await character.drain()).next_at is not None:
            clock.advance_to(drained.next_at)
        await character.hear(NEW)
        while (drained := await character.drain()).next_at is not None:
            clock.advance_to(drained.next_at)


async def test_a_mind_picks_among_the_nearest_and_is_shown_what_it_picked(
    minilm: Embedder, tmp_path: Path
) -> None:
    mind = Chooser()
    await shown_beside(mind, minilm, tmp_path)
    (candidates,) = mind.to_pick
    assert set(candidates[:2]) == {"Sam is fond of dogs.", "Sam trains puppies."}
    assert mind.shown == [(candidates[1], candidates[0])]


async def test_where_it_fails_the_nearest_are_shown(minilm: Embedder, tmp_path: Path) -> None:
    mind = Chooser(fails=True)
    await shown_beside(mind, minilm, tmp_path)
    assert mind.shown == [mind.to_pick[0][:2]]


async def test_without_vectors_the_best_evidence_is_shown_and_no_mind_picks(tmp_path: Path) -> None:
    mind = Chooser()
    await shown_beside(mind, None, tmp_path)
    assert (mind.to_pick, mind.shown) == ([], [("Sam collects stamps.", "Sam repairs old radios.")])


async def test_where_all_have_room_no_mind_picks(minilm: Embedder, tmp_path: Path) -> None:
    mind = Chooser()
    await shown_beside(mind, minilm, tmp_path, most=5)
    assert (mind.to_pick, mind.shown) == ([], [tuple(text for text, _ in TEXTS)])
