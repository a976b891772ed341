"""The documents tell the truth: their code runs, their links lead somewhere, generated pages are up to date."""

from __future__ import annotations

import ast
import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from omoide.protocols.settings import OFFLINE, Settings
from omoide.runtime.models.embeddings.manifest import Manifest
from omoide.runtime.scenario.parse import read_scenario
from omoide.runtime.soak.plan import read_plan
from omoide.tests.documents.pages import BLOCKS, PAGES, ROOT, ROOT_NAMES, Block, blocks_in
from omoide.tests.runtime.cli.command_line import Omoide

EXECUTED = {"python", "sh", "toml", "yaml", "json", "jsonl", "conf"}
"""Languages of blocks that a test here or in test_shell_lines.py runs or reads as the program would."""

SHOWN_ALONE = {
    "hear(text)                             the host's envelope: who, where, when, which words": "a drawing",
    "my-model/": "a listing of a folder",
    "yui: 1,204 vectors of all-MiniLM-L6-v2-int8@8878465e, 36 to come": "a moment within seconds of work",
    "P4 yui 2 step 51: 'Digelivak' is banned, and the gate lets it through": "a bug that nobody has",
}
"""Blocks that are text and not what the program before them prints, by their first line, and what they are."""


def test_every_block_is_executed_or_said_to_be_no_code() -> None:
    printed = {block.shows for block in BLOCKS}
    left = [
        block.place
        for block in BLOCKS
        if block.language not in EXECUTED
        and not (block.language == "text" and (block.text in printed or block.text.split("\n")[0] in SHOWN_ALONE))
    ]

    assert left == [], "give the block a language that is executed, or say in SHOWN_ALONE what it is"


def test_no_block_that_is_said_to_be_no_code_is_gone() -> None:
    assert set(SHOWN_ALONE) <= {block.text.split("\n")[0] for block in BLOCKS}


@pytest.mark.parametrize("page", PAGES, ids=ROOT_NAMES.get)
def test_a_page_has_no_code_outside_of_fences(page: Path) -> None:
    outside = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)

    assert re.findall(r"^ {4,}(?!- )\S.*", outside, re.MULTILINE) == []


MOMENT = re.compile(r"\w+day, \d+ \w+ \d{4}, \d\d:\d\d UTC")


@pytest.mark.parametrize("block", blocks_in("python"))
def test_a_program_in_the_documents_runs_in_an_empty_folder_and_prints_what_is_shown(
    block: Block, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block.text],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert MOMENT.sub("then", block.shows) in MOMENT.sub("then", done.stdout)
    assert [value for value in promised(block.text) if value not in done.stdout.splitlines()] == []


def promised(program: str) -> list[str]:
    """Return what the comments beside a program's prints say that they print, where that is a literal."""
    said = []
    for comment in re.findall(r"print\(.*\)  # (.*)", program):
        try:
            said.append(str(ast.literal_eval(comment)))
        except (ValueError, SyntaxError):
            continue
    return said


@pytest.mark.parametrize("block", blocks_in("toml"))
def test_settings_in_the_documents_are_settings(block: Block, tmp_path: Path) -> None:
    """A block may show a part: providers that it only names, and the model that it leaves out, are filled in."""
    settings: dict[str, Any] = tomllib.loads(block.text)
    if "id" in settings:
        assert msgspec.convert(settings, Manifest).id == settings["id"]
        return
    written = set(settings)
    models = settings.setdefault("models", {})
    providers = models.setdefault("providers", {})
    named = {models.get("use", OFFLINE), *models.get("characters", {}).values()} - {OFFLINE}
    for name in named:
        providers.setdefault(name, {"base_url": "http://127.0.0.1:1/v1"})
    for provider in providers.values():
        provider.setdefault("fast", "tiny")

    assert Settings.model_validate({"data_dir": tmp_path, **settings}).model_fields_set >= written


@pytest.mark.parametrize("block", blocks_in("yaml"))
def test_a_scenario_or_plan_in_the_documents_can_be_read(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "shown.yaml"
    file.write_text(block.text)
    read = read_scenario if "character" in yaml.safe_load(block.text) else read_plan

    assert read(file)


@pytest.mark.parametrize("block", blocks_in("jsonl"))
def test_a_transcript_in_the_documents_is_replayed(block: Block, omoide: Omoide, tmp_path: Path) -> None:
    (tmp_path / "shown.jsonl").write_text(block.text)

    *_, summary = omoide("replay", "yui", str(tmp_path / "shown.jsonl"), "--json").documents

    assert summary["summary"]["new"] == len(block.text.splitlines())


@pytest.mark.parametrize("block", blocks_in("json"))
def test_a_server_that_a_configuration_in_the_documents_names_starts(block: Block, omoide: Omoide) -> None:
    (server,) = json.loads(block.text)["mcpServers"].values()

    assert server["command"] == "omoide"
    omoide.process(*server["args"])


@pytest.mark.parametrize("block", blocks_in("conf"))
def test_a_configuration_of_the_message_server_is_one(block: Block, tmp_path: Path) -> None:
    program = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    if program is None:
        pytest.skip("the server nats-server is not installed")
    (tmp_path / "nats.conf").write_text("jetstream: {}\n" + block.text)

    done = subprocess.run(
        [program, "-t", "-c", str(tmp_path / "nats.conf")],
        env={"OMOIDE": "a", "VOICE": "b"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=ROOT_NAMES.get)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_generated_pages_are_what_the_code_says() -> None:
    pages: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["pages"]()

    stale = [str(path.relative_to(ROOT)) for path, text in pages.items() if path.read_text() != text]

    assert stale == [], "run `python docs/make_reference.py`"
