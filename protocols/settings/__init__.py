"""Every threshold, limit and interval, with its unit, its source and its default.

The tree is checked once, when it is built: an unknown name or a value out of range is an error that
names its path. Where a figure comes from the baseline system's description, its comment says so;
other figures are ours.
"""

from .believing import (
    EvidenceSettings,
    MentionSettings,
    RefinementSettings,
    ReflectionSettings,
    SignalSettings,
)
from .bus import BusSettings, MqttSettings, NatsSettings
from .models import OFFLINE, ModelSettings, ProviderSettings
from .people import ScopeSettings, TrustSettings
from .prompting import RenderSettings, WindowSettings
from .recalling import NO_MODEL, EmbeddingSettings, RecallSettings
from .serving import ActorSettings, LimitSettings, ServerSettings
from .speaking import DirectiveSettings, RepetitionSettings
from .storage import OutboxSettings, SecretSettings, StorageSettings
from .tree import Settings

__all__ = [
    "NO_MODEL",
    "OFFLINE",
    "ActorSettings",
    "BusSettings",
    "DirectiveSettings",
    "EmbeddingSettings",
    "EvidenceSettings",
    "LimitSettings",
    "MentionSettings",
    "ModelSettings",
    "MqttSettings",
    "NatsSettings",
    "OutboxSettings",
    "ProviderSettings",
    "RecallSettings",
    "RefinementSettings",
    "ReflectionSettings",
    "RenderSettings",
    "RepetitionSettings",
    "ScopeSettings",
    "SecretSettings",
    "ServerSettings",
    "Settings",
    "SignalSettings",
    "StorageSettings",
    "TrustSettings",
    "WindowSettings",
]
