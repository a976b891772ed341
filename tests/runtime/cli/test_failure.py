from __future__ import annotations

import json

import pytest

from omoide.protocols.errors import (
    CharacterOwnedError,
    DefectError,
    InvalidTextError,
    OmoideError,
    StorageFullError,
)
from omoide.runtime.cli.failure import report
from omoide.runtime.cli.invocation import Invocation


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidTextError("text is empty: send at least one character"), 2),
        (CharacterOwnedError("yui is open in process 7: close it there first"), 1),
        (DefectError("a view is gone"), 70),
    ],
)
def test_an_error_is_one_line_and_the_exit_code_says_whose_fault_it_is(
    error: OmoideError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(error, Invocation()) == code
    assert capsys.readouterr().err == f"omoide: {error}\n"


def test_for_programs_an_error_is_a_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    invocation = Invocation()
    invocation.as_json = True

    report(StorageFullError("no space left: free some"), invocation)

    assert json.loads(capsys.readouterr().err) == {
        "error": "StorageFullError",
        "message": "no space left: free some",
    }


def test_an_interrupt_says_that_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    error = BaseExceptionGroup("nursery", [InvalidTextError("x"), KeyboardInterrupt()])

    assert report(error, Invocation()) == 130
    assert "what was acknowledged is stored" in capsys.readouterr().err


def test_of_several_errors_a_defect_is_told_before_what_followed_from_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = ExceptionGroup("nursery", [InvalidTextError("x"), ExceptionGroup("inner", [ZeroDivisionError("y")])])

    assert report(error, Invocation()) == 70
    assert "ZeroDivisionError: y" in capsys.readouterr().err


def test_a_name_in_a_message_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    report(InvalidTextError("no \x1b[31m here"), Invocation())

    assert capsys.readouterr().err == "omoide: no \\x1b[31m here\n"


def test_a_traceback_is_printed_only_to_those_who_ask(capsys: pytest.CaptureFixture[str]) -> None:
    invocation = Invocation()
    report(DefectError("broken"), invocation)
    assert "Traceback" not in capsys.readouterr().err
    invocation.verbose = True

    report(DefectError("broken"), invocation)

    assert "DefectError: broken" in capsys.readouterr().err
