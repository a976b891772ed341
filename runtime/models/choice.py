"""Which mind thinks for which character, by the settings."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from ...protocols.ports import Clock, LanguageModel
from ...protocols.settings import OFFLINE, ModelSettings
from .http.client import ChatClient
from .http.key import key_of
from .http.mind import RemoteMind
from .offline import OfflineEngine
from .usage import Usage


class OneMind:
    """One mind for all characters, given by the program.

    Args:
        mind: that mind.
    """

    def __init__(self, mind: LanguageModel) -> None:
        self._mind = mind

    def mind_of(self, character: str) -> LanguageModel:
        """Return the mind."""
        del character
        return self._mind

    def is_left_alone(self, character: str) -> bool:
        """Return False: nothing is known of how it does."""
        del character
        return False


class Minds:
    """The minds of a runtime. Made by `open_minds`.

    Args:
        settings: which one thinks for whom.
        clients: the providers that somebody uses, by name.
        clock: the time.
        usage: the counts.
    """

    def __init__(
        self, settings: ModelSettings, clients: Mapping[str, ChatClient], clock: Clock, usage: Usage
    ) -> None:
        self._settings = settings
        self._clients = clients
        self._clock = clock
        self._usage = usage
        self._offline = OfflineEngine()

    def mind_of(self, character: str) -> LanguageModel:
        """Return the mind that thinks for a character."""
        name = self._settings.characters.get(character, self._settings.use)
        return self._offline if name == OFFLINE else self.remote(name, character)

    def is_left_alone(self, character: str) -> bool:
        """Return whether a character's provider failed so often lately that it isn't asked for now."""
        client = self._clients.get(self._settings.characters.get(character, self._settings.use))
        return client is not None and client.breaker.leaves_alone(self._clock.now())

    def remote(self, name: str, character: str) -> RemoteMind:
        """Return the mind of a character at a provider that somebody uses."""
        instead = self._offline if self._settings.when_gone == "offline" else None
        return RemoteMind(self._clients[name], character, self._clock, self._usage, instead)


@asynccontextmanager
async def open_minds(
    settings: ModelSettings,
    data_dir: Path,
    clock: Clock,
    *,
    names: Collection[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[Minds]:
    """Yield the minds that the settings name, and close their connections at the end.

    Args:
        settings: which ones.
        data_dir: where use is counted.
        clock: the time.
        names: the providers to open; None is those that some character uses.
        environ: where keys may be; None is the process's environment.

    Raises:
        SettingsError: if a key can't be found where the settings say it is.
    """
    variables = os.environ if environ is None else environ
    usage = Usage(data_dir)
    clients: dict[str, ChatClient] = {}
    used = {settings.use, *settings.characters.values()} if names is None else set(names)
    for name in used - {OFFLINE}:
        provider = settings.providers[name]
        key = await trio.to_thread.run_sync(key_of, name, provider, variables)
        # Making a client reads the certificates of the system, which takes a while.
        clients[name] = await trio.to_thread.run_sync(ChatClient, name, provider, key, clock, usage)
    if clients:
        await usage.forget_before(clock.now(), settings.usage_d)
    try:
        yield Minds(settings, clients, clock, usage)
    finally:
        with trio.CancelScope(shield=True):
            for client in clients.values():
                await client.aclose()
