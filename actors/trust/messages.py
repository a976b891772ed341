"""What the trust role and the pool of accounts are asked."""

from __future__ import annotations

from ...protocols.messages import Message, Request
from ...protocols.people import Person
from ...protocols.records import Speaker
from ...protocols.trust import Base


class Weigh(Request["Weighed"], frozen=True, kw_only=True):
    """Tell how far a speaker is believed now, where their trust starts at `base`. Reply: `Weighed`."""

    speaker: Speaker
    base: Base


class Weighed(Message, frozen=True, kw_only=True):
    """How far a speaker is believed, 0 to 1; None abstains. `counts` says that a message of theirs adds to it."""

    trust: float | None
    counts: bool = False


class Identify(Request["Identified"], frozen=True, kw_only=True):
    """Tell which of some accounts are one person. Reply: `Identified`."""

    accounts: tuple[str, ...]


class Identified(Message, frozen=True, kw_only=True):
    """The person of each account that is bound to others, by account key; the owner's person is empty."""

    persons: dict[str, str]


class FindPerson(Request["Found"], frozen=True, kw_only=True):
    """Find who holds an account. Reply: `Found`."""

    account: str


class Found(Message, frozen=True, kw_only=True):
    """The person who holds an account, None where the pool doesn't know it."""

    person: Person | None


class ListPeople(Request["People"], frozen=True, kw_only=True):
    """List who is in the pool. Reply: `People`."""


class People(Message, frozen=True, kw_only=True):
    """Persons of the pool, in order of storing; after a link, those that it changed."""

    people: tuple[Person, ...] = ()


class CountMessage(Request["Found"], frozen=True, kw_only=True):
    """An account spoke. Reply: `Found`. `event` names the message; the same one again counts once."""

    account: str
    event: str


class Attest(Request["Found"], frozen=True, kw_only=True):
    """The owner said the same as an account, or corrected it. Reply: `Found`. `event` counts once."""

    account: str
    corrects: bool
    event: str


class Bind(Request["People"], frozen=True, kw_only=True):
    """A human says whose an account is. Reply: `People`.

    `to` is another account, the id of a person, or `owner`; `by` names who says so.
    """

    account: str
    to: str
    by: str


class Unbind(Request["People"], frozen=True, kw_only=True):
    """A human says that an account is a person of its own. Reply: `People`."""

    account: str
    by: str


class Forget(Request["Forgotten"], frozen=True, kw_only=True):
    """Erase what the pool knows of an account, for good. Reply: `Forgotten`."""

    account: str


class Forgotten(Message, frozen=True, kw_only=True):
    """The pool knows nothing of the account any more; `scrubbed` says whether its bytes are gone too."""

    scrubbed: bool


class Merge(Request["People"], frozen=True, kw_only=True):
    """A human says that two are one person, each named by an account or an id. Reply: `People`."""

    one: str
    other: str
    by: str
