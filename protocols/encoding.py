"""How records, events and answers are written as JSON, wherever they are stored, exported or shown. Pure.

Who abstains from trusting somebody says nothing, so that nothing is written: there is no key, and nobody who reads
can take a null for a number (baseline: 20.3). Journals in which older programs wrote a null are read all the same.
"""

from __future__ import annotations

from typing import Final

import msgspec

_encoder: Final = msgspec.json.Encoder()

_ABSTAINS: Final = (b',"trust":null', b',"band":null')
"""A member of an object that is not the first. No text holds these bytes: in it each quote has a backslash."""


def encoded(value: object) -> bytes:
    """Return a value as compact JSON, without a key for a trust, or the band of one, that the host abstained from.

    Raises:
        UnicodeEncodeError: if a text holds a lone surrogate.
    """
    written = _encoder.encode(value)
    for member in _ABSTAINS:
        if member in written:
            written = written.replace(member, b"")
    return written
