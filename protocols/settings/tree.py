"""The whole tree of settings."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from .believing import (
    EvidenceSettings,
    MentionSettings,
    RefinementSettings,
    ReflectionSettings,
    SignalSettings,
)
from .bus import BusSettings
from .models import ModelSettings
from .people import ScopeSettings, TrustSettings
from .prompting import RenderSettings, WindowSettings
from .recalling import EmbeddingSettings, RecallSettings
from .section import Section
from .serving import ActorSettings, LimitSettings, ServerSettings
from .speaking import DirectiveSettings, RepetitionSettings
from .storage import OutboxSettings, SecretSettings, StorageSettings


class Settings(Section):
    """The whole tree."""

    data_dir: Path = Field(description="Folder that holds every character's journal.")
    time_zone: str = Field(
        default="UTC",
        description="Where the people's days begin, for what 'yesterday' means; a name such as Asia/Tokyo.",
    )
    strong_memory: bool = Field(
        default=True,
        description="Whether a character that comes into being has strong memory: words move what is believed, "
        "and the mind decides what becomes of it. Later `omoide strong-memory` switches it (baseline: true).",
    )
    storage: StorageSettings = StorageSettings()
    outbox: OutboxSettings = OutboxSettings()
    limits: LimitSettings = LimitSettings()
    secrets: SecretSettings = SecretSettings()
    recall: RecallSettings = RecallSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    directives: DirectiveSettings = DirectiveSettings()
    repetition: RepetitionSettings = RepetitionSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    signals: SignalSettings = SignalSettings()
    mentions: MentionSettings = MentionSettings()
    reflections: ReflectionSettings = ReflectionSettings()
    refinement: RefinementSettings = RefinementSettings()
    render: RenderSettings = RenderSettings()
    scopes: ScopeSettings = ScopeSettings()
    trust: TrustSettings = TrustSettings()
    server: ServerSettings = ServerSettings()
    bus: BusSettings = BusSettings()
    window: WindowSettings = WindowSettings()
    actors: ActorSettings = ActorSettings()
    models: ModelSettings = ModelSettings()

    @field_validator("time_zone")
    @classmethod
    def _is_known(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            message = f"no time zone is called {name!r}; take a name of the IANA database, such as Europe/Berlin"
            raise ValueError(message) from error
        return name
