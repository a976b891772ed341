"""The shell lines of the how-tos about servers and the command line are typed as they stand."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.tests.runtime.cli.command_line import LINKS, Omoide

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"


def shell_lines(page: str, word: str) -> list[str]:
    """Return the indented lines of a page that begin with a word, without their comments."""
    return [
        line.split("   #")[0].strip()
        for line in (HOW_TO / page).read_text().splitlines()
        if re.match(rf"    {word}\b", line)
    ]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    with Omoide(tmp_path / "data").start("serve", "--port", "0", "--json") as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.kill()


@pytest.mark.kill
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl isn't installed")
def test_the_requests_of_the_page_on_http_are_answered(served: str, tmp_path: Path) -> None:
    answers = []
    for line in shell_lines("serve-over-http.md", "curl"):
        typed = line.replace("localhost:7077", served.removeprefix("http://")).replace("curl ", "curl -f ")
        answers.append(subprocess.run(["bash", "-c", typed], cwd=tmp_path, capture_output=True, check=False))

    assert [answer.stderr for answer in answers if answer.returncode] == []
    assert len(answers) == 4


def test_the_tokens_of_the_page_on_http_are_read_by_the_server(tmp_path: Path) -> None:
    omoide = Omoide(tmp_path / "data")
    lines = shell_lines("serve-over-http.md", "omoide token")
    (tmp_path / "omoide").write_text(f'#!/bin/sh\nPYTHONPATH={LINKS} exec {omoide.line()[0]} -m omoide "$@"\n')
    (tmp_path / "omoide").chmod(0o700)
    for line in lines:
        subprocess.run(["bash", "-c", f"./{line}"], cwd=tmp_path, capture_output=True, check=True)

    listing = omoide("serve", "--port", "-1", "--tokens", str(tmp_path / "tokens.toml"), code=2)

    assert (len(lines), (tmp_path / "tokens.toml").read_text().count("[[token]]")) == (2, 2)
    assert "port" in listing.err


def test_the_lines_of_the_page_on_the_command_line_end_as_it_says(tmp_path: Path) -> None:
    omoide = Omoide(tmp_path / "data")
    page = (HOW_TO / "use-the-command-line.md").read_text()
    typed = re.findall(r"^    omoide (.*?)(?: +# exit code (\d+))?$", page, re.MULTILINE)

    ended = [(line, omoide(*shlex.split(line), code=None).code) for line, _ in typed]

    assert ended == [(line, int(code or 0)) for line, code in typed]
    assert len(ended) > 10
