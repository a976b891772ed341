"""`omoide serve` and `omoide token`: the HTTP server, and who may call it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Annotated

import msgspec
import trio
import typer
from msgspec.structs import asdict, replace

from ...protocols.errors import NotAvailableError
from ...protocols.settings import Settings
from .bus import Serve, serve_on_nats
from .command import command
from .failure import decisive
from .invocation import Invocation

EXTRA = "the HTTP server needs the extra `serve`: pip install 'omoide[serve]'"


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    command(
        app,
        "serve",
        examples=(
            "omoide serve",
            "omoide serve --port 8080",
            "omoide serve --nats",
            "omoide serve --host 0.0.0.0 --tokens tokens.toml",
            "omoide serve --neko --port 48912",
        ),
    )(serve)
    command(
        app,
        "token",
        examples=(
            "omoide token kitchen --everything >> tokens.toml",
            "omoide token bot --subject group:qq:77 --account '*' >> tokens.toml",
        ),
    )(token)


def serve(
    invocation: Invocation,
    *,
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address to listen at.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="Port to listen at; 0 takes a free one.")
    ] = None,
    tokens: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML file with the tokens.")] = None,
    nats: Annotated[
        bool, typer.Option("--nats", help="Serve the same characters on NATS too; `bus.nats.url` says where.")
    ] = False,
    neko: Annotated[
        bool, typer.Option("--neko", help="Also serve what N.E.K.O.'s application calls of its memory server.")
    ] = False,
) -> None:
    """Serve the characters over HTTP until interrupted, then finish what is under way and close.

    Listens on this machine alone unless an address is given, which needs tokens. What can be called is
    described at /v1/openapi.json; /health and /metrics tell how it is. JSON output is one line with
    the address, once connections are accepted.
    """
    given = {"host": host, "port": port, "tokens_file": tokens, "neko": neko or None}
    wanted = {name: value for name, value in given.items() if value is not None}
    settings = invocation.settings
    server = settings.server.model_validate(settings.server.model_dump() | wanted)
    beside = serve_on_nats() if nats else None
    _run(invocation, settings.model_copy(update={"server": server}), beside)


def _run(invocation: Invocation, settings: Settings, beside: Serve | None) -> None:
    try:
        from ..api.serve import serve as serve_http  # noqa: PLC0415 - the libraries of an extra
    except ModuleNotFoundError as error:
        raise NotAvailableError(EXTRA) from error

    def tell(address: str) -> None:
        if invocation.as_json:
            invocation.emit({"address": address, "data_dir": str(settings.data_dir)})
        else:
            invocation.line(f"Omoide listens at {address}  (Ctrl-C stops it)")

    async def main() -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:

            async def stop() -> None:
                await anext(signals)
                invocation.note("Stopping: what is under way is finished, pending work goes on at the next start.")

            await serve_http(settings, stop=stop, on_listening=tell, beside=beside)

    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        raise decisive(group) from group


def token(
    invocation: Invocation,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom the token is for, in your words.")],
    *,
    character: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A character it may use; else any.")
    ] = None,
    subject: Annotated[
        list[str] | None, typer.Option(metavar="SUBJECT", help="A subject it may read and speak in; else private.")
    ] = None,
    account: Annotated[
        list[str] | None, typer.Option(metavar="ACCOUNT", help="Whom it may speak as; else the owner.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="It may also see and change what isn't one subject's.")
    ] = False,
) -> None:
    """Make a token for the HTTP server: its table for the tokens file to stdout, the token itself to stderr.

    The file holds only a hash: the token is shown once. JSON output is one document with both.
    """
    from ..api.capability import Capability, hash_of, new_token  # noqa: PLC0415 - as above

    secret = new_token()
    made = Capability(name=name, sha256=hash_of(secret), everything=everything)
    if everything:
        made = replace(made, subjects=("*",), accounts=("*",))
    if character:
        made = replace(made, characters=tuple(character))
    if subject:
        made = replace(made, subjects=tuple(subject))
    if account:
        made = replace(made, accounts=tuple(account))
    if invocation.as_json:
        invocation.emit({"token": secret, "capability": made})
        return
    # A string, a list of strings and a truth value are written alike in JSON and in TOML.
    invocation.line(
        "\n".join(
            [
                "[[token]]",
                *(f"{key} = {msgspec.json.encode(value).decode()}" for key, value in asdict(made).items()),
            ]
        )
    )
    invocation.note(f"The token, shown this once: {secret}")
