"""Where a key is kept. It goes into one header, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from ....protocols.errors import SettingsError
from ....protocols.settings import ProviderSettings


def key_of(name: str, settings: ProviderSettings, environ: Mapping[str, str]) -> str:
    """Return the key of a provider, or an empty text where it needs none.

    Raises:
        SettingsError: if the variable or the file that should hold it doesn't, or holds what no header can. The
            message names the place and never the key.
    """
    if settings.key_env:
        place, key = f"the environment variable {settings.key_env}", environ.get(settings.key_env, "")
    elif settings.key_file is not None:
        place = f"the file {settings.key_file}"
        try:
            key = settings.key_file.expanduser().read_text(encoding="utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"the key of models.providers.{name} can't be read from {place}") from error
    else:
        return ""
    key = key.strip()
    if not key:
        raise SettingsError(f"the key of models.providers.{name} is missing: {place} is empty or isn't set")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingsError(f"the key of models.providers.{name} in {place} holds characters that no key has")
    return key
