"""What one commit does, in both layouts."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from omoide.protocols.errors import (
    ChangedMeanwhileError,
    IdempotencyConflictError,
    InvalidRequestError,
    InvalidTextError,
    NotFoundError,
    OmoideError,
)
from omoide.protocols.events import FactAdded, ProfileSet, TurnHeard
from omoide.protocols.messages import Commit, Committed, IdempotencyKey
from omoide.protocols.records import OpId, Profile, Reflection, TurnId
from omoide.protocols.scopes import Subject
from omoide.protocols.work import OpState, op_id
from omoide.runtime.clock import VirtualClock
from omoide.runtime.store import JournalStore, SqliteJournal
from omoide.tests.runtime.store.samples import (
    a_fact,
    a_reflection,
    a_turn,
    believed,
    discarded,
    failed,
    heard,
    learned,
    retried,
    work,
)

Move = Callable[[OpId], Commit]
GROUP = Subject("group:discord:7")
OP = op_id(work("t1"))


async def test_events_view_and_work_land_together(journal: SqliteJournal) -> None:
    committed = await journal.commit(heard("t1", text="hi"))

    assert [event.seq for event in committed.events] == [1]
    assert committed.enqueued == 1
    assert await journal.events() == committed.events
    assert await journal.turn(TurnId("t1")) == a_turn("t1", "hi")
    (op,) = await journal.ops(states=[OpState.PENDING])
    assert (op.id, op.seq, op.work, op.cause, op.not_before, op.enqueued_at) == (
        OP,
        1,
        work("t1"),
        "hear:t1",
        1_000.0,
        1_000.0,
    )


async def test_an_event_says_who_changed_what_and_why(journal: SqliteJournal) -> None:
    (event,) = (await journal.commit(heard("t1"))).events

    assert (event.at, event.actor, event.cause, event.kind, event.subject, event.record_ids) == (
        1_000.0,
        "scribe",
        "hear:t1",
        "turn_heard",
        "private",
        ("t1",),
    )


async def test_seqs_have_no_gaps_and_the_chain_goes_on_after_reopening(store: JournalStore) -> None:
    journal = await store.open("yui", create=True)
    await journal.commit(heard("t1"))
    await store.close_character("yui")

    journal = await store.open("yui")
    await journal.commit(heard("t2"))

    assert journal.last_seq == 2
    assert [event.seq for event in await journal.events()] == [1, 2]


async def test_a_clock_that_jumps_back_changes_no_order(journal: SqliteJournal, clock: VirtualClock) -> None:
    await journal.commit(heard("t1"))
    clock._now = 5.0
    await journal.commit(heard("t2"))

    assert [turn.id for turn in await journal.turns(newest=2)] == ["t1", "t2"]
    assert [event.at for event in await journal.events()] == [1_000.0, 5.0]


async def test_last_seq_is_up_to_date_when_the_commit_returns(journal: SqliteJournal) -> None:
    seen = []
    for number in range(3):
        await journal.commit(heard(f"t{number}"))
        seen.append(journal.last_seq)

    assert seen == [1, 2, 3]


# --- once --------------------------------------------------------------------------------------------


async def test_the_same_key_again_returns_the_events_of_then(journal: SqliteJournal) -> None:
    first = await journal.commit(heard("t1", key="m1"))
    await journal.commit(heard("t2", key="m2"))
    again = await journal.commit(heard("t1", key="m1"))

    assert again == Committed(events=first.events, enqueued=0, repeated=True)
    assert journal.last_seq == 2


async def test_a_known_key_comes_before_every_other_reason(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    settling = Commit(
        actor="dedup",
        cause="c",
        changes=(FactAdded(fact=a_fact("f1")),),
        settles=(OP,),
        idempotency=IdempotencyKey(key="k", fingerprint="f"),
    )
    first = await journal.commit(settling)

    assert await journal.commit(settling) == Committed(events=first.events, repeated=True)


async def test_the_same_key_twice_in_one_batch_lands_once(journal: SqliteJournal) -> None:
    first, again = await journal.commit_all([heard("t1", key="m1"), heard("t1", key="m1")])

    assert isinstance(first, Committed)
    assert again == Committed(events=first.events, repeated=True)


async def test_a_key_with_other_content_is_refused_by_name(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", key="m1"))

    with pytest.raises(IdempotencyConflictError, match="'m1'"):
        await journal.commit(heard("t2", key="m1", fingerprint="other"))
    assert journal.last_seq == 1


async def test_keys_of_two_characters_do_not_meet(store: JournalStore) -> None:
    yui = await store.open("yui", create=True)
    rin = await store.open("rin", create=True)

    await yui.commit(heard("t1", key="m1"))
    committed = await rin.commit(heard("t1", key="m1", fingerprint="other"))

    assert not committed.repeated
    assert [event.seq for event in committed.events] == [1]


async def test_the_same_work_is_queued_once_whatever_became_of_it(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    assert (await journal.commit(heard("t1"))).enqueued == 0
    await journal.commit(learned(OP))

    assert (await journal.commit(heard("t1"))).enqueued == 0
    assert await journal.ops(states=[OpState.PENDING]) == ()


# --- the outbox ---------------------------------------------------------------------------------------


async def test_settling_lands_with_the_effects(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(learned(OP, a_fact("f1")))

    op = await journal.op(OP)
    assert op is not None
    assert op.state is OpState.DONE
    assert await journal.facts() == (a_fact("f1"),)


async def test_settling_what_is_settled_does_nothing_at_all(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(learned(OP, a_fact("f1")))
    again = await journal.commit(learned(OP, a_fact("f2")))

    assert again == Committed(repeated=True)
    assert [fact.id for fact in await journal.facts()] == ["f1"]


async def test_a_failure_counts_and_waits(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(failed(OP, "model is down", not_before=1_060.0))

    op = await journal.op(OP)
    assert op is not None
    assert (op.state, op.attempts, op.not_before, op.error) == (OpState.PENDING, 1, 1_060.0, "model is down")
    assert await journal.ops(states=[OpState.PENDING], due_at=1_059.0) == ()
    assert await journal.ops(states=[OpState.PENDING], due_at=1_060.0) == (op,)
    assert await journal.next_due() == 1_060.0


async def test_a_late_failure_of_settled_work_changes_nothing(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(learned(OP))

    assert (await journal.commit(failed(OP, "timed out"))).repeated
    op = await journal.op(OP)
    assert op is not None
    assert (op.state, op.attempts) == (OpState.DONE, 0)


async def test_parked_work_is_sent_again_from_the_start(journal: SqliteJournal, clock: VirtualClock) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(failed(OP, "poisoned", parks=True))
    assert (await journal.counts()).parked == 1

    clock.advance_to(2_000.0)
    await journal.commit(retried(OP))

    op = await journal.op(OP)
    assert op is not None
    assert (op.state, op.attempts, op.not_before, op.error) == (OpState.PENDING, 0, 2_000.0, "poisoned")


async def test_the_error_of_discarded_work_stays_readable(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(failed(OP, "poisoned", parks=True))
    await journal.commit(discarded(OP))

    (op,) = await journal.ops(states=[OpState.DISCARDED])
    assert op.error == "poisoned"
    assert await journal.next_due() is None


@pytest.mark.parametrize("move", [retried, discarded])
async def test_settled_work_is_neither_retried_nor_discarded(journal: SqliteJournal, move: Move) -> None:
    await journal.commit(heard("t1"))
    await journal.commit(learned(OP))

    with pytest.raises(InvalidRequestError, match="is done"):
        await journal.commit(move(OP))


async def test_pending_work_is_not_retried(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1"))

    with pytest.raises(InvalidRequestError, match="is pending: only parked work can be retried"):
        await journal.commit(retried(OP))


@pytest.mark.parametrize("move", [retried, discarded])
async def test_unknown_work_is_named(journal: SqliteJournal, move: Move) -> None:
    with pytest.raises(NotFoundError, match="op_nothing"):
        await journal.commit(move(OpId("op_nothing")))


# --- refusals in a batch ------------------------------------------------------------------------------


async def test_a_refused_commit_harms_none_of_its_batch(journal: SqliteJournal) -> None:
    await journal.commit(heard("t0", key="m0"))
    outcomes = await journal.commit_all(
        [
            heard("t1"),
            heard("tx", key="m0", fingerprint="other"),
            heard("t2", text="\ud800"),
            retried(OpId("op_nothing")),
            heard("t3"),
        ],
    )

    assert [type(one) for one in outcomes] == [
        Committed,
        IdempotencyConflictError,
        InvalidTextError,
        NotFoundError,
        Committed,
    ]
    assert [(event.seq, event.record_ids) for event in await journal.events()] == [
        (1, ("t0",)),
        (2, ("t1",)),
        (3, ("t3",)),
    ]


@pytest.mark.parametrize(
    "commit",
    [
        heard("t1", key="\ud800"),
        heard("t1", key="k", fingerprint="\ud800"),
        Commit(actor="\ud800", cause="c", changes=(TurnHeard(turn=a_turn("t1")),)),
        Commit(actor="a", cause="\ud800", enqueues=(work("t1"),)),
        Commit(actor="a", cause="c", enqueues=(work("\ud800"),)),
        failed(OpId("\ud800"), "error"),
        failed(OpId("op"), "\ud800"),
        learned(OpId("\ud800")),
    ],
)
async def test_a_lone_surrogate_anywhere_is_refused_alone(journal: SqliteJournal, commit: Commit) -> None:
    outcomes = await journal.commit_all([heard("before"), commit, heard("after")])

    assert isinstance(outcomes[1], InvalidTextError)
    assert journal.last_seq == 2


async def test_a_row_that_the_database_refuses_harms_none_of_its_batch(
    store: JournalStore, journal: SqliteJournal
) -> None:
    (opened,) = store._files.all()
    opened.connection.execute(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.turns WHEN new.id = 'bad' "
        "BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )

    outcomes = await journal.commit_all([heard("t1"), heard("bad"), heard("t2", key="k"), heard("t2", key="k")])

    assert isinstance(outcomes[1], OmoideError)
    assert [(event.seq, event.record_ids) for event in await journal.events()] == [(1, ("t1",)), (2, ("t2",))]
    assert outcomes[3] == Committed(events=(await journal.events())[1:], repeated=True)
    assert [op.seq for op in await journal.ops(states=[OpState.PENDING])] == [1, 2]
    assert (await journal.commit(heard("t3"))).events[0].seq == 3


# --- reads --------------------------------------------------------------------------------------------


async def test_facts_keep_the_order_in_which_they_were_first_stored(journal: SqliteJournal) -> None:
    for name in ("fb", "fa"):
        await journal.commit(Commit(actor="dedup", cause="c", changes=(FactAdded(fact=a_fact(name)),)))
    await journal.commit(
        Commit(
            actor="dedup", cause="c", changes=(FactAdded(fact=a_fact("fb", "now in Oslo", turns=("t1", "t2"))),)
        )
    )

    seq, facts = await journal.snapshot()
    assert seq == 3
    assert [(fact.id, fact.text) for fact in facts] == [("fb", "now in Oslo"), ("fa", "Ingrid lives in Bergen")]
    assert set(await journal.facts_by_id([facts[0].id, facts[0].key])) == {"fb"}  # type: ignore[list-item]


async def test_reads_are_filtered_by_subject(journal: SqliteJournal) -> None:
    changes = (
        TurnHeard(turn=a_turn("t1")),
        TurnHeard(turn=a_turn("t2", subject=GROUP)),
        TurnHeard(turn=a_turn("t3")),
        FactAdded(fact=a_fact("f1", subject=GROUP)),
        FactAdded(fact=a_fact("f2")),
    )
    await journal.commit(Commit(actor="a", cause="c", changes=changes))

    assert [turn.id for turn in await journal.turns(subjects=[GROUP], newest=9)] == ["t2"]
    assert [turn.id for turn in await journal.turns(subjects=[GROUP, Subject("private")], newest=2)] == [
        "t2",
        "t3",
    ]
    assert [turn.id for turn in await journal.turns(newest=2)] == ["t2", "t3"]
    assert [fact.id for fact in await journal.facts(subjects=[GROUP])] == ["f1"]
    assert await journal.facts(subjects=[]) == ()


async def test_the_profile_is_empty_until_it_is_set(journal: SqliteJournal) -> None:
    assert await journal.profile() == Profile()
    await journal.commit(Commit(actor="a", cause="c", changes=(ProfileSet(profile=Profile(owner="Sam")),)))
    await journal.commit(Commit(actor="a", cause="c", changes=(ProfileSet(profile=Profile(owner="Kim")),)))

    assert (await journal.profile()).owner == "Kim"


async def test_counts_and_pages_of_events(journal: SqliteJournal) -> None:
    await journal.commit_all([heard(f"t{number}") for number in range(5)])
    await journal.commit(learned(OP, a_fact("f1")))

    counts = await journal.counts()
    assert (counts.turns, counts.facts, counts.events, counts.pending, counts.parked) == (5, 1, 6, 4, 0)
    assert [event.seq for event in await journal.events(after=2, limit=2)] == [3, 4]


async def test_a_commit_lands_where_what_it_expects_is_as_it_was_read(journal: SqliteJournal) -> None:
    read = a_reflection()
    await journal.commit(believed(read))

    committed = await journal.commit(believed(replace(read, text="moved"), expects=read))

    assert not committed.repeated
    assert await journal.record(Reflection, read.id) == replace(read, text="moved")


async def test_of_two_commits_that_were_made_of_one_state_the_second_is_refused(journal: SqliteJournal) -> None:
    read = a_reflection()
    await journal.commit(believed(read))
    moves = [believed(replace(read, text=text), expects=read) for text in ("first", "second")]

    first, second = await journal.commit_all(moves)

    assert isinstance(first, Committed)
    assert isinstance(second, ChangedMeanwhileError)
    assert await journal.record(Reflection, read.id) == replace(read, text="first")


async def test_a_commit_is_refused_where_what_it_expects_is_gone(journal: SqliteJournal) -> None:
    with pytest.raises(ChangedMeanwhileError):
        await journal.commit(believed(a_reflection(), expects=a_reflection()))

    assert journal.last_seq == 0
