"""Writes the reference pages that follow from the code; a test keeps them true."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from omoide.protocols import errors
from omoide.protocols.settings import Settings

REFERENCE = Path(__file__).with_name("reference")


def settings_page() -> str:
    """Return the page of all settings, with defaults."""
    lines = [
        "# Settings",
        "",
        "Every threshold, limit and interval. From a TOML file (`omoide --config FILE`), from the environment",
        "(`OMOIDE_OUTBOX__ATTEMPTS=3`), or in code (`Settings(data_dir=..., outbox={...})`).",
        "An unknown name is an error.",
        "",
        "| setting | default | meaning |",
        "|---|---|---|",
    ]
    lines += [f"| `{path}` | {_default(field)} | {field.description} |" for path, field in _fields(Settings, "")]
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Return the page of all errors, as a tree."""
    lines = [
        "# Errors",
        "",
        "One tree, split by whose fault it is. After a `CallerError` correct the call; after an `OutsideError`",
        "try again later; a `DefectError` is a fault of Omoide's.",
        "",
    ]
    lines += _tree(errors.OmoideError, 0)
    return "\n".join(lines) + "\n"


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        if inspect.isclass(field.annotation) and issubclass(field.annotation, BaseModel):
            yield from _fields(field.annotation, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}", field
        for named in get_args(field.annotation):
            if inspect.isclass(named) and issubclass(named, BaseModel):
                yield from _fields(named, f"{prefix}{name}.NAME.")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "given by the program"
    default = field.get_default(call_default_factory=False)
    return (
        f"`{default}`"
        if isinstance(default, str)
        else f"{default:,}"
        if isinstance(default, int | float)
        else str(default)
    )


def _tree(error: type[BaseException], depth: int) -> list[str]:
    described, *_ = inspect.cleandoc(error.__doc__ or "").partition("Args:")
    lines = [f"{'  ' * depth}- **`{error.__name__}`**: {' '.join(described.split())}"]
    for child in error.__subclasses__():
        if child.__module__ == errors.__name__:
            lines += _tree(child, depth + 1)
    return lines


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    return {REFERENCE / "settings.md": settings_page(), REFERENCE / "errors.md": errors_page()}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
