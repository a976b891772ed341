"""Answers as real models and servers give them: each ends as a result, a repair, or work that is parked."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import ModelError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Profile, Role, Turn, TurnId
from omoide.protocols.work import ExtractTurn, OpState
from omoide.runtime.soak.provider import Behaviour, Server, completion, says, sends
from omoide.tests.runtime.models.http.conftest import Stages
from omoide.tests.runtime.models.http.life import living

SAID = Turn(id=TurnId("t"), role=Role.PERSON, text="I keep bees.", said_at=0, heard_at=0)
REQUEST = ExtractRequest(turn=SAID, profile=Profile(owner="Sam"))
FACT = {"text": "keeps bees", "importance": 7, "entity": "owner"}
GOOD = json.dumps({"facts": [FACT]})
WHOLE = json.loads(completion(GOOD))


def body(**changes: Any) -> bytes:
    """Return a good answer with other fields."""
    return json.dumps({**WHOLE, **changes}).encode()


def choice(message: dict[str, Any], finish: str = "stop") -> bytes:
    return body(choices=[{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}])


def stream(*pieces: str, finish: str | None = "stop") -> bytes:
    """Return an answer as a stream of events, though nobody asked for one."""
    events: list[Any] = [{"choices": [{"delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    events += [{"choices": [{"delta": {}, "finish_reason": finish}]}] if finish else []
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + b"data: [DONE]\n\n"


CALLS = [{"id": "c1", "type": "function", "function": {"name": "extract", "arguments": GOOD}}]

READ: dict[str, Behaviour] = {
    "a fence": says(f"```json\n{GOOD}\n```"),
    "a fence that never ends": says(f"```json\n{GOOD}"),
    "prose around": says(f"Sure! Here are the facts {{as JSON}}:\n{GOOD}\nLet me know if you need more."),
    "a comma too many": says('{"facts": [{"text": "keeps bees", "importance": 7, "entity": "owner",},],}'),
    "single quotes": says("{'facts': [{'text': 'keeps bees', 'importance': 7, 'entity': 'owner'}]}"),
    "python's words": says(
        "{'facts': [{'text': 'keeps bees', 'importance': 7, 'entity': 'owner', 'sure': true}]}"
    ),
    "the bare list": says([FACT]),
    "another name of the list": says({"items": [FACT]}),
    "wrapped once more": says({"answer": {"facts": [FACT]}}),
    "keys too many": says({"facts": [{**FACT, "speaker": "Mia", "trust": 1}], "note": "done", "count": 1}),
    "numbers as texts": says({"facts": [{**FACT, "importance": "7"}]}),
    "a number with a fraction": says({"facts": [{**FACT, "importance": 7.0}]}),
    "thoughts": says(f"<think>The user keeps {{bees}}. [hm]</think>\n{GOOD}"),
    "thoughts without their beginning": says(f"The user keeps {{bees}}. [hm]\n</think>\n\n{GOOD}"),
    "words in capitals": says({"facts": [{**FACT, "entity": " Owner "}]}),
    "a tool call": sends(choice({"content": None, "tool_calls": CALLS}, "tool_calls")),
    "parts": sends(choice({"content": [{"type": "text", "text": GOOD[:9]}, {"type": "text", "text": GOOD[9:]}]})),
    "reasoning beside": sends(choice({"content": GOOD, "reasoning_content": "bees, then", "reasoning": "hm"})),
    "no usage": sends(body(usage=None)),
    "usage of another shape": sends(body(usage=[1, 2])),
    "no word of how it ended": sends(choice({"content": GOOD}, "")),
    "several choices": sends(body(choices=[*WHOLE["choices"], {"message": {"content": "[]"}}])),
    "a byte order mark": sends(b"\xef\xbb\xbf" + completion(GOOD)),
    "UTF-16": sends(completion(GOOD).decode().encode("utf-16")),
    "gzip": sends(gzip.compress(completion(GOOD)), content_encoding="gzip"),
    "deflate": sends(zlib.compress(completion(GOOD)), content_encoding="deflate"),
    "a stream": sends(stream(GOOD[:5], GOOD[5:20], GOOD[20:])),
}
"""What is read at once, by what is odd about it."""

EMPTY: dict[str, Behaviour] = {
    "an empty list": says({"facts": []}),
    "null for an empty list": says({"facts": None}),
    "the bare empty list": says("[]"),
}
"""What says that there is nothing, by how."""

REPAIRED: dict[str, Behaviour] = {
    "prose alone": says("Nice chat!"),
    "thoughts alone": says("<think>Hm, what is a fact? [maybe] {this}</think>"),
    "lists for objects": says([["keeps bees", 7, "owner"]]),
    "null for a text": says({"facts": [{**FACT, "text": None}]}),
    "an empty text": says({"facts": [{**FACT, "text": "  "}]}),
    "another language": says({"facts": [{**FACT, "text": "养蜜蜂"}]}),
    "an object for the list": says({"facts": {"text": "keeps bees"}}),
    "a word alone": says('"keeps bees"'),
    "the schema again": says({"type": "object", "properties": {"facts": {"type": "array"}}}),
    "an answer cut off in its first element": says('{"facts": [{"text": "keeps be', finish="length"),
    "a stream that breaks off": sends(stream('{"facts": [{"text": "keeps be', finish=None)),
}
"""What the model is told of and asked again."""

FAILED: dict[str, Behaviour] = {
    "no choices": sends(body(choices=[])),
    "choices of another shape": sends(body(choices=["stop"])),
    "an error with status 200": sends(b'{"error": {"message": "overloaded"}}'),
    "nothing": sends(b""),
    "a page": sends(b"<html>login</html>"),
    "no content": sends(choice({"content": None})),
    "a refusal": sends(choice({"content": None, "refusal": "I can't help with that."})),
    "a filter": says("", finish="content_filter"),
    "a bomb": sends(gzip.compress(b"x" * 50_000_000), content_encoding="gzip"),
    "a packing that isn't known": sends(completion(GOOD), content_encoding="zstd"),
    "a damaged packing": sends(gzip.compress(completion(GOOD))[:40] + b"x" * 40, content_encoding="gzip"),
    "events of nothing": sends(b"data: {}\n\n"),
}
"""What is no answer: the attempt failed, and the work comes back from the outbox."""


@pytest.mark.parametrize("odd", READ)
async def test_it_is_read_at_once(stage: Stages, server: Server, odd: str) -> None:
    server.then(READ[odd])
    async with stage() as it:
        (fact,) = await it.mind.extract(REQUEST)
    assert fact == Candidate(text="keeps bees", entity=Entity.OWNER, importance=7)
    assert len(server.requests) == 1


async def test_a_bare_text_is_a_fact_of_middling_importance(stage: Stages, server: Server) -> None:
    server.then(says({"facts": ["keeps bees"]}))
    async with stage() as it:
        (fact,) = await it.mind.extract(REQUEST)
    assert fact == Candidate(text="keeps bees", entity=Entity.OWNER, importance=5)


@pytest.mark.parametrize("odd", EMPTY)
async def test_nothing_is_nothing_and_asked_once(stage: Stages, server: Server, odd: str) -> None:
    server.then(EMPTY[odd])
    async with stage() as it:
        assert list(await it.mind.extract(REQUEST)) == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("odd", REPAIRED)
async def test_it_is_asked_for_again_in_the_same_chat(stage: Stages, server: Server, odd: str) -> None:
    server.then(REPAIRED[odd], says(GOOD))
    async with stage() as it:
        (fact,) = await it.mind.extract(REQUEST)
    assert fact.text == "keeps bees"
    assert [len(request.body["messages"]) for request in server.requests] == [2, 4]


@pytest.mark.parametrize("odd", FAILED)
async def test_it_is_no_answer(stage: Stages, server: Server, odd: str) -> None:
    server.otherwise = FAILED[odd]
    async with stage(response_bytes=65_536) as it:
        with pytest.raises(ModelError) as caught:
            await it.mind.extract(REQUEST)
    assert "bees" not in str(caught.value)


@pytest.mark.parametrize("odd", ["prose alone", "another language", "a refusal", "a bomb"])
async def test_the_turn_is_learned_from_once_the_model_behaves(tmp_path: Path, server: Server, odd: str) -> None:
    """Parked first, with the reason, and done after a retry: nothing that was heard is lost."""
    server.otherwise = {**REPAIRED, **FAILED}[odd]
    async with living(tmp_path, server, response_bytes=65_536) as it:
        await it.hear("I keep bees.")
        (parked,) = [op for op in await it.work(OpState.PARKED) if isinstance(op.work, ExtractTurn)]
        assert (parked.attempts, await it.facts()) == (5, [])
        server.otherwise = says({"facts": [{**FACT, "text": "I keep bees."}]})
        await it.character.retry(parked.id)
        await it.settle()
        assert await it.facts() == ["I keep bees."]
