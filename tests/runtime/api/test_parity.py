"""What an embedding host can do, one over HTTP and a person at a shell can do too, or it is said why not."""

from __future__ import annotations

from inspect import signature
from typing import Any

import pytest
import typer

from omoide import __version__
from omoide.runtime.api.endpoints import ENDPOINTS
from omoide.runtime.api.openapi import openapi_document
from omoide.runtime.character import Character
from omoide.runtime.cli.application import app
from omoide.runtime.host import Runtime
from omoide.runtime.people import TrustedPeople
from omoide.tests.runtime.cli.walking import command_lines

OPERATIONS = {
    operation["operationId"]
    for path in openapi_document(ENDPOINTS, version=__version__)["paths"].values()
    for operation in path.values()
}

OVER_HTTP = {
    "Character.add_directive": "addDirective",
    "Character.affirm": "affirm",
    "Character.answer_tool": "answerTool",
    "Character.briefing": "briefing",
    "Character.changes": "changes",
    "Character.describe": "describe",
    "Character.directives": "directives",
    "Character.directives_block": "directivesBlock",
    "Character.discard": "discard",
    "Character.erase": "erase",
    "Character.events": "events",
    "Character.explain": "explain",
    "Character.facts": "facts",
    "Character.gate": "gate",
    "Character.gate_stream": "gateStream",
    "Character.hear": "hear",
    "Character.matching": "matching",
    "Character.offers": "offers",
    "Character.outbox": "outbox",
    "Character.persona": "persona",
    "Character.recall": "recall",
    "Character.reflections": "reflections",
    "Character.reject": "reject",
    "Character.remove_directive": "removeDirective",
    "Character.restore_subject": "restoreSubject",
    "Character.retry": "retry",
    "Character.say": "say",
    "Character.set_member_memory": "switch",
    "Character.set_strong_memory": "switch",
    "Character.settle": "settle",
    "Character.stale_subjects": "staleSubjects",
    "Character.status": "status",
    "Character.subjects_for": "readable",
    "Character.turns": "turns",
    "Runtime.erase": "eraseCharacter",
    "Runtime.export": "export",
    "Runtime.import_": "import",
    "Runtime.status": "runtimeStatus",
    "Runtime.stored_characters": "listCharacters",
    "TrustedPeople.bind": "bind",
    "TrustedPeople.forget": "forget",
    "TrustedPeople.merge": "merge",
    "TrustedPeople.people": "people",
    "TrustedPeople.person": "person",
    "TrustedPeople.unbind": "unbind",
}

NOT_OVER_HTTP = {
    "Character.drain": "background work runs by itself in a server; settle waits for it",
    "Character.meant": "matching finds the same, and leaves the choice to the caller",
    "Character.resident": "how the runtime's own modules hold a character in memory",
    "Runtime.character": "every path names one",
    "Runtime.close": "a server is closed by a signal",
    "Runtime.erased_since": "what the doors of buses are made of",
    "Runtime.received": "as above",
    "Runtime.importing": "what the import itself is made of",
    "Runtime.reporting": "what the doors of this process are made of",
    "Runtime.watching": "as above",
    "Runtime.passivate": "which characters are in memory is the server's own affair",
    "Runtime.passivate_idle": "as above",
    "Runtime.resident": "as above",
    "Runtime.residents": "as above",
    "Runtime.restriction": "it is what a 409 tells",
    "Runtime.warm_up": "a server warms up by itself",
}

AT_A_SHELL = {
    "Character.add_directive": "directives add",
    "Character.affirm": "affirm",
    "Character.answer_tool": "recall",
    "Character.briefing": "briefing",
    "Character.changes": "events",
    "Character.describe": "profile",
    "Character.directives": "directives list",
    "Character.directives_block": "directives block",
    "Character.discard": "outbox discard",
    "Character.drain": "settle",
    "Character.erase": "erase",
    "Character.events": "events",
    "Character.explain": "explain",
    "Character.facts": "facts",
    "Character.gate": "gate",
    "Character.gate_stream": "gate",
    "Character.hear": "hear",
    "Character.matching": "reject",
    "Character.meant": "reject",
    "Character.offers": "offers",
    "Character.outbox": "outbox list",
    "Character.persona": "persona",
    "Character.recall": "recall",
    "Character.reflections": "reflections",
    "Character.reject": "reject",
    "Character.remove_directive": "directives remove",
    "Character.restore_subject": "subjects restore",
    "Character.retry": "outbox retry",
    "Character.say": "say",
    "Character.set_member_memory": "subjects members",
    "Character.set_strong_memory": "strong-memory",
    "Character.settle": "settle",
    "Character.stale_subjects": "subjects stale",
    "Character.status": "status",
    "Character.subjects_for": "subjects for",
    "Character.turns": "turns",
    "Runtime.erase": "erase",
    "Runtime.export": "export",
    "Runtime.import_": "import",
    "Runtime.status": "status",
    "Runtime.stored_characters": "characters",
    "TrustedPeople.bind": "trust bind",
    "TrustedPeople.forget": "trust forget",
    "TrustedPeople.merge": "trust merge",
    "TrustedPeople.people": "trust list",
    "TrustedPeople.person": "trust show",
    "TrustedPeople.unbind": "trust unbind",
}

NOT_AT_A_SHELL = {
    "Character.resident": "a command opens one character and closes it again",
    "Runtime.character": "as above",
    "Runtime.close": "as above",
    "Runtime.erased_since": "what the doors of buses are made of",
    "Runtime.received": "as above",
    "Runtime.importing": "what the import itself is made of",
    "Runtime.reporting": "what the doors of a process are made of",
    "Runtime.watching": "as above",
    "Runtime.passivate": "a command opens one character and closes it again",
    "Runtime.passivate_idle": "as above",
    "Runtime.resident": "as above",
    "Runtime.residents": "as above",
    "Runtime.restriction": "nothing else is under way in a command's process",
    "Runtime.warm_up": "recall and briefing warm up by themselves",
}

OPTIONS = {
    "active_only": "all",
    "arguments": "query",
    "newest": "limit",
    "on": "to",
    "record_id": "what",
    "said_at": "at",
}
"""What a parameter is called at a shell, where it isn't called the same."""

NO_OPTIONS = {
    "affirms": "there are two commands, affirm and reject",
    "target": "it is made of the options that say what",
    "on_progress": "the command shows how far it is",
}
"""Parameters that a shell has no option for, and why."""


def public_calls() -> list[str]:
    return sorted(
        f"{cls.__name__}.{name}"
        for cls in (Character, Runtime, TrustedPeople)
        for name in dir(cls)
        if not name.startswith("_") and callable(getattr(cls, name))
    )


@pytest.mark.parametrize("call", public_calls())
def test_every_call_has_an_operation_over_http_or_a_reason(call: str) -> None:
    assert (call in OVER_HTTP) != (call in NOT_OVER_HTTP), "give it an operation, or say here why it has none"
    assert OVER_HTTP.get(call, "hear") in OPERATIONS


@pytest.mark.parametrize("call", public_calls())
def test_every_call_has_a_command_or_a_reason(call: str) -> None:
    assert (call in AT_A_SHELL) != (call in NOT_AT_A_SHELL), "give it a command, or say here why it has none"
    assert AT_A_SHELL.get(call, "recall") in {" ".join(line) for line in command_lines(app)}


@pytest.mark.parametrize("call", AT_A_SHELL)
def test_a_command_takes_whatever_the_call_takes(call: str) -> None:
    cls, _, method = call.partition(".")
    command: Any = typer.main.get_command(app)
    for word in AT_A_SHELL[call].split():
        command = command.commands[word]
    takes = {option.lstrip("-").replace("-", "_") for one in command.params for option in (*one.opts, one.name)}

    parameters = list(
        signature(getattr({"Character": Character, "Runtime": Runtime}.get(cls, TrustedPeople), method)).parameters
    )

    assert [name for name in parameters[1:] if OPTIONS.get(name, name) not in {*takes, *NO_OPTIONS}] == []


def test_no_reason_is_given_for_what_is_gone() -> None:
    known = {*OVER_HTTP, *NOT_OVER_HTTP, *AT_A_SHELL, *NOT_AT_A_SHELL}

    assert known == set(public_calls())
