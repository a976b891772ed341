"""The supervisor of one character: its tree of roles and nothing else.

A role that crashes is restarted alone, with backoff, and rebuilds its state from the journal. One
that crashes too often is suspended and probed; the character goes on without it and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from .dedup.actor import Dedup
from .extraction.actor import Extraction
from .journal.actor import JournalRole
from .kernel import ChildSpec, Strategy, Supervisor
from .outbox.actor import Outbox
from .recall.actor import Recaller
from .role import Role, Surroundings
from .scribe.actor import Scribe

ROLES: Final[tuple[type[Role], ...]] = (JournalRole, Scribe, Dedup, Extraction, Recaller, Outbox)
"""The roles in their order of starting: whoever is asked starts before whoever asks."""


class CharacterSupervisor(Supervisor):
    """Runs the roles of one character; each restarts alone."""

    strategy: ClassVar[Strategy] = Strategy.ONE_FOR_ONE

    def __init__(self, world: Surroundings) -> None:
        super().__init__()
        self._world = world

    def child_specs(self) -> Sequence[ChildSpec]:
        """Return one child a role, in order of starting."""
        actors = self._world.settings.actors
        return [
            ChildSpec(
                id=role.role,
                factory=partial(role, self._world, self.child),
                shutdown_s=actors.shutdown_s,
                mailbox_size=actors.mailbox_size,
            )
            for role in ROLES
        ]
