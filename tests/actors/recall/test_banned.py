"""Which rows are hidden because the person banned their topic: the same whatever came first, row or directive."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.recall import banned
from omoide.actors.recall.banned import INLINE_ROWS, READ_AT_ONCE, BannedRows
from omoide.protocols.records import Directive, DirectiveId, DirectiveStatus
from omoide.protocols.scopes import PRIVATE, Subject

GROUP = Subject("group:qq:77")
ROWS = {"a": "Marcus lives in Oslo.", "b": "Dana keeps bees.", "c": "Marcus met Dana.", "d": "It rains."}


def directive(
    term: str, *, subject: Subject = PRIVATE, status: DirectiveStatus = DirectiveStatus.ACTIVE
) -> Directive:
    return Directive(
        id=DirectiveId(f"{subject} {term}"),
        key=term.lower(),
        term=term,
        subject=subject,
        hits=1,
        first_said_at=0.0,
        last_said_at=0.0,
        turn=None,
        status=status,
    )


async def hidden(rows: BannedRows, *, said: str = "", now: float = 0.0) -> set[str]:
    return set(await rows.hidden((PRIVATE,), said, now))


async def test_rows_about_a_topic_are_hidden_whichever_came_first() -> None:
    before, after, at_once = BannedRows((directive("Marcus"),)), BannedRows(), BannedRows((directive("Marcus"),))
    for row, text in ROWS.items():
        before.put(row, text)
        after.put(row, text)
    after.take(directive("Marcus"))
    at_once.load(ROWS)

    assert await hidden(before) == await hidden(after) == await hidden(at_once) == {"a", "c"}


async def test_a_topic_that_the_person_raises_is_not_hidden_unless_with_another() -> None:
    rows = BannedRows((directive("Marcus"), directive("Dana")))
    for row, text in ROWS.items():
        rows.put(row, text)

    assert await hidden(rows, said="How is Marcus?") == {"b", "c"}
    assert await hidden(rows, said="How is Marcus, and stop mentioning Dana.") == {"b", "c"}


async def test_what_holds_elsewhere_hides_nothing_here() -> None:
    rows = BannedRows((directive("Marcus", subject=GROUP),))
    rows.put("a", ROWS["a"])

    assert await hidden(rows) == set()
    assert await rows.hidden((GROUP,), "", 0.0) == {"a"}


async def test_lifted_it_hides_nothing_and_given_again_it_hides_again() -> None:
    rows = BannedRows((directive("Marcus"),))
    rows.put("a", ROWS["a"])
    rows.take(directive("Marcus", status=DirectiveStatus.LIFTED))
    assert await hidden(rows) == set()
    rows.take(directive("Marcus"))

    assert await hidden(rows) == {"a"}


async def test_a_lapsed_one_hides_nothing() -> None:
    rows = BannedRows((replace(directive("Marcus"), expires_at=10.0),))
    rows.put("a", ROWS["a"])

    assert (await hidden(rows, now=9.0), await hidden(rows, now=10.0)) == ({"a"}, set())


async def test_another_name_hides_what_is_stored_already() -> None:
    rows = BannedRows((directive("Marcus"),))
    rows.put("b", ROWS["b"])
    assert await hidden(rows) == set()
    rows.take(replace(directive("Marcus"), aliases=("Dana",)))

    assert await hidden(rows) == {"b"}


async def test_a_row_that_says_something_else_now_is_not_hidden() -> None:
    rows = BannedRows((directive("Marcus"),))
    rows.put("a", ROWS["a"])
    rows.put("a", "It rains in Oslo.")
    assert await hidden(rows) == set()
    rows.put("a", ROWS["a"])
    rows.remove("a")

    assert await hidden(rows) == set()


async def test_many_rows_are_read_in_a_thread_to_the_same_end() -> None:
    rows = BannedRows()
    for number in range(2 * INLINE_ROWS):
        rows.put(str(number), "Marcus lives in Oslo." if number % 100 == 0 else "It rains.")
    rows.take(directive("Marcus"))

    assert await hidden(rows) == {str(number) for number in range(0, 2 * INLINE_ROWS, 100)}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from([*ROWS]), st.sampled_from([*ROWS.values()])),
        st.tuples(st.just("remove"), st.sampled_from([*ROWS]), st.just("")),
        st.tuples(st.sampled_from([*DirectiveStatus]), st.sampled_from(["Marcus", "Dana"]), st.just("")),
    ),
    max_size=14,
)


@given(STEPS)
async def test_any_order_of_changes_hides_what_reading_everything_at_once_would(
    steps: list[tuple[str, str, str]],
) -> None:
    rows, texts, directives = BannedRows(), dict[str, str](), dict[str, Directive]()
    for what, name, text in steps:
        if what == "put":
            rows.put(name, text)
            texts[name] = text
        elif what == "remove":
            rows.remove(name)
            texts.pop(name, None)
        else:
            changed = directive(name, status=DirectiveStatus(what))
            rows.take(changed)
            directives[name] = changed
        in_force = [one.term for one in directives.values() if one.status is DirectiveStatus.ACTIVE]
        expected = {row for row, text in texts.items() if any(term in text for term in in_force)}
        assert await hidden(rows, now=math.inf) == expected


async def test_who_looks_for_a_topic_in_many_rows_pauses_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[None] = []
    monkeypatch.setattr(banned, "pause", lambda: pauses.append(None))
    rows = BannedRows((directive("Marcus"),))
    rows.load({str(number): "It rains." for number in range(3 * READ_AT_ONCE)})

    await rows.hidden((PRIVATE,), "", 0.0)

    assert len(pauses) == 3
