"""The environment variables that are no settings: where the data and the settings are."""

from __future__ import annotations

from typing import Final

DATA_VARIABLE: Final = "OMOIDE_DATA"
CONFIG_VARIABLE: Final = "OMOIDE_CONFIG"
