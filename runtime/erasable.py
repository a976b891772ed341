"""What a host asks of a character about forgetting for good: to erase, and to see beforehand what would go."""

from __future__ import annotations

from ..protocols.erasure import (
    EraseAccount,
    EraseMemory,
    EraseSubject,
    EraseWords,
    Target,
    check_account,
)
from ..protocols.errors import InvalidRequestError
from ..protocols.scopes import parse_subject
from .handle import Handle, text_of
from .store import ErasureReport


class Erasable(Handle):
    """The part of a character's handle that erases."""

    async def erase(
        self,
        *,
        subject: str | None = None,
        account: str | None = None,
        memory: str | None = None,
        words: str | None = None,
        dry_run: bool = False,
    ) -> ErasureReport:
        """Erase one thing for good, with what rests on it, and return what was erased. Name exactly one.

        What was said before and arrives late isn't taken in again; what is said from now on is. The whole
        character is erased by `Runtime.erase`.

        Args:
            subject: all of a subject, such as `group:qq:77`; `private` is what the owner and the character share.
            account: all that an account said anywhere and what was learned from it, as `<platform>:<account>`.
            memory: one record by its id: a fact, a reflection, a persona entry, a turn, a directive or a
                rejection.
            words: every record in which these words occur.
            dry_run: whether only to look what would go.

        Raises:
            CallerError: if none or several are named, the one is malformed, or nothing is stored under it.
            CharacterOwnedError: if another process has the character open.
            StorageError: if the disk refuses; nothing was erased.
        """
        target = target_of(subject=subject, account=account, memory=memory, words=words)
        return await self._runtime.erase(self.name, target, dry_run=dry_run)


def target_of(*, subject: str | None, account: str | None, memory: str | None, words: str | None) -> Target:
    """Return the one target that is named.

    Raises:
        InvalidRequestError: if none or several are, or it is malformed.
        InvalidSubjectError: if the subject is malformed.
    """
    named = [value for value in (subject, account, memory, words) if value is not None]
    if len(named) != 1:
        raise InvalidRequestError(
            f"{len(named)} things to erase are named: name exactly one subject, account, memory or words"
        )
    text_of("what is erased", named[0])
    if subject is not None:
        return EraseSubject(parse_subject(subject))
    if account is not None:
        return EraseAccount(check_account(account))
    if memory is not None:
        return EraseMemory(memory)
    return EraseWords(text_of("words", words))
