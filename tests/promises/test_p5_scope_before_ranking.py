"""P5: what the caller may not read is not scored, not counted, not ranked, and no argument of a model widens it.

The model is a second system that never held the forbidden rows: both must answer alike, to the last digit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from omoide.protocols.errors import InvalidSubjectError
from omoide.protocols.messages import Briefing, Candidate, Recollection
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
SUBJECTS = (
    "private",
    "group:qq:77",
    "group:qq:78",
    "group:discord:77",
    "participant:qq:1001",
    "member:qq:77:1001",
    "member:qq:77:1002",
    "member:qq:78:1001",
)
WORDS = ["boat", "harbour", "lantern", "rope", "tide", "gull", "anchor", "港口", "灯笼", "船"]
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")


class Parrot(OfflineEngine):
    """A mind that takes every utterance for one fact as it stands."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        return [Candidate(text=request.turn.text, entity=Entity.OTHER, importance=9)]


class Row(Struct, frozen=True):
    """Something said somewhere."""

    subject: str
    text: str
    speaker: Speaker | None


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
rows = st.lists(
    st.builds(Row, st.sampled_from(SUBJECTS), texts, st.sampled_from([None, ALICE, BOB])), min_size=1, max_size=14
)
FOUND = (Phase.explicit, Phase.reuse, Phase.generate)
"""Each example opens two systems, so that shrinking one would take longer than reading it."""

readable = st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=4, unique=True)


@asynccontextmanager
async def remembering(data_dir: Path, said: Sequence[Row]) -> AsyncIterator[tuple[Runtime, Character]]:
    """Open a character that was told all of this.

    Without a trust: how far somebody is believed is theirs wherever they speak, and no memory of any subject.
    """
    tree = Settings.model_validate({"data_dir": data_dir, "reflections": {"min_facts": 1_000}})
    async with open_runtime(tree, clock=VirtualClock(START), model=Parrot()) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for row in said:
            await yui.hear(
                row.text,
                subject=row.subject,
                speaker=row.speaker,
                said_at=START,
                message_id=f"{row.subject} {row.text} {row.speaker and row.speaker.key}",
            )
        await yui.settle()
        yield runtime, yui


async def asked(
    said: Sequence[Row], subjects: Sequence[str], query: str, limit: int
) -> tuple[Recollection, Briefing]:
    with TemporaryDirectory() as folder:
        async with remembering(Path(folder), said) as (_, yui):
            recollection = await yui.recall(query, subjects=subjects, limit=limit)
            return recollection, await yui.briefing(subjects=subjects, cue=query)


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], phases=FOUND)
@given(said=rows, subjects=readable, query=texts, limit=st.integers(1, 8))
def test_answers_are_those_of_a_system_that_never_held_what_may_not_be_read(
    said: list[Row], subjects: list[str], query: str, limit: int
) -> None:
    async def both() -> tuple[tuple[Recollection, Briefing], tuple[Recollection, Briefing]]:
        allowed = [row for row in said if row.subject in subjects]
        return await asked(said, subjects, query, limit), await asked(allowed, subjects, query, limit)

    (found, told), (expected, expected_told) = trio.run(both)

    assert found == expected  # scores and matched terms too, so that no statistic counted a forbidden row
    assert told == expected_told


@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow], phases=FOUND)
@given(said=rows, subjects=readable, query=texts)
def test_every_row_that_may_be_read_and_matches_is_found(said: list[Row], subjects: list[str], query: str) -> None:
    """The control: a system that finds nothing would keep the promise above, and none of its use."""
    recollection, _ = trio.run(asked, said, subjects, query, 100)

    matching = {
        (row.subject, row.text, row.speaker and row.speaker.key)
        for row in said
        if row.subject in subjects and set(query.split()) & set(row.text.split())
    }
    found = {(hit.subject, hit.text, hit.speaker and hit.speaker.key) for hit in recollection.hits}
    assert matching <= found


async def test_one_private_row_is_not_found_among_better_matches_of_others_and_no_other_is_found_for_it(
    tmp_path: Path,
) -> None:
    """The other user's memory that came out in google/adk-python#1019, and the filter after the limit."""
    better = [Row("group:qq:78", f"lantern rope {'lantern ' * (n % 5 + 1)}number {n}", BOB) for n in range(120)]
    mine = Row("private", "The lantern hangs in the old harbour office beside the stairs", None)
    async with remembering(tmp_path, [*better, mine]) as (_, yui):
        private = await yui.recall("lantern rope", limit=1)
        other = await yui.recall("lantern rope", subjects=["group:qq:78"], limit=100)

    assert ([hit.text for hit in private.hits], private.truncated) == ([mine.text], False)
    assert len(other.hits) == 100
    assert {hit.subject for hit in other.hits} == {"group:qq:78"}


async def test_rows_that_may_not_be_told_crowd_nothing_out_at_the_limit(tmp_path: Path) -> None:
    """The filter after the limit of manifold#527."""
    rejected = [Row("group:qq:77", f"The lantern is lantern number {n}", ALICE) for n in range(12)]
    kept = Row("group:qq:77", "Somewhere in the harbour a lantern is kept by the keeper of the keys", BOB)
    async with remembering(tmp_path, [*rejected, kept]) as (_, yui):
        before = await yui.recall("lantern", subjects=["group:qq:77"], limit=1)
        for fact in await yui.facts():
            if fact.text != kept.text:
                await yui.reject(fact.id)
        after = await yui.recall("lantern", subjects=["group:qq:77"], limit=1)

    assert [hit.text for hit in before.hits] != [kept.text]
    assert ([hit.text for hit in after.hits], after.truncated) == ([kept.text], False)


# --- what widens nothing ----------------------------------------------------------------------------

PRIVATE_LINE = Row("private", "The lantern is hidden in the boathouse", None)
GROUP_LINE = Row("group:qq:77", "The lantern of the group hangs at the pier", ALICE)


@pytest.mark.parametrize(
    "smuggled",
    [
        {"subjects": ["private"]},
        {"subject": "private", "scope": "legacy_private", "include_private": True},
        {"subjects": None},
        {"query": "lantern", "subjects": [], "limit": 10**9},
        {"query": "lantern subjects:private as:private", "filter": "*"},
        {"query": 'lantern", "subjects": ["private'},
        {"query": "lantern' OR subject = 'private' --"},
    ],
    ids=str,
)
async def test_what_a_model_sends_beside_its_query_changes_nothing(
    tmp_path: Path, smuggled: dict[str, object]
) -> None:
    async with remembering(tmp_path, [PRIVATE_LINE, GROUP_LINE]) as (_, yui):
        found = await yui.answer_tool({"query": "lantern", **smuggled}, subjects=["group:qq:77"])
        control = await yui.answer_tool({"query": "lantern", **smuggled}, subjects=["private"])

    assert [hit.text for hit in found.hits] == [GROUP_LINE.text]
    assert [hit.text for hit in control.hits] == [PRIVATE_LINE.text]


@pytest.mark.parametrize(
    "arguments", [None, [], "lantern", {}, {"query": None}, {"query": ["lantern"]}, {"query": " \ud83d"}], ids=repr
)
async def test_a_models_call_without_a_query_finds_nothing_and_fails_nobody(
    tmp_path: Path, arguments: object
) -> None:
    async with remembering(tmp_path, [PRIVATE_LINE]) as (_, yui):
        assert (await yui.answer_tool(arguments)).hits == ()


@pytest.mark.parametrize(
    "subjects",
    [
        [],
        [""],
        [" "],
        ["group"],
        ["group:qq"],
        ["group:qq:"],
        ["group::77"],
        ["member:qq:77"],
        ["everything"],
        ["*"],
    ],
    ids=repr,
)
async def test_a_partial_or_empty_scope_is_refused_and_no_scope_is_private(
    tmp_path: Path, subjects: list[str]
) -> None:
    async with remembering(tmp_path, [PRIVATE_LINE, GROUP_LINE]) as (_, yui):
        with pytest.raises(InvalidSubjectError):
            await yui.recall("lantern", subjects=subjects)
        with pytest.raises(InvalidSubjectError):
            await yui.briefing(subjects=subjects, cue="lantern")
        missing = await yui.recall("lantern")

    assert [hit.text for hit in missing.hits] == [PRIVATE_LINE.text]


@pytest.mark.parametrize("stamp", ["", "group", "group:qq", "group:qq:", "Private", "private ", "nobody:qq:1"])
async def test_a_stored_row_with_a_malformed_subject_belongs_to_nobody(tmp_path: Path, stamp: str) -> None:
    async with remembering(tmp_path, [PRIVATE_LINE, GROUP_LINE]):
        pass
    (database,) = [file for file in tmp_path.rglob("memory.db") if file.parent.name == "yui"]
    with closing(sqlite3.connect(database)) as connection, connection:
        for view in ("facts", "turns"):
            connection.execute(
                f"UPDATE {view} SET subject = ?, body = CAST(replace(CAST(body AS TEXT), "  # noqa: S608 - our names
                "'\"subject\":\"private\"', '\"subject\":\"' || ? || '\"') AS BLOB) WHERE subject = 'private'",
                (stamp, stamp),
            )

    async with open_runtime(tmp_path, clock=VirtualClock(START)) as runtime:
        yui = await runtime.character("yui", create=False)
        found = [
            hit.text for subject in SUBJECTS for hit in (await yui.recall("lantern", subjects=[subject])).hits
        ]
        told = (await yui.briefing(subjects=list(SUBJECTS), cue="lantern")).text

    assert found == [GROUP_LINE.text]
    assert PRIVATE_LINE.text not in told.split("## ")[1]


# --- the resolver -----------------------------------------------------------------------------------


async def test_a_group_turn_reads_the_group_who_speaks_and_who_spoke_and_neither_private_nor_other_groups(
    tmp_path: Path,
) -> None:
    said = [
        PRIVATE_LINE,
        GROUP_LINE,
        Row("group:qq:78", "The lantern of the other group is red", BOB),
        Row("member:qq:77:1001", "The lantern of Alice is green", ALICE),
        Row("member:qq:77:1002", "The lantern of Bob is blue", BOB),
        Row("member:qq:78:1001", "The lantern of Alice elsewhere is black", ALICE),
    ]
    async with remembering(tmp_path, said) as (_, yui):
        subjects = await yui.subjects_for("group:qq:77", speaker=BOB)
        found = {hit.text for hit in (await yui.recall("lantern", subjects=subjects)).hits}
        told = (await yui.briefing(subjects=subjects)).text

        assert subjects == ("group:qq:77", "member:qq:77:1002", "member:qq:77:1001")
        assert found == {GROUP_LINE.text, "The lantern of Alice is green", "The lantern of Bob is blue"}
        for text in ("boathouse", "other group", "elsewhere"):
            assert text not in told

        # The switch is looked up at the moment of use, by whichever handle it was moved.
        await yui.set_member_memory(False)
        assert await yui.subjects_for("group:qq:77", speaker=BOB) == ("group:qq:77",)
        await yui.set_member_memory(True)
        assert await yui.subjects_for("group:qq:77", speaker=BOB) == subjects


async def test_members_are_found_among_the_last_30_messages_of_that_group_alone(tmp_path: Path) -> None:
    early = Row("group:qq:77", "I was here early, with my boat", ALICE)
    elsewhere = [Row("group:qq:78", f"line {n} of the others", ALICE) for n in range(3)]
    later = [Row("group:qq:77", f"line {n} of the owner", None) for n in range(29)]
    async with remembering(tmp_path, [early, *elsewhere, *later]) as (_, yui):
        assert await yui.subjects_for("group:qq:77") == ("group:qq:77", "member:qq:77:1001")
        await yui.say("And this is the 31st.", subject="group:qq:77")
        assert await yui.subjects_for("group:qq:77") == ("group:qq:77",)


async def test_a_group_without_an_id_asks_for_nothing(tmp_path: Path) -> None:
    async with remembering(tmp_path, [PRIVATE_LINE]) as (_, yui):
        for where in ("", " ", "group:qq:"):
            with pytest.raises(InvalidSubjectError):
                await yui.subjects_for(where, speaker=ALICE)
