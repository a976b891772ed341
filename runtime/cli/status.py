"""`omoide status`: how much is stored, and whether work waits or is stuck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import typer
from msgspec import Struct

from ...actors.directives.bounds import bound, is_active
from ...actors.recall.missing import BACKFILL, EMBEDDINGS
from ...protocols.errors import ModelError, StorageError
from ...protocols.ports import Counts, Journal
from ...protocols.records import Directive
from ...protocols.settings import NO_MODEL
from ...protocols.vectors import Space, VectorCounts, space_of
from ...protocols.work import OpState
from ..bus.place import Kept, buses_of
from ..bus.status import BusStatus
from ..models.status import ModelsStatus, models_status
from .access import read, survey
from .command import command
from .invocation import Invocation
from .model_status import print_models
from .presentation import ago, counted, show


class StoredStatus(Struct, frozen=True, kw_only=True):
    """What the journal of one character tells, whoever owns it. Times are seconds since the epoch.

    `directives` counts those in force, and `warning` says where there are too many of them.
    `vectors` counts what has a vector of the embedding model and what waits for one; None where none is used.
    """

    name: str
    counts: Counts | None = None
    last_heard_at: float | None = None
    next_due_at: float | None = None
    last_error: str = ""
    directives: int = 0
    vectors: VectorCounts | None = None
    warning: str = ""


class FolderStatus(Struct, frozen=True, kw_only=True):
    """What a data folder holds, how the models are doing that think for its characters, and the embedding model.

    `embeddings` is its id, empty where there is none, and `embedding_problem` why the one that the settings name
    can't be used. `degraded` names what recall does without: `embeddings`, or `backfill` where some memories have
    no vector yet. `buses` are message buses that served this folder, as they were when they last wrote it down.
    """

    data_dir: str
    layout: str
    embeddings: str = ""
    embedding_problem: str = ""
    degraded: tuple[str, ...] = ()
    characters: tuple[StoredStatus, ...]
    models: ModelsStatus
    buses: tuple[Kept, ...] = ()


_WITHOUT: Final = {
    EMBEDDINGS: "memories are found by their words alone; `omoide models list` shows what finds them by meaning",
    BACKFILL: "memories without a vector yet are found by their words alone",
}
"""What is missing, by its name."""


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "status", examples=("omoide status", "omoide status yui", "omoide status --json"))(status)


def status(
    invocation: Invocation,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Only this character.")] = None,
) -> None:
    """Show how much each character holds, whether background work waits or is parked, and how the models do.

    Works while other processes have the characters open. Exit code 1 means that what is stored of a
    character is lost, damaged or misplaced. JSON output is one document.
    """
    space, problem = _space(invocation)
    if name is None:
        names, troubles = survey(invocation)
        characters = tuple(_or_damage(invocation, one, space) for one in names) + tuple(
            StoredStatus(name=folder, last_error=trouble) for folder, trouble in troubles.items()
        )
    else:
        characters = (_stored_status(invocation, name, space),)
    folder = FolderStatus(
        data_dir=str(invocation.settings.data_dir),
        layout=invocation.settings.storage.layout,
        embeddings="" if space is None else space.model,
        embedding_problem=problem,
        degraded=_degraded(space, characters),
        characters=characters,
        models=models_status(invocation.settings.models, invocation.settings.data_dir, invocation.now),
        buses=buses_of(invocation.settings.data_dir),
    )
    if invocation.as_json:
        invocation.emit(folder)
    else:
        _print(invocation, folder)
    if any(one.counts is None for one in characters):
        raise typer.Exit(1)


def _print(invocation: Invocation, folder: FolderStatus) -> None:
    invocation.line(f"Data folder: {folder.data_dir} ({folder.layout})")
    show(
        invocation,
        ("character", "turns", "facts", "events", "pending", "parked", "directives", "last heard", "trouble"),
        (_row(one, invocation.now) for one in folder.characters),
        empty="No characters yet: `omoide chat NAME` begins one.",
    )
    if folder.embedding_problem:
        invocation.line(f"No embeddings: {folder.embedding_problem}", style="yellow")
    if folder.degraded:
        invocation.line(f"Recall is degraded: {', '.join(folder.degraded)} ({_WITHOUT[folder.degraded[0]]})")
    for one in folder.characters:
        if one.vectors is not None:
            waiting = f", {one.vectors.pending:,} to come" if one.vectors.pending else ""
            invocation.line(f"{one.name}: {counted(one.vectors.done, 'vector')} of {folder.embeddings}{waiting}")
        if one.counts is not None and one.counts.parked:
            invocation.line(f"Parked work of {one.name}: `omoide outbox {one.name}` shows it.", style="yellow")
        if one.warning:
            invocation.line(f"{one.name}: {one.warning}", style="yellow")
    for bus in folder.buses:
        if bus.status is not None:
            _print_bus(invocation, bus, bus.status)
    print_models(invocation, folder.models)


def _print_bus(invocation: Invocation, kept: Kept, bus: BusStatus) -> None:
    is_well = bus.connected and not bus.stalled and not bus.dead_letters
    dead = sum(bus.dead_letters.values())
    reasons = f" ({', '.join(f'{reason} {count}' for reason, count in bus.dead_letters.items())})" if dead else ""
    there = "connected" if bus.connected else "not connected"
    invocation.line(
        f"Bus {bus.kind}, {ago(kept.written_at, invocation.now)}: {there}, "
        f"{bus.lag:,} to apply, {bus.untold:,} to publish, {bus.stalled:,} stalled, "
        f"{counted(dead, 'dead letter')}{reasons}",
        style="" if is_well else "yellow",
    )


def _row(one: StoredStatus, now: float) -> tuple[str, ...]:
    counts = one.counts
    numbers = (
        ("?",) * 6
        if counts is None
        else tuple(
            str(number)
            for number in (
                counts.turns,
                counts.facts,
                counts.events,
                counts.pending,
                counts.parked,
                one.directives,
            )
        )
    )
    return (one.name, *numbers, "" if one.last_heard_at is None else ago(one.last_heard_at, now), one.last_error)


def _degraded(space: Space | None, characters: Iterable[StoredStatus]) -> tuple[str, ...]:
    """Return what recall does without."""
    if space is None:
        return (EMBEDDINGS,)
    waits = any(one.vectors is not None and one.vectors.pending for one in characters)
    return (BACKFILL,) if waits else ()


def _space(invocation: Invocation) -> tuple[Space | None, str]:
    """Return where vectors are made now, or why they can't be."""
    settings = invocation.settings.embeddings
    if settings.model == NO_MODEL:
        return None, ""
    from ..models.embeddings import engine_of  # noqa: PLC0415 - numpy takes a sixth of the command's time

    try:
        return space_of(engine_of(settings)), ""
    except ModelError as error:
        return None, str(error)


def _or_damage(invocation: Invocation, name: str, space: Space | None) -> StoredStatus:
    try:
        return _stored_status(invocation, name, space)
    except StorageError as error:
        return StoredStatus(name=name, last_error=str(error))


def _stored_status(invocation: Invocation, name: str, space: Space | None) -> StoredStatus:
    async def query(journal: Journal) -> StoredStatus:
        newest = await journal.turns(newest=1)
        parked = await journal.ops(states=(OpState.PARKED,))
        directives, now = await journal.records(Directive), invocation.now
        return StoredStatus(
            name=journal.character,
            counts=await journal.counts(),
            last_heard_at=newest[-1].heard_at if newest else None,
            next_due_at=await journal.next_due(),
            last_error=parked[-1].error if parked else "",
            vectors=None if space is None else await journal.vector_counts(space),
            directives=sum(is_active(directive, now) for directive in directives),
            warning=bound(directives, now, invocation.settings.directives.stored).warning,
        )

    return read(invocation, name, query)
