"""Of two persons who contradict each other the one who is believed more stands, else the newer evidence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Fact, FactStatus, Speaker
from omoide.protocols.settings import Settings, TrustSettings
from omoide.protocols.trust import Tally
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")
CAROL = Speaker(platform="qq", account="1003", label="Carol")
OWNER = None

OPEN, SHUT = "The harbour office is open.", "The harbour office is not open."
OSAKA, KYOTO = "Dave lives in Osaka.", "Dave lives in Kyoto."


class Parrot(OfflineEngine):
    """A mind that takes every utterance for one fact as it stands."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        return [Candidate(text=request.turn.text, entity=Entity.OTHER, importance=9)]


class Group:
    """A group in which people speak one after the other, a minute apart."""

    def __init__(self, runtime: Runtime, character: Character, clock: VirtualClock) -> None:
        self.runtime = runtime
        self.character = character
        self._clock = clock

    async def says(self, speaker: Speaker | None, text: str, trust: float | str | None = None) -> None:
        self._clock.advance_to(self._clock.now() + 60)
        await self.character.hear(text, speaker=speaker, subject=GROUP, trust=trust)
        await self.character.settle()

    async def stands(self) -> list[str]:
        return [fact.text for fact in await self.character.facts(subjects=[GROUP])]

    async def fact(self, text: str) -> Fact:
        async with self.character.resident() as resident:
            stored = await resident.journal.facts(statuses=tuple(FactStatus))
        return next(fact for fact in stored if fact.text == text)


@pytest.fixture
async def group(tmp_path: Path) -> AsyncIterator[Group]:
    async with gathered(tmp_path) as one:
        yield one


@asynccontextmanager
async def gathered(data_dir: Path) -> AsyncIterator[Group]:
    clock = VirtualClock(START)
    # On a busy machine the pool may take a second to answer, and then trust would abstain.
    settings = Settings(data_dir=data_dir, trust=TrustSettings(wait_s=60.0))
    async with open_runtime(settings, clock=clock, model=Parrot()) as runtime:
        yield Group(runtime, await runtime.character("yui", owner="Sam"), clock)


@pytest.mark.parametrize(("first", "second"), [(OPEN, SHUT), (SHUT, OPEN), (OSAKA, KYOTO)])
@pytest.mark.parametrize(
    ("trusts", "standing"),
    [
        ((0.8, 0.3), 0),
        ((0.3, 0.8), 1),
        (("admin", "normal"), 0),
        ((0.5, 0.5), 1),
        ((0.6, 0.5), 1),
        ((None, 0.3), 1),
        ((0.8, None), 1),
        ((None, None), 1),
    ],
    ids=str,
)
async def test_the_more_trusted_stands_where_both_have_a_trust_and_else_the_newer(
    group: Group, first: str, second: str, trusts: tuple[float | str | None, ...], standing: int
) -> None:
    await group.says(ALICE, first, trusts[0])
    await group.says(BOB, second, trusts[1])

    assert await group.stands() == [(first, second)[standing]]


async def test_who_loses_is_kept_and_says_to_whom_and_why(group: Group) -> None:
    await group.says(ALICE, OSAKA, 0.8)
    await group.says(BOB, KYOTO, 0.3)

    (lost,) = await group.character.explain("Kyoto")
    (won,) = await group.character.explain("Osaka")
    assert (lost.status, lost.trust) == ("superseded", 0.3)
    assert lost.reason == f"contradicted by {won.id} of qq:1001, who is believed more (0.8 against 0.3)"
    assert [event.kind for event in won.history] == ["fact_added", "fact_contested"]


async def test_said_again_by_who_is_trusted_less_it_loses_again(group: Group) -> None:
    await group.says(ALICE, OSAKA, 0.8)
    for _ in range(2):
        await group.says(BOB, KYOTO, 0.3)

    assert await group.stands() == [OSAKA]


@pytest.mark.parametrize(
    "pair",
    [
        ("I live in Osaka.", "I live in Kyoto."),
        ("I am a nurse.", "I am not a nurse."),
        ("Dave lives in Osaka.", "Erin lives in Kyoto."),
        ("Dave works at Foo.", "Dave manages the repository of Foo."),
        ("Dave likes tea.", "Dave likes coffee."),
        ("Our favourite trail is the Copper canyon.", "Our favourite trail is the Foggy lake."),
    ],
    ids=str,
)
async def test_what_is_no_contradiction_between_two_persons_leaves_both(
    group: Group, pair: tuple[str, str]
) -> None:
    await group.says(ALICE, pair[0], 0.8)
    await group.says(BOB, pair[1], 0.3)

    assert sorted(await group.stands()) == sorted(pair)


async def test_a_contradiction_elsewhere_is_none(group: Group) -> None:
    await group.says(ALICE, OPEN, 0.8)
    await group.character.hear(SHUT, speaker=BOB, subject="group:qq:78", trust=0.3)
    await group.character.settle()

    assert len(await group.character.facts()) == 2


# --- about persons ----------------------------------------------------------------------------------


async def test_whom_a_fact_names_may_contradict_it(group: Group) -> None:
    await group.says(ALICE, "Bob lives in Osaka.", 0.3)
    await group.says(BOB, "I live in Kyoto.", 0.5)

    assert await group.stands() == ["I live in Kyoto."]


@pytest.mark.parametrize("label", ["Sam", "Bob", " ＢＯＢ "])
async def test_a_name_that_somebody_gave_themself_makes_nobodys_words_theirs(group: Group, label: str) -> None:
    """Mallory calls themself Bob, or Sam as the owner is called, so that "I" would be who was spoken of."""
    mallory = Speaker(platform="qq", account="666", label=label)
    about = "Sam lives in Osaka." if label == "Sam" else "Bob lives in Osaka."
    await group.says(BOB, "I came by boat.", 0.5)
    await group.says(ALICE, about, 0.3)
    await group.says(mallory, "I live in Kyoto.", 0.8)

    assert about in await group.stands()


async def test_others_do_not_overrule_the_owner_on_the_owner(group: Group) -> None:
    await group.says(OWNER, "I live in Osaka.")
    await group.says(BOB, "Sam lives in Kyoto.", None)
    await group.says(CAROL, "Sam lives in Nara.", "admin")

    assert await group.stands() == ["I live in Osaka."]


async def test_each_has_the_last_word_on_themself_against_who_is_trusted_as_much(group: Group) -> None:
    await group.says(ALICE, "I moved to Galway.", 0.6)
    await group.says(BOB, "Alice doesn't live in Galway.", 0.6)
    assert await group.stands() == ["I moved to Galway."]
    assert "own word on themself" in (await group.fact("Alice doesn't live in Galway.")).reason


async def test_of_other_things_the_owner_gives_way_to_newer_evidence_of_who_abstains_or_is_trusted_as_much(
    group: Group,
) -> None:
    await group.says(OWNER, OSAKA)
    await group.says(BOB, KYOTO, "trusted")
    assert await group.stands() == [OSAKA]

    await group.says(CAROL, KYOTO, "admin")
    assert await group.stands() == [KYOTO]

    await group.says(ALICE, OSAKA, None)
    assert await group.stands() == [OSAKA]


# --- doubt ------------------------------------------------------------------------------------------


async def test_a_contested_fact_of_little_trust_is_told_as_doubtful(group: Group) -> None:
    await group.says(ALICE, OSAKA, 0.3)
    await group.says(BOB, KYOTO, 0.4)

    (hit,) = (await group.character.recall("Dave lives", subjects=[GROUP])).hits
    assert (hit.text, hit.band, hit.doubtful) == (KYOTO, "low", True)
    told = (await group.character.briefing(subjects=[GROUP])).text
    assert any("Kyoto" in line and "doubtful" in line for line in told.splitlines())


@pytest.mark.parametrize(
    ("first", "second"), [((0.5, OSAKA), (0.6, KYOTO)), ((0.3, OSAKA), (None, KYOTO))], ids=str
)
async def test_what_is_well_backed_or_of_unknown_trust_is_not_told_so(
    group: Group, first: tuple[float, str], second: tuple[float | None, str]
) -> None:
    await group.says(ALICE, first[1], first[0])
    await group.says(BOB, second[1], second[0])

    (hit,) = (await group.character.recall("Dave lives", subjects=[GROUP])).hits
    assert (hit.text, hit.doubtful) == (KYOTO, False)


async def test_what_nobody_contests_is_not_doubtful_whoever_said_it(group: Group) -> None:
    await group.says(ALICE, OSAKA, 0.1)

    (hit,) = (await group.character.recall("Dave lives", subjects=[GROUP])).hits
    assert (hit.band, hit.doubtful) == ("low", False)


# --- what the owner's words attest --------------------------------------------------------------------


async def tally(group: Group, account: str) -> Tally:
    person = await group.runtime.trust.person(account)
    return Tally() if person is None else person.tally


@pytest.mark.parametrize(
    ("said", "by_owner", "confirmations", "corrections"),
    [
        (OPEN, OPEN, 1, 0),
        (OPEN, SHUT, 0, 1),
        ("小林是护士。", "小林不是护士。", 0, 1),
        ("会議は金曜日です。", "会議は金曜日です。", 1, 0),
        ("I like tea.", "I like tea.", 0, 0),
        (OPEN, "The baker said the harbour office is not open.", 0, 0),
        (OPEN, "If it snows the harbour office is not open.", 0, 0),
    ],
)
async def test_the_owner_confirms_or_corrects_by_saying_the_same_or_the_opposite(
    group: Group, said: str, by_owner: str, confirmations: int, corrections: int
) -> None:
    await group.says(ALICE, said)
    for _ in range(2):  # said twice it counts once
        await group.says(OWNER, by_owner)

    assert await tally(group, "qq:1001") == Tally(confirmations=confirmations, corrections=corrections)


async def test_others_attest_to_nothing(group: Group) -> None:
    await group.says(ALICE, OPEN)
    await group.says(BOB, OPEN)

    assert await tally(group, "qq:1001") == Tally()


async def test_the_owner_attests_to_no_account_of_their_own(group: Group) -> None:
    await group.runtime.trust.bind("qq:1001", "owner", by="Sam")
    await group.says(ALICE, OPEN)
    await group.says(BOB, OPEN)
    await group.says(OWNER, OPEN)

    assert await tally(group, "qq:1001") == Tally()
    assert await tally(group, "qq:1002") == Tally(confirmations=1)  # the control


class Inventor(Parrot):
    """A mind that lets the owner say what they didn't say."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        text = request.turn.text if request.turn.speaker else SHUT
        return [Candidate(text=text, entity=Entity.OTHER, importance=9)]


async def test_what_a_mind_makes_of_the_owners_words_corrects_nobody(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, model=Inventor()) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear(OPEN, speaker=ALICE, subject=GROUP)
        await yui.hear("I walked past the harbour office and wondered whether it is open.", subject=GROUP)
        await yui.settle()

        assert await runtime.trust.person("qq:1001") is None
