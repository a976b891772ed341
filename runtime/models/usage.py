"""What models cost: calls, tokens, time and failures, by provider, task and hour, in a small database of its own.

It lies beside the characters' files and holds no word of anybody. It is shared by the processes of a data folder,
so that a budget holds over all of them and over a restart. Losing it loses counts: where its disk refuses, the
counts go on in memory and a warning is logged.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from ..store.paths import make_private

logger = logging.getLogger(__name__)

FILE: Final = "models.db"
"""Name of the database in the data folder."""

HOUR_S: Final = 3_600
"""Seconds of an hour; hours begin with those of UTC."""

_BUSY_S: Final = 2.0
"""Longest wait for another process that writes (seconds)."""

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS spent (
        provider TEXT NOT NULL, task TEXT NOT NULL, hour INTEGER NOT NULL,
        calls INTEGER NOT NULL, failures INTEGER NOT NULL, repairs INTEGER NOT NULL, fallbacks INTEGER NOT NULL,
        requests INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
        latency_s REAL NOT NULL, longest_s REAL NOT NULL,
        PRIMARY KEY (provider, task, hour)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS health (
        provider TEXT PRIMARY KEY, answered_at REAL, failed_at REAL, error TEXT NOT NULL, retry_at REAL
    ) STRICT, WITHOUT ROWID;
"""


Write: TypeAlias = Callable[[sqlite3.Connection], object]
"""Changes the database within a transaction."""


class Spent(Struct, kw_only=True):
    """What tasks cost, added up.

    `calls` are tasks that were asked and `failures` those without a usable answer, `repairs` the second turns for
    answers that couldn't be used, `fallbacks` the tasks that the offline engine then did, and `requests` what went
    over the wire. `latency_s` is the time of all calls and `longest_s` that of the longest, in seconds.
    """

    calls: int = 0
    failures: int = 0
    repairs: int = 0
    fallbacks: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0
    longest_s: float = 0.0


class Health(Struct, frozen=True, kw_only=True):
    """How a provider did last. Times are seconds since the epoch; `retry_at` is set while it is left alone."""

    answered_at: float | None = None
    failed_at: float | None = None
    error: str = ""
    retry_at: float | None = None


class ProviderUse(Struct, frozen=True, kw_only=True):
    """What one provider cost over the hours that are kept, by task, and in the hour that is running."""

    tasks: dict[str, Spent]
    health: Health
    tokens_this_hour: int


class Usage:
    """The counts of a data folder.

    Args:
        data_dir: where the database lies.
    """

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE
        self._turn = trio.Lock()
        self._lost: dict[tuple[str, int], int] = {}

    async def forget_before(self, now: float, days: int) -> None:
        """Make the database, and drop what is older than so many days."""
        await self._write(
            lambda connection: connection.execute("DELETE FROM spent WHERE hour < ?", (_hour(now) - days * 24,))
        )

    async def add(self, provider: str, task: str, spent: Spent, health: Health | None, now: float) -> None:
        """Add what one task cost, and keep how the provider did."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_ADD, (provider, task, _hour(now), *_values(spent)))
            if health is not None:
                connection.execute(
                    _HEALTH, (provider, health.answered_at, health.failed_at, health.error, health.retry_at)
                )

        if not await self._write(write):
            hour = (provider, _hour(now))
            self._lost[hour] = self._lost.get(hour, 0) + spent.prompt_tokens + spent.completion_tokens

    async def tokens_this_hour(self, provider: str, now: float) -> int:
        """Return the tokens that a provider was used for in the hour of `now`, by all processes."""
        hour = _hour(now)
        try:
            stored = await trio.to_thread.run_sync(_tokens, self._path, provider, hour)
        except sqlite3.Error as error:
            logger.warning("models.usage_unreadable", extra={"error": type(error).__name__})
            stored = 0
        return stored + self._lost.get((provider, hour), 0)

    async def _write(self, write: Write) -> bool:
        async with self._turn:
            try:
                await trio.to_thread.run_sync(_write, self._path, write)
            except (sqlite3.Error, OSError) as error:
                logger.warning("models.usage_not_kept", extra={"error": type(error).__name__})
                return False
        return True


def read_use(data_dir: Path, now: float) -> dict[str, ProviderUse]:
    """Return what each provider cost, as far as it is kept; nothing where nothing is.

    Works while other processes write. A file that can't be read is no reason to fail: it tells nothing.
    """
    path = data_dir / FILE
    if not path.is_file():
        return {}
    try:
        with _open(path, read_only=True) as connection:
            spent = connection.execute(_SUM).fetchall()
            healths = connection.execute("SELECT provider, answered_at, failed_at, error, retry_at FROM health")
            health = {
                provider: Health(answered_at=answered, failed_at=failed, error=error, retry_at=retry)
                for provider, answered, failed, error, retry in healths
            }
    except sqlite3.Error as error:
        logger.warning("models.usage_unreadable", extra={"error": type(error).__name__})
        return {}
    tasks: dict[str, dict[str, Spent]] = {provider: {} for provider in health}
    for provider, task, *values in spent:
        tasks.setdefault(provider, {})[task] = Spent(**dict(zip(Spent.__struct_fields__, values, strict=True)))
    return {
        provider: ProviderUse(
            tasks=of,
            health=health.get(provider, Health()),
            tokens_this_hour=_tokens(path, provider, _hour(now)),
        )
        for provider, of in sorted(tasks.items())
    }


def _values(spent: Spent) -> tuple[float, ...]:
    return tuple(getattr(spent, name) for name in Spent.__struct_fields__)


_SUMMED: Final = tuple(name for name in Spent.__struct_fields__ if name != "longest_s")
_ADD: Final = (
    f"INSERT INTO spent (provider, task, hour, {', '.join(Spent.__struct_fields__)}) "  # noqa: S608 - our own names
    f"VALUES ({', '.join('?' * (3 + len(Spent.__struct_fields__)))}) ON CONFLICT DO UPDATE SET "
    + ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMMED)
    + ", longest_s = max(longest_s, excluded.longest_s)"
)
_SUM: Final = (
    f"SELECT provider, task, {', '.join(f'sum({name})' for name in _SUMMED)}, max(longest_s) "  # noqa: S608
    "FROM spent GROUP BY provider, task ORDER BY provider, task"
)
_HEALTH: Final = """
    INSERT INTO health (provider, answered_at, failed_at, error, retry_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET answered_at = coalesce(excluded.answered_at, answered_at),
    failed_at = coalesce(excluded.failed_at, failed_at), error = excluded.error, retry_at = excluded.retry_at
"""


def _hour(now: float) -> int:
    return int(now // HOUR_S)


def _tokens(path: Path, provider: str, hour: int) -> int:
    if not path.is_file():
        return 0
    with _open(path, read_only=True) as connection:
        (tokens,) = connection.execute(
            "SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM spent "
            "WHERE provider = ? AND hour = ?",
            (provider, hour),
        ).fetchone()
    return int(tokens)


def _write(path: Path, write: Write) -> None:
    make_private(path.parent)
    with _open(path, read_only=False) as connection, connection:
        connection.executescript(_SCHEMA)
        write(connection)


@contextmanager
def _open(path: Path, *, read_only: bool) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_S)) as connection:
        yield connection
