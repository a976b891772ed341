"""How a role finds out which of the speakers before it are one person."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from ...protocols.errors import OmoideError
from ..role import Role
from .messages import Identify

logger = logging.getLogger(__name__)


async def persons_among(role: Role, speakers: Iterable[str]) -> Mapping[str, str]:
    """Return the person of each account that is bound to others; the owner's is empty.

    Where nobody can say, or there is but one speaker, everybody is a person of their own: it is empty.

    Args:
        role: who asks.
        speakers: account keys, empty for the owner.
    """
    several = frozenset(speakers)
    if len(several) < 2:
        return {}
    request = Identify(accounts=tuple(sorted(several - {""})))
    try:
        return (await role.ask("trust", request, timeout_s=role.world.settings.trust.wait_s)).persons
    except OmoideError as error:
        logger.warning("trust.not_identified", extra={"error": type(error).__name__})
        return {}
