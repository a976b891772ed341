"""From a file to a checked scenario, or to every error in it with the file and the step that it is in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from ...protocols.errors import ScenarioError
from ...protocols.settings import Settings
from .format import STEPS, Head, Hear, Step

SUFFIXES: Final = (".yaml", ".yml")
"""Names of the files that are taken from a folder."""

MAX_BYTES: Final = 4 << 20
"""Longest scenario file that is read (bytes); a longer one is no scenario but a mistaken path."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario."""

    file: Path
    head: Head
    steps: tuple[Step, ...]


def find_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the scenario files that the paths name; folders are walked, in order of name.

    Raises:
        ScenarioError: if a path doesn't exist, or a folder holds no scenario.
    """
    files: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            files[path] = None
            continue
        inside = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        if not inside:
            raise ScenarioError(f"{path}: the folder holds no {' or '.join(SUFFIXES)} file")
        files.update(dict.fromkeys(inside))
    return tuple(files)


def read_scenario(file: Path) -> Scenario:
    """Return the scenario of a file.

    Raises:
        ScenarioError: if it can't be read or breaks the format; the message has a line for every error,
            which names the file and the step.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ScenarioError(f"{file}: is longer than {MAX_BYTES:,} bytes; is it a scenario?")
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ScenarioError(f"{file}: can't be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{file}: is no UTF-8 text (byte {error.start})") from error
    return parse_scenario(text, file)


def parse_scenario(text: str, file: Path) -> Scenario:
    """Return the scenario that a text describes; `file` is what messages call it.

    Raises:
        ScenarioError: if it breaks the format; the message has a line for every error.
    """
    try:
        tree = yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of SafeLoader
    except yaml.YAMLError as error:
        raise ScenarioError(f"{file}: is no YAML: {_yaml_problem(error)}") from error
    except (ValueError, RecursionError) as error:
        raise ScenarioError(f"{file}: holds a value that can't be read: {error}") from error
    if not isinstance(tree, dict):
        raise ScenarioError(f"{file}: a scenario is a map with name, start and steps; got {_kind(tree)}")
    steps_part = tree.pop("steps", None)
    problems: list[str] = []
    head = _head(tree, problems)
    steps = _steps(steps_part, head, problems)
    if head is not None:
        _check_settings(head, problems)
    if problems or head is None:
        raise ScenarioError("\n".join(f"{file}: {problem}" for problem in problems))
    return Scenario(file=file, head=head, steps=steps)


def _head(tree: dict[Any, Any], problems: list[str]) -> Head | None:
    try:
        return Head.model_validate(tree)
    except ValidationError as error:
        known = ", ".join([*Head.model_fields, "steps"])
        problems.extend(_problems(error, f"a scenario takes {known}"))
        return None


def _steps(part: object, head: Head | None, problems: list[str]) -> tuple[Step, ...]:
    if not isinstance(part, list) or not part:
        problems.append(f"steps: is a list with at least one step, got {_kind(part)}")
        return ()
    steps: list[Step] = []
    for number, item in enumerate(part, start=1):
        try:
            step = _step(item)
            if head is not None:
                _check_speaker(step, head)
        except ScenarioError as error:
            problems.extend(f"step {number}{line}" for line in str(error).splitlines())
        else:
            steps.append(step)
    return tuple(steps)


def _step(item: object) -> Step:
    """Return one step; the error's lines go on from `step N`."""
    action, value = _split(item)
    step = STEPS.get(action)
    if step is None:
        raise ScenarioError(f": unknown step {action!r}; the steps are {', '.join(STEPS)}")
    takes = ", ".join(field.alias or name for name, field in step.model_fields.items())
    if not takes:
        if value is not None:
            raise ScenarioError(f" ({action}): takes nothing; write `- {action}`")
        return step()
    if step.shorthand and not isinstance(value, dict):
        value = {step.shorthand: value}
    if not isinstance(value, dict):
        raise ScenarioError(f" ({action}): takes a map with {takes}; got {_kind(value)}")
    try:
        return step.model_validate(value)
    except ValidationError as error:
        lines = _problems(error, f"{action} takes {takes}")
        raise ScenarioError("\n".join(f" ({action}): {line}" for line in lines)) from error


def _split(item: object) -> tuple[str, object]:
    match item:
        case str():
            return item, None
        case dict() if len(item) == 1:
            ((action, value),) = item.items()
            return str(action), value
        case dict():
            raise ScenarioError(f": is a map with one key, got {len(item)}: {', '.join(map(str, item))}")
        case _:
            raise ScenarioError(f": is a word or a map with one key, got {_kind(item)}")


def _check_speaker(step: Step, head: Head) -> None:
    if isinstance(step, Hear) and step.speaker is not None and step.speaker not in head.speakers:
        known = ", ".join(head.speakers) or "none"
        raise ScenarioError(f" ({step.action}): from: unknown speaker {step.speaker!r}; speakers has {known}")


def _check_settings(head: Head, problems: list[str]) -> None:
    """Check the overrides against the settings tree."""
    if "data_dir" in head.settings:
        problems.append("settings.data_dir: a scenario plays in a folder of its own; leave it out")
        return
    try:
        Settings.model_validate({**head.settings, "data_dir": Path()})
    except ValidationError as error:
        sections = ", ".join(sorted(_sections() - {"data_dir"}))
        lines = _problems(error, f"settings takes {sections}, each with the keys of the settings tree")
        problems.extend(f"settings.{line}" for line in lines)


def _sections() -> frozenset[str]:
    return frozenset(Settings.model_fields)


def _problems(error: ValidationError, takes: str) -> list[str]:
    """Return a line for every error of a validation, as `path: what is wrong`."""
    lines: list[str] = []
    for detail in error.errors(include_url=False):
        path = ".".join(str(part) for part in detail["loc"])
        match detail["type"]:
            case "extra_forbidden":
                lines.append(f"{path}: unknown key; {takes}")
            case "missing":
                lines.append(f"{path}: is missing")
            case "string_type":
                lines.append(f"{path}: is a text, got {_kind(detail['input'])}; put it in quotes")
            case "tuple_type":
                lines.append(f"{path}: is a list, got {_kind(detail['input'])}")
            case "value_error":
                lines.append(": ".join(filter(None, [path, str(detail["ctx"]["error"])])))
            case _:
                lines.append(f"{path}: {detail['msg']}")
    return lines


def _kind(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "a map"
        case list():
            return "a list" if value else "an empty list"
        case _:
            return repr(value)[:60]


def _yaml_problem(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"{error.problem or error.context} (line {mark.line + 1}, column {mark.column + 1})"
    return " ".join(str(error).split())


class _Loader(yaml.SafeLoader):
    """YAML's safe loader with two differences.

    A key that comes twice is an error instead of winning in silence. A question mark may stand inside an
    unquoted text in a flow map, as YAML 1.2 (section 7.3.3) and libyaml have it and PyYAML's own scanner
    doesn't: `{draft: Did you sleep well?, verdict: allow}`.
    """

    _in_plain = False

    def scan_plain(self) -> yaml.ScalarToken:
        """Return the unquoted text that begins here."""
        self._in_plain = True
        try:
            return super().scan_plain()
        finally:
            self._in_plain = False

    def peek(self, index: int = 0) -> str:
        """Return the character `index` places on; only for decisions, the text itself is taken elsewhere."""
        char: str = super().peek(index)
        return "_" if char == "?" and self._in_plain else char


def _unique_map(loader: _Loader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    loader.flatten_mapping(node)
    seen: set[Hashable] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, Hashable) or isinstance(key, Mapping):
            raise yaml.constructor.ConstructorError(None, None, "a key is a word", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} comes twice", key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_map)
