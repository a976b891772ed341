"""Which accounts are one person, whoever is bound and merged in which order."""

from __future__ import annotations

import inspect
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.protocols import people as rules
from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.people import (
    OWNER,
    Account,
    Person,
    PersonId,
    PersonStatus,
    bound,
    holder_of,
    merged,
    person_of,
    standing,
    unbound,
)
from omoide.protocols.trust import Tally


def a_person(account: str, at: float = 1.0, **done: int) -> Person:
    person = person_of(account, at)
    return replace(person, accounts=(Account(key=account, tally=Tally(**done)),))


def taken(pool: dict[PersonId, Person], changed: tuple[Person, ...]) -> dict[PersonId, Person]:
    return {**pool, **{person.id: person for person in changed}}


def joined(order: list[tuple[str, str]], accounts: list[str]) -> dict[PersonId, Person]:
    """Return a pool of persons of one account each after merges in an order, each named by an account."""
    pool = {one.id: one for one in (a_person(name, float(at), messages=at) for at, name in enumerate(accounts))}
    for one, other in order:
        first, second = holder_of(one, pool.values()), holder_of(other, pool.values())
        assert first is not None
        assert second is not None
        pool = taken(pool, merged(first, second, by="Sam", now=9.0, limit=8))
    return pool


def test_an_account_that_nobody_bound_is_the_same_person_whenever_it_is_seen() -> None:
    assert person_of("qq:1", 1.0).id == person_of("qq:1", 2.0).id != person_of("qq:2", 1.0).id


def test_a_merge_keeps_every_account_as_it_was_whichever_is_named_first() -> None:
    outcomes = [
        {person.id: person for person in pool.values()}
        for order in permutations([("qq:1", "qq:2"), ("qq:2", "qq:3"), ("qq:3", "qq:4")])
        for turned in (order, [(b, a) for a, b in order])
        for pool in [joined(list(turned), ["qq:1", "qq:2", "qq:3", "qq:4"])]
    ]
    active = [[one for one in outcome.values() if one.status is PersonStatus.ACTIVE] for outcome in outcomes]

    assert all(one == active[0] for one in active)
    assert [(account.key, account.tally.messages) for account in active[0][0].accounts] == [
        ("qq:1", 0),
        ("qq:2", 1),
        ("qq:3", 2),
        ("qq:4", 3),
    ]


def test_every_id_that_was_merged_away_leads_to_who_stands() -> None:
    pool = joined([("qq:3", "qq:4"), ("qq:2", "qq:3"), ("qq:1", "qq:2")], ["qq:1", "qq:2", "qq:3", "qq:4"])

    found = {person and person.id for person in (standing(one, pool) for one in pool)}

    assert found == {person_of("qq:1", 0.0).id}


def test_merging_again_changes_nothing() -> None:
    pool = joined([("qq:1", "qq:2")], ["qq:1", "qq:2"])
    holder = holder_of("qq:2", pool.values())
    assert holder is not None

    assert merged(holder, holder, by="Sam", now=10.0, limit=8) == ()


@given(counts=st.lists(st.integers(0, 50), min_size=1, max_size=8), cut=st.integers(0, 8))
def test_it_does_not_matter_which_account_of_a_person_did_what(counts: list[int], cut: int) -> None:
    together = Person(id=OWNER, accounts=(Account(key="qq:0", tally=Tally(messages=sum(counts))),), created_at=0.0)
    spread = Person(
        id=OWNER,
        accounts=tuple(Account(key=f"qq:{at}", tally=Tally(messages=one)) for at, one in enumerate(counts)),
        created_at=float(cut),
    )

    assert spread.tally == together.tally


def test_an_account_is_unbound_with_its_history_and_no_other_moves() -> None:
    (gone, grown) = bound(
        a_person("qq:1", messages=3), "qq:1", a_person("qq:2", messages=5), by="Sam", now=2.0, limit=8
    )
    assert gone.accounts == ()

    left, alone = unbound(grown, "qq:1", PersonId("person_new"), now=3.0)

    assert [(one.key, one.tally.messages) for one in left.accounts] == [("qq:2", 5)]
    assert [(one.key, one.tally.messages, one.bound_by) for one in alone.accounts] == [("qq:1", 3, "")]


def test_an_account_that_is_a_person_of_its_own_cannot_be_unbound_further() -> None:
    assert unbound(a_person("qq:1"), "qq:1", PersonId("person_new"), now=3.0) == ()


def test_who_bound_an_account_and_when_is_kept() -> None:
    (_, grown) = bound(a_person("qq:1"), "qq:1", a_person("discord:9"), by="Sam", now=2.0, limit=8)

    assert [(one.key, one.bound_by, one.bound_at) for one in grown.accounts] == [
        ("discord:9", "", None),
        ("qq:1", "Sam", 2.0),
    ]


def test_a_person_holds_no_more_accounts_of_a_platform_than_allowed() -> None:
    full = Person(
        id=PersonId("person_x"),
        accounts=tuple(Account(key=f"qq:{at}") for at in range(8)),
        created_at=0.0,
    )

    with pytest.raises(InvalidRequestError, match="9 accounts of 'qq'"):
        bound(a_person("qq:9"), "qq:9", full, by="Sam", now=1.0, limit=8)
    assert len(bound(a_person("discord:9"), "discord:9", full, by="Sam", now=1.0, limit=8)) == 2


def test_the_owners_person_stands_in_every_merge() -> None:
    owner = Person(id=OWNER, accounts=(Account(key="qq:1"),), created_at=50.0)

    for pair in ((owner, a_person("qq:2")), (a_person("qq:2"), owner)):
        (goes, stays) = merged(*pair, by="Sam", now=60.0, limit=8)
        assert (goes.merged_into, stays.id) == (OWNER, OWNER)


def test_no_rule_of_the_pool_takes_a_name_a_text_or_a_channel() -> None:
    """A link can't be derived from what no rule is given."""
    taken_by_rules = {
        parameter
        for _, rule in inspect.getmembers(rules, inspect.isfunction)
        if rule.__module__ == rules.__name__ and not rule.__name__.startswith("_")
        for parameter in inspect.signature(rule).parameters
    }

    assert taken_by_rules == {
        "account",
        "accounts",
        "by",
        "fresh",
        "holder",
        "limit",
        "now",
        "one",
        "other",
        "people",
        "person",
        "target",
    }


def test_the_account_that_spoke_first_on_a_platform_stands_there_whichever_is_merged_into_which() -> None:
    first = rules.sealed(a_person("qq:1"), "qq:1", 5.0)
    second = rules.sealed(a_person("qq:2", at=2.0), "qq:2", 3.0)
    third = rules.sealed(a_person("discord:3", at=3.0), "discord:3", 9.0)

    orders = {
        merged(merged(one, two, by="Sam", now=10.0, limit=8)[1], three, by="Sam", now=11.0, limit=8)[1].canonicals
        for one, two, three in permutations((first, second, third))
    }

    (canonicals,) = orders
    assert [one.account for one in canonicals] == ["discord:3", "qq:2"]


def test_whoever_is_bound_to_nobody_is_named_by_no_person() -> None:
    alone, both = a_person("qq:1"), rules.with_account(a_person("qq:2"), Account(key="discord:2"))
    owner = Person(id=OWNER, accounts=(Account(key="qq:9"),), created_at=1.0)

    assert rules.persons_of(["qq:1", "qq:2", "discord:2", "qq:9", "qq:0"], [alone, both, owner]) == {
        "qq:2": both.id,
        "discord:2": both.id,
        "qq:9": "",
    }
