from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import SettingsError
from omoide.runtime.configuration import default_data_dir, load_settings


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "omoide.toml"


def test_without_anything_the_defaults_hold_and_the_data_lies_in_the_platforms_folder() -> None:
    settings = load_settings(environ={})

    assert settings.data_dir == default_data_dir()
    assert settings.outbox.attempts == 5


def test_the_callers_word_wins_over_the_environment_and_that_over_the_file(config: Path) -> None:
    config.write_text('data_dir = "from-file"\n[outbox]\nattempts = 7\njitter = 0.5\n')
    environ = {"OMOIDE_DATA": "from-environment", "OMOIDE_OUTBOX__ATTEMPTS": "3"}

    settings = load_settings(data_dir=Path("said"), config=config, environ=environ)

    assert (settings.data_dir, settings.outbox.attempts, settings.outbox.jitter) == (Path("said"), 3, 0.5)
    assert load_settings(config=config, environ=environ).data_dir == Path("from-environment")
    assert load_settings(config=config, environ={}).data_dir == Path("from-file")


def test_the_file_can_be_named_in_the_environment(config: Path) -> None:
    config.write_text("[outbox]\nattempts = 7\n")

    assert load_settings(environ={"OMOIDE_CONFIG": str(config)}).outbox.attempts == 7


def test_a_home_folder_in_the_file_is_the_users_home(config: Path) -> None:
    config.write_text('data_dir = "~/memories"\n')

    assert load_settings(config=config, environ={}).data_dir == Path.home() / "memories"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"OMOIDE_OUTBOX__ATTEMPTS": "0"}, ("outbox.attempts", "'0'", "OMOIDE_OUTBOX__ATTEMPTS", "greater than")),
        ({"OMOIDE_OUTBOX__ATTEMPTS": "many"}, ("outbox.attempts", "'many'", "integer")),
        ({"OMOIDE_OUTBOX__ATEMPTS": "1"}, ("outbox.atempts", "did you mean attempts?")),
        ({"OMOIDE_OUTBX__ATTEMPTS": "1"}, ("outbx.attempts", "did you mean outbox?", "storage")),
        ({"OMOIDE_TIME_ZONE": "Atlantis/Deep"}, ("time_zone", "Atlantis/Deep", "Europe/Berlin")),
        ({"OMOIDE_STORAGE__LAYOUT": "heap"}, ("storage.layout", "'heap'", "'per-character' or 'shared'")),
        ({"OMOIDE_OUTBOX": "lots"}, ("outbox", "OMOIDE_OUTBOX__ATTEMPTS=3")),
    ],
)
def test_a_wrong_variable_is_refused_with_its_path_its_value_and_what_is_allowed(
    environ: dict[str, str], says: tuple[str, ...]
) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(environ=environ)

    assert all(part in str(refused.value) for part in says), str(refused.value)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("[outbox]\njitter = 1.5", ("outbox.jitter", "1.5", "less than 1", "omoide.toml")),
        ("[outbx]\nattempts = 7", ("outbx", "did you mean outbox?")),
        ("[recall]\nbm25 = true", ("recall.bm25", "known are limit, k1, b")),
        ("storage = 3", ("storage", "3", "StorageSettings")),
        ("storage = \nx = 1", ("omoide.toml", "no TOML", "line 1")),
    ],
)
def test_a_wrong_file_is_refused_with_its_path_its_value_and_what_is_allowed(
    config: Path, toml: str, says: tuple[str, ...]
) -> None:
    config.write_text(toml)

    with pytest.raises(SettingsError) as refused:
        load_settings(config=config, environ={})

    assert all(part in str(refused.value) for part in says), str(refused.value)


def test_a_file_that_is_not_there_is_an_error_and_not_the_defaults(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no settings file"):
        load_settings(config=tmp_path / "none.toml", environ={})


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        load_settings(config=tmp_path, environ={})


@given(attempts=st.text(min_size=1).filter(str.strip))
def test_whatever_a_variable_holds_it_is_a_number_or_a_settings_error(attempts: str) -> None:
    with contextlib.suppress(SettingsError):
        settings = load_settings(environ={"OMOIDE_OUTBOX__ATTEMPTS": attempts})

        assert settings.outbox.attempts == int(attempts)
