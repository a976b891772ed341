"""What a journal keeps of its newest events is what stands in its file, or nothing."""

from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.events import Event, TurnHeard
from omoide.runtime.store.newest import CHARS_KEPT, EVENTS_KEPT, Newest
from omoide.tests.runtime.store.samples import a_turn


def an_event(seq: int, text: str = "") -> Event:
    return Event(
        seq=seq,
        at=0.0,
        actor="",
        cause="",
        kind="",
        subject="",
        record_ids=(),
        change=TurnHeard(turn=a_turn(f"turn_{seq}", text)) if text else None,
        digest="",
        chain="",
    )


@given(
    st.lists(st.integers(1, 9), max_size=20),
    st.integers(0, 80),
    st.integers(0, 100),
    st.none() | st.integers(0, 9),
)
def test_whatever_is_answered_is_all_that_was_committed_since(
    sizes: list[int], first: int, after: int, limit: int | None
) -> None:
    newest, committed = Newest(), list[Event]()
    for size in sizes:
        batch = [an_event(first + len(committed) + at + 1) for at in range(size)]
        newest.add(batch)
        committed += batch
    last = first + len(committed)

    answer = newest.after(after, last, limit)

    since = [event for event in committed if event.seq > after]
    assert answer is None or list(answer) == since[: len(since) if limit is None else limit]


def test_the_newest_are_answered_from_memory() -> None:
    newest = Newest()
    newest.add([an_event(seq) for seq in range(1, 100)])

    assert newest.after(99 - EVENTS_KEPT, 99, None) == tuple(map(an_event, range(100 - EVENTS_KEPT, 100)))


def test_what_is_older_than_they_are_is_read() -> None:
    newest = Newest()
    newest.add([an_event(seq) for seq in range(1, 100)])

    assert newest.after(98 - EVENTS_KEPT, 99, None) is None


def test_of_long_texts_no_more_are_kept_than_take_their_room() -> None:
    newest = Newest()
    newest.add([an_event(seq, "a" * (CHARS_KEPT // 2)) for seq in range(1, 9)])

    assert (newest.after(5, 8, None), len(newest.after(6, 8, None) or ())) == (None, 2)


def test_their_room_is_free_again_once_they_are_gone() -> None:
    newest = Newest()
    newest.add([an_event(1, "a" * CHARS_KEPT), *(an_event(seq, "a") for seq in range(2, 10))])

    assert len(newest.after(1, 9, None) or ()) == 8


def test_they_are_no_answer_where_the_journal_went_on_without_them() -> None:
    newest = Newest()
    newest.add([an_event(1)])

    assert newest.after(0, 2, None) is None


def test_a_gap_before_what_is_taken_leaves_only_what_comes_after_it() -> None:
    newest = Newest()
    newest.add([an_event(1), an_event(5)])

    assert (newest.after(0, 5, None), newest.after(4, 5, None)) == (None, (an_event(5),))
