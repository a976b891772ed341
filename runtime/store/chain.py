"""The hash chain of a journal's events. Pure; knows no database.

An event's digest covers its encoded change byte for byte as it is stored. The chain covers the
header and the digest, not the change, so that an erased change leaves the chain whole. The first
link of a character is derived from its name: events of one can't be passed off as another's.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec

_encoder = msgspec.json.Encoder()


class Header(NamedTuple):
    """What the chain covers of one event, beside its digest and the link before it.

    `record_ids` is the JSON text as stored, so that no byte of it can change unseen.
    """

    seq: int
    at: float
    actor: str
    cause: str
    kind: str
    subject: str
    record_ids: str


def genesis(character: str) -> bytes:
    """Return the 32 bytes that stand before a character's first event."""
    return hashlib.sha256(b"omoide journal of " + character.encode()).digest()


def digest_of(payload: bytes) -> bytes:
    """Return the SHA-256 (32 bytes) of an encoded change."""
    return hashlib.sha256(payload).digest()


def link(previous: bytes, header: Header, digest: bytes) -> bytes:
    """Return the next link (32 bytes) of the chain.

    The canonical encoding is a JSON array without blanks: the previous link in hexadecimal, the header's
    fields in their order with `at` as a C99 hexadecimal float (exact on every platform), and the digest in
    hexadecimal.
    """
    covered = _encoder.encode(
        (
            previous.hex(),
            header.seq,
            header.at.hex(),
            header.actor,
            header.cause,
            header.kind,
            header.subject,
            header.record_ids,
            digest.hex(),
        ),
    )
    return hashlib.sha256(covered).digest()
