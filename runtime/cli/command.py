"""How a function becomes a command: the options that all have, its examples, and how its failures end."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Concatenate, Final, ParamSpec, TypeAlias

import typer

from ..variables import CONFIG_VARIABLE, DATA_VARIABLE
from .failure import report
from .invocation import Invocation

P = ParamSpec("P")

_PANEL: Final = "Options of every command"

DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help=f"Folder that holds the characters (or {DATA_VARIABLE} in the environment).",
        rich_help_panel=_PANEL,
        show_default="the platform's folder for a user's data",
    ),
]
ConfigOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help=f"TOML file with settings (or {CONFIG_VARIABLE} in the environment).",
        rich_help_panel=_PANEL,
    ),
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs.", rich_help_panel=_PANEL)
]
VerboseOption: TypeAlias = Annotated[
    bool, typer.Option("--verbose", help="Print the log and tracebacks to stderr.", rich_help_panel=_PANEL)
]
NameArgument: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Name of the character.")]
ReadableOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--as", metavar="SUBJECT", help="Whose memory may be read (default: private); can be repeated."),
]

_COMMON: dict[str, Any] = {
    "data": (DataOption, None),
    "config": (ConfigOption, None),
    "json": (JsonOption, False),
    "verbose": (VerboseOption, False),
}


def command(
    app: typer.Typer, name: str, *, examples: Sequence[str], hidden: bool = False
) -> Callable[[Callable[Concatenate[Invocation, P], None]], Callable[Concatenate[Invocation, P], None]]:
    """Make a function a command of `app`; its docstring is the help text.

    The function gets the invocation and its own options; the common options are taken care of.

    Args:
        app: where the command is mounted.
        name: what people type.
        examples: command lines that work, for the help text.
        hidden: whether the command is left out of the list of commands.
    """

    def mount(
        function: Callable[Concatenate[Invocation, P], None],
    ) -> Callable[Concatenate[Invocation, P], None]:
        app.command(name, epilog=epilog(examples), hidden=hidden)(_with_common_options(function))
        return function

    return mount


def epilog(examples: Sequence[str]) -> str:
    """Return the end of a help text, which shows examples."""
    lines = (f"  $ {example}".replace("[", r"\[") for example in examples)
    return "\n".join(["\b", "Examples:", *lines])


def _with_common_options(function: Callable[Concatenate[Invocation, P], None]) -> Callable[..., None]:
    @functools.wraps(function)
    def run(ctx: typer.Context, *, data: Path | None, config: Path | None, **rest: Any) -> None:  # noqa: ANN401
        invocation = ctx.find_object(Invocation) or Invocation()
        as_json, verbose = rest.pop("json"), rest.pop("verbose")
        invocation.tell(data_dir=data, config=config, as_json=as_json, verbose=verbose)
        invocation.start_logging()
        try:
            function(invocation, **rest)  # type: ignore[call-arg]
        except (typer.Exit, typer.Abort):
            raise
        except BaseException as error:
            raise typer.Exit(report(error, invocation)) from error

    own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
    parameters = [
        inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
            for name, (annotation, default) in _COMMON.items()
        ),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
