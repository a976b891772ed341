"""Where the settings tree comes from: the command line, the environment, a TOML file, the defaults.

Owns the order in which these win and the words in which a wrong setting is refused. What the
settings are and what they may be is decided in `protocols/settings.py` alone.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

import platformdirs
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import SettingsError as UnreadableEnvironmentError

from ..protocols.errors import SettingsError
from ..protocols.settings import Settings
from .variables import CONFIG_VARIABLE, DATA_VARIABLE

ENVIRONMENT_PREFIX: Final = "OMOIDE_"
"""Every setting can be given as this prefix and its path, parts joined by two underscores."""


def default_data_dir() -> Path:
    """Return the folder that holds the characters where nobody names another one."""
    return platformdirs.user_data_path("omoide", appauthor=False)


def load_settings(
    *,
    data_dir: Path | None = None,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings; of two that name the same one, the earlier of the following wins.

    1. `data_dir`; 2. environment variables: `OMOIDE_DATA` for the data folder, and
    `OMOIDE_OUTBOX__ATTEMPTS` for the setting `outbox.attempts`; 3. the TOML file `config`, which has the
    settings' tree; 4. the defaults, and the platform's folder for a user's data.

    Args:
        data_dir: folder that holds the characters, by the caller's word.
        config: a TOML file; None reads the one that `OMOIDE_CONFIG` names, if any.
        environ: the environment; None is the process's.

    Raises:
        SettingsError: if the file can't be read, or a setting is unknown or out of range; the message
            names its path, its value and what is allowed.
    """
    variables = os.environ if environ is None else environ
    _refuse_unknown_variables(variables)
    said: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    if not said and variables.get(DATA_VARIABLE):
        said = {"data_dir": Path(variables[DATA_VARIABLE])}
    if config is None and variables.get(CONFIG_VARIABLE):
        config = Path(variables[CONFIG_VARIABLE])
    written = {} if config is None else _read_toml(config)

    try:
        merged = _sources(variables, written)(**said)
    except ValidationError as error:
        raise SettingsError("; ".join(_explain(detail, variables, config) for detail in error.errors())) from error
    except UnreadableEnvironmentError as error:
        raise SettingsError(
            f"{error}: name a single setting instead, such as OMOIDE_OUTBOX__ATTEMPTS=3",
        ) from error
    return Settings.model_validate({**dict(merged), "data_dir": merged.data_dir.expanduser()})


def _sources(variables: Mapping[str, str], written: dict[str, Any]) -> type[Settings]:
    """Return settings that are merged from what they are made with, the environment, a file and the defaults."""

    class _Sources(BaseSettings, Settings):
        model_config = SettingsConfigDict(
            env_prefix=ENVIRONMENT_PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid"
        )

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic-settings passes it by name
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return (
                init_settings,
                _GivenEnvironment(settings_cls, variables),
                InitSettingsSource(settings_cls, written),
                InitSettingsSource(settings_cls, {"data_dir": default_data_dir()}),
            )

    return _Sources


class _GivenEnvironment(EnvSettingsSource):
    """Settings from the environment that was handed in, so that a test needs no process of its own."""

    def __init__(self, settings_cls: type[BaseSettings], environ: Mapping[str, str]) -> None:
        self._environ = environ
        super().__init__(settings_cls)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._environ.items() if value}


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError as error:
        raise SettingsError(f"there is no settings file {path}: check --config and {CONFIG_VARIABLE}") from error
    except OSError as error:
        raise SettingsError(f"the settings file {path} can't be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the settings file {path} is no TOML: {error}") from error


def _refuse_unknown_variables(environ: Mapping[str, str]) -> None:
    """Refuse a misspelt section, which pydantic-settings passes over in silence."""
    for name in environ:
        path = name.upper().removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
        if name.upper().startswith(ENVIRONMENT_PREFIX) and len(path) > 1 and path[0] not in Settings.model_fields:
            raise SettingsError(f"unknown setting {'.'.join(path)} (from {name}): {_known(path[:1])}")


def _explain(detail: ErrorDetails, environ: Mapping[str, str], config: Path | None) -> str:
    path = [str(part) for part in detail["loc"]]
    source = _source(path, environ, config)
    if detail["type"] == "extra_forbidden":
        return f"unknown setting {'.'.join(path)}{source}: {_known(path)}"
    message = detail["msg"].removeprefix("Input ")
    return f"setting {'.'.join(path)} is {detail['input']!r}{source} and {message}"


def _source(path: Sequence[str], environ: Mapping[str, str], config: Path | None) -> str:
    variable = ENVIRONMENT_PREFIX + "__".join(path).upper()
    if any(name.upper() == variable for name in environ):
        return f" (from {variable})"
    return "" if config is None else f" (in {config})"


def _known(path: Sequence[str]) -> str:
    """Return what the last part of an unknown path may be, the likeliest first."""
    names = list(_section(path[:-1]).model_fields)
    close = difflib.get_close_matches(path[-1], names, n=1)
    guess = f"did you mean {close[0]}? " if close else ""
    return f"{guess}known are {', '.join(names)}"


def _section(path: Sequence[str]) -> type[BaseModel]:
    section: type[BaseModel] = Settings
    for part in path:
        if part not in section.model_fields:  # a name of the person's own, such as a provider's
            continue
        annotation = section.model_fields[part].annotation
        for candidate in (annotation, *get_args(annotation)):
            if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                section = candidate
    return section
