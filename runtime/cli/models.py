"""`omoide models`: the minds that the settings name, tried out on one small task."""

from __future__ import annotations

from typing import Annotated, Final

import trio
import typer

from ...protocols.errors import InvalidRequestError
from ...protocols.ports import ExtractRequest
from ...protocols.records import Profile, Role, Turn, TurnId
from ...protocols.settings import OFFLINE
from ...protocols.text import check_text
from ..clock import SystemClock
from ..models.choice import open_minds
from ..models.contracts import EXTRACT
from ..models.http.mind import Trial
from ..models.offline import OfflineEngine
from ..models.usage import Spent
from . import embedding_models
from .command import command, epilog
from .invocation import Invocation
from .presentation import counted, printable

SAMPLE: Final = "I adopted a cat called Miso last week, and I can't eat peanuts."
"""What is tried where the person gives no sentence: two facts, one of them about health."""


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    verbs = typer.Typer(
        no_args_is_help=True,
        epilog=epilog(
            (
                "omoide models try",
                "omoide models try --provider local",
                "omoide models list",
                "omoide models check minilm",
                "omoide models use multilingual --config omoide.toml",
            )
        ),
    )
    app.add_typer(
        verbs,
        name="models",
        help="Try out the language models that the settings name; list, choose and check embedding models.",
    )
    command(
        verbs,
        "try",
        examples=(
            "omoide models try",
            'omoide models try "我对花生过敏" --locale zh',
            "omoide models try --provider local --json",
        ),
    )(try_out)
    embedding_models.mount(verbs)


def try_out(
    invocation: Invocation,
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="The sentence to extract facts from.")] = SAMPLE,
    *,
    provider: Annotated[
        str | None, typer.Option("--provider", help="A name of models.providers (default: models.use).")
    ] = None,
    owner: Annotated[str, typer.Option("--owner", help="How the person is called who says it.")] = "Sam",
    locale: Annotated[str, typer.Option("--locale", help="Language tag of the character.")] = "en",
) -> None:
    """Have a model do one small task, and show prompt, raw answer, what was read of it, and the time.

    The sentence is sent to the provider and kept nowhere. It counts towards the provider's tokens of this hour.
    Exit code 1 means that no usable answer came. JSON output is one document.
    """
    settings = invocation.settings
    name = provider or settings.models.use
    if name != OFFLINE and name not in settings.models.providers:
        known = ", ".join((OFFLINE, *settings.models.providers))
        raise InvalidRequestError(f"no provider is called {name!r} in models.providers; known are {known}")
    said = check_text(text, max_chars=settings.limits.text_chars, setting="limits.text_chars")
    now = invocation.now
    turn = Turn(id=TurnId("turn_trial"), role=Role.PERSON, text=said, said_at=now, heard_at=now)
    request = ExtractRequest(turn=turn, profile=Profile(owner=owner, locale=locale))
    trial = trio.run(_run, invocation, name, request)
    if invocation.as_json:
        invocation.emit({"provider": name, "trial": trial})
    else:
        _print(invocation, name, trial)
    if trial.error:
        raise typer.Exit(1)


async def _run(invocation: Invocation, name: str, request: ExtractRequest) -> Trial:
    if name == OFFLINE:
        began = trio.current_time()
        facts = await OfflineEngine().extract(request)
        spent = Spent(calls=1, latency_s=trio.current_time() - began)
        return Trial(instruction="", data="", answers=(), result=tuple(facts), error="", spent=spent)
    settings, clock = invocation.settings, SystemClock()
    async with open_minds(settings.models, settings.data_dir, clock, names=(name,)) as minds:
        return await minds.remote(name, "Yui").try_out(EXTRACT, request)


def _print(invocation: Invocation, name: str, trial: Trial) -> None:
    for title, text in (
        ("Instruction", trial.instruction),
        ("Data", trial.data),
        *((f"Answer {number}", answer) for number, answer in enumerate(trial.answers, start=1)),
    ):
        if text:
            invocation.line(f"--- {title}", style="bold")
            for line in text.splitlines():
                invocation.line(printable(line))
    invocation.line("--- Result", style="bold")
    if trial.error:
        invocation.line(printable(trial.error), style="red")
    elif isinstance(trial.result, tuple):
        for fact in trial.result:
            invocation.line(f"{fact.importance:>2} {fact.entity:<12} {printable(fact.text)}")
        if not trial.result:
            invocation.line("nothing")
    spent = trial.spent
    invocation.line(
        f"{name}: {spent.latency_s:.2f} s, {counted(spent.requests, 'request')}, "
        f"{spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens"
    )
