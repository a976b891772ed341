"""The operations of a conversation: what is heard and said, recalled and briefed, and what may be spoken."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from ...actors.directives.gates import Verdict
from ...actors.reflection.messages import OfferedMemory
from ...protocols.erasure import check_account
from ...protocols.errors import NotAllowedError
from ...protocols.messages import Briefing, Receipt, Recollection, Utterance
from ...protocols.records import Role, Speaker
from ...protocols.scopes import parse_subject
from ..first_words import check_first_words
from . import bodies
from .endpoint import ONE, Call, Endpoint


class Block(Struct, frozen=True, kw_only=True):
    """A part of a prompt; empty where there is nothing to tell."""

    text: str


class Readable(Struct, frozen=True, kw_only=True):
    """The subjects that may be read for a turn, in order of priority."""

    subjects: tuple[str, ...]


async def hear(call: Call, body: bodies.HearBody) -> Receipt:
    """Take in what somebody said; the answer comes once it can't be lost any more."""
    call.capability.check_speaker(body.speaker)
    if body.trust is not None and not call.capability.everything:
        raise NotAllowedError(f"the token {call.capability.name!r} may not say how far a speaker is trusted")
    subject = call.capability.check_subject(body.subject)
    call.check_usable()
    utterance = Utterance(
        text=body.text,
        speaker=body.speaker,
        subject=parse_subject(subject),
        trust=body.trust,
        said_at=body.said_at,
        id=body.message_id,
    )
    await check_first_words(call.runtime, call.name, utterance, Role.PERSON)
    return await (await call.character(create=True)).hear(
        body.text,
        speaker=body.speaker,
        subject=subject,
        trust=body.trust,
        said_at=body.said_at,
        message_id=body.message_id,
    )


async def say(call: Call, body: bodies.SayBody) -> Receipt:
    """Take in what the character itself said."""
    return await (await call.character()).say(
        body.text,
        subject=call.capability.check_subject(body.subject),
        surfaced=body.surfaced,
        said_at=body.said_at,
        message_id=body.message_id,
    )


async def recall(call: Call, body: bodies.RecallBody) -> Recollection:
    """Return the memories that match, best first."""
    subjects = call.capability.check_subjects(body.subjects)
    return await (await call.character()).recall(
        body.query, subjects=subjects, limit=body.limit, said=body.said, time=body.time
    )


async def answer_tool(call: Call, body: bodies.ToolBody) -> Recollection:
    """Answer a model that called the recall tool: only its query is read, whatever else it sent."""
    subjects = call.capability.check_subjects(body.subjects)
    return await (await call.character()).answer_tool(body.arguments, subjects=subjects, said=body.said)


async def briefing(call: Call, body: bodies.BriefingBody) -> Briefing:
    """Return what the character should have in mind for its next line."""
    subjects = call.capability.check_subjects(body.subjects)
    return await (await call.character()).briefing(subjects=subjects, cue=body.cue)


async def gate(call: Call, body: bodies.GateBody) -> Verdict:
    """Judge what the character is about to say: allow, block or revise."""
    subject = call.capability.check_subject(body.subject)
    return await (await call.character()).gate(
        body.draft, unprompted=body.unprompted, subject=subject, said=body.said
    )


async def directives_block(call: Call, query: bodies.BlockQuery) -> Block:
    """Return the block of a prompt that tells a model what not to mention."""
    subjects = call.capability.check_subjects(query.subject)
    character = await call.character()
    return Block(text=await character.directives_block(locale=query.locale, subjects=subjects))


async def offers(call: Call, query: bodies.OffersQuery) -> tuple[OfferedMemory, ...]:
    """Draw memories that the character may bring up of its own accord."""
    subject = call.capability.check_subject(query.subject)
    return await (await call.character()).offers(subject=subject, limit=query.limit)


async def readable(call: Call, query: bodies.ReadableQuery) -> Readable:
    """Return the subjects that may be read for a turn and that the token is for, in order of priority."""
    where = call.capability.check_subject(query.where)
    speaker = None if query.speaker is None else _speaker(query.speaker)
    call.capability.check_speaker(speaker)
    found = await (await call.character()).subjects_for(where, speaker=speaker)
    return Readable(subjects=tuple(str(one) for one in found if call.capability.may_read(str(one))))


def _speaker(account: str) -> Speaker:
    platform, _, name = check_account(account).partition(":")
    return Speaker(platform=platform, account=name)


TALKING: Final[tuple[Endpoint[Any], ...]] = (
    Endpoint("hear", "POST", f"{ONE}/hear", bodies.HearBody, Receipt, hear),
    Endpoint("say", "POST", f"{ONE}/say", bodies.SayBody, Receipt, say),
    Endpoint("recall", "POST", f"{ONE}/recall", bodies.RecallBody, Recollection, recall),
    Endpoint("answerTool", "POST", f"{ONE}/tool", bodies.ToolBody, Recollection, answer_tool),
    Endpoint("briefing", "POST", f"{ONE}/briefing", bodies.BriefingBody, Briefing, briefing),
    Endpoint("gate", "POST", f"{ONE}/gate", bodies.GateBody, Verdict, gate),
    Endpoint("directivesBlock", "GET", f"{ONE}/directives-block", bodies.BlockQuery, Block, directives_block),
    Endpoint("offers", "GET", f"{ONE}/offers", bodies.OffersQuery, tuple[OfferedMemory, ...], offers),
    Endpoint("readable", "GET", f"{ONE}/readable", bodies.ReadableQuery, Readable, readable),
)
"""All of them."""
