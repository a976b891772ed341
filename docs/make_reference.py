"""Writes the reference pages that follow from the code; a test keeps them true."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from omoide.protocols import errors
from omoide.protocols.events import AnyChange
from omoide.protocols.settings import Settings
from omoide.runtime.bus import wire
from omoide.runtime.bus.commands import COMMANDS

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


def bus_page() -> str:
    """Return the page of all subjects and messages of a bus."""
    lines = [
        "# Subjects and messages of a bus",
        "",
        "`omoide` stands for the setting `bus.prefix`, CHARACTER for the character's name as one word: letters,",
        "digits, `-` and `_` as they are, everything else as `%XX` of its UTF-8: `由依` is",
        "`%E7%94%B1%E4%BE%9D`. Any other way of writing a name is refused. MQTT has the same words with `/`",
        "between them.",
        "",
        "| subject | what goes there |",
        "|---|---|",
        "| `omoide.cmd.CHARACTER.COMMAND` | commands, stored in the stream `OMOIDE_CMD`; in order a character |",
        "| `omoide.ask.CHARACTER.COMMAND` | questions (commands that change nothing), by request and reply |",
        "| `omoide.evt.CHARACTER.KIND` | events, stored in `OMOIDE_EVT`; `Nats-Msg-Id` is the event's `id` |",
        "| `omoide.dead.CHARACTER.COMMAND` | commands that can't be carried out, stored in `OMOIDE_DEAD` |",
        "| `omoide/status` | MQTT alone: `online` or `offline`, retained |",
        "",
        "A body is JSON or, with the content type `application/msgpack`, MessagePack. Every message has",
        f"`version`: {wire.VERSION}, which may be left out; another version is refused, and so is a field that",
        "isn't listed here.",
        "",
        "## Commands",
    ]
    return "\n".join([*lines, *_commands(), *_answers(), *_events_and_dead_letters()]) + "\n"


def _commands() -> list[str]:
    lines = []
    for command in COMMANDS.values():
        lines += ["", f"### {command.name}", "", f"{command.summary} Answer: {command.answers}."]
        if command.asks:
            lines.append("Changes nothing, so it can be a question too.")
        lines += ["", *_table(command.takes)]
    return lines


def _answers() -> list[str]:
    return [
        "",
        "## Answers",
        "",
        "A command is answered where its header `Omoide-Answer-To` says (MQTT: the response topic), a question as",
        "NATS does by itself. Answers go to inboxes alone (`_INBOX`...; MQTT: `omoide/answer/`...).",
        "",
        *_table(wire.Answer),
        "",
        "`error` is:",
        "",
        *_table(wire.Failure),
    ]


def _events_and_dead_letters() -> list[str]:
    return [
        "",
        "## Events",
        "",
        _text(wire.Told),
        "",
        *_table(wire.Told),
        "",
        "`kind` is one of " + ", ".join(f"`{kind}`" for kind in sorted(_kinds())) + ".",
        "",
        "## Dead letters",
        "",
        "The body is that of the command. It is empty where what was said is to stay erased, or where the bus",
        "takes no message that long. A command whose subject is too long goes to `omoide.dead.%`.",
        "",
        "| header | what it says |",
        "|---|---|",
        "| `Omoide-Reason` | the [error](errors.md) |",
        "| `Omoide-Detail` | its message, cut to 300 characters; it may quote the command |",
        "| `Omoide-Subject`, `Omoide-Seq` | where the command was: its subject, and its place in the stream |",
        "| `Omoide-Command-Id` | its id, cut to 300 characters |",
        "| `Omoide-Left-Out` | how many bytes its body had, where it was too long |",
    ]


def _kinds() -> set[str]:
    return {str(change.__struct_config__.tag) for change in get_args(AnyChange)}


def _table(kind: type[Struct]) -> list[str]:
    rows = [
        f"| `{field.name}` | {_written(field.type)} | {'required' if field.required else _given(field.default)} |"
        for field in fields(kind)
        if field.name != "version"
    ]
    return ["| field | type | default |", "|---|---|---|", *rows] if rows else ["No fields."]


def _given(default: object) -> str:
    return "none" if default in {NODEFAULT, None} else f"`{msgspec.json.encode(default).decode()}`"


def _written(kind: object) -> str:
    """Return a type as people read it."""
    if isinstance(kind, type) and get_origin(kind) is None:
        return f"`{kind.__name__}`"
    parts = [part for part in get_args(kind) if part not in {Ellipsis, type(None)}]
    if get_origin(kind) is tuple:
        return f"list of {_written(parts[0])}"
    if len(parts) > 3:
        return "the change, with its record"
    return " or ".join(_written(part) for part in parts) or str(kind).rpartition(".")[2]


def _text(kind: type[Struct]) -> str:
    return " ".join((kind.__doc__ or "").split())


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
    return {
        REFERENCE / "settings.md": settings_page(),
        REFERENCE / "errors.md": errors_page(),
        REFERENCE / "bus.md": bus_page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
