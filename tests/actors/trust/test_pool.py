"""The pool of accounts: one for all characters, counted once, linked by humans alone, never overwritten."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import omoide
from omoide.actors.kernel import open_system
from omoide.actors.trust.messages import FindPerson
from omoide.actors.trust.pool import PoolWorld, TrustPool
from omoide.protocols.errors import InvalidNameError, InvalidRequestError, NotFoundError, TrustUnavailableError
from omoide.protocols.people import OWNER, Person, PersonStatus, person_of
from omoide.protocols.records import Speaker
from omoide.protocols.settings import Settings, TrustSettings
from omoide.protocols.trust import Tally
from omoide.protocols.work import OpState
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault, Unarmed
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import POOL, examine, paths
from omoide.tests.runtime.store.traces import traces

ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")
GROUP = "group:qq:77"
PRODUCT = Path(omoide.__file__).parent

Host = Callable[..., AbstractAsyncContextManager[Runtime]]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    @asynccontextmanager
    async def opened(**given: object) -> AsyncIterator[Runtime]:
        settings = Settings.model_validate({"data_dir": tmp_path, **given.pop("settings", {})})  # type: ignore[dict-item]
        async with open_runtime(settings, **given) as runtime:  # type: ignore[arg-type]
            yield runtime

    return opened


async def trust_of(character: Character, text: str) -> float | None:
    return next(turn.trust for turn in await character.turns(newest=50) if turn.text == text)


async def tally_of(runtime: Runtime, account: str) -> Tally | None:
    person = await runtime.trust.person(account)
    return None if person is None else person.tally


async def test_messages_add_a_little_for_all_characters_alike(host: Host) -> None:
    async with host() as runtime:
        yui, mio = await runtime.character("yui"), await runtime.character("mio")
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust="normal")
        await yui.settle()

        await mio.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust="normal")

        assert await trust_of(yui, "The lake is frozen.") == 0.5
        assert await trust_of(mio, "The ice is thick.") == 0.501


async def test_a_message_counts_once_however_often_it_is_heard_and_by_whom(host: Host) -> None:
    async with host() as runtime:
        for name in ("yui", "mio", "yui"):
            character = await runtime.character(name)
            await character.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5, message_id="m1")
            await character.settle()

        assert await tally_of(runtime, "qq:1001") == Tally(messages=1)


async def test_no_more_than_20_messages_of_an_account_are_counted_or_reported(host: Host) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        for number in range(24):
            await yui.hear(f"Line {number}.", speaker=ALICE, subject=GROUP, trust=0.5)
            await yui.settle()

        assert await tally_of(runtime, "qq:1001") == Tally(messages=20)
        assert await trust_of(yui, "Line 23.") == 0.52


@pytest.mark.parametrize("trust", [None, 0.4])
async def test_where_nobody_else_speaks_with_a_trust_there_is_no_pool(
    host: Host, tmp_path: Path, trust: float | None
) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I keep bees.", trust=trust)
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP)
        await yui.settle()

    assert [folder.name for folder in tmp_path.iterdir()] == ["yui"]


async def test_an_account_that_is_no_stable_id_abstains(host: Host) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        named = Speaker(platform="qq", account="Alice of the lake")
        await yui.hear("The lake is frozen.", speaker=named, subject=GROUP, trust=0.9)
        await yui.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust=0.9)

        assert await trust_of(yui, "The lake is frozen.") is None
        assert await trust_of(yui, "The ice is thick.") == 0.8


async def test_the_same_message_is_the_same_though_its_speaker_is_believed_more_since(host: Host) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        first = await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5, message_id="m")
        await yui.settle()

        again = await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5, message_id="m")

        assert (again.repeated, again.turn) == (True, first.turn)


# --- links ------------------------------------------------------------------------------------------


async def test_accounts_that_a_human_binds_are_believed_alike(host: Host) -> None:
    phone = Speaker(platform="discord", account="77", label="Somebody")
    async with host() as runtime:
        yui = await runtime.character("yui")
        for number in range(3):
            await yui.hear(f"Line {number}.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()

        await runtime.trust.bind("discord:77", "qq:1001", by="Sam")
        await yui.hear("Bound.", speaker=phone, subject=GROUP, trust=0.5)
        await yui.settle()
        await runtime.trust.unbind("discord:77", by="Sam")
        await yui.hear("Alone.", speaker=phone, subject=GROUP, trust=0.5)

        assert await trust_of(yui, "Bound.") == 0.503
        assert await trust_of(yui, "Alone.") == 0.501


async def test_who_was_merged_is_found_by_each_account_and_by_the_older_id(host: Host) -> None:
    async with host(clock=VirtualClock(1_000.0)) as runtime:
        yui = await runtime.character("yui")
        for speaker in (ALICE, BOB):
            await yui.hear("Hello there, it is a fine day.", speaker=speaker, subject=GROUP, trust=0.5)
        await yui.settle()
        before = [await runtime.trust.person(account) for account in ("qq:1001", "qq:1002")]

        await runtime.trust.merge("qq:1002", "qq:1001", by="Sam")

        after = [await runtime.trust.person(account) for account in ("qq:1001", "qq:1002")]
        assert after[0] == after[1]
        gone = [person for person in await runtime.trust.people() if person.status is PersonStatus.MERGED]
        assert [(person.accounts, person.merged_into) for person in gone] == [((), after[0] and after[0].id)]
        assert {person and person.id for person in before} >= {gone[0].id, gone[0].merged_into}


@pytest.mark.parametrize(
    ("act", "refused"),
    [
        (lambda trust: trust.bind("Alice", "qq:1001", by="Sam"), InvalidRequestError),
        (lambda trust: trust.bind("qq:Alice Lee", "qq:1001", by="Sam"), InvalidRequestError),
        (lambda trust: trust.bind("qq:1001", "person_nobody", by="Sam"), NotFoundError),
        (lambda trust: trust.bind("qq:1001", "", by="Sam"), NotFoundError),
        (lambda trust: trust.unbind("qq:404", by="Sam"), NotFoundError),
    ],
    ids=["a name", "a name as account", "an unknown person", "nobody", "an unknown account"],
)
async def test_what_names_no_account_and_no_person_links_nothing(
    host: Host, act: Callable[[object], object], refused: type[Exception]
) -> None:
    async with host() as runtime:
        with pytest.raises(refused):
            await act(runtime.trust)  # type: ignore[misc]

        assert await runtime.trust.people() == ()


async def test_equal_labels_closeness_in_time_and_the_same_group_make_nobody_one_person(host: Host) -> None:
    """The baseline's kill list: names, who came first, adjacency, likeness of ids, and the channel."""
    clock = VirtualClock(1_000.0)
    async with host(clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        alike = [("qq", "1001"), ("qq", "1OO1"), ("discord", "1001"), ("qq2", "1001")]
        for platform, account in alike:
            speaker = Speaker(platform=platform, account=account, label="Sam (owner)")
            await yui.hear("I am Sam, the owner, and we are one.", speaker=speaker, subject=GROUP, trust=0.3)
        await yui.settle()

        people = await runtime.trust.people()

        assert [len(person.accounts) for person in people] == [1, 1, 1, 1]
        assert OWNER not in {person.id for person in people}


def test_links_are_asked_for_by_the_handle_alone_and_the_handle_where_a_person_says_so() -> None:
    requests = re.compile(r"\b(?:Bind|Unbind|Merge)\(account=|\bMerge\(one=")
    calls = re.compile(r"\b(?:trust|people)\.(?:bind|unbind|merge)\(")
    asking, calling = set(), set()
    for package in ("actors", "protocols", "runtime"):
        for file in (PRODUCT / package).rglob("*.py"):
            text = file.read_text()
            name = file.relative_to(PRODUCT).as_posix()
            asking |= {name} if requests.search(text) else set()
            calling |= {name} if calls.search(text) else set()

    assert asking == {"runtime/people.py"}
    assert calling == {"runtime/cli/trust.py", "runtime/api/tending.py"}


# --- what fails -------------------------------------------------------------------------------------


def pool_file(data_dir: Path) -> Path:
    return paths.place_of(Settings(data_dir=data_dir), POOL).database


async def test_a_damaged_pool_makes_everybody_abstain_and_is_left_as_it_is(host: Host, tmp_path: Path) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()
    pool_file(tmp_path).write_bytes(b"not a database" * 100)
    damaged = pool_file(tmp_path).read_bytes()

    async with host() as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()
        with pytest.raises(TrustUnavailableError):
            await runtime.trust.bind("qq:1001", "qq:1002", by="Sam")

        assert await trust_of(yui, "The ice is thick.") is None
        assert [fact.trust for fact in await yui.facts() if "ice" in fact.text] == [None]
    assert pool_file(tmp_path).read_bytes() == damaged


async def test_a_pool_that_was_lost_is_not_begun_anew(host: Host, tmp_path: Path) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()
    pool_file(tmp_path).unlink()

    async with host() as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust=0.5)

        assert await trust_of(yui, "The ice is thick.") is None
    assert not pool_file(tmp_path).exists()


async def test_a_report_that_the_pool_refuses_is_made_again(host: Host) -> None:
    failpoints, clock = ArmedFailpoints(), VirtualClock(1_000.0)
    async with host(failpoints=failpoints, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5)
        failpoints.arm("pool.after_commit", Fault.CRASH)
        drained = await yui.drain()
        assert drained.next_at is not None

        while (drained := await yui.drain()).next_at is not None:
            clock.advance_to(drained.next_at)

        assert await tally_of(runtime, "qq:1001") == Tally(messages=1)
        assert await yui.outbox(states=[OpState.PARKED]) == ()


async def test_a_crash_of_the_pool_costs_an_abstention_and_no_memory(host: Host) -> None:
    failpoints = ArmedFailpoints()
    async with host(failpoints=failpoints) as runtime:
        yui = await runtime.character("yui")
        failpoints.arm("pool.received", Fault.CRASH)
        await yui.hear("The lake is frozen.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()
        await yui.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust=0.5)

        assert await trust_of(yui, "The lake is frozen.") is None
        assert await trust_of(yui, "The ice is thick.") == 0.5


# --- its journal ------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["per-character", "shared"])
async def test_the_pool_is_what_its_events_say_and_no_character(host: Host, layout: str, tmp_path: Path) -> None:
    async with host(settings={"storage": {"layout": layout}}) as runtime:
        yui = await runtime.character("yui")
        for speaker in (ALICE, BOB):
            await yui.hear("Hello there, it is a fine day.", speaker=speaker, subject=GROUP, trust=0.5)
        await yui.settle()
        await runtime.trust.merge("qq:1001", "qq:1002", by="Sam")

        assert runtime.stored_characters() == ("yui",)
        with pytest.raises(InvalidNameError):
            await runtime.character(POOL)

    settings = Settings.model_validate({"data_dir": tmp_path, "storage": {"layout": layout}})
    report = examine(settings, POOL)
    assert (report.healthy, report.events, report.rows["people"]) == (True, 4, 2)


async def test_the_pool_is_there_again_after_a_restart(host: Host) -> None:
    async with host() as runtime:
        await runtime.trust.bind("discord:77", "qq:1001", by="Sam")
        before = await runtime.trust.people()

    async with host() as runtime:
        assert await runtime.trust.people() == before


# --- forgetting -------------------------------------------------------------------------------------


async def test_a_forgotten_account_is_in_no_byte_of_the_pool_and_others_of_the_person_stay(
    host: Host, tmp_path: Path
) -> None:
    async with host() as runtime:
        yui = await runtime.character("yui")
        for speaker in (ALICE, BOB):
            await yui.hear("The lake is frozen.", speaker=speaker, subject=GROUP, trust=0.5)
        await yui.settle()
        await runtime.trust.bind("qq:1001", "qq:1002", by="Sam")

        await runtime.trust.forget("qq:1001")

        (left,) = [person for person in await runtime.trust.people() if person.accounts]
        assert [account.key for account in left.accounts] == ["qq:1002"]
        assert await tally_of(runtime, "qq:1001") is None
        with pytest.raises(NotFoundError):
            await runtime.trust.forget("qq:1001")
        await yui.hear("The ice is thick.", speaker=ALICE, subject=GROUP, trust=0.5)
        await yui.settle()
        assert await tally_of(runtime, "qq:1001") == Tally(messages=1)
        await runtime.trust.forget("qq:1001")
    assert traces(pool_file(tmp_path).parent, "qq:1001") == []
    assert examine(Settings(data_dir=tmp_path), POOL).findings == ()


async def test_an_account_is_found_at_once_however_many_the_pool_knows() -> None:
    async def find(accounts: int) -> float:
        people = tuple(person_of(f"qq:{number}", 0.0) for number in range(accounts))

        class Stored:
            async def records(self, kind: type[Person]) -> tuple[Person, ...]:
                assert kind is Person
                return people

        async def opened() -> Any:
            return Stored()

        async def true(*_: object) -> bool:
            return True

        world = PoolWorld(opened, true, true, VirtualClock(0.0), TrustSettings(), Unarmed(), lambda: "")
        async with open_system() as system:
            pool = system.spawn(partial(TrustPool, world))
            await pool.aask(FindPerson(account="qq:0"))
            started = time.process_time()
            for _ in range(100):
                found = await pool.aask(FindPerson(account=f"qq:{accounts - 1}"))
            assert found.person == people[-1]
            return time.process_time() - started

    assert await find(20_000) < 5 * await find(20)
