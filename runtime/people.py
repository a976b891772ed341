"""What a host asks of the pool of accounts: who is in it, and, by a human's word alone, which accounts are one."""

from __future__ import annotations

from ..actors.kernel import ActorRef
from ..actors.trust.messages import Bind, FindPerson, Forget, Forgotten, Found, ListPeople, Merge, People, Unbind
from ..actors.trust.pool import checked_account
from ..protocols.people import Person
from ..protocols.settings import Settings
from .handle import check_request


class TrustedPeople:
    """The pool of accounts of a data folder, shared by all its characters.

    Call `bind`, `unbind` and `merge` for a human who said so, and never for a likeness of names, times or
    channels: accounts that are wrongly one lend each other trust.

    Args:
        pool: the pool.
        settings: the settings tree.
    """

    def __init__(self, pool: ActorRef, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def people(self) -> tuple[Person, ...]:
        """Return the persons of the pool, in order of storing, those who were merged into others too.

        Raises:
            TrustUnavailableError: if the pool can't be opened.
        """
        return (await self._ask(ListPeople())).people

    async def person(self, account: str) -> Person | None:
        """Return the person who holds an account, or None where the pool doesn't know it.

        Args:
            account: `<platform>:<account>`.

        Raises:
            InvalidRequestError: if that is no account.
            TrustUnavailableError: if the pool can't be opened.
        """
        request = FindPerson(account=checked_account(account))
        check_request(request)
        found: Found = await self._pool.aask(request, timeout_s=self._settings.actors.reply_timeout_s)
        return found.person

    async def bind(self, account: str, to: str, *, by: str) -> tuple[Person, ...]:
        """Make an account one of a person's, and return the persons that changed. Its history moves along.

        Args:
            account: `<platform>:<account>`.
            to: another account of the person, the person's id, or `owner`.
            by: the human who says so.

        Raises:
            InvalidRequestError: if that is no account, or the person would hold too many of its platform.
            NotFoundError: if there is no such person.
            TrustUnavailableError: if the pool can't be opened or written.
        """
        return (await self._ask(Bind(account=account, to=to, by=by))).people

    async def unbind(self, account: str, *, by: str) -> tuple[Person, ...]:
        """Make an account a person of its own, and return the persons that changed: exactly one account moves.

        Args:
            account: `<platform>:<account>`.
            by: the human who says so.

        Raises:
            InvalidRequestError: if that is no account.
            NotFoundError: if the pool doesn't hold it.
            TrustUnavailableError: if the pool can't be opened or written.
        """
        return (await self._ask(Unbind(account=account, by=by))).people

    async def forget(self, account: str) -> bool:
        """Erase what the pool knows of an account, for good: it begins anew when it next speaks.

        What characters heard of it is theirs: `Character.erase` takes that out, and does this too. Returns whether
        the bytes are gone from the data folder; where somebody reads meanwhile, they go at the next opening.

        Args:
            account: `<platform>:<account>`.

        Raises:
            InvalidRequestError: if that is no account.
            NotFoundError: if the pool doesn't hold it.
            TrustUnavailableError: if the pool can't be opened.
            StorageError: if the disk refuses; nothing was erased.
        """
        request = Forget(account=account)
        check_request(request)
        forgotten: Forgotten = await self._pool.aask(request, timeout_s=self._settings.actors.reply_timeout_s)
        return forgotten.scrubbed

    async def merge(self, one: str, other: str, *, by: str) -> tuple[Person, ...]:
        """Make two persons one, whichever is named first, and return the persons that changed.

        Args:
            one: an account of the one, or their id.
            other: an account of the other, or their id.
            by: the human who says so.

        Raises:
            InvalidRequestError: if they would hold too many accounts of a platform.
            NotFoundError: if there is no such person.
            TrustUnavailableError: if the pool can't be opened or written.
        """
        return (await self._ask(Merge(one=one, other=other, by=by))).people

    async def _ask(self, request: ListPeople | Bind | Unbind | Merge) -> People:
        check_request(request)
        reply: People = await self._pool.aask(request, timeout_s=self._settings.actors.reply_timeout_s)
        return reply
