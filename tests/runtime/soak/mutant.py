"""A process under test with a deliberate bug: `python mutant.py BUG SOCKET`.

Each bug is one that an honest change could bring, and is switched in here alone: the product knows of none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from omoide.actors.dedup.actor import Dedup
from omoide.actors.directives.actor import Directives
from omoide.actors.recall.actor import Recaller
from omoide.actors.scribe import actor as scribe
from omoide.protocols.messages import Commit, Committed, Recall, Recollection
from omoide.runtime.soak import worker
from omoide.runtime.store import audit


def settle_before_effect() -> None:
    """Work is marked as done in one commit, and what it does follows in another."""
    commit_once = Dedup.commit

    async def commit(self: Dedup, commit: Commit) -> Committed:
        if commit.settles and commit.changes:
            await commit_once(self, Commit(actor=commit.actor, cause=commit.cause, settles=commit.settles))
            commit = replace(commit, settles=())
        return await commit_once(self, commit)

    Dedup.commit = commit  # type: ignore[method-assign,assignment]


def missing_idempotency_key() -> None:
    """What is heard is committed without the key that tells a repetition."""
    scribe.idempotency_of = lambda _turn: None  # type: ignore[attr-defined,assignment,return-value]


def filter_after_ranking() -> None:
    """Everything is ranked, and what the caller may not read is taken out of the hits."""
    recall = Recaller.receive

    async def receive(self: Recaller, message: Recall) -> Recollection:
        everywhere = tuple(await self.world.journal.subjects())
        found = await recall(self, replace(message, subjects=everywhere or message.subjects))
        return replace(found, hits=tuple(hit for hit in found.hits if hit.subject in message.subjects))

    Recaller.receive = receive  # type: ignore[method-assign]


def stale_directives() -> None:
    """Directives are read once, and kept."""
    catch_up = Directives._catch_up

    async def catch_up_once(self: Directives) -> None:
        if self._reflects_seq is None:
            await catch_up(self)

    Directives._catch_up = catch_up_once  # type: ignore[method-assign]


def unverified_chain() -> None:
    """The doctor follows the chain and compares nothing."""

    def verify(self: audit.ChainVerifier, row: audit.EventRow) -> Iterator[Any]:
        self.seq, self.chain = row.seq, row.chain
        return iter(())

    audit.ChainVerifier.verify = verify  # type: ignore[method-assign]


BUGS: dict[str, Callable[[], None]] = {
    bug.__name__: bug
    for bug in (
        settle_before_effect,
        missing_idempotency_key,
        filter_after_ranking,
        stale_directives,
        unverified_chain,
    )
}


def main() -> None:
    bug = sys.argv.pop(1)
    if bug != "none":
        BUGS[bug]()
    worker.main()


if __name__ == "__main__":
    main()
