"""P3: a value that the person disputed or rejected doesn't come back until the person affirms it again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from omoide.protocols.errors import NotFoundError
from omoide.protocols.messages import Candidate, Commit, Decided
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, FactStatus
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.protocols.work import OpState, RejectValue
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine
from omoide.tests.promises.denier import (
    ALICE,
    BOB,
    DAY_S,
    GROUP,
    NURSE,
    START,
    VALUES,
    Value,
    talking,
)


@pytest.mark.parametrize("value", VALUES)
async def test_a_value_that_nobody_denied_is_recalled(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        assert await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_a_denied_value_is_gone_at_once(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_it_is_kept_with_its_reason_all_the_same(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        (told,) = [one for one in await talk.character.explain(value.said[:12]) if one.kind == "fact"]
    assert (told.status, value.denied in told.reason) == (FactStatus.RETRACTED, True)


@pytest.mark.parametrize("value", VALUES)
async def test_it_does_not_come_back_after_a_restart_and_forty_or_four_hundred_days(
    value: Value, tmp_path: Path
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
    for days in (40, 400):
        async with talking(tmp_path, value.owner, now=START + days * DAY_S) as talk:
            await talk.settle()
            assert not await talk.comes_back(value)
            await talk.hear(value.by_others[0], speaker=ALICE)
            assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("denied", [True, False])
async def test_another_speaker_brings_back_only_what_nobody_denied(
    value: Value, tmp_path: Path, *, denied: bool
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        if denied:
            await talk.hear(value.said)
            await talk.hear(value.denied)
        for text in value.by_others:
            await talk.hear(text, speaker=ALICE)
        assert await talk.comes_back(value) is not denied


@pytest.mark.parametrize("value", VALUES)
async def test_the_character_itself_does_not_bring_it_back(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        for text in value.by_others:
            await talk.say(text)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("denied", [True, False])
async def test_a_model_that_makes_it_of_a_later_turn_brings_back_only_what_nobody_denied(
    value: Value, tmp_path: Path, *, denied: bool
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        if denied:
            await talk.hear(value.said)
            await talk.hear(value.denied)
        for number, text in enumerate(value.invented):
            about = f"{text}? {value.owner} {number}"
            await talk.hear(about, makes=(text,))
        assert await talk.comes_back(value) is not denied


@pytest.mark.parametrize("value", VALUES)
async def test_a_model_that_reads_it_out_of_the_denial_does_not_bring_it_back(
    value: Value, tmp_path: Path
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied, makes=value.invented)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_a_model_that_labels_it_as_the_characters_or_anybodys_does_not_bring_it_back(
    value: Value, tmp_path: Path
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        about = f"{value.invented[0]}?"

        async def mislabel(_: ExtractRequest) -> list[Candidate]:
            return [Candidate(text=value.invented[0], entity=entity, importance=7) for entity in Entity]

        talk.model.extract = mislabel  # type: ignore[method-assign, assignment]
        await talk.hear(about)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_the_transcript_of_before_heard_again_does_not_bring_it_back(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said, message_id="m1", said_at=START)
        await talk.hear(value.denied, message_id="m2", said_at=START + 1)
        for copy in ("m", "imported-"):
            await talk.hear(value.said, message_id=f"{copy}1", said_at=START)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_an_old_turn_that_is_learned_after_its_denial_was_does_not_bring_it_back(
    value: Value, tmp_path: Path
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.denied, said_at=START + 10)
        await talk.hear(value.said, said_at=START)
        assert not await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_an_insistent_affirmation_brings_it_back(value: Value, tmp_path: Path) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        await talk.hear(value.affirmed)
        assert await talk.comes_back(value)
        assert value.said.rstrip("。.") in [fact.text.rstrip("。.") for fact in await talk.character.facts()]


@pytest.mark.parametrize("value", VALUES)
async def test_the_persons_own_plain_word_later_brings_back_what_they_only_said(
    value: Value, tmp_path: Path
) -> None:
    """Whoever says so months later has changed jobs; holding it back would be deaf, not faithful."""
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.hear(value.denied)
        await talk.hear(value.again)
        assert await talk.comes_back(value)


@pytest.mark.parametrize("value", VALUES)
async def test_only_insistence_brings_back_what_was_rejected_in_the_interface(
    value: Value, tmp_path: Path
) -> None:
    async with talking(tmp_path, value.owner) as talk:
        await talk.hear(value.said)
        await talk.character.reject(await talk.character.meant(value.said[:12], affirms=False))
        assert not await talk.comes_back(value)
        await talk.hear(value.said)
        assert not await talk.comes_back(value)
        await talk.hear(value.affirmed)
        assert await talk.comes_back(value)


async def test_what_is_affirmed_in_the_interface_is_in_force_again(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        (fact,) = await talk.character.facts()
        rejected = await talk.character.reject(fact.id)
        affirmed = await talk.character.affirm(fact.id)
        assert await talk.comes_back(NURSE)
    assert (rejected.records[0], affirmed.records[0]) == (fact.id, fact.id)


async def test_a_decision_that_is_made_twice_changes_nothing_more(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        (fact,) = await talk.character.facts()
        assert await talk.character.affirm(fact.id) == Decided(records=())


async def test_a_rejection_is_lifted_by_its_own_id(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        await talk.hear(NURSE.denied)
        (rejection,) = await talk.rejections()
        await talk.character.affirm(rejection.id)
        assert await talk.comes_back(NURSE)


@pytest.mark.parametrize("record", ["fact_0", "rej_0", "turn_0", "", "x"])
async def test_what_is_not_stored_can_be_neither_rejected_nor_affirmed(tmp_path: Path, record: str) -> None:
    async with talking(tmp_path) as talk:
        with pytest.raises(NotFoundError):
            await talk.character.reject(record)
        with pytest.raises(NotFoundError):
            await talk.character.affirm(record)


async def test_a_value_that_is_rejected_twice_from_the_outbox_is_rejected_once(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        async with talk.runtime.resident("yui") as resident:
            for cause in ("request_1", "request_2"):
                work = RejectValue(text="Sam works as a nurse", entity=Entity.OWNER, subject=PRIVATE, cause=cause)
                for _ in range(2):
                    await resident.journal.commit(Commit(actor="signals", cause=cause, enqueues=(work,)))
                await talk.settle()
        assert (len(await talk.rejections()), await talk.comes_back(NURSE)) == (1, False)
        assert await talk.character.outbox(states=(OpState.PENDING, OpState.PARKED)) == ()


@pytest.mark.parametrize(
    ("line", "answer", "stays"),
    [
        ("You work as a nurse, right?", "That's wrong.", False),
        ("So you work as a nurse at Saint Mary's?", "No, that is not true at all", False),
        ("You work as a nurse, right?", "That's right.", True),
        ("How was your day?", "That's wrong.", True),
        ("You don't work as a nurse, do you?", "That's wrong.", True),
        ("You collect stamps, and you work as a nurse.", "That's wrong.", True),
    ],
)
async def test_a_bare_denial_meets_what_the_character_just_said_and_nothing_else(
    tmp_path: Path, line: str, answer: str, *, stays: bool
) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        await talk.hear("I collect stamps.")
        await talk.say(line)
        await talk.hear(answer)
        assert await talk.comes_back(NURSE) is stays
        assert "stamps" in " ".join(await talk.recalled("stamps"))


async def test_a_bare_denial_after_somebody_elses_line_denies_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=GROUP)
        await talk.say("You work as a nurse, right?", subject=GROUP)
        await talk.hear("Nurses have six wheels.", speaker=ALICE, subject=GROUP)
        await talk.hear("That's wrong.", subject=GROUP)
        assert "I work as a nurse" in " ".join(await talk.recalled("nurse", GROUP))


async def test_another_members_bare_denial_rejects_nothing_of_the_owners(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=GROUP)
        await talk.say("Sam works as a nurse, right?", subject=GROUP)
        await talk.hear("That's wrong.", speaker=ALICE, subject=GROUP)
        assert (await talk.rejections(), await talk.comes_back(NURSE, GROUP)) == ((), True)


async def test_that_is_right_to_a_value_that_was_denied_affirms_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.")
        await talk.hear("I don't work as a nurse.")
        await talk.say("But you work as a nurse, don't you?")
        await talk.hear("Yes, that's right.")
        assert await talk.comes_back(NURSE)


async def test_another_members_denial_leaves_the_owners_facts_alone(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=GROUP)
        await talk.hear("I don't work as a nurse.", speaker=ALICE, subject=GROUP)
        await talk.hear("Sam doesn't work as a nurse.", speaker=ALICE, subject=GROUP)
        await talk.hear("I work as a nurse.", speaker=BOB, subject=GROUP)
        said_by = {
            fact.speaker.label if fact.speaker else "owner"
            for fact in await talk.character.facts()
            if fact.text == "I work as a nurse."
        }
    assert said_by == {"owner", "Bob"}


async def test_the_owner_can_deny_and_affirm_what_another_member_said(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I like tea.", speaker=ALICE, subject=GROUP)
        await talk.hear("I like tea.", subject=GROUP)
        await talk.hear("Alice doesn't like tea.", subject=GROUP)
        speakers = [fact.speaker for fact in await talk.character.facts() if fact.text == "I like tea."]
        await talk.hear("Alice does like tea after all.", subject=GROUP)
        after = [fact.speaker for fact in await talk.character.facts() if fact.text == "I like tea."]
    assert (speakers, len(after)) == ([None], 2)


async def test_another_members_affirmation_lifts_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=GROUP)
        await talk.hear("I don't work as a nurse.", subject=GROUP)
        await talk.hear("Sam does work as a nurse after all.", speaker=ALICE, subject=GROUP)
        assert not await talk.comes_back(NURSE, GROUP)


@pytest.mark.parametrize(
    "said",
    [
        "Do I work as a nurse?",
        "My boss said I work as a nurse",
        '"I work as a nurse"',
        "If I work as a nurse I sleep all day",
        "haha I work as a nurse",
        "I said I work as a nurse once",
        "You keep telling me I work as a nurse",
        "I told you I don't work as a nurse",
    ],
)
async def test_what_is_no_plain_word_of_the_person_lifts_nothing(tmp_path: Path, said: str) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.")
        await talk.hear("I don't work as a nurse.")
        await talk.hear(said, makes=("I work as a nurse",))
        assert await talk.statuses("I work as a nurse.") == [FactStatus.RETRACTED]
        assert all(one.lifted_at is None for one in await talk.rejections())


async def test_liking_coffee_and_not_tea_contradict_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I like coffee.")
        await talk.hear("I don't like tea.")
        texts = [fact.text for fact in await talk.character.facts()]
    assert texts == ["I like coffee.", "I don't like tea."]


async def test_managing_a_repository_of_the_employer_leaves_the_employment_alone(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work at Foo.")
        await talk.hear("I manage Foo's repository.")
        texts = [fact.text for fact in await talk.character.facts()]
    assert texts == ["I work at Foo.", "I manage Foo's repository."]


@pytest.mark.parametrize(
    ("owner", "before", "after", "query"),
    [
        ("Sam", "I live in Kyoto.", "I moved to Osaka.", "where does Sam live"),
        ("阿明", "我住在京都。", "我搬到大阪了。", "阿明住在哪里"),
        ("健太", "京都に住んでいます。", "大阪に引っ越しました。", "健太はどこに住んでいますか"),
    ],
)
async def test_a_new_home_takes_the_place_of_the_old_one_and_both_are_told(
    tmp_path: Path, owner: str, before: str, after: str, query: str
) -> None:
    async with talking(tmp_path, owner) as talk:
        await talk.hear(before)
        await talk.hear(after)
        assert [fact.text for fact in await talk.character.facts()] == [after]
        assert before not in await talk.recalled(query)
        assert await talk.statuses(before) == [FactStatus.SUPERSEDED]
        await talk.hear(before)
        assert [fact.text for fact in await talk.character.facts()] == [before]


async def test_an_old_home_that_is_learned_late_does_not_take_the_new_ones_place(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I moved to Osaka.", said_at=START + 10)
        await talk.hear("I live in Kyoto.", said_at=START)
        assert [fact.text for fact in await talk.character.facts()] == ["I moved to Osaka."]


async def test_what_a_model_makes_of_somebody_elses_move_takes_no_place(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I live in Kyoto.")
        await talk.hear("My mother moved to Osaka.", makes=("Sam moved to Osaka",))
        assert "I live in Kyoto." in [fact.text for fact in await talk.character.facts()]


async def test_liking_it_again_takes_the_place_of_not_liking_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I don't like tea.")
        await talk.hear("I like tea.")
        assert [fact.text for fact in await talk.character.facts()] == ["I like tea."]


async def test_silence_and_a_question_reject_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear(NURSE.said)
        for text in ("Hm.", "What did I tell you?", "Do I not work as a nurse?", "Never mind."):
            await talk.say("You work as a nurse, right?")
            await talk.hear(text)
        assert (await talk.rejections(), await talk.comes_back(NURSE)) == ((), True)


async def test_views_equal_the_events_after_corrections(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        for text in (NURSE.said, NURSE.denied, NURSE.affirmed, "I live in Kyoto.", "I moved to Osaka."):
            await talk.hear(text)
    assert examine(Settings(data_dir=tmp_path), "yui").healthy


@pytest.mark.kill
async def test_a_kill_between_the_steps_of_a_correction_leaves_the_old_or_the_new_and_in_the_end_the_new(
    tmp_path: Path,
) -> None:
    moved = {"believed": "I live in Kyoto.", "corrected": "I moved to Osaka."}
    denied = {"believed": "I work as a nurse.", "corrected": "I don't work as a nurse. I'm a paramedic."}
    points = ["extraction.extracted", "dedup.received", "dedup.before_commit", "journal.before_commit"]
    points += ["journal.after_commit", "dedup.after_commit"]
    jobs = [
        {**case, "kill": point, "data_dir": str(tmp_path / name / point)}
        for name, case in (("moved", moved), ("denied", denied))
        for point in points
    ]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("corrector.py")],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert json.loads(done.stdout) == [True] * len(jobs), done.stderr

    for job in jobs:
        async with open_runtime(Settings(data_dir=Path(job["data_dir"]))) as runtime:
            character = await runtime.character("yui", create=False)
            found = {fact.text for fact in await character.facts()}
            await character.settle()
            finally_found = {fact.text for fact in await character.facts()}
        old, new = {job["believed"]}, set(job["corrected"].replace(". ", ".|").split("|"))
        assert found in (old, new), job
        assert finally_found == new, job
