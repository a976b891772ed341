"""The directives role in its character: who reaches what, what a reply answers, and what is a repetition."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.actors.directives.actor import AUDIENCES_KEPT, INLINE_CHARS
from omoide.actors.directives.gates import Reason
from omoide.protocols.errors import ActorCrashedError, InvalidRequestError
from omoide.protocols.records import DirectiveStatus, Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime

START = 1_772_442_000.0
GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")
BAN = "Please stop mentioning Marcus."
NAMES_IT = "Marcus would have loved this film!"
KOALA = (
    "The koala at the zoo slept in its eucalyptus tree all afternoon "
    "while tourists photographed its fluffy round ears."
)
KOALA_AGAIN = (
    "Remember those tourists at the zoo? Photographing fluffy koala ears, while the koala sleeps "
    "in a eucalyptus tree, round and lazy, through a whole afternoon!"
)


@asynccontextmanager
async def opened(
    folder: Path, *, now: float = START, failpoints: ArmedFailpoints | None = None, **sections: Any
) -> AsyncIterator[Character]:
    settings = Settings.model_validate({"data_dir": folder, **sections})
    async with open_runtime(settings, clock=VirtualClock(now), failpoints=failpoints) as runtime:
        yield await runtime.character("yui", owner="Sam")


async def verdict(character: Character, draft: str, *, subject: str = "private") -> str:
    return (await character.gate(draft, unprompted=True, subject=subject)).verdict


async def ordinary_talk(character: Character, *, subject: str = "private") -> None:
    """Forty lines of the character, each of its own words, so that no word of a new one is usual."""
    topics = (
        "piano",
        "garden",
        "bakery",
        "harbour",
        "mountain",
        "library",
        "comet",
        "kitchen",
        "tailor",
        "violin",
    )
    for number in range(40):
        await character.say(" ".join(f"{topic}{number}" for topic in topics) + " lovely evening", subject=subject)


# --- who reaches what ------------------------------------------------------------------------------


async def test_what_the_owner_says_in_a_group_holds_everywhere(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN, subject=GROUP)

        assert [
            await verdict(character, NAMES_IT, subject=place) for place in ("private", GROUP, "group:qq:88")
        ] == ["block"] * 3


async def test_what_a_guest_says_holds_in_that_group_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN, subject=GROUP, speaker=ALICE)

        assert await verdict(character, NAMES_IT, subject=GROUP) == "block"
        assert [await verdict(character, NAMES_IT, subject=place) for place in ("private", "group:qq:88")] == [
            "allow"
        ] * 2


@pytest.mark.parametrize("said_by", [ALICE, BOB])
async def test_a_guest_lifts_nothing_that_the_owner_asked_for(tmp_path: Path, said_by: Speaker) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        receipt = await character.hear("You can talk about Marcus again.", speaker=said_by, subject=GROUP)

        assert receipt.directives == ()
        assert await verdict(character, NAMES_IT) == "block"


async def test_one_member_lifts_nothing_that_another_asked_for_even_after_asking_for_it_too(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN, subject=GROUP, speaker=ALICE)
        await character.hear(BAN, subject=GROUP, speaker=BOB)
        await character.hear("You can talk about everything again.", subject=GROUP, speaker=BOB)
        assert await verdict(character, NAMES_IT, subject=GROUP) == "block"
        await character.hear("You can talk about Marcus again.", subject=GROUP, speaker=ALICE)

        assert await verdict(character, NAMES_IT, subject=GROUP) == "allow"


async def test_a_topic_of_the_owner_is_held_to_in_a_group_and_not_written_into_its_prompt(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        await character.hear("Don't mention the marathon.", subject=GROUP, speaker=ALICE)

        block = await character.directives_block(subjects=[GROUP])
        assert ("marathon" in block, "Marcus" in block) == (True, False)


async def test_the_block_is_in_the_language_of_the_character_or_in_the_one_asked_for(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear("以后别再提前女友了。")
        await character.describe(locale="zh")

        assert "不要提起" in await character.directives_block()
        assert "触れないで" in await character.directives_block(locale="ja")


# --- in the interface ------------------------------------------------------------------------------


async def test_a_name_that_the_person_adds_is_banned_with_the_topic(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.add_directive("Marcus", ["my ex", "Marc"])
        added = await character.add_directive("marcus", ["Markie"])

        assert added.aliases == ("my ex", "Marc", "Markie")
        assert [await verdict(character, draft) for draft in ("Your ex called.", "Marc!", "Markie!", "Mark!")] == [
            "block"
        ] * 3 + ["allow"]


async def test_names_stay_when_the_topic_is_said_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.add_directive("Marcus", ["Markie"])
        await character.hear(BAN)

        assert await verdict(character, "Markie!") == "block"


async def test_edits_and_wishes_at_the_same_time_are_all_counted(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        async with trio.open_nursery() as nursery:
            for number in range(10):
                nursery.start_soon(character.hear, BAN)
                nursery.start_soon(character.add_directive, "Marcus", [f"alias {number}"])

        (directive,) = await character.directives()
        assert (directive.hits, len(directive.aliases)) == (20, 10)


# --- what a reply answers --------------------------------------------------------------------------


async def test_a_reply_answers_the_newest_turn_of_its_own_subject(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        await character.hear("How is Marcus?", subject=GROUP, speaker=ALICE)

        assert (await character.gate(NAMES_IT, unprompted=False, subject=GROUP)).verdict == "allow"
        assert (await character.gate(NAMES_IT, unprompted=False)).verdict == "revise"


async def test_what_a_reply_answers_is_known_after_a_restart_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        await character.hear("How is Marcus?")
        for _ in range(5):
            await character.say("Let me think.")

    async with opened(tmp_path) as character:
        reply = await character.gate("Marcus is fine.", unprompted=False)
        assert (reply.verdict, reply.reasons) == ("allow", (Reason.RAISED_BY_THE_PERSON,))


async def test_a_reply_that_is_given_the_words_it_answers_goes_by_these(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        await character.hear("How is Marcus?")

        assert (await character.gate(NAMES_IT, unprompted=False, said="What a film!")).verdict == "revise"


async def test_a_long_draft_is_judged_like_a_short_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        long = "What a day it was. " * (INLINE_CHARS // 10)

        assert await verdict(character, long + NAMES_IT) == "block"
        assert await verdict(character, long) == "allow"


async def test_a_draft_that_is_longer_than_any_utterance_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, limits={"text_chars": 100}) as character:
        with pytest.raises(InvalidRequestError, match="at most 100 characters"):
            await character.gate("a" * 101, unprompted=True)


@pytest.mark.parametrize("draft", ["", "   ", "\ud83d", "\x00"])
async def test_a_draft_without_words_is_allowed(tmp_path: Path, draft: str) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)

        assert await verdict(character, draft) == "allow"


async def test_a_stream_that_is_closed_takes_nothing_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        stream = character.gate_stream()
        assert (await stream.push("Hello there"), await stream.close(), await stream.close()) == (
            "",
            "Hello there",
            "",
        )
        with pytest.raises(InvalidRequestError, match="gate_stream"):
            await stream.push("more")


# --- caught up -------------------------------------------------------------------------------------


async def test_what_was_said_counts_also_where_it_is_far_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omoide.actors.directives.actor.CATCH_UP_EVENTS", 10)
    async with opened(tmp_path) as character:
        await character.hear("Hello!")
        assert await verdict(character, NAMES_IT) == "allow"
        await character.hear(BAN)
        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(character.say, f"Line {number}.")

        assert await verdict(character, NAMES_IT) == "block"


async def test_many_audiences_are_told_apart(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear(BAN)
        groups = [f"group:qq:{number}" for number in range(AUDIENCES_KEPT + 5)]
        for number, group in enumerate(groups):
            await character.hear("How is Marcus?" if number % 2 else "Hello!", subject=group, speaker=ALICE)
        for _ in range(2):
            verdicts = [
                (await character.gate(NAMES_IT, unprompted=False, subject=group)).verdict for group in groups
            ]
            assert verdicts == ["allow" if number % 2 else "revise" for number in range(len(groups))]


async def test_a_crash_of_the_role_loses_nothing_and_the_utterance_can_be_sent_again(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with opened(tmp_path, failpoints=failpoints) as character:
        await character.hear("Stop mentioning spiders.")
        failpoints.arm("directives.*", Fault.CRASH)
        with pytest.raises(ActorCrashedError):
            await character.hear(BAN, message_id="m1")
        assert [turn.text for turn in await character.turns(newest=10)] == ["Stop mentioning spiders."]
        await character.hear(BAN, message_id="m1")

        assert [await verdict(character, draft) for draft in (NAMES_IT, "Spiders!")] == ["block"] * 2


async def test_a_turn_without_a_wish_needs_no_directives_role(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with opened(tmp_path, failpoints=failpoints) as character:
        failpoints.arm("directives.*", Fault.CRASH)

        assert (await character.hear("I have a cat named Miso.")).directives == ()


# --- repetition ------------------------------------------------------------------------------------


async def test_unprompted_speech_that_goes_back_to_a_recent_topic_is_to_be_revised(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        await character.say(KOALA)
        judged = await character.gate(KOALA_AGAIN, unprompted=True)

        assert (judged.verdict, judged.reasons) == ("revise", (Reason.SAID_LATELY,))
        assert judged.repetition is not None
        assert judged.repetition.earlier[0].text == KOALA
        assert "koala" in judged.repetition.topics


async def test_the_same_topic_in_reply_is_no_repetition(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        await character.say(KOALA)

        assert (await character.gate(KOALA_AGAIN, unprompted=False)).verdict == "allow"


async def test_what_was_said_lately_is_known_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        await character.say(KOALA)
        before = (await character.gate(KOALA_AGAIN, unprompted=True)).repetition
        assert before is not None

    async with opened(tmp_path, now=START + 60) as character:
        after = (await character.gate(KOALA_AGAIN, unprompted=True)).repetition
        assert after is not None
        assert (after.earlier, after.topics) == (before.earlier, before.topics)
        assert math.isclose(after.score, before.score)


async def test_what_was_said_to_others_is_no_repetition_and_is_not_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        await character.say(KOALA)

        judged = await character.gate(KOALA_AGAIN, unprompted=True, subject=GROUP)
        assert (judged.verdict, judged.repetition) == ("allow", None)


async def test_ten_minutes_later_it_is_no_repetition_any_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        await character.say(KOALA)

    async with opened(tmp_path, now=START + 601) as character:
        assert await verdict(character, KOALA_AGAIN) == "allow"


async def test_a_line_that_is_said_while_the_corpus_is_in_memory_is_in_it_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await ordinary_talk(character)
        assert await verdict(character, KOALA_AGAIN) == "allow"
        await character.say(KOALA)
        live = (await character.gate(KOALA_AGAIN, unprompted=True)).repetition

    async with opened(tmp_path) as character:
        assert (await character.gate(KOALA_AGAIN, unprompted=True)).repetition == live
        assert live is not None


# --- what is heard late ----------------------------------------------------------------------------


async def test_a_ban_that_is_heard_after_a_later_lift_does_not_hold(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear("You can talk about Marcus again.", said_at=START - 10)
        await character.hear(BAN, said_at=START - 20)

        assert await verdict(character, NAMES_IT) == "allow"
        assert [one.status for one in await character.directives(active_only=False)] == [DirectiveStatus.LIFTED]


async def test_a_ban_that_was_said_after_the_lift_holds(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear("You can talk about Marcus again.", said_at=START - 20)
        await character.hear(BAN, said_at=START - 10)

        assert await verdict(character, NAMES_IT) == "block"


async def test_a_late_ban_is_not_taken_back_by_what_another_person_allowed(tmp_path: Path) -> None:
    async with opened(tmp_path) as character:
        await character.hear("You can talk about Marcus again.", subject=GROUP, speaker=ALICE, said_at=START - 10)
        await character.hear(BAN, subject=GROUP, speaker=BOB, said_at=START - 20)

        assert await verdict(character, NAMES_IT, subject=GROUP) == "block"


# --- how many are kept -----------------------------------------------------------------------------


async def test_the_oldest_that_hold_no_more_make_room_with_an_event_and_a_note(tmp_path: Path) -> None:
    async with opened(tmp_path, directives={"stored": 3}) as character:
        for age, topic in enumerate(("Marcus", "Dana", "Greg")):
            await character.hear(f"Never mention {topic}.", said_at=START - 30 + age)
        await character.hear("You can talk about Marcus and Dana again.")

        receipt = await character.hear("Never mention Lena.")

        kept = await character.directives(active_only=False)
        assert [one.term for one in kept] == ["Dana", "Greg", "Lena"]
        assert "1 directives that hold no more were dropped" in receipt.notes[0]
        assert [event.kind for event in await character.events()][-1] == "directive_dropped"


async def test_those_in_force_all_stay(tmp_path: Path) -> None:
    async with opened(tmp_path, directives={"stored": 2}) as character:
        for topic in ("Marcus", "Dana", "Greg", "Lena"):
            receipt = await character.hear(f"Never mention {topic}.")

        assert len(await character.directives()) == 4
        assert "4 directives are in force" in receipt.notes[-1]


async def test_what_made_room_is_gone_after_a_restart_too_and_comes_back_when_it_is_said_again(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, directives={"stored": 1}) as character:
        await character.hear(BAN)
        await character.hear("You can talk about Marcus again.")
        await character.hear("Never mention Dana.")
    async with opened(tmp_path, directives={"stored": 1}) as character:
        before = [one.term for one in await character.directives(active_only=False)]
        await character.hear(BAN)

        assert (before, await verdict(character, NAMES_IT)) == (["Dana"], "block")
