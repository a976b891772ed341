"""What a journal remembers of its views is what they hold: a change is seen by whoever asks after it landed."""

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.records import Turn
from omoide.runtime.store.remembered import ANSWERS_KEPT, LONG_CHARS, Remembered
from omoide.tests.runtime.store.samples import a_turn


async def test_an_answer_is_read_once_as_long_as_nothing_changes() -> None:
    remembered, reads = Remembered(), list[int]()

    async def read() -> int:
        await trio.lowlevel.checkpoint()
        reads.append(1)
        return len(reads)

    answers = [await remembered.answer("view", None, read) for _ in range(3)]
    assert answers == [1, 1, 1]


@pytest.mark.parametrize(("chars", "reads"), [(LONG_CHARS, 1), (LONG_CHARS + 1, 2)])
async def test_a_long_turn_is_read_each_time_and_takes_no_room(chars: int, reads: int) -> None:
    remembered, turn, done = Remembered(), a_turn("turn_1", "a" * chars), list[int]()

    async def read() -> Turn:
        await trio.lowlevel.checkpoint()
        done.append(1)
        return turn

    for _ in range(2):
        assert await remembered.answer(turn.id, None, read) == turn
    assert len(done) == reads


async def test_what_changed_while_it_was_read_is_not_kept() -> None:
    remembered, stored = Remembered(), ["old"]
    read_, may_return = trio.Event(), trio.Event()

    async def slow() -> str:
        found = stored[0]
        read_.set()
        await may_return.wait()
        return found

    async def quick() -> str:
        await trio.lowlevel.checkpoint()
        return stored[0]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(remembered.answer, "view", None, slow)
        await read_.wait()
        stored[0] = "new"
        remembered.changed(["view"])
        may_return.set()
    assert await remembered.answer("view", None, quick) == "new"


async def test_a_read_that_fails_is_done_again() -> None:
    remembered = Remembered()

    async def fails() -> str:
        await trio.lowlevel.checkpoint()
        raise OSError("no disk")

    async def works() -> str:
        await trio.lowlevel.checkpoint()
        return "found"

    with pytest.raises(OSError, match="no disk"):
        await remembered.answer("view", None, fails)

    assert await remembered.answer("view", None, works) == "found"


steps = st.lists(
    st.tuples(st.sampled_from(["ask", "ask", "change"]), st.integers(0, ANSWERS_KEPT + 40), st.integers(0, 1)),
    max_size=60,
)


@settings(max_examples=60)
@given(steps, st.integers(0, ANSWERS_KEPT + 40))
def test_every_answer_is_as_new_as_the_last_change(history: list[tuple[str, int, int]], many: int) -> None:
    async def check() -> None:
        remembered, versions = Remembered(), dict[int, int]()
        asks = [("ask", source, 0) for source in range(many)]
        for what, source, question in [*asks, *history]:
            if what == "change":
                versions[source] = versions.get(source, 0) + 1
                remembered.changed([source])
                continue

            async def read(source: int = source, question: int = question) -> tuple[int, int]:
                await trio.lowlevel.checkpoint()
                return versions.get(source, 0), question

            assert await remembered.answer(source, question, read) == (versions.get(source, 0), question)

    trio.run(check)
