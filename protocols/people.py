"""The pool of accounts: which accounts are one person, and what is known of each. Pure.

Being reliable is a property of the person, not of one character's view of them, so the pool is one for all
characters of a host. Accounts become one person by a human act alone. Nothing here takes a name, a channel, a
time or a likeness as a reason, and no function takes text that somebody said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from typing import Final, NewType

from msgspec.structs import replace

from .errors import InvalidRequestError
from .records import Record
from .trust import Tally

PersonId = NewType("PersonId", str)

OWNER: Final = PersonId("person_owner")
"""The person who holds the accounts that a human bound to the owner. Nobody attests to their own words."""

OWNER_NAME: Final = "owner"
"""How that person is named where one is asked for."""

CHAIN: Final = 8
"""Merges that are followed to the person that stands, at most (baseline: 8)."""


class Account(Record, frozen=True, kw_only=True):
    """One account of a person, `<platform>:<account>`, with what it has done.

    `bound_by` says who bound it and `bound_at` when (seconds since the epoch); both are empty for an account that
    is a person of its own because nobody bound it. Counters only grow, so that an account that moves takes its
    history along.
    """

    key: str
    tally: Tally = Tally()
    bound_at: float | None = None
    bound_by: str = ""

    @property
    def platform(self) -> str:
        """The platform of the account."""
        return self.key.partition(":")[0]


class Canonical(Record, frozen=True, kw_only=True):
    """The account that stands for a person on a platform: the first of theirs that spoke, since `sealed_at`."""

    platform: str
    account: str
    sealed_at: float


class PersonStatus(StrEnum):
    """Whether a person stands for themself or was merged into another."""

    ACTIVE = "active"
    MERGED = "merged"


class Person(Record, frozen=True, kw_only=True):
    """Accounts that are one person; `merged_into` names who holds them since.

    `canonicals` has one account a platform, sorted by it: which one doesn't change while the person holds it.
    """

    id: PersonId
    accounts: tuple[Account, ...] = ()
    created_at: float
    status: PersonStatus = PersonStatus.ACTIVE
    merged_into: PersonId | None = None
    canonicals: tuple[Canonical, ...] = ()

    @property
    def tally(self) -> Tally:
        """What all accounts have done together."""
        return reduce(Tally.plus, (account.tally for account in self.accounts), Tally())


def person_of(account: str, now: float) -> Person:
    """Return the person that an account is as long as nobody bound it: its id follows from the account alone."""
    digest = hashlib.sha256(account.encode()).hexdigest()
    return Person(id=PersonId(f"person_{digest[:24]}"), accounts=(Account(key=account),), created_at=now)


def holds(person: Person, account: str) -> bool:
    """Return whether a person holds an account."""
    return any(held.key == account for held in person.accounts)


def holder_of(account: str, people: Iterable[Person]) -> Person | None:
    """Return the person who holds an account, or None where the pool doesn't know it."""
    return next((one for one in people if holds(one, account)), None)


def standing(person: PersonId, people: Mapping[PersonId, Person]) -> Person | None:
    """Return the person that an id stands for, after merges."""
    found = people.get(person)
    for _ in range(CHAIN):
        if found is None or found.merged_into is None:
            return found
        found = people.get(found.merged_into)
    return None


def with_account(person: Person, account: Account) -> Person:
    """Return a person with an account, in the place of the one of the same key if they hold it."""
    kept = [held for held in person.accounts if held.key != account.key]
    return replace(person, accounts=tuple(sorted((*kept, account), key=lambda held: held.key)))


def without_account(person: Person, account: str) -> Person:
    """Return a person without an account, which stands for them no more."""
    return replace(
        person,
        accounts=tuple(held for held in person.accounts if held.key != account),
        canonicals=tuple(one for one in person.canonicals if one.account != account),
    )


def sealed(person: Person, account: str, now: float) -> Person:
    """Return a person for whom an account stands on its platform, if it is their first that speaks there."""
    platform = account.partition(":")[0]
    if any(one.platform == platform for one in person.canonicals):
        return person
    first = Canonical(platform=platform, account=account, sealed_at=now)
    return replace(person, canonicals=_ordered((*person.canonicals, first)))


def persons_of(accounts: Iterable[str], people: Iterable[Person]) -> dict[str, str]:
    """Return the person of each of some accounts that is bound to others; the owner's is empty."""
    wanted = frozenset(accounts)
    return {
        held.key: "" if person.id == OWNER else person.id
        for person in people
        if person.id == OWNER or len(person.accounts) > 1
        for held in person.accounts
        if held.key in wanted
    }


def _ordered(canonicals: Iterable[Canonical]) -> tuple[Canonical, ...]:
    """Return one seal a platform, the earliest, sorted by platform."""
    earliest: dict[str, Canonical] = {}
    for one in sorted(canonicals, key=lambda each: (each.platform, each.sealed_at, each.account)):
        earliest.setdefault(one.platform, one)
    return tuple(earliest.values())


def bound(holder: Person, account: str, target: Person, *, by: str, now: float, limit: int) -> tuple[Person, ...]:
    """Return the persons that change where an account of one person is bound to another.

    The account's record moves as it is; one that is held by the target already changes nothing.

    Args:
        holder: who holds the account now.
        account: its key.
        target: whose it is from now on.
        by: who says so, for the record.
        now: seconds since the epoch.
        limit: accounts of one platform that a person may hold.

    Raises:
        InvalidRequestError: if the target would hold more than that.
    """
    if holder.id == target.id:
        return ()
    moved = next(held for held in holder.accounts if held.key == account)
    grown = with_account(target, replace(moved, bound_at=now, bound_by=by))
    _check_limit(grown, limit)
    return (without_account(holder, account), grown)


def unbound(holder: Person, account: str, fresh: PersonId, *, now: float) -> tuple[Person, ...]:
    """Return the persons that change where an account becomes a person of its own: exactly one record moves.

    Args:
        holder: who holds the account now.
        account: its key.
        fresh: id of the person that it becomes.
        now: seconds since the epoch.
    """
    if len(holder.accounts) == 1 and holder.id != OWNER:
        return ()
    moved = next(held for held in holder.accounts if held.key == account)
    alone = Person(id=fresh, accounts=(replace(moved, bound_at=None, bound_by=""),), created_at=now)
    return (without_account(holder, account), alone)


def merged(one: Person, other: Person, *, by: str, now: float, limit: int) -> tuple[Person, ...]:
    """Return the persons that change where two turn out to be one, whichever is named first.

    The older one stands, of two of the same age the one with the lesser id, and the owner always. Account records
    move, and none is combined with another.

    Args:
        one: the one.
        other: the other.
        by: who says so, for the record.
        now: seconds since the epoch.
        limit: accounts of one platform that a person may hold.

    Raises:
        InvalidRequestError: if the one that stands would hold more than that.
    """
    if one.id == other.id:
        return ()
    stays, goes = sorted((one, other), key=lambda person: (person.id != OWNER, person.created_at, person.id))
    grown = stays
    for account in goes.accounts:
        grown = with_account(grown, replace(account, bound_at=now, bound_by=by))
    _check_limit(grown, limit)
    grown = replace(grown, canonicals=_ordered((*stays.canonicals, *goes.canonicals)))
    gone = replace(goes, accounts=(), status=PersonStatus.MERGED, merged_into=stays.id, canonicals=())
    return (gone, grown)


def _check_limit(person: Person, limit: int) -> None:
    platforms: Sequence[str] = [account.platform for account in person.accounts]
    for platform in sorted(set(platforms)):
        if (count := platforms.count(platform)) > limit:
            raise InvalidRequestError(
                f"{person.id} would hold {count} accounts of {platform!r}, and at most {limit} can be one person: "
                "unbind another first"
            )
