"""The pool of accounts as an actor: the only writer of its journal, asked by every character of the host.

Takes the messages of `messages` but `Weigh`. It holds the people as the journal has them. The journal is opened
when somebody is first asked about, so that a host that knows no trust has none; where it can't be opened or
written, every question is answered with `TrustUnavailableError`, whoever asked abstains, and the file is not
touched. A crash loses nothing: the people are read again. Restart: permanent.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, TypeAlias, assert_never

from msgspec.structs import replace

from ...protocols.errors import InvalidRequestError, NotFoundError, OmoideError, TrustUnavailableError
from ...protocols.events import AccountsLinked, AnyChange, TrustMoved
from ...protocols.messages import Commit, IdempotencyKey, Message
from ...protocols.people import (
    OWNER,
    OWNER_NAME,
    Person,
    PersonId,
    bound,
    holds,
    merged,
    person_of,
    persons_of,
    sealed,
    standing,
    unbound,
    with_account,
)
from ...protocols.ports import Clock, Failpoints, Journal
from ...protocols.records import Speaker
from ...protocols.settings import TrustSettings
from ...protocols.trust import Tally, account_key, messages_counted
from ..kernel import Actor, ActorRef, ChildSpec, Supervisor
from .messages import (
    Attest,
    Bind,
    CountMessage,
    FindPerson,
    Forget,
    Forgotten,
    Found,
    Identified,
    Identify,
    ListPeople,
    Merge,
    People,
    Unbind,
)

logger = logging.getLogger(__name__)

ACTOR: Final = "trust"
"""How the pool's events name who caused them."""

Asked: TypeAlias = Identify | FindPerson | ListPeople | CountMessage | Attest | Bind | Unbind | Merge | Forget


@dataclass(frozen=True, slots=True)
class PoolWorld:
    """What the world gives to the pool.

    `open_journal` opens its journal and begins one where there is none, `is_begun` says whether there is one, and
    `erase_account` closes it, erases an account in it, and returns whether its bytes are gone.
    """

    open_journal: Callable[[], Awaitable[Journal]]
    is_begun: Callable[[], Awaitable[bool]]
    erase_account: Callable[[str], Awaitable[bool]]
    clock: Clock
    settings: TrustSettings
    failpoints: Failpoints
    new_id: Callable[[], str]


class TrustPool(Actor):
    """Knows which accounts are one person, and what each has done."""

    accepts: ClassVar[tuple[type, ...]] = (
        Identify,
        FindPerson,
        ListPeople,
        CountMessage,
        Attest,
        Bind,
        Unbind,
        Merge,
        Forget,
    )

    def __init__(self, world: PoolWorld) -> None:
        super().__init__()
        self._world = world
        self._journal: Journal | None = None
        self._people: dict[PersonId, Person] = {}
        self._holders: dict[str, PersonId] = {}
        self._refusal = ""
        self._refused_at: float | None = None

    async def receive(self, message: Asked) -> Found | People | Forgotten | Identified:  # noqa: C901, PLR0911 - one kind a branch
        """Answer one question, or take one report; the reply comes after the commit."""
        self._world.failpoints.reach("pool.received")
        if isinstance(message, Identify) and self._journal is None and not await self._world.is_begun():
            return Identified(persons={})
        journal = await self._opened()
        match message:
            case Identify():
                return Identified(
                    persons=persons_of(message.accounts, filter(None, map(self._held_by, message.accounts)))
                )
            case FindPerson():
                return Found(person=self._held_by(message.account))
            case ListPeople():
                return People(people=tuple(self._people.values()))
            case CountMessage():
                return await self._count(journal, message)
            case Attest():
                return await self._attest(journal, message)
            case Bind():
                return await self._bind(journal, message)
            case Unbind():
                return await self._unbind(journal, message)
            case Merge():
                return await self._merge(journal, message)
            case Forget():
                return await self._forget(message)
            case _:
                assert_never(message)

    # --- what happened ----------------------------------------------------------------------------

    async def _count(self, journal: Journal, message: CountMessage) -> Found:
        person = self._holder(message.account)
        if _tally(person, message.account).messages >= messages_counted(self._world.settings):
            return Found(person=person)
        key = _key("message", message.event, message.account)
        speaking = sealed(person, message.account, self._world.clock.now())
        return await self._move(journal, speaking, message.account, Tally(messages=1), key)

    async def _attest(self, journal: Journal, message: Attest) -> Found:
        person = self._holder(message.account)
        if person.id == OWNER:
            return Found(person=person)
        done = Tally(corrections=1) if message.corrects else Tally(confirmations=1)
        kind = "correction" if message.corrects else "confirmation"
        key = _key(kind, message.event, message.account)
        return await self._move(journal, person, message.account, done, key)

    async def _move(
        self, journal: Journal, person: Person, account: str, done: Tally, key: IdempotencyKey
    ) -> Found:
        held = next(one for one in person.accounts if one.key == account)
        moved = with_account(person, replace(held, tally=held.tally.plus(done)))
        await self._commit(journal, (TrustMoved(person=moved),), key.key, key)
        return Found(person=self._people.get(person.id))

    # --- what a human says ------------------------------------------------------------------------

    async def _bind(self, journal: Journal, message: Bind) -> People:
        account, now = checked_account(message.account), self._world.clock.now()
        changed = bound(
            self._holder(account),
            account,
            self._target(message.to),
            by=message.by,
            now=now,
            limit=self._world.settings.accounts_per_platform,
        )
        return await self._link(journal, changed, f"bind by {message.by}")

    async def _unbind(self, journal: Journal, message: Unbind) -> People:
        account = checked_account(message.account)
        holder = self._held_by(account)
        if holder is None:
            raise NotFoundError(
                f"the pool holds no account {account!r}: `omoide trust list` shows those that it holds"
            )
        fresh = PersonId(f"person_{self._world.new_id()[:24]}")
        changed = unbound(holder, account, fresh, now=self._world.clock.now())
        return await self._link(journal, changed, f"unbind by {message.by}")

    async def _merge(self, journal: Journal, message: Merge) -> People:
        changed = merged(
            self._target(message.one),
            self._target(message.other),
            by=message.by,
            now=self._world.clock.now(),
            limit=self._world.settings.accounts_per_platform,
        )
        return await self._link(journal, changed, f"merge by {message.by}")

    async def _forget(self, message: Forget) -> Forgotten:
        account = checked_account(message.account)
        if self._held_by(account) is None:
            raise NotFoundError(
                f"the pool holds no account {account!r}: `omoide trust list` shows those that it holds"
            )
        self._journal, self._people = None, {}  # what is left is read again before the next answer
        return Forgotten(scrubbed=await self._world.erase_account(account))

    async def _link(self, journal: Journal, changed: Sequence[Person], cause: str) -> People:
        # Whoever is emptied before they were ever stored leaves nothing to tell.
        stored = tuple(person for person in changed if person.accounts or person.id in self._people)
        await self._commit(journal, tuple(AccountsLinked(person=person) for person in stored), cause, None)
        return People(people=stored)

    def _held_by(self, account: str) -> Person | None:
        """Return who holds an account, found at once however many the pool knows."""
        person = self._people.get(self._holders.get(account, PersonId("")))
        return person if person is not None and holds(person, account) else None

    def _put(self, person: Person) -> None:
        self._people[person.id] = person
        self._holders.update((held.key, person.id) for held in person.accounts)

    def _holder(self, account: str) -> Person:
        """Return who holds an account: whoever is stored, or the person that it is by itself."""
        return self._held_by(account) or person_of(account, self._world.clock.now())

    def _target(self, name: str) -> Person:
        """Return the person that an account, an id, the beginning of one, or `owner` names."""
        if name == OWNER_NAME:
            return self._people.get(OWNER) or Person(id=OWNER, created_at=self._world.clock.now())
        if ":" in name:
            return self._holder(checked_account(name))
        found = [one for one in self._people if name.strip() and one.startswith(name.strip())]
        person = standing(found[0], self._people) if len(found) == 1 else None
        if person is None:
            several = f"{len(found)} persons begin with {name!r}: write more of the id" if found else ""
            raise NotFoundError(
                several or f"the pool holds no person {name!r}: `omoide trust list` shows who is in it"
            )
        return person

    # --- the journal ------------------------------------------------------------------------------

    async def _opened(self) -> Journal:
        """Return the journal, with the people read from it; a refusal stands for a while before it is tried again.

        Raises:
            TrustUnavailableError: if it can't be opened or read.
        """
        now = self._world.clock.now()
        if self._journal is not None:
            return self._journal
        if self._refused_at is not None and 0 <= now - self._refused_at < self._world.settings.reopen_after_s:
            raise TrustUnavailableError(self._refusal)
        try:
            journal = await self._world.open_journal()
            people = await journal.records(Person)
        except OmoideError as error:
            self._refused_at = now
            self._refusal = f"the pool of accounts can't be used, so that everybody's trust abstains: {error}"
            logger.warning("trust.pool_unavailable", extra={"error": type(error).__name__})
            raise TrustUnavailableError(self._refusal) from error
        self._people, self._holders = {}, {}
        for person in people:
            self._put(person)
        self._journal, self._refused_at = journal, None
        return journal

    async def _commit(
        self, journal: Journal, changes: tuple[AnyChange, ...], cause: str, key: IdempotencyKey | None
    ) -> None:
        if not changes:
            return
        self._world.failpoints.reach("pool.before_commit")
        try:
            committed = await journal.commit(Commit(actor=ACTOR, cause=cause, changes=changes, idempotency=key))
        except OmoideError as error:
            self._journal = None  # what is on disk is read again before the next answer
            raise TrustUnavailableError(f"the pool of accounts couldn't be written: {error}") from error
        self._world.failpoints.reach("pool.after_commit")
        if committed.repeated:
            return
        for change in changes:
            if isinstance(change, TrustMoved | AccountsLinked):
                self._put(change.person)


class FindPool(Message, frozen=True):
    """Find the pool. Reply: its ref, which stays the same across restarts."""


class PoolSupervisor(Supervisor):
    """Keeps the pool running, whoever asks it. Takes `FindPool`."""

    accepts: ClassVar[tuple[type, ...]] = (FindPool,)

    def __init__(self, world: PoolWorld, mailbox_size: int) -> None:
        super().__init__()
        self._world = world
        self._mailbox_size = mailbox_size

    def child_specs(self) -> Sequence[ChildSpec]:
        """Return the pool alone."""
        return [ChildSpec(id="pool", factory=partial(TrustPool, self._world), mailbox_size=self._mailbox_size)]

    async def receive(self, message: FindPool) -> ActorRef:
        """Answer where the pool is."""
        del message
        return self.child("pool")


def checked_account(account: str) -> str:
    """Return the key of an account that a human names.

    Raises:
        InvalidRequestError: if it is no stable id of an account.
    """
    platform, _, name = account.partition(":") if isinstance(account, str) else ("", "", "")
    key = account_key(Speaker(platform=platform, account=name)) if platform and name else None
    if key is None:
        raise InvalidRequestError(
            f"an account is named '<platform>:<account>', in plain letters and digits, such as qq:1001; "
            f"got {account!r:.60}"
        )
    return key


def _tally(person: Person, account: str) -> Tally:
    return next(held.tally for held in person.accounts if held.key == account)


def _key(kind: str, event: str, account: str) -> IdempotencyKey:
    """Return the key under which an event counts once, for ever."""
    digest = hashlib.sha256(f"{kind}|{event}|{account}".encode()).hexdigest()[:24]
    return IdempotencyKey(key=f"{kind} {digest}", fingerprint=f"{event}|{account}")
