"""`omoide bus nats` and `omoide bus mqtt`: characters on a message bus."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import trio
import typer

from ...protocols.errors import NotAvailableError
from ...protocols.settings import Settings
from ..host import Runtime, open_runtime
from .command import command, epilog
from .failure import decisive
from .invocation import Invocation

EXTRAS: Final = {
    "nats": "NATS needs the extra `nats`: pip install 'omoide[nats]'",
    "mqtt": "MQTT needs the extra `mqtt`: pip install 'omoide[mqtt]'",
}
"""What to tell somebody who lacks the library of a bus."""

Serve = Callable[[Runtime, Callable[[], None]], Awaitable[None]]
"""Serves a runtime on a bus until it is cancelled; calls its second argument whenever commands are taken."""


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    buses = typer.Typer(
        no_args_is_help=True,
        help="Serve the characters on a message bus.",
        epilog=epilog(("omoide bus nats --url nats://127.0.0.1:4222",)),
    )
    command(
        buses,
        "nats",
        examples=(
            "omoide bus nats",
            "omoide bus nats --url nats://user:secret@bus.example:4222",
            "OMOIDE_BUS__TEXTS=true omoide bus nats --verbose",
        ),
    )(nats)
    command(
        buses,
        "mqtt",
        examples=(
            "omoide bus mqtt",
            "omoide bus mqtt --host broker.example --port 1883",
            "OMOIDE_BUS__MQTT__USER=sam omoide bus mqtt",
        ),
    )(mqtt)
    app.add_typer(buses, name="bus")


def nats(
    invocation: Invocation,
    *,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The NATS server, or several with commas between.")
    ] = None,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay", help="Read the stream of commands from its beginning; what is applied is skipped."
        ),
    ] = False,
) -> None:
    """Take commands from NATS JetStream and publish what changes, until interrupted.

    A character's commands are applied in order, each with effect once, however often the server or this program is
    killed. Subjects and messages are in docs/reference/bus.md, permissions in docs/how-to/connect-a-bus.md.
    JSON output is one line once commands are taken.
    """
    settings = with_nats(invocation.settings, url)
    run(invocation, settings, settings.bus.nats.url, serve_on_nats(replay=replay))


def mqtt(
    invocation: Invocation,
    *,
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="The MQTT broker.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="Its port.")] = None,
) -> None:
    """Take commands from MQTT 5 topics and publish what changes, until interrupted.

    A command is acknowledged once it is on disk. Each that changes something carries a message_id, by which one
    that is delivered twice has effect once. Topics and messages are in docs/reference/bus.md. JSON output is one
    line once commands are taken.
    """
    settings = invocation.settings
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    section = settings.bus.mqtt.model_validate(settings.bus.mqtt.model_dump() | given)
    settings = settings.model_copy(update={"bus": settings.bus.model_copy(update={"mqtt": section})})
    run(invocation, settings, f"mqtt://{section.host}:{section.port}", serve_on_mqtt())


def serve_on_mqtt() -> Serve:
    """Return what serves a runtime on MQTT.

    Raises:
        NotAvailableError: if the library isn't installed.
    """
    try:
        from ..bus.mqtt.service import serve_mqtt  # noqa: PLC0415 - the library of an extra
    except ModuleNotFoundError as error:
        raise NotAvailableError(EXTRAS["mqtt"]) from error

    async def serve(runtime: Runtime, on_ready: Callable[[], None]) -> None:
        await serve_mqtt(runtime, on_ready=on_ready)

    return serve


def with_nats(settings: Settings, url: str | None) -> Settings:
    """Return settings with another NATS server, where one is given."""
    if url is None:
        return settings
    section = settings.bus.nats.model_validate(settings.bus.nats.model_dump() | {"url": url})
    return settings.model_copy(update={"bus": settings.bus.model_copy(update={"nats": section})})


def serve_on_nats(*, replay: bool = False) -> Serve:
    """Return what serves a runtime on NATS.

    Raises:
        NotAvailableError: if the library isn't installed.
    """
    try:
        from ..bus.nats.service import serve_nats  # noqa: PLC0415 - the library of an extra
    except ModuleNotFoundError as error:
        raise NotAvailableError(EXTRAS["nats"]) from error

    async def serve(runtime: Runtime, on_ready: Callable[[], None]) -> None:
        await serve_nats(runtime, replay=replay, on_ready=on_ready)

    return serve


def run(invocation: Invocation, settings: Settings, address: str, serve: Serve) -> None:
    """Serve a data folder on a bus until this process is told to stop."""
    told: list[None] = []
    where = without_secrets(address)

    def tell() -> None:
        if told:
            return
        told.append(None)
        if invocation.as_json:
            invocation.emit({"bus": where, "data_dir": str(settings.data_dir)})
        else:
            invocation.line(f"Omoide takes commands from {where}  (Ctrl-C stops it)")

    async def main() -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
                nursery.start_soon(serve, runtime, tell)
                await anext(signals)
                invocation.note("Stopping: what is under way is finished, the rest waits on the bus.")
                nursery.cancel_scope.cancel()

    if not invocation.as_json:
        invocation.note(f"Connecting to {where} ...")
    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        raise decisive(group) from group


def without_secrets(address: str) -> str:
    """Return addresses without users and passwords."""
    parts = (one.strip().partition("://") for one in address.split(","))
    return ",".join(f"{scheme}{mark}{rest.rpartition('@')[2]}" for scheme, mark, rest in parts)
