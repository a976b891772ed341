"""The documents tell the truth: their code runs, their links lead somewhere, generated pages are up to date."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_generated_pages_are_what_the_code_says() -> None:
    pages: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["pages"]()

    stale = [str(path.relative_to(ROOT)) for path, text in pages.items() if path.read_text() != text]

    assert stale == [], "run `python docs/make_reference.py`"
