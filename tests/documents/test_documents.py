"""The documents tell the truth: their code runs, their links lead somewhere, generated pages are up to date."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.settings import OFFLINE, Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
PROGRAMS = [
    pytest.param(program, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, program in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_in_the_documents_runs_in_an_empty_folder(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr


SETTINGS = [
    pytest.param(tomllib.loads(block), id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL))
    if Settings.model_fields.keys() & tomllib.loads(block).keys()
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_in_the_documents_are_settings(settings: dict[str, Any], tmp_path: Path) -> None:
    """A block may show a part: providers that it only names, and the model that it leaves out, are filled in."""
    models = settings.setdefault("models", {})
    providers = models.setdefault("providers", {})
    named = {models.get("use", OFFLINE), *models.get("characters", {}).values()} - {OFFLINE}
    for name in named:
        providers.setdefault(name, {"base_url": "http://127.0.0.1:1/v1"})
    for provider in providers.values():
        provider.setdefault("fast", "tiny")

    Settings.model_validate({"data_dir": tmp_path, **settings})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_generated_pages_are_what_the_code_says() -> None:
    pages: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["pages"]()

    stale = [str(path.relative_to(ROOT)) for path, text in pages.items() if path.read_text() != text]

    assert stale == [], "run `python docs/make_reference.py`"
