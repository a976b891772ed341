"""How a command gets at a character: to read beside whoever owns it, or to own it for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import trio

from ...protocols.errors import StorageError, UnknownCharacterError
from ...protocols.ports import Journal
from ..store import POOL, files, open_reader
from .failure import decisive
from .invocation import Invocation

if TYPE_CHECKING:
    from ...protocols.messages import Utterance
    from ...protocols.records import Role
    from ..character import Character
    from ..host import Runtime

T = TypeVar("T")

NAMES_SHOWN: Final = 5
"""Characters that are named to somebody who asked for one that isn't there."""


def read(invocation: Invocation, name: str, query: Callable[[Journal], Awaitable[T]]) -> T:
    """Return what a query finds in a character's journal, also while another process owns it.

    Raises:
        UnknownCharacterError: if there is no such character; the message names those that there are.
        OmoideError: whatever the store or the query raises.
    """

    async def run() -> T:
        async with open_reader(invocation.settings, name) as journal:
            return await query(journal)

    return _run(invocation, name, run)


def use(
    invocation: Invocation,
    name: str,
    action: Callable[[Character], Awaitable[T]],
    *,
    create: bool = False,
    warm: bool = False,
) -> T:
    """Return the result of an action on a character that this process owns meanwhile.

    Args:
        invocation: which data folder.
        name: of the character.
        action: what is done.
        create: whether a character that isn't stored yet comes into being.
        warm: whether the embedding model is loaded first: one that is still being loaded is no help to a query.

    Raises:
        UnknownCharacterError: if there is no such character; the message names those that there are.
        CharacterOwnedError: if another process has it open.
        OmoideError: whatever the runtime or the action raises.
    """

    async def act(runtime: Runtime) -> T:
        if warm:
            await runtime.warm_up()
        return await action(await runtime.character(name, create=create))

    return within(invocation, name, act)


def within(invocation: Invocation, name: str, action: Callable[[Runtime], Awaitable[T]]) -> T:
    """Return the result of an action in an open runtime, which is about one character and may begin it.

    Raises:
        UnknownCharacterError: if there is no such character; the message names those that there are.
        OmoideError: whatever the runtime or the action raises.
    """
    from ..host import open_runtime  # noqa: PLC0415 - what only reads needs no actors

    async def run() -> T:
        async with open_runtime(invocation.settings) as runtime:
            return await action(runtime)

    return _run(invocation, name, run)


def check_words(invocation: Invocation, utterance: Utterance, side: Role) -> None:
    """Hold that a turn can be made of an utterance, before a character is begun with it.

    Raises:
        CallerError: if it can't; the message says why.
    """
    from ...actors.scribe.envelope import open_envelope  # noqa: PLC0415 - what only reads needs no actors

    open_envelope(utterance, side, fresh_id="", now=0.0, settings=invocation.settings)


class Survey(NamedTuple):
    """Who is stored in a data folder (sorted), and which of its folders are lost, damaged or misplaced and why."""

    names: tuple[str, ...]
    troubles: dict[str, str]


def survey(invocation: Invocation) -> Survey:
    """Look through the data folder without touching it; an empty survey where there is no such folder.

    Raises:
        SettingsError: if the folder has the other layout.
        StorageError: if it is a file or can't be listed.
    """
    names: set[str] = set()
    troubles: dict[str, str] = {}
    for place in files.places(invocation.settings):
        try:
            names.update(files.look(place))
        except StorageError as error:
            troubles[place.folder.name] = str(error)
    return Survey(tuple(sorted(names - {POOL})), troubles)


def _run(invocation: Invocation, name: str, run: Callable[[], Awaitable[T]]) -> T:
    try:
        return trio.run(run, restrict_keyboard_interrupt_to_checkpoints=True)
    except BaseException as error:
        cause = decisive(error)
        if isinstance(cause, UnknownCharacterError):
            raise UnknownCharacterError(who_is_there(invocation, name)) from error
        raise


def who_is_there(invocation: Invocation, name: str) -> str:
    """Return what to tell somebody who asked for a character that isn't stored."""
    names, troubles = survey(invocation)
    missing = f"there is no character {name!r} in {invocation.settings.data_dir}"
    if troubles:
        folders = ", ".join(list(troubles)[:NAMES_SHOWN])
        missing += f" (and something is wrong with {folders}: `omoide status` says what)"
    if not names and troubles:
        return f"{missing}: check the name, or name another folder with --data"
    if not names:
        return f"{missing}, nor any other: `omoide chat NAME` begins one, and --data names another folder"
    listed = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more (`omoide characters`)" if len(names) > NAMES_SHOWN else ""
    return f"{missing}, but {listed}{more}: check the name, or name another folder with --data"
