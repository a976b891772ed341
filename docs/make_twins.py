"""Writes the blocking and the asyncio twin of the Trio classes that hosts see; a test keeps them true.

The Trio classes are the one definition: names, types, defaults and the first line of each docstring are read from
their source. What an argument means and what is raised is told there alone.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from omoide.runtime import host
from omoide.runtime.changes import Changes
from omoide.runtime.character import Character
from omoide.runtime.guarded import GateStream
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.people import TrustedPeople

RUNTIME: Final = Path(__file__).parents[1] / "runtime"
TWINS: Final = (GateStream, Changes, Character, TrustedPeople, Runtime)
"""The classes that have twins: whatever a method returns of them is wrapped."""

INSIDE: Final[dict[type, frozenset[str]]] = {
    Character: frozenset({"resident"}),
    Runtime: frozenset(
        {
            "close",
            "erased_since",
            "importing",
            "passivate_idle",
            "received",
            "reporting",
            "resident",
            "residents",
            "watching",
        }
    ),
}
"""What the runtime's own modules call, and hosts don't."""

ATTRIBUTES: Final[dict[type, dict[str, tuple[str, str]]]] = {
    Character: {"name": ("str", "Its canonical name.")},
    Runtime: {
        "settings": ("Settings", "The settings that hold."),
        "trust": ("TrustedPeople", "The pool of accounts."),
    },
}
"""What hosts read of an object, with its type and what it is."""

ITERATION: Final = {"__aiter__": "__iter__", "__anext__": "__next__"}
"""What makes an object a stream, and what its blocking twin calls that."""

HEADER: Final = '''
"""{title}

Made from the Trio classes by `docs/make_twins.py`: change those, and run it again.
"""

from __future__ import annotations

{imports}

'''

OPEN: Final = {
    "blocking": '''
@contextmanager
def open_runtime({arguments}) -> Iterator[Runtime]:
    """Open a data folder in a thread with a Trio loop, yield its runtime, and close it in order.

    What it takes and raises is what `omoide.open_runtime` does. Any thread may call what it yields.
    """
    loop = LoopThread(host.open_runtime({passed}))
    try:
        yield Runtime(loop.start(), loop)
    finally:
        loop.stop()
''',
    "aio": '''
@asynccontextmanager
async def open_runtime({arguments}) -> AsyncIterator[Runtime]:
    """Open a data folder in a thread with a Trio loop, yield its runtime, and close it in order.

    What it takes and raises is what `omoide.open_runtime` does. Any asyncio loop may call what it yields.
    """
    loop = LoopThread(host.open_runtime({passed}))
    try:
        yield Runtime(await asyncio.to_thread(loop.start), loop)
    finally:
        await asyncio.shield(asyncio.to_thread(loop.stop))
''',
}

TITLES: Final = {
    "blocking": "The runtime for threads: the same names and types, each call waits for its outcome.",
    "aio": "The runtime for asyncio: the same names and types, each call is awaited in any asyncio loop.",
}


@dataclass(frozen=True, slots=True)
class Method:
    """One public method or property of a class, and the module whose names its signature uses."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    module: ModuleType


def methods(cls: type) -> Iterator[Method]:
    """Yield what hosts may call of a class, the inherited first, in the order of the source."""
    found: dict[str, Method] = {}
    for base in reversed(cls.__mro__[:-1]):
        module = inspect.getmodule(base)
        assert module is not None
        tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        (body,) = (node.body for node in tree.body if isinstance(node, ast.ClassDef))
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
                node.name in ITERATION or not node.name.startswith("_")
            ):
                found[node.name] = Method(node, module)
    return (method for name, method in found.items() if name not in INSIDE.get(cls, ()))


class Twin:
    """The source of one twin.

    Args:
        name: `blocking` or `aio`.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._waits = name == "blocking"
        self._imports: dict[str, set[str]] = {}

    def source(self) -> str:
        """Return the module's source, formatted."""
        body = "\n\n".join([*(self._class(cls) for cls in TWINS), self._opening()])
        imports = [
            "from functools import partial",
            "from . import changes, character, guarded, host, people",
            "from .loop_thread import LoopThread",
            "from collections.abc import Generator, Iterable, Iterator\nfrom contextlib import contextmanager"
            if self._waits
            else "import asyncio\nfrom collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator\n"
            "from collections.abc import Awaitable\n"
            "from contextlib import asynccontextmanager",
        ]
        imports += [f"from {home} import {', '.join(sorted(names))}" for home, names in self._imports.items()]
        header = HEADER.format(title=TITLES[self._name], imports="\n".join(imports)).lstrip()
        return _formatted(header + body)

    def _opening(self) -> str:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(open_runtime))).body
        assert isinstance(node, ast.AsyncFunctionDef)
        arguments = ast.unparse(node.args)
        self._take_imports(host, arguments, "None")
        return OPEN[self._name].format(arguments=arguments, passed=", ".join(_passed(node.args, skip=0)))

    def _class(self, cls: type) -> str:
        about = _first_line(inspect.cleandoc(cls.__doc__ or ""))
        whole = f"All that `{cls.__module__}.{cls.__name__}` says of it holds."
        doc = textwrap.indent(f'"""{about}\n\n{whole}\n"""', "    ")
        home = cls.__module__.rsplit(".", 1)[1]
        lines = [
            f"class {cls.__name__}:",
            doc,
            "",
            f"    def __init__(self, inner: {home}.{cls.__name__}, loop: LoopThread) -> None:",
            "        self._inner = inner",
            "        self._loop = loop",
        ]
        for name, (kind, meaning) in ATTRIBUTES.get(cls, {}).items():
            lines += ["", "    @property", f"    def {name}(self) -> {kind}:", f'        """{meaning}"""']
            is_twin = any(twin.__name__ == kind for twin in TWINS)
            lines += [
                f"        return {kind}(self._inner.{name}, self._loop)"
                if is_twin
                else f"        return self._inner.{name}"
            ]
        return "\n".join([*lines, *(f"\n{self._method(method)}" for method in methods(cls))])

    def _method(self, method: Method) -> str:
        node = method.node
        returns = "" if node.returns is None else ast.unparse(node.returns)
        wraps = next((cls.__name__ for cls in TWINS if cls.__name__ == returns.strip("'\"")), None)
        is_property = any(ast.unparse(mark) == "property" for mark in node.decorator_list)
        is_stream = returns.startswith("AsyncGenerator")
        arguments = ast.unparse(node.args)
        if is_stream and self._waits:
            arguments, returns = arguments.replace("AsyncI", "I"), returns.replace("AsyncG", "G")
        self._take_imports(method.module, arguments, returns)
        awaited = isinstance(node, ast.AsyncFunctionDef)
        head = "async def" if awaited and not self._waits else "def"
        doc = f'"""{_first_line(ast.get_docstring(node) or "")}"""'
        if is_stream:
            body = self._stream()
        elif node.name == "each":
            body = self._each()
        elif node.name == "__anext__" and self._waits:
            body = (
                f"try:\n    {self._call(node, awaited=True, wraps=None)}\n"
                "except StopAsyncIteration:\n    raise StopIteration from None"
            )
        elif returns == "Self":
            body = "return self"
        elif is_property:
            body = f"return self._inner.{node.name}"
        else:
            body = self._call(node, awaited=awaited, wraps=wraps)
        lines = ["@property"] if is_property else []
        name = ITERATION.get(node.name, node.name) if self._waits else node.name
        lines += [f"{head} {name}({arguments}) -> {returns}:", textwrap.indent(doc, "    ")]
        return textwrap.indent("\n".join([*lines, textwrap.indent(body, "    ")]), "    ")

    def _call(self, node: ast.FunctionDef | ast.AsyncFunctionDef, *, awaited: bool, wraps: str | None) -> str:
        passed = _passed(node.args, skip=1)
        if awaited:
            call = "self._loop.call" if self._waits else "await self._loop.acall"
            value = f"{call}(partial({', '.join([f'self._inner.{node.name}', *passed])}))"
        else:
            value = f"self._inner.{node.name}({', '.join(passed)})"
        return f"return {wraps}({value}, self._loop)" if wraps else f"return {value}"

    def _stream(self) -> str:
        word, wait = ("", "") if self._waits else ("async ", "await ")
        return (
            f"{word}for chunk in chunks:\n"
            f"    if spoken := {wait}self.push(chunk):\n"
            "        yield spoken\n"
            f"if spoken := {wait}self.close():\n"
            "    yield spoken"
        )

    def _each(self) -> str:
        """Return a body that makes the calls where the host is, and not in the loop's thread."""
        if self._waits:
            return "for change in self:\n    call(change)"
        return (
            "async for change in self:\n"
            "    done = call(change)\n"
            "    if isinstance(done, Awaitable):\n"
            "        await done"
        )

    def _take_imports(self, module: ModuleType, arguments: str, returns: str) -> None:
        used = {
            node.id
            for source in (f"def f({arguments}): ...", f"x: {returns}")
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Name)
        }
        tree = ast.parse(inspect.getsource(module))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name in used:
                        home = f"{'.' * node.level}{node.module or ''}"
                        self._imports.setdefault(home, set()).add(alias.name)
            elif isinstance(node, ast.ClassDef) and node.name in used - {cls.__name__ for cls in TWINS}:
                home = f".{module.__name__.rsplit('.', 1)[1]}"
                self._imports.setdefault(home, set()).add(node.name)
        for name in {cls.__name__ for cls in TWINS}:
            for names in self._imports.values():
                names.discard(name)
        self._imports = {home: names for home, names in self._imports.items() if names}


def _passed(arguments: ast.arguments, *, skip: int) -> list[str]:
    named = [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    return [*(argument.arg for argument in arguments.args[skip:]), *named]


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _formatted(source: str) -> str:
    """Return the source as the project's formatter and import sorter leave it."""
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(RUNTIME / "twin.py"), "-"]
    for command in (["check", "--quiet", "--select", "I,F401", "--fix", "--exit-zero"], ["format"]):
        run = subprocess.run([*ruff, *command, *name], input=source, capture_output=True, text=True, check=True)  # noqa: S603 - our own arguments
        source = run.stdout
    return source


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RUNTIME
    for name in TITLES:
        (folder / f"{name}.py").write_text(Twin(name).source())
