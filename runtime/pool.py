"""The pool of accounts beside the characters: how it starts, and how an erased account goes from it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

import trio
from msgspec.structs import replace

from ..actors.kernel import ActorRef, ActorSystem
from ..actors.trust.pool import FindPool, PoolSupervisor, PoolWorld
from ..protocols.erasure import EraseAccount
from ..protocols.errors import NotFoundError, OmoideError
from ..protocols.ports import Clock, Failpoints
from ..protocols.settings import Settings
from .people import TrustedPeople
from .store import POOL, ErasureReport, JournalStore, is_stored, pool_holds, pool_keeps

logger = logging.getLogger(__name__)


async def open_pool(
    system: ActorSystem,
    store: JournalStore,
    settings: Settings,
    *,
    clock: Clock,
    failpoints: Failpoints,
    new_id: Callable[[], str],
) -> ActorRef:
    """Start the pool of accounts, and return it; its journal is opened when it is first needed."""
    world = PoolWorld(
        open_journal=partial(store.open, POOL, create=True),
        is_begun=partial(trio.to_thread.run_sync, is_stored, settings, POOL),
        erase_account=partial(_erase_account, store),
        clock=clock,
        settings=settings.trust,
        failpoints=failpoints,
        new_id=new_id,
    )
    supervisor = system.spawn(lambda: PoolSupervisor(world, settings.actors.mailbox_size))
    pool: ActorRef = await supervisor.aask(FindPool(), timeout_s=None)
    return pool


async def _erase_account(store: JournalStore, account: str) -> bool:
    """Erase an account from the pool's journal, which must be open, and return whether its bytes are gone."""
    await store.close_character(POOL)
    return (await store.erase(POOL, EraseAccount(account))).scrubbed


async def erased_from_pool(
    report: ErasureReport, account: str, people: TrustedPeople, settings: Settings
) -> ErasureReport:
    """Take an account that was erased from a character out of the pool too, and return the report with that."""
    try:
        if not await trio.to_thread.run_sync(pool_holds, settings, account):
            return report
        scrubbed = await people.forget(account)
    except NotFoundError:  # somebody else did it meanwhile
        return report
    except OmoideError as error:
        logger.warning("runtime.pool_keeps_account", extra={"error": type(error).__name__})
        return replace(report, kept=(*report.kept, pool_keeps(account)))
    return replace(report, from_pool=True, scrubbed=report.scrubbed and scrubbed)
