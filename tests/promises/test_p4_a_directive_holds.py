"""P4: what the person asked not to hear of comes out by no way until they lift it or it is deleted.

Every way out is tried in every state, and each has its control: without the directive the same words come out.
"""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from omoide.protocols.errors import NotFoundError
from omoide.protocols.records import Directive, DirectiveStatus
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine

FORBIDDER: Final = Path(__file__).with_name("forbidder.py")
START: Final = 1_772_442_000.0
DAY_S: Final = 86_400.0

TOLD: Final = "My brother Marcus lives in Oslo."
BAN: Final = "Please stop mentioning Marcus."
LIFT: Final = "It's fine, you can talk about Marcus again."
NAMES_IT: Final = "Marcus would have loved this film!"
HARMLESS: Final = "Your brother would have loved this film!"


@asynccontextmanager
async def opened(folder: Path, *, now: float = START, **sections: Any) -> AsyncIterator[Character]:
    settings = Settings.model_validate({"data_dir": folder, **sections})
    async with open_runtime(settings, clock=VirtualClock(now)) as runtime:
        yield await runtime.character("yui", owner="Sam")


async def told(character: Character, *lines: str) -> None:
    """Hear what is known about the topic, learn it, then hear more."""
    await character.hear(TOLD)
    await character.settle()
    for line in lines:
        await character.hear(line)


# --- the ways out: each returns whether the topic came out -----------------------------------------


async def unprompted_speech(character: Character) -> bool:
    return (await character.gate(NAMES_IT, unprompted=True)).verdict == "allow"


async def a_reply(character: Character) -> bool:
    return (await character.gate(NAMES_IT, unprompted=False, said="What shall we watch?")).verdict == "allow"


async def a_reply_to_what_was_heard_last(character: Character) -> bool:
    return (await character.gate(NAMES_IT, unprompted=False)).verdict == "allow"


async def a_stream(character: Character) -> bool:
    async def chunks() -> AsyncIterator[str]:
        for chunk in ("It is sunny. ", "Maybe Mar", "cus would like it", ". Shall we walk?"):
            yield chunk

    out = "".join([part async for part in character.gate_stream(unprompted=True).over(chunks())])
    assert out.startswith("It is sunny. ")
    assert out.endswith("Shall we walk?")
    return "Marcus" in out


async def recall(character: Character) -> bool:
    return any("Marcus" in hit.text for hit in (await character.recall("Who lives in Oslo?")).hits)


async def recall_that_nobody_asked_for(character: Character) -> bool:
    return any("Marcus" in hit.text for hit in (await character.recall("Marcus Oslo", said="")).hits)


async def a_briefing(character: Character) -> bool:
    return "Marcus" in (await character.briefing(cue="I'm flying to Oslo tomorrow.")).text


async def a_prompt_that_does_not_forbid_it(character: Character) -> bool:
    return "Marcus" not in await character.directives_block()


WAYS: Final[tuple[Callable[[Character], Awaitable[bool]], ...]] = (
    unprompted_speech,
    a_reply,
    a_reply_to_what_was_heard_last,
    a_stream,
    recall,
    recall_that_nobody_asked_for,
    a_briefing,
    a_prompt_that_does_not_forbid_it,
)


async def ways_open(character: Character) -> dict[str, bool]:
    return {way.__name__: await way(character) for way in WAYS}


ALL_OPEN: Final = {way.__name__: True for way in WAYS}
ALL_CLOSED: Final = {way.__name__: False for way in WAYS}


def without_the_last_turn(ways: dict[str, bool]) -> dict[str, bool]:
    """Leave out the reply to what was heard last, for a last turn that raises the topic itself."""
    return {name: is_open for name, is_open in ways.items() if name != a_reply_to_what_was_heard_last.__name__}


# --- processes that are killed ---------------------------------------------------------------------


def kill_while_listening(folder: Path, *lines: str, kill: str = "") -> dict[str, bool]:
    job = {"data_dir": str(folder), "lines": lines, "kill": kill, "now": START}
    done = subprocess.run(
        [sys.executable, FORBIDDER],
        input=json.dumps([job]),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, bool] = json.loads(done.stdout)[0]
    return result


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose process was killed as soon as the directive had its receipt."""
    folder = tmp_path_factory.mktemp("killed")
    assert kill_while_listening(folder, TOLD, BAN) == {"killed": True, "acknowledged": True}
    return folder


# --- the matrix ------------------------------------------------------------------------------------


async def test_without_a_directive_every_way_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, "Hello there!")

        assert await ways_open(character) == ALL_OPEN


async def test_every_way_is_closed_as_soon_as_the_receipt_is_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character)
        assert await ways_open(character) == ALL_OPEN
        await character.hear(BAN)

        assert await ways_open(character) == ALL_CLOSED


@pytest.mark.parametrize("later_s", [0.0, 60 * DAY_S])
async def test_every_way_is_closed_after_a_restart(tmp_path: Path, later_s: float) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)

    async with opened(tmp_path, now=START + later_s) as character:
        assert await ways_open(character) == ALL_CLOSED


@pytest.mark.kill
@pytest.mark.parametrize("later_s", [0.0, 60 * DAY_S])
async def test_every_way_is_closed_after_a_kill(killed: Path, tmp_path: Path, later_s: float) -> None:
    shutil.copytree(killed, tmp_path / "copy")
    async with opened(tmp_path / "copy", now=START + later_s) as character:
        assert await ways_open(character) == ALL_CLOSED


async def test_every_way_is_closed_after_an_export_and_an_import(tmp_path: Path) -> None:
    async with open_runtime(Settings(data_dir=tmp_path / "old"), clock=VirtualClock(START)) as runtime:
        await told(await runtime.character("yui", owner="Sam"), BAN)
        await runtime.export("yui", tmp_path / "exported")

    async with open_runtime(Settings(data_dir=tmp_path / "new"), clock=VirtualClock(START + DAY_S)) as runtime:
        await runtime.import_(tmp_path / "exported")
        assert await ways_open(await runtime.character("yui", create=False)) == ALL_CLOSED


@pytest.mark.kill
async def test_a_lift_holds_after_a_kill_too(tmp_path: Path) -> None:
    assert kill_while_listening(tmp_path, TOLD, BAN, LIFT)["acknowledged"]
    async with opened(tmp_path) as character:
        assert await ways_open(character) == ALL_OPEN


async def test_what_does_not_name_the_topic_comes_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, "My sister Dana lives in Turin.", BAN)
        await character.settle()

        assert (await character.gate(HARMLESS, unprompted=True)).verdict == "allow"
        assert [hit.text for hit in (await character.recall("Who lives in Turin?")).hits] == [
            "My sister Dana lives in Turin."
        ]
        assert "Turin" in (await character.briefing(cue="I'm flying to Turin tomorrow.")).text


# --- lifted, deleted, said again -------------------------------------------------------------------


async def test_the_person_lifts_it_and_every_way_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)
        receipt = await character.hear(LIFT)

        assert [(one.term, one.status) for one in receipt.directives] == [("Marcus", DirectiveStatus.LIFTED)]
        assert await ways_open(character) == ALL_OPEN
        assert await character.directives() == ()


async def test_it_is_deleted_in_the_interface_and_every_way_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)
        await character.remove_directive("MARCUS")

        assert await ways_open(character) == ALL_OPEN


async def test_said_again_after_it_was_deleted_it_holds_again_with_its_count(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)
        await character.remove_directive("Marcus")
        receipt = await character.hear(BAN)

        assert await ways_open(character) == ALL_CLOSED
        assert [one.hits for one in receipt.directives] == [2]


async def test_a_lift_that_is_taken_back_in_the_same_turn_does_not_lift(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)
        await character.hear("You can talk about Marcus again. No, wait: stop mentioning Marcus.")

        assert await ways_open(character) == ALL_CLOSED


async def test_deleting_what_is_not_there_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN)
        with pytest.raises(NotFoundError):
            await character.remove_directive("Mark")

        assert await ways_open(character) == ALL_CLOSED


# --- how it is said --------------------------------------------------------------------------------


async def test_two_topics_in_one_sentence_hold_and_are_lifted_apart(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, "Never bring up Marcus or Dana again, okay?")
        assert await ways_open(character) == ALL_CLOSED
        await character.hear("You can talk about Dana again.")

        assert (await character.gate("Dana called.", unprompted=True)).verdict == "allow"
        assert await ways_open(character) == ALL_CLOSED


async def test_said_between_other_sentences_it_holds_and_the_others_are_learned(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, f"I work at a bakery. {BAN} I have a cat named Miso.")
        await character.settle()

        assert await ways_open(character) == ALL_CLOSED
        assert [fact.text for fact in await character.facts()] == [
            TOLD,
            "I work at a bakery.",
            "I have a cat named Miso.",
        ]


async def test_asking_not_to_hear_of_it_once_more_does_not_raise_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN, "I said: stop mentioning Marcus!")

        assert (await character.gate("Sorry about Marcus.", unprompted=False)).verdict == "revise"


async def test_the_person_raises_it_and_may_be_answered_in_that_turn_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN, "Where does Marcus live, by the way?")
        assert (await character.gate("Marcus lives in Oslo.", unprompted=False)).verdict == "allow"
        assert [hit.text for hit in (await character.recall("Where does Marcus live?")).hits] == [TOLD]
        assert without_the_last_turn(await ways_open(character)) == without_the_last_turn(ALL_CLOSED)
        await character.hear("Thanks.")

        assert await ways_open(character) == ALL_CLOSED


async def test_a_directive_that_is_given_while_a_stream_runs_holds_for_its_rest(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, "Tell me a story.")
        stream = character.gate_stream()
        spoken = await stream.push("Marcus went out. Then Mar")
        await character.hear(BAN)
        spoken += await stream.push("cus came back. It was late.")
        spoken += await stream.close()

        assert spoken == "Marcus went out. It was late."
        assert [one.text for one in stream.dropped] == ["Then Marcus came back. "]


async def test_a_prompt_that_was_built_before_the_directive_can_be_told_from_one_of_now(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character)
        prepared = await character.directives_block()
        receipt = await character.hear(BAN)

        assert receipt.directives
        assert prepared != await character.directives_block()
        assert (await character.gate(NAMES_IT, unprompted=True)).verdict == "block"


async def test_the_same_message_twice_is_one_hit(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN, message_id="m1")
        again = await character.hear(BAN, message_id="m1")

        assert (again.repeated, [one.hits for one in again.directives]) == (True, [1])
        assert [one.hits for one in await character.directives()] == [1]


async def test_what_only_points_is_told_to_the_model_and_blocks_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear("Stop talking about that.")

        assert "that" in await character.directives_block()
        assert (await character.gate("That is nice weather.", unprompted=True)).verdict == "allow"


# --- ttl, the bound --------------------------------------------------------------------------------


async def test_under_ttl_it_lapses_and_holds_longer_the_more_often_it_was_said(tmp_path: Path) -> None:
    ttl: dict[str, Any] = {"directives": {"policy": "ttl"}}
    async with opened(tmp_path, **ttl) as character:
        await told(character, BAN)
    async with opened(tmp_path, now=START + 3 * DAY_S - 1, **ttl) as character:
        assert await ways_open(character) == ALL_CLOSED
    async with opened(tmp_path, now=START + 3 * DAY_S, **ttl) as character:
        assert without_the_last_turn(await ways_open(character)) == without_the_last_turn(ALL_OPEN)
        await character.hear(BAN)
    async with opened(tmp_path, now=START + 9 * DAY_S - 1, **ttl) as character:
        assert await ways_open(character) == ALL_CLOSED


async def test_past_the_bound_every_directive_holds_and_the_person_is_warned(tmp_path: Path) -> None:
    async with opened(tmp_path, directives={"stored": 2}) as character:
        await told(character, BAN)
        assert (await character.status()).warnings == ()
        receipt = await character.hear("Stop mentioning Dana. Stop mentioning spiders.")

        assert len(await character.directives()) == 3
        assert await ways_open(character) == ALL_CLOSED
        assert "3 directives are in force" in receipt.notes[0]
        assert (await character.status()).warnings == receipt.notes
        assert "Marcus" not in receipt.notes[0]


# --- killed on the way -----------------------------------------------------------------------------


@pytest.mark.kill
@pytest.mark.parametrize(
    ("kill", "lands"),
    [
        ("directives.received", False),
        ("scribe.before_commit", False),
        ("journal.received", False),
        ("scribe.after_commit", True),
    ],
)
async def test_killed_on_the_way_the_directive_is_there_exactly_if_its_turn_is(
    tmp_path: Path, kill: str, lands: bool
) -> None:
    result = kill_while_listening(tmp_path, TOLD, BAN, kill=kill)
    assert result == {"killed": True, "acknowledged": False}

    async with opened(tmp_path) as character:
        stored = BAN in [turn.text for turn in await character.turns(newest=10)]
        assert stored == lands
        assert await ways_open(character) == (ALL_CLOSED if lands else ALL_OPEN)
    assert examine(Settings(data_dir=tmp_path), "yui").healthy


# --- what the log tells ----------------------------------------------------------------------------


async def test_nothing_that_is_logged_names_a_topic(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened(tmp_path, directives={"stored": 1}) as character:
        await told(character, BAN, "Stop mentioning spiders.", "Can you forget that Marcus lives in Oslo?")
        await ways_open(character)
        await character.settle()
        with pytest.raises(NotFoundError):
            await character.remove_directive("Marcus' cousin")
        await character.remove_directive("Marcus")
        status = await character.status()

    logged = "\n".join(str(record.__dict__) for record in caplog.records)
    assert "character.activated" in logged
    assert not [word for word in ("marcus", "spiders", "oslo") if word in f"{logged} {status}".lower()]


async def test_the_directives_are_what_their_events_say(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await told(character, BAN, "Stop mentioning spiders.", LIFT)
        await character.remove_directive("spiders")
        folded: dict[str, Directive] = {}
        for event in await character.events():
            if event.kind.startswith("directive_"):
                directive = getattr(event.change, "directive", None)
                assert isinstance(directive, Directive)
                folded[directive.id] = directive
        stored = await character.directives(active_only=False)

    assert sorted(stored, key=lambda one: one.id) == sorted(folded.values(), key=lambda one: one.id)
    assert {one.term: one.status for one in stored} == {
        "Marcus": DirectiveStatus.LIFTED,
        "spiders": DirectiveStatus.DELETED,
    }
