"""The documents' pages, and the blocks of code in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark.structures import ParameterSet

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
ROOT_NAMES: Final = {page: str(page.relative_to(ROOT)) for page in PAGES}

_FENCED: Final = re.compile(r'^```(\w*)(?: title="([^"\n]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block. `title` is the file that it is the text of, `shows` what it prints by the next."""

    page: str
    line: int
    language: str
    title: str
    text: str
    shows: str = ""

    @property
    def place(self) -> str:
        """Where it is, for a person."""
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    text = page.read_text()
    found = list(_FENCED.finditer(text))
    return [
        Block(
            page=ROOT_NAMES[page],
            line=text.count("\n", 0, match.start()) + 1,
            language=match[1],
            title=match[2] or "",
            text=match[3],
            shows=after[3]
            if after and after[1] == "text" and not text[match.end() : after.start()].strip()
            else "",
        )
        for match, after in zip_longest(found, found[1:])
    ]


BLOCKS: Final = [block for page in PAGES for block in blocks_of(page)]


def blocks_in(*languages: str) -> list[ParameterSet]:
    """Return the blocks in some languages, for a test of each."""
    return [pytest.param(block, id=block.place) for block in BLOCKS if block.language in languages]
