"""What a caller may do, by the token that it shows: which characters, what it may read, whom it may speak as.

A capability only ever narrows what a request asks for. It comes from the host's own file, never from a request.
"""

from __future__ import annotations

import hashlib
import secrets
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ...protocols.errors import NotAllowedError, NotAuthenticatedError, SettingsError
from ...protocols.records import Speaker
from ...protocols.scopes import PRIVATE, parse_subjects

ANY: Final = "*"
OWNER: Final = "owner"


class Capability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the bearer of one token may do.

    `sha256` is that of the token, in hex. `characters` are those it may use, `subjects` what it may read and where
    it may speak, `accounts` whom it may speak as: `owner` or `<platform>:<account>`. `*` allows any. With
    `everything` it may also see and change what isn't one subject's: events, directives, the outbox, erasing.
    """

    name: str
    sha256: str
    characters: tuple[str, ...] = (ANY,)
    subjects: tuple[str, ...] = (PRIVATE,)
    accounts: tuple[str, ...] = (OWNER,)
    everything: bool = False

    def check_character(self, name: str) -> None:
        """Raise unless the character may be used.

        Raises:
            NotAllowedError: if it may not.
        """
        if not self.may_use(name):
            raise NotAllowedError(f"the token {self.name!r} isn't for the character {name!r}")

    def may_use(self, name: str) -> bool:
        """Return whether the character may be used."""
        return _allows(self.characters, name)

    def may_read(self, subject: str) -> bool:
        """Return whether a subject, in its canonical form, may be read and spoken in."""
        return _allows(self.subjects, subject)

    def check_subjects(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """Return the subjects that were asked for, each in its canonical form; None is `private` alone.

        Raises:
            InvalidSubjectError: if one is malformed, or there are none or too many.
            NotAllowedError: if one may not be used.
        """
        subjects = tuple(str(subject) for subject in parse_subjects(asked))
        for subject in subjects:
            if not self.may_read(subject):
                raise NotAllowedError(f"the token {self.name!r} isn't for the subject {subject!r}")
        return subjects

    def check_subject(self, asked: str) -> str:
        """Return the one subject in its canonical form; raises as `check_subjects` does."""
        return self.check_subjects((asked,))[0]

    def check_speaker(self, speaker: Speaker | None) -> None:
        """Raise unless the bearer may speak as somebody; None is the owner.

        Raises:
            NotAllowedError: if it may not.
        """
        account = OWNER if speaker is None else f"{speaker.platform}:{speaker.account}"
        if not _allows(self.accounts, account):
            raise NotAllowedError(f"the token {self.name!r} may not speak as {account!r}")

    def check_everything(self) -> None:
        """Raise unless the bearer may do what isn't one subject's.

        Raises:
            NotAllowedError: if it may not.
        """
        if not self.everything:
            raise NotAllowedError(f"the token {self.name!r} lacks `everything`, which this needs")


LOCAL: Final = Capability(name="this machine", sha256="", subjects=(ANY,), accounts=(ANY,), everything=True)
"""What anybody on this machine may do where no tokens are set."""


class Tokens:
    """The capabilities of a server, found by token.

    Args:
        capabilities: one a token.
    """

    def __init__(self, capabilities: Sequence[Capability]) -> None:
        self._by_hash = {capability.sha256.lower(): capability for capability in capabilities}

    def of(self, authorization: str | None) -> Capability:
        """Return what the bearer of an `Authorization` header may do.

        Raises:
            NotAuthenticatedError: if it shows no token that is known.
        """
        kind, _, token = (authorization or "").partition(" ")
        known = self._by_hash.get(hash_of(token.strip())) if kind.lower() == "bearer" else None
        if known is None:
            raise NotAuthenticatedError("a known token is needed: send the header `Authorization: Bearer TOKEN`")
        return known


def hash_of(token: str) -> str:
    """Return the SHA-256 of a token, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a token that can't be guessed."""
    return secrets.token_urlsafe(32)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    token: tuple[Capability, ...] = ()


def read_tokens(path: Path) -> Tokens:
    """Return the tokens of a TOML file with one `[[token]]` table each, with the fields of `Capability`.

    Raises:
        SettingsError: if it can't be read or a table is wrong; the message names the file and what.
    """
    try:
        found = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SettingsError(f"the tokens in {path} can't be read: {error}") from error
    if not found.token:
        raise SettingsError(f"{path} names no token: `omoide token NAME` makes one")
    return Tokens(found.token)


def _allows(allowed: Sequence[str], wanted: str) -> bool:
    return ANY in allowed or wanted in allowed
