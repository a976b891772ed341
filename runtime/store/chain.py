"""The hash chain of a journal's events. Pure; knows no database.

An event's digest covers its encoded change byte for byte as it is stored. The chain covers the
header and the digest, not the change, so that an erased change leaves the chain whole. The first
link of a character is derived from its name: events of one can't be passed off as another's.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

import msgspec

_encoder = msgspec.json.Encoder()

Header: TypeAlias = tuple[int, float, str, str, str, str, str]
"""What the chain covers of an event beside its digest: seq, at, actor, cause, kind, subject, record ids.

The record ids are the JSON text as stored, so that no byte of it can change unseen.
"""


def genesis(character: str) -> bytes:
    """Return the 32 bytes that stand before a character's first event."""
    return hashlib.sha256(b"omoide journal of " + character.encode()).digest()


def digest_of(payload: bytes) -> bytes:
    """Return the SHA-256 (32 bytes) of an encoded change."""
    return hashlib.sha256(payload).digest()


def link(previous: bytes, digest: bytes, header: Header) -> bytes:
    """Return the next link (32 bytes) of the chain.

    It is the SHA-256 of the previous link and the digest (32 bytes each) followed by the header as a JSON
    array without blanks, `at` in it as a C99 hexadecimal float (exact on every platform).
    """
    seq, at, *texts = header
    return hashlib.sha256(previous + digest + _encoder.encode((seq, at.hex(), *texts))).digest()
