"""What models cost is added up by hour, over all processes, and dropped when it is old."""

from __future__ import annotations

from pathlib import Path

import trio

from omoide.runtime.models.usage import FILE, Health, Spent, Usage, read_use

HOUR = 1_772_442_000.0
"""The beginning of an hour."""


async def test_what_two_processes_spend_in_an_hour_is_one_sum(tmp_path: Path) -> None:
    one, other = Usage(tmp_path), Usage(tmp_path)
    async with trio.open_nursery() as nursery:
        for usage in (one, other) * 10:
            nursery.start_soon(usage.add, "local", "extract", Spent(calls=1, prompt_tokens=7), None, HOUR)
    assert await one.tokens_this_hour("local", HOUR + 3_599) == 140
    assert await one.tokens_this_hour("local", HOUR + 3_600) == 0
    assert await one.tokens_this_hour("hosted", HOUR) == 0


async def test_of_spans_the_longest_is_kept_and_all_else_is_added(tmp_path: Path) -> None:
    usage = Usage(tmp_path)
    for at, longest in ((HOUR, 2.0), (HOUR + 3_600, 5.0), (HOUR + 3_601, 3.0)):
        await usage.add("local", "merge", Spent(calls=1, latency_s=longest, longest_s=longest), None, at)
    spent = read_use(tmp_path, HOUR)["local"].tasks["merge"]
    assert (spent.calls, spent.latency_s, spent.longest_s) == (3, 10.0, 5.0)


async def test_what_is_older_than_the_days_that_are_kept_is_dropped(tmp_path: Path) -> None:
    usage = Usage(tmp_path)
    await usage.add("local", "extract", Spent(calls=1), None, HOUR)
    await usage.add("local", "extract", Spent(calls=1), None, HOUR + 86_400)
    await usage.forget_before(HOUR + 2 * 86_400, 1)
    assert read_use(tmp_path, HOUR)["local"].tasks["extract"].calls == 1


async def test_the_last_answer_is_remembered_beside_the_failure_that_came_after_it(tmp_path: Path) -> None:
    usage = Usage(tmp_path)
    await usage.add("local", "extract", Spent(), Health(answered_at=HOUR), HOUR)
    await usage.add("local", "extract", Spent(), Health(failed_at=HOUR + 9, error="no", retry_at=HOUR + 39), HOUR)
    assert read_use(tmp_path, HOUR)["local"].health == Health(
        answered_at=HOUR, failed_at=HOUR + 9, error="no", retry_at=HOUR + 39
    )


def test_a_file_that_is_no_database_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, and long enough to be read as one" * 50)
    assert read_use(tmp_path, HOUR) == {}
