"""Any sequence of commits leaves what a plain model of the journal leaves."""

import tempfile
from pathlib import Path

import msgspec
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.errors import OmoideError
from omoide.protocols.events import AnyChange, FactAdded, FactRepeated, ProfileSet, TurnHeard, TurnSaid
from omoide.protocols.messages import Commit, Committed, IdempotencyKey, OpFailure
from omoide.protocols.records import Fact, FactId, OpId, Profile, Turn, TurnId
from omoide.protocols.work import OpState, OutboxOp, op_id
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import SqliteJournal, examine, open_store
from omoide.tests.runtime.store.samples import Layout, a_fact, a_turn, settings_in, work

IDS = st.sampled_from(["a", "b", "c"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
OPS = st.one_of(IDS.map(lambda turn: op_id(work(turn))), st.just(OpId("op_unknown")))

CHANGES: st.SearchStrategy[AnyChange] = st.one_of(
    st.builds(lambda name, text: TurnHeard(turn=a_turn(name, text)), IDS, TEXTS),
    st.builds(lambda name, text: TurnSaid(turn=a_turn(name, text)), IDS, TEXTS),
    st.builds(lambda name, text: FactAdded(fact=a_fact(name, text)), IDS, TEXTS),
    st.builds(lambda name, text: FactRepeated(fact=a_fact(name, text)), IDS, TEXTS),
    st.builds(lambda owner: ProfileSet(profile=Profile(owner=owner)), TEXTS),
)

COMMITS = st.builds(
    Commit,
    actor=st.just("any"),
    cause=TEXTS,
    changes=st.lists(CHANGES, max_size=3).map(tuple),
    settles=st.lists(OPS, max_size=1).map(tuple),
    enqueues=st.lists(IDS.map(work), max_size=2).map(tuple),
    failures=st.lists(
        st.builds(OpFailure, op=OPS, error=TEXTS, not_before=st.floats(0, 9), parks=st.booleans()), max_size=1
    ).map(tuple),
    retries=st.lists(OPS, max_size=1).map(tuple),
    discards=st.lists(OPS, max_size=1).map(tuple),
    idempotency=st.none()
    | st.builds(IdempotencyKey, key=st.sampled_from(["k1", "k2"]), fingerprint=st.sampled_from(["f1", "f2"])),
)


class Model:
    """The journal in plain dictionaries."""

    def __init__(self) -> None:
        self.turns: dict[TurnId, Turn] = {}
        self.facts: dict[FactId, Fact] = {}
        self.profile = Profile()
        self.ops: dict[OpId, OutboxOp] = {}
        self.keys: dict[str, tuple[str, tuple[int, ...]]] = {}
        self.changes: list[AnyChange] = []

    def commit(self, commit: Commit, now: float) -> tuple[str, tuple[int, ...]]:  # noqa: C901 - one rule a branch
        """Return what becomes of a commit, refused, repeated or landed, and the seqs of its events."""
        key = commit.idempotency
        if key is not None and key.key in self.keys:
            fingerprint, seqs = self.keys[key.key]
            return ("repeated", seqs) if fingerprint == key.fingerprint else ("refused", ())
        ops = dict(self.ops)
        for op in commit.settles:
            if op not in ops or ops[op].state is not OpState.PENDING:
                return "repeated", ()
            ops[op] = msgspec.structs.replace(ops[op], state=OpState.DONE)
        for failure in commit.failures:
            if failure.op not in ops or ops[failure.op].state is not OpState.PENDING:
                return "repeated", ()
            ops[failure.op] = msgspec.structs.replace(
                ops[failure.op],
                state=OpState.PARKED if failure.parks else OpState.PENDING,
                attempts=ops[failure.op].attempts + 1,
                error=failure.error,
                not_before=failure.not_before,
            )
        for op in commit.retries:
            if op not in ops or ops[op].state is not OpState.PARKED:
                return "refused", ()
            ops[op] = msgspec.structs.replace(ops[op], state=OpState.PENDING, attempts=0, not_before=now)
        for op in commit.discards:
            if op not in ops or ops[op].state not in {OpState.PENDING, OpState.PARKED}:
                return "refused", ()
            ops[op] = msgspec.structs.replace(ops[op], state=OpState.DISCARDED)
        for one in commit.enqueues:
            ops.setdefault(
                op_id(one),
                OutboxOp(
                    id=op_id(one),
                    seq=len(ops) + 1,
                    work=one,
                    cause=commit.cause,
                    state=OpState.PENDING,
                    attempts=0,
                    not_before=now,
                    enqueued_at=now,
                ),
            )
        self.ops = ops
        return "landed", self._append(commit)

    def _append(self, commit: Commit) -> tuple[int, ...]:
        seqs = tuple(range(len(self.changes) + 1, len(self.changes) + 1 + len(commit.changes)))
        self.changes += commit.changes
        for change in commit.changes:
            match change:
                case TurnHeard(turn=turn) | TurnSaid(turn=turn):
                    self.turns[turn.id] = turn
                case FactAdded(fact=fact) | FactRepeated(fact=fact):
                    self.facts[fact.id] = fact
                case ProfileSet(profile=profile):
                    self.profile = profile
        if commit.idempotency is not None:
            self.keys[commit.idempotency.key] = (commit.idempotency.fingerprint, seqs)
        return seqs


def kind_of(outcome: Committed | OmoideError) -> tuple[str, tuple[int, ...]]:
    if isinstance(outcome, OmoideError):
        return "refused", ()
    return "repeated" if outcome.repeated else "landed", tuple(event.seq for event in outcome.events)


async def check(journal: SqliteJournal, model: Model) -> None:
    seq, facts = await journal.snapshot()
    assert seq == journal.last_seq == len(model.changes)
    assert list(facts) == list(model.facts.values())
    assert list(await journal.turns(newest=99)) == list(model.turns.values())
    assert await journal.profile() == model.profile
    assert list(await journal.ops(states=list(OpState))) == list(model.ops.values())
    assert [event.change for event in await journal.events()] == model.changes


@settings(max_examples=60)
@given(
    st.lists(st.lists(COMMITS, min_size=1, max_size=5), max_size=6), st.sampled_from(["per-character", "shared"])
)
def test_the_views_equal_a_plain_model_after_any_commits(batches: list[list[Commit]], layout: Layout) -> None:
    async def main(folder: Path) -> None:
        tree, clock, model = settings_in(folder, layout), VirtualClock(1.0), Model()
        async with open_store(tree, clock, Unarmed()) as store:
            journal = await store.open("yui", create=True)
            for batch in batches:
                clock.advance_to(clock.now() + 1.0)
                expected = [model.commit(commit, clock.now()) for commit in batch]
                assert [kind_of(one) for one in await journal.commit_all(batch)] == expected
            await check(journal, model)
            told = [await journal.events(after=seq) for seq in range(journal.last_seq + 1)]
            assert examine(tree, "yui").findings == ()
        async with open_store(tree, clock, Unarmed()) as store:
            journal = await store.open("yui", create=False)
            assert [await journal.events(after=seq) for seq in range(journal.last_seq + 1)] == told

    with tempfile.TemporaryDirectory() as folder:
        trio.run(main, Path(folder))
