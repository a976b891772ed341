"""What every message is: frozen, and its request names the type of the reply."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Base of everything that one actor sends to another."""


Reply = TypeVar("Reply")


class Request(Message, Generic[Reply], frozen=True, kw_only=True):
    """A message that is answered with a `Reply`."""
