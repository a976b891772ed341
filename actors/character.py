"""The supervisor of one character: its tree of roles and nothing else.

Takes `FindRoles` (replies with the roles' refs, once all have started) and `ReportHealth`.

A role that crashes is restarted alone, with backoff, and rebuilds its state from the journal. One
that crashes too often is suspended and probed; the character goes on without it and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, assert_never

from ..protocols.messages import Message
from .briefing.actor import Briefer
from .compaction.actor import Compaction
from .dedup.actor import Dedup
from .directives.actor import Directives
from .embedding.actor import Embedding
from .extraction.actor import Extraction
from .journal.actor import JournalRole
from .keeper.actor import Keeper
from .kernel import ActorRef, ChildSpec, ChildStatus, Strategy, Supervisor
from .outbox.actor import Outbox
from .persona.actor import Persona
from .recall.actor import Recaller
from .reflection.actor import Reflector
from .role import Role, Surroundings
from .scribe.actor import Scribe
from .signals.actor import Signals
from .trust.actor import Trust

ROLES: Final[tuple[type[Role], ...]] = (
    JournalRole,
    Directives,
    Trust,
    Dedup,
    Scribe,
    Compaction,
    Extraction,
    Recaller,
    Embedding,
    Persona,
    Briefer,
    Reflector,
    Signals,
    Keeper,
    Outbox,
)
"""The roles in their order of starting: whoever is asked starts before whoever asks."""


class FindRoles(Message, frozen=True):
    """Find the roles. Reply: the ref of each by its name; refs stay the same across restarts."""


class ReportHealth(Message, frozen=True):
    """Tell what every role is doing. Reply: its `ChildStatus` by its name, in order of starting."""


class CharacterSupervisor(Supervisor):
    """Runs the roles of one character; each restarts alone."""

    strategy: ClassVar[Strategy] = Strategy.ONE_FOR_ONE
    accepts: ClassVar[tuple[type, ...]] = (FindRoles, ReportHealth)

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
                shutdown_s=0.0 if role.interruptible else actors.shutdown_s,
                mailbox_size=actors.mailbox_size,
            )
            for role in ROLES
        ]

    async def receive(
        self, message: FindRoles | ReportHealth
    ) -> Mapping[str, ActorRef] | Mapping[str, ChildStatus]:
        """Answer what the host asks about the tree."""
        match message:
            case FindRoles():
                return {role.role: self.child(role.role) for role in ROLES}
            case ReportHealth():
                return self.children_status()
            case _:
                assert_never(message)
