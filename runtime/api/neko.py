"""The routes that N.E.K.O.'s application calls of its memory server, under the same paths and shapes.

So that it can be pointed at Omoide. The shapes are those of the page "Memory Server API" of the documentation of
Project-N-E-K-O/N.E.K.O. Knows these routes; what they come to is done by the same calls that every other way in
makes, with the same capability. Where its callers read a failure out of the body of a 200, they get it there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from weakref import WeakValueDictionary

import msgspec
import trio
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ...protocols.errors import (
    CallerError,
    InvalidRequestError,
    OmoideError,
    RestrictedError,
    UnknownCharacterError,
)
from ...protocols.messages import Hit, MemoryKind, Utterance
from ...protocols.records import Entity, Role, Turn
from ...protocols.scopes import GROUP, MEMBER, PARTICIPANT, PRIVATE, Subject, subject_of
from ...protocols.settings import ServerSettings
from ..character import Character
from ..first_words import check_first_words
from .endpoint import Call
from .reading import body_of

Answer: TypeAlias = Callable[[Call, Request], Awaitable[Response]]

RECENT: Final = 200
"""Turns among which a message of `/settle` is looked for, since it may have been cached before."""

_ROLES: Final[Mapping[str, Role]] = {
    "user": Role.PERSON,
    "human": Role.PERSON,
    "assistant": Role.CHARACTER,
    "ai": Role.CHARACTER,
}
"""Who said a message, by its role or type; what a system says was said by nobody."""

_ENTITIES: Final[Mapping[Entity, str]] = {Entity.OWNER: "master", Entity.CHARACTER: "neko"}
"""How the application calls whom a memory is about; else by the same name as here."""

_KINDS: Final = {"group_chat": GROUP, "participant": PARTICIPANT, "group_participant": MEMBER}
"""Its kinds of subjects, and ours."""


class History(Struct, frozen=True):
    """What is appended: messages as JSON within JSON."""

    input_history: str


class SubjectFields(Struct, frozen=True):
    """A subject; `subject_id` is its parts, joined by colons."""

    subject_kind: Literal["group_chat", "participant", "group_participant"]
    subject_id: str
    scope: str | None = None


class Query(Struct, frozen=True):
    """What is looked for; without subjects in the private corpus alone, and with none in none."""

    query: str | None = None
    time: str | None = None
    subjects: tuple[SubjectFields, ...] | None = None
    include_legacy_private: bool = False


class Surfaced(Struct, frozen=True):
    """The reflections that the next words of the character bring up."""

    reflection_ids: tuple[str, ...] = ()


class Said(NamedTuple):
    """One message of a history."""

    role: Role
    text: str


class Neko:
    """The routes of one server.

    Args:
        settings: the server's limits.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._locks: WeakValueDictionary[str, trio.Lock] = WeakValueDictionary()
        self._surfaced: dict[str, tuple[str, ...]] = {}

    def routes(self) -> Mapping[str, tuple[str, Answer]]:
        """Return what answers a path, with its method."""
        return {
            "/cache/{name}": ("POST", self._history(lambda count: {"status": "cached", "count": count})),
            "/process/{name}": ("POST", self._history(lambda _: {"status": "processed"})),
            "/renew/{name}": ("POST", self._history(lambda _: {"status": "processed"})),
            "/settle/{name}": ("POST", self._history(lambda _: {"status": "settled"}, may_repeat=True)),
            "/new_dialog/{name}": ("GET", self._new_dialog),
            "/get_settings/{name}": ("GET", self._new_dialog),
            "/get_recent_history/{name}": ("GET", self._recent_history),
            "/last_conversation_gap/{name}": ("GET", self._gap),
            "/query_memory/{name}": ("POST", self._query),
            "/followup_topics/{name}": ("GET", self._topics),
            "/record_surfaced/{name}": ("POST", self._record_surfaced),
            "/reflect/{name}": ("POST", _reflect),
            "/cancel_correction/{name}": ("POST", _nothing_to_cancel),
            "/release_character/{name}": ("POST", _release),
            "/reload": ("POST", _reload),
        }

    def _history(self, done: Callable[[int], object], *, may_repeat: bool = False) -> Answer:
        """Return what appends a history, and tells a failure in the body of a 200, where its callers look."""

        async def append(call: Call, request: Request) -> Response:
            call.check_usable()
            call.capability.check_speaker(None)
            call.capability.check_subject(PRIVATE)
            try:
                given = _decoded(await body_of(request, self._settings), History)
                said = messages_of(given.input_history)
                if not said:  # a character doesn't come into being with nothing
                    return JSONResponse(done(0))
                first = said[0]
                await check_first_words(call.runtime, call.name, Utterance(text=first.text), first.role)
                async with self._lock(call.name):
                    character = await call.character(create=True)
                    if may_repeat:
                        said = unheard(said, await character.turns(newest=RECENT, subjects=(PRIVATE,)))
                    await self._append(character, said)
            except RestrictedError:
                raise
            except OmoideError as error:
                return JSONResponse({"status": "error", "message": str(error)})
            return JSONResponse(done(len(said)))

        return _limited(append)

    async def _append(self, character: Character, said: Sequence[Said]) -> None:
        for one in said:
            if one.role is Role.PERSON:
                await character.hear(one.text)
                continue
            surfaced = self._surfaced.pop(character.name, ())
            try:
                await character.say(one.text, surfaced=surfaced)
            except CallerError:  # what was brought up is gone meanwhile; the words were said all the same
                await character.say(one.text)

    def _lock(self, name: str) -> trio.Lock:
        return self._locks.setdefault(name, trio.Lock())

    async def _new_dialog(self, call: Call, _: Request) -> Response:
        """Tell what a new session should have in mind; nothing where the character isn't known."""
        subjects = call.capability.check_subjects(None)
        try:
            character = await call.character()
        except UnknownCharacterError:
            return PlainTextResponse("")
        async with self._lock(call.name):  # not in the middle of a history that is being appended
            return PlainTextResponse((await character.briefing(subjects=subjects)).text)

    async def _recent_history(self, call: Call, _: Request) -> Response:
        subjects = call.capability.check_subjects(None)
        try:
            character = await call.character()
        except UnknownCharacterError:
            return JSONResponse("")
        recent = (await character.briefing(subjects=subjects)).recent
        owner = "user"
        lines = (f"{character.name if one.role is Role.CHARACTER else owner} | {one.text}" for one in recent)
        return JSONResponse("\n".join(lines))

    async def _gap(self, call: Call, _: Request) -> Response:
        """Tell how many seconds ago the last words were; -1 where there were none."""
        subjects = call.capability.check_subjects(None)
        try:
            turns = await (await call.character()).turns(newest=1, subjects=subjects)
        except UnknownCharacterError:
            turns = ()
        now = call.runtime.clock.now()
        return JSONResponse({"gap_seconds": now - turns[-1].said_at if turns else -1})

    async def _query(self, call: Call, request: Request) -> Response:
        asked = _decoded(await body_of(request, self._settings), Query)
        began = trio.current_time()
        query, time = (asked.query or "").strip(), (asked.time or "").strip()
        subjects = _readable(asked)
        hits: tuple[Hit, ...] = ()
        if subjects and (query or time):
            readable = call.capability.check_subjects(subjects)
            character = await call.character()
            found = await character.recall(query, subjects=readable, time=time or None)
            if query and "time" in found.degraded:  # a time that can't be read is left out
                found = await character.recall(query, subjects=readable)
            hits = found.hits
        answer: dict[str, object] = {
            "results": [_result(hit) for hit in hits if hit.kind is not MemoryKind.TURN],
            "query": query,
            "candidates_total": len(hits),
            "elapsed_ms": round(1000 * (trio.current_time() - began), 1),
        }
        if time and not query:
            answer["time"] = time
        return JSONResponse(answer)

    async def _topics(self, call: Call, _: Request) -> Response:
        """Tell what may be brought up; being told changes nothing."""
        subject = call.capability.check_subject(PRIVATE)
        offered = await (await call.character()).offers(subject=subject)
        return JSONResponse(
            {"topics": [{"id": one.id, "text": one.text} for one in offered if one.kind is MemoryKind.REFLECTION]}
        )

    async def _record_surfaced(self, call: Call, request: Request) -> Response:
        """Keep what the character's next words bring up, until they come by `/cache` or its siblings."""
        call.check_usable()
        call.capability.check_subject(PRIVATE)
        given = _decoded(await body_of(request, self._settings), Surfaced)
        if given.reflection_ids:
            self._surfaced[call.name] = given.reflection_ids
        return JSONResponse({"ok": True})


async def _reflect(call: Call, _: Request) -> Response:
    """Judgements are made in the background, and need no asking."""
    call.check_usable()
    return JSONResponse({"reflection": None, "auto_transitions": 0})


async def _nothing_to_cancel(call: Call, _: Request) -> Response:
    call.check_usable()
    return JSONResponse({"status": "no_task"})


async def _release(call: Call, _: Request) -> Response:
    """Take a character out of memory, and close its file."""
    call.check_usable()
    await call.runtime.passivate(call.name)
    return JSONResponse({"status": "success", "character_name": call.name})


async def _reload(call: Call, _: Request) -> Response:
    """Nothing is kept in memory that the disk doesn't say."""
    del call
    return JSONResponse({"status": "success", "message": "nothing needs reloading"})


def _limited(answer: Answer) -> Answer:
    """Return the answer, with the 409 of a character that can't be used right now in the shape of these routes."""

    async def run(call: Call, request: Request) -> Response:
        try:
            return await answer(call, request)
        except RestrictedError as error:
            told = {
                "ok": False,
                "error_code": "storage_startup_blocked",
                "blocking_reason": call.runtime.restriction(call.name) or "busy",
                "limited_mode": True,
                "error": str(error),
            }
            return JSONResponse(told, status_code=409, headers={"Retry-After": "2"})

    return run


def messages_of(history: str) -> list[Said]:
    """Return what people and the character said in a history; what a system said is left out.

    Raises:
        InvalidRequestError: if it is no JSON array of messages.
    """
    try:
        given = msgspec.json.decode(history, type=list[dict[str, Any]])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise InvalidRequestError(f"input_history is no JSON array of messages: {error}") from error
    said = []
    for message in given:
        role = _ROLES.get(str(message.get("role") or message.get("type")))
        text = _text(message.get("content"))
        if role is not None and text:
            said.append(Said(role, text))
    return said


def unheard(said: Sequence[Said], stored: Sequence[Turn]) -> list[Said]:
    """Return the messages that aren't stored yet, each stored turn standing for one."""
    left = [Said(turn.role, turn.text) for turn in stored]
    fresh = []
    for one in said:
        if one in left:
            left.remove(one)
        else:
            fresh.append(one)
    return fresh


def _text(content: object) -> str:
    """Return the words of a content: a text, or parts of which some are texts."""
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _readable(asked: Query) -> list[Subject]:
    """Return the subjects of a query in their order; the private corpus is last where it is included."""
    if asked.subjects is None:
        return [Subject(PRIVATE)]
    if not asked.subjects:  # nobody whose memory may be read, whatever else is asked for
        return []
    named = [subject_of(_KINDS[one.subject_kind], *one.subject_id.split(":")) for one in asked.subjects]
    return [*named, Subject(PRIVATE)] if asked.include_legacy_private else named


def _result(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.id,
        "text": hit.text,
        "tier": hit.kind.value,
        "entity": _ENTITIES.get(hit.entity, hit.entity.value),
        "score": hit.score,
        "created_at": _iso(hit.said_at),
        "event_start_at": None if hit.event_from is None else _iso(hit.event_from),
        "event_end_at": None if hit.event_until is None else _iso(hit.event_until),
    }


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec="seconds")


def _decoded(body: bytes, kind: type[Any]) -> Any:  # noqa: ANN401 - an instance of `kind`
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError) as error:
        raise InvalidRequestError(f"the request's body isn't what this takes: {error}") from error
