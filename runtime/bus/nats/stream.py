"""Whether the stream of commands is the one of before. Runs in the asyncio loop.

A server that lost its disk's last writes counts on from an earlier seq; a stream that was made anew begins with 1.
Both would have commands taken for ones that were applied, so both are noticed.
"""

from __future__ import annotations

import logging

from ..place import Place
from .link import Link, StreamState

logger = logging.getLogger(__name__)


async def placed(link: Link, place: Place) -> Place:
    """Return where reading goes on, after what may have happened to the stream, which is made if it isn't there.

    Raises:
        BusUnavailableError: if the server doesn't answer.
        SettingsError: if a stream can't be made.
    """
    state = await link.make_streams()
    if place.stream != state.stream:
        if place.stream:
            logger.warning("bus.stream_replaced", extra={"done": place.done})
        return place.begun_anew(state.stream)
    if await still_has(link, state, place):
        return place
    return await rewound(link, place)


async def still_has(link: Link, state: StreamState, place: Place) -> bool:
    """Return whether the stream has the newest message that was read of it, or dropped it for its age."""
    if place.read > state.last:
        return False
    if not place.marks or place.read < state.first:
        return True
    return await link.time_of(place.read) in {place.marks[-1].at_us, None}


async def rewound(link: Link, place: Place) -> Place:
    """Return the place in a stream that lost its end: after the newest message that it still has."""
    last_good = 0
    for mark in reversed(place.marks):
        if await link.time_of(mark.seq) == mark.at_us:
            last_good = mark.seq
            break
    logger.warning("bus.stream_rewound", extra={"read": place.read, "goes_on_after": last_good})
    return place.rewound(last_good)
