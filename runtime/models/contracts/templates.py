"""The words in which a model is asked, from the data files beside this module, one a language.

Names are the only thing that is put into a template, in one pass, so that a placeholder inside a name stays what
it is. What people said never goes in here. Which language is asked in follows the words that the task is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from .checks import script_of
from .task import Task

LOCALES: Final = ("en", "zh", "ja")
"""Languages that have prompts of their own; all others are asked in English."""

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
_OF_SCRIPT: Final = {"Japanese": "ja", "Chinese": "zh"}


def locale_of(text: str, profile_locale: str) -> str:
    """Return the language to ask in: that of the words where their script tells it, else the character's.

    Chinese characters alone may be either; then a Japanese character is asked in Japanese.
    """
    own = profile_locale.replace("_", "-").partition("-")[0].casefold()
    script = script_of(text)
    if script is None:
        return "en"
    if script == "Chinese" and own == "ja":
        return "ja"
    return _OF_SCRIPT.get(script, "en")


def instruction(task: Task[Any, Any, Any], locale: str, names: Mapping[str, str]) -> str:
    """Return what a model is told before it is shown anything.

    Args:
        task: the task.
        locale: one of `LOCALES`.
        names: what the placeholders of the task's text stand for.
    """
    prompts = _prompts(locale)
    return _filled(
        prompts["frame"],
        {**names, "task": _filled(prompts["tasks"][task.name], names), "shape": shape_of(task)},
    )


def repair(locale: str, error: str) -> str:
    """Return what a model is told of an answer that can't be used."""
    return _filled(_prompts(locale)["repair"], {"error": error})


def continuation(locale: str) -> str:
    """Return what a model is told of an answer that was cut off."""
    text: str = _prompts(locale)["continue"]
    return text


def shape_of(task: Task[Any, Any, Any]) -> str:
    """Return the form of an answer as an example, for servers that take no schema and for small models."""
    schema = task.schema()
    return json.dumps(_example(schema, schema.get("$defs", {}), task.item.handles), ensure_ascii=False)


def _example(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], handles: Mapping[str, str], name: str = ""
) -> Any:  # noqa: ANN401 - any JSON
    if "$ref" in schema:
        return _example(definitions[schema["$ref"].rpartition("/")[2]], definitions, handles)
    if "enum" in schema:
        return "|".join(schema["enum"])
    match schema.get("type"):
        case "object":
            return {key: _example(held, definitions, handles, key) for key, held in schema["properties"].items()}
        case "array":
            return [_example(schema["items"], definitions, handles, name)]
        case "integer":
            return 5
        case _:
            return handles.get(name, "…")


def _filled(template: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


@cache
def _prompts(locale: str) -> Mapping[str, Any]:
    text = files(__package__).joinpath("prompts", f"{locale}.yaml").read_text(encoding="utf-8")
    prompts: Mapping[str, Any] = yaml.safe_load(text)
    return prompts
