"""What is malformed is refused with a clear error, and loses nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import (
    CallerError,
    IdempotencyConflictError,
    InvalidNameError,
    InvalidRequestError,
    InvalidSubjectError,
    InvalidTextError,
    UnknownCharacterError,
)
from omoide.protocols.records import Speaker
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime

BAD_TEXTS: dict[str, tuple[Any, str]] = {
    "empty": ("", "is empty"),
    "blank": (" \n\t ", "is empty"),
    "1 MiB": ("a" * 1_048_576, "1,048,576 characters"),
    "lone surrogate": ("hello \ud83d", "U+D83D at character 6"),
    "NUL": ("a\x00b", "U+0000 at character 1"),
    "escape": ("a\x1b[31m", "U+001B at character 1"),
    "a tower of marks": ("hello " + "a\u0300\u0316" * 20 + "\u0300\u0316" * 30, "30 marks on one letter"),
    "bytes": (b"hello", "must be a string, got bytes"),
    "number": (7, "must be a string, got int"),
    "none": (None, "must be a string, got NoneType"),
}

Refused = Callable[[Character], Awaitable[object]]

BAD_CALLS: dict[str, tuple[Refused, type[CallerError], str]] = {
    "malformed subject": (lambda c: c.hear("hi there", subject="group:qq"), InvalidSubjectError, "group id"),
    "blank subject": (lambda c: c.hear("hi there", subject=""), InvalidSubjectError, "unknown subject ''"),
    "empty list of subjects": (lambda c: c.recall("hi", subjects=[]), InvalidSubjectError, "is empty"),
    "nine subjects": (
        lambda c: c.recall("hi", subjects=[f"group:qq:{n}" for n in range(9)]),
        InvalidSubjectError,
        "at most 8",
    ),
    "trust above 1": (lambda c: c.hear("hi there", trust=1.5), InvalidRequestError, "between 0 and 1"),
    "trust as text": (lambda c: c.hear("hi there", trust="high"), InvalidRequestError, "'high'"),
    "time not a number": (lambda c: c.hear("hi there", said_at=float("nan")), InvalidRequestError, "nan"),
    "blank message id": (lambda c: c.hear("hi there", message_id=" "), InvalidRequestError, "message id"),
    "speaker without account": (
        lambda c: c.hear("hi there", speaker=Speaker(platform="qq", account="")),
        InvalidNameError,
        "account",
    ),
    "speaker as text": (lambda c: c.hear("hi there", speaker="Sam"), InvalidNameError, "got str"),  # type: ignore[arg-type]
    "limit of zero": (lambda c: c.recall("hi", limit=0), InvalidRequestError, "between 1 and 100"),
    "limit as text": (lambda c: c.recall("hi", limit="9"), InvalidRequestError, "'9'"),  # type: ignore[arg-type]
    "newest as text": (lambda c: c.turns(newest="all"), InvalidRequestError, "'all'"),  # type: ignore[arg-type]
    "after as a fraction": (lambda c: c.events(after=0.5), InvalidRequestError, "0.5"),  # type: ignore[arg-type]
    "owner as number": (lambda c: c.describe(owner=7), InvalidTextError, "owner must be a string"),  # type: ignore[arg-type]
    "card with an escape": (lambda c: c.describe(card=["ok", "\x1b[1m"]), InvalidTextError, "card entry"),
    "owner too long": (lambda c: c.describe(owner="x" * 300), InvalidTextError, r"raise limits\.name_chars$"),
    "locale too long": (lambda c: c.describe(locale="x" * 300), InvalidTextError, "shorten it$"),
    "card as one text": (lambda c: c.describe(card="abc"), InvalidRequestError, "card is a list"),
    "words of the turn as number": (lambda c: c.recall("hi", said=5), InvalidRequestError, "said: expected"),  # type: ignore[arg-type]
    "draft as number": (lambda c: c.gate(5, unprompted=True), InvalidRequestError, "draft: expected `str`"),  # type: ignore[arg-type]
    "turn of a draft as number": (
        lambda c: c.gate("hi", unprompted=False, said=5),  # type: ignore[arg-type]
        InvalidRequestError,
        "said: expected",
    ),
    "op as number": (lambda c: c.retry(5), InvalidRequestError, "op is a text"),  # type: ignore[arg-type]
    "op with a surrogate": (lambda c: c.discard("op_\udc00"), InvalidTextError, r"U\+DC00"),
    "record with a surrogate": (lambda c: c.reject("fact_\udc00"), InvalidTextError, r"U\+DC00"),
    "record as number": (lambda c: c.affirm(5), InvalidRequestError, "record_id is a text"),  # type: ignore[arg-type]
    "topic with a surrogate": (lambda c: c.add_directive("horses\udc00"), InvalidRequestError, "can be shown"),
    "topic with an escape": (lambda c: c.add_directive("\x1b[1mhorses"), InvalidRequestError, "can be shown"),
    "topic as number": (lambda c: c.remove_directive(5), InvalidRequestError, "name: expected"),  # type: ignore[arg-type]
    "names of a topic as one text": (lambda c: c.add_directive("horses", "foals"), InvalidRequestError, "a list"),
    "words to explain as number": (lambda c: c.explain(5), InvalidRequestError, "what is a text"),  # type: ignore[arg-type]
    "subjects as number": (lambda c: c.facts(subjects=5), InvalidSubjectError, "a list"),  # type: ignore[arg-type]
    "states as one text": (lambda c: c.outbox(states="parked"), InvalidRequestError, "list of OpState"),  # type: ignore[arg-type]
    "entry beyond all numbers": (lambda c: c.events(after=2**63), InvalidRequestError, "63 bits"),
    "turn with a surrogate": (lambda c: c.turns(newest=1, before="t\udc00"), InvalidTextError, r"U\+DC00"),
    "query with a surrogate": (lambda c: c.recall("hi \udc00"), InvalidTextError, r"U\+DC00"),
    "query as bytes": (lambda c: c.recall(b"hi"), InvalidRequestError, "query: expected `str`, got `bytes`"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", BAD_TEXTS)
async def test_a_text_that_cannot_be_stored_is_refused_with_what_is_wrong(tmp_path: Path, case: str) -> None:
    text, says = BAD_TEXTS[case]
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")

        with pytest.raises(InvalidTextError, match=says.replace("+", r"\+")):
            await character.hear(text)


@pytest.mark.parametrize("case", BAD_CALLS)
async def test_a_malformed_call_is_refused_with_what_is_wrong(tmp_path: Path, case: str) -> None:
    call, error, says = BAD_CALLS[case]
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")

        with pytest.raises(error, match=says):
            await call(character)


async def test_refused_calls_lose_nothing_and_restart_nobody(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.hear("I keep bees on the roof.")
        for text, _ in BAD_TEXTS.values():
            with pytest.raises(InvalidTextError):
                await character.hear(text)
        for call, error, _ in BAD_CALLS.values():
            with pytest.raises(error):
                await call(character)

        await character.settle()

        assert [fact.text for fact in await character.facts()] == ["I keep bees on the roof."]
        assert {role.restarts for role in (await character.status()).roles.values()} == {0}


async def test_the_same_message_id_with_other_words_is_refused(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.hear("I keep bees.", message_id="m1")

        with pytest.raises(IdempotencyConflictError):
            await character.hear("I keep wasps.", message_id="m1")


async def test_the_same_message_twice_gets_the_same_receipt(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        first = await character.hear("I keep bees.", message_id="m1")

        again = await character.hear("I keep bees.", message_id="m1")

        assert (again.turn, again.seq, again.heard_at) == (first.turn, first.seq, first.heard_at)


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "\ud800", "x" * 257])
async def test_a_name_that_no_character_can_have_is_refused(tmp_path: Path, name: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        with pytest.raises(InvalidNameError):
            await runtime.character(name)


async def test_an_unknown_character_is_named_in_the_error(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        with pytest.raises(UnknownCharacterError, match="nobody"):
            await runtime.character("nobody", create=False)


@pytest.mark.parametrize("name", ["Dr. Mio/v2.. 猫", "..", "CON", "a" * 256, "猫" * 256, "-", "$HOME; rm", "é"])
async def test_a_character_of_any_name_keeps_its_memory(tmp_path: Path, name: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        await (await runtime.character(name)).hear("I keep bees on the roof.")

    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character(name, create=False)
        assert [turn.text for turn in await character.turns(newest=9)] == ["I keep bees on the roof."]
        assert runtime.stored_characters() == (name,)


async def test_a_malformed_call_about_people_is_refused_and_crashes_no_pool(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        for _ in range(10):
            with pytest.raises(InvalidRequestError, match="to: expected `str`"):
                await runtime.trust.bind("qq:1", 5, by="me")  # type: ignore[arg-type]

        assert await runtime.trust.people() == ()
