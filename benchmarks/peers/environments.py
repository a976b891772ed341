"""The peers, what each needs, and an environment of its own for each that is none of ours."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
CHECKOUT: Final = Path(__file__).parents[2]


class Peer(NamedTuple):
    """A memory to compare: the module of its driver, and what that needs, nothing where ours will do."""

    name: str
    driver: str
    requirements: tuple[str, ...]
    environment: str = ""
    arguments: tuple[str, ...] = ()


_MEM0: Final = ("mem0ai==2.2.1", "qdrant-client==1.20.0", "faiss-cpu==1.15.1", "numpy")

PEERS: Final = (
    Peer("omoide", "drivers.omoide_journal", ()),
    Peer("sqlite fts5 + numpy", "drivers.sqlite_fts5", ()),
    Peer("chroma", "drivers.chroma", ("chromadb==1.5.9", "numpy"), "chroma"),
    Peer("mem0, qdrant", "drivers.mem0_raw", _MEM0, "mem0", ("qdrant",)),
    Peer("mem0, faiss", "drivers.mem0_raw", _MEM0, "mem0", ("faiss",)),
)


def python_of(peer: Peer, folder: Path) -> Path:
    """Return the interpreter of the peer's environment, made under `folder` the first time.

    Raises:
        subprocess.CalledProcessError: if pip can't install what the peer needs.
    """
    if not peer.requirements:
        return Path(sys.executable)
    home = folder / peer.environment
    python = home / "bin" / "python"
    stamp = home / "installed"
    if not stamp.exists() or stamp.read_text() != "\n".join(peer.requirements):
        print(f"setting up {home} for {peer.name} (once, some minutes) ...", flush=True)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *peer.requirements], check=True)  # noqa: S603
        stamp.write_text("\n".join(peer.requirements))
    return python
