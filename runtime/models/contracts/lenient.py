"""Reads what a model answered: the first JSON value of the wanted shape, whatever stands around it.

Lenient in form and strict in substance. Prose, fences and thoughts around the value are skipped, a list that was
cut off keeps its complete elements, a wrong escape or a lone surrogate spoils nothing but itself; a comma too many
and Python's quotes are read as what they stand for, and so are a bare text for an element and null for an empty
list. What has another shape is an error that says so, never "nothing". Pure, and in bounded time on any input.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from ....protocols.errors import ModelOutputError

ANSWER_CHARS: Final = 1 << 20
"""Longest answer that is read, in characters; 4,096 tokens, the most that a task asks for, are some 20,000."""

STARTS: Final = 64
"""Places at which a value is looked for; prose before an answer has a few brackets at most."""

RELAXED_CHARS: Final = 16_384
"""Longest value that is read though it is no right JSON, in characters; a longer one is repaired by the model."""

ITEMS: Final = 512
"""Elements of an answer that are read; no task has more to say."""

COMPLAINTS: Final = 3
"""Broken rules that an error names; a model needs no more to see what was wrong."""

_THOUGHTS: Final = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_START: Final = re.compile(r"[\[{]")
_BETWEEN: Final = re.compile(r"[\s,]*")
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r'|(?P<right>["\\/bfnrt]|u[0-9a-fA-F]{4}))?'
)
_COMMA_TOO_MANY: Final = re.compile(r",(?=\s*[\]}])")
_BRACKET_OR_QUOTED: Final = re.compile(
    r"""[\[\]{}]|"(?:[^"\\]|\\.)*+"|(?<![\w])'(?:[^'\\\n]|\\.)*+'(?=\s*[:,\]}])"""
)
_WORDS: Final = re.compile(r"\b(?:true|false|null)\b(?=\s*[,\]}])")
_PYTHON: Final = {"true": "True", "false": "False", "null": "None"}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_decoder: Final = json.JSONDecoder(strict=False)

ItemT = TypeVar("ItemT", bound=BaseModel)


class Answer(Struct, Generic[ItemT], frozen=True, kw_only=True):
    """What was read of an answer.

    `items` are the elements that have the right shape, or the one object. `given` counts those that were there,
    `complaints` says what was wrong with others, and `cut_off` that the end is missing.
    """

    items: tuple[ItemT, ...]
    given: int
    complaints: tuple[str, ...] = ()
    cut_off: bool = False


def read_answer(text: str, item: type[ItemT], many: str) -> Answer[ItemT]:
    """Return the elements of the first value in a text that has the wanted shape.

    Args:
        text: what the model said.
        item: the shape of one element, or of the whole answer.
        many: name of the list that holds the elements; empty where the answer is one object.

    Raises:
        ModelOutputError: if no value in the text has the shape; the message says what was found instead.
    """
    if len(text) > ANSWER_CHARS:
        raise ModelOutputError(f"the answer has {len(text):,} characters, and at most {ANSWER_CHARS:,} are read")
    try:
        return _read(_THOUGHTS.sub("", text, count=1), item, many)
    except ModelOutputError:
        # Some servers leave out how the thoughts begin. Looked at last: an answer may quote such a mark.
        _, mark, after = text.rpartition("</think>")
        if not mark:
            raise
        return _read(after, item, many)


def _read(text: str, item: type[ItemT], many: str) -> Answer[ItemT]:
    found: list[str] = []
    for value, cut_off in _values(_valid(text), lists=bool(many)):
        elements = _elements(value, many)
        if elements is None:
            found.append(_kind(value))
            continue
        answer = _checked(elements, item, cut_off=cut_off)
        # A value may just happen to be a list or an object, and a later one be the answer.
        if answer.items or not elements:
            return answer
        found += answer.complaints
    wanted = f'an object with the list "{many}"' if many else "one object"
    raise ModelOutputError(f"expected {wanted}, got {'; '.join(found[:COMPLAINTS]) or 'no JSON'}")


def _valid(text: str) -> str:
    """Return a text without lone surrogates and with right escapes; JSON that is right stays as it is."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\ufffd", "")

    def right(match: re.Match[str]) -> str:
        if match["lone"]:
            return ""
        return match.group() if match["pair"] or match["right"] else r"\\"

    return _ESCAPE.sub(right, text)


def _values(text: str, *, lists: bool) -> Iterator[tuple[object, bool]]:
    """Yield the JSON values of a text, and after them the lists that were cut off, each with whether it was."""
    after = 0
    unfinished: list[int] = []
    for _ in range(STARTS):
        start = _START.search(text, after)
        if start is None:
            break
        try:
            value, after = _decoded(text, start.start())
        except (ValueError, RecursionError):
            if start.group() == "[":
                unfinished.append(start.end())
            after = start.end()
        else:
            yield value, False
    for place in unfinished if lists else ():
        if complete := _complete(text, place):
            yield complete, True


def _decoded(text: str, at: int) -> tuple[object, int]:
    """Return the value that begins at a place, and where it ends; also where it is written as Python would.

    Raises:
        ValueError: if there is none.
        RecursionError: if it is nested too deeply.
    """
    try:
        return _decoder.raw_decode(text, at)
    except ValueError:
        end = _end(text, at)
        if end is None or end - at > RELAXED_CHARS:
            raise
        written = _COMMA_TOO_MANY.sub("", text[at:end])
    try:
        return _decoder.decode(written), end
    except ValueError:
        pass
    try:
        return ast.literal_eval(_WORDS.sub(lambda word: _PYTHON[word.group()], written)), end
    except (SyntaxError, TypeError, MemoryError) as error:
        raise ValueError("no value, however it is read") from error


def _end(text: str, at: int) -> int | None:
    """Return where the brackets that open at a place are all closed; what stands in quotes doesn't count."""
    depth = 0
    for found in _BRACKET_OR_QUOTED.finditer(text, at, at + RELAXED_CHARS + 1):
        if found.group() in "[{":
            depth += 1
        elif found.group() in "]}":
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def _complete(text: str, at: int) -> list[object]:
    """Return the complete elements of a list whose first one begins at a place."""
    elements: list[object] = []
    while len(elements) <= ITEMS:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if not text.startswith("{", at):  # a number or a word may itself be cut off
            break
        try:
            element, at = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        elements.append(element)
    return elements


def _elements(value: object, many: str) -> Sequence[object] | None:
    """Return the elements that a value holds, or None where it has another shape."""
    if not many:
        only = value[0] if isinstance(value, list) and len(value) == 1 else value
        return [only] if isinstance(only, dict) else None
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    inner = [held for held in value.values() if isinstance(held, dict)]
    if len(value) == len(inner) == 1 and many in inner[0]:
        value = inner[0]
    if many in value:
        named = value[many]
        return named if isinstance(named, list) else [] if named is None else None
    lists = [held for held in value.values() if isinstance(held, list)]
    return lists[0] if len(lists) == 1 else None


def _checked(elements: Sequence[object], item: type[ItemT], *, cut_off: bool) -> Answer[ItemT]:
    items: list[ItemT] = []
    complaints: list[str] = []
    for place, element in enumerate(elements[:ITEMS]):
        try:
            bare = isinstance(element, str) and "text" in item.model_fields
            items.append(item.model_validate({"text": element} if bare else element))
        except ValidationError as error:
            complaints.append(f"element {place}: {_reason(error)}")
    if len(elements) > ITEMS:
        complaints.append(f"of {len(elements):,} elements {ITEMS} were read")
    return Answer(items=tuple(items), given=len(elements), complaints=tuple(complaints), cut_off=cut_off)


def _reason(error: ValidationError) -> str:
    """Return what is wrong, in words that quote nothing of the answer."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    path = ".".join(str(part) for part in first["loc"])
    return f"{path}: {first['msg']}" if path else first["msg"]


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return f"an object with {len(value)} fields"
    return f"a list of {len(value)}" if isinstance(value, list) else type(value).__name__
