"""What a host asks of a character's directives: the gates before speech, the prompt block, and the list."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Sequence

from ..actors.directives.bounds import bound, is_active
from ..actors.directives.gates import Verdict
from ..actors.directives.messages import (
    AddDirective,
    JudgeDraft,
    OpenGate,
    Opening,
    RemoveDirective,
    ShowBlock,
)
from ..actors.directives.streaming import Dropped, SentenceGate
from ..protocols.errors import InvalidRequestError
from ..protocols.records import Directive
from ..protocols.scopes import PRIVATE, parse_subject, parse_subjects
from .handle import Handle, texts_of


class GateStream:
    """A gate for text that is spoken while it is still being written. Made by `Character.gate_stream`.

    What comes out is final and can be spoken at once; a sentence is held back until its end is known, so that
    nothing is delayed by more than a sentence. A directive that is given meanwhile holds from the next chunk.

    Args:
        open_gate: returns what the stream is held to now, given what it was held to before.
    """

    def __init__(self, open_gate: Callable[[Opening | None], Awaitable[Opening]]) -> None:
        self._open_gate = open_gate
        self._opening: Opening | None = None
        self._gate: SentenceGate | None = None

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The sentences that were held back so far, and where they stood in the whole text."""
        return () if self._gate is None else self._gate.dropped

    async def push(self, chunk: str) -> str:
        """Take the next chunk and return the sentences that may be spoken now; empty while none is complete.

        Raises:
            InvalidRequestError: after `close`.
            OmoideError: if the directives can't be asked; the chunk wasn't taken.
        """
        gate = await self._current()
        if gate.closed:
            raise InvalidRequestError("the stream is closed: ask for a new one with gate_stream()")
        return gate.push(chunk)

    async def close(self) -> str:
        """Return what is left and may be spoken, now that nothing more comes. Closing twice returns nothing."""
        return (await self._current()).close()

    async def over(self, chunks: AsyncIterable[str]) -> AsyncGenerator[str]:
        """Yield what may be spoken of a text that arrives in chunks, whole sentences at a time.

        Whoever may leave it before its end, as an interruption does, closes it (`contextlib.aclosing`).
        """
        async for chunk in chunks:
            if spoken := await self.push(chunk):
                yield spoken
        if spoken := await self.close():
            yield spoken

    async def _current(self) -> SentenceGate:
        opening = await self._open_gate(self._opening)
        if self._gate is None:
            self._gate = SentenceGate(opening.matcher, raised=opening.raised)
        elif opening is not self._opening:
            self._gate.hold_to(opening.matcher, raised=opening.raised)
        self._opening = opening
        return self._gate


class Guarded(Handle):
    """The part of a character's handle that is about directives."""

    async def gate(
        self, draft: str, *, unprompted: bool, subject: str = PRIVATE, said: str | None = None
    ) -> Verdict:
        """Return whether the character may say something: allow, block or revise, with reasons and places.

        Unprompted speech is blocked if it names a banned topic, and is to be revised if it says again what the
        character said lately. A reply is to be revised if it names a banned topic that the person didn't raise
        in this turn; asking not to hear of it is not raising it.

        Args:
            draft: all that would be said; a blank one is allowed.
            unprompted: whether the character speaks of its own accord.
            subject: where it would be said.
            said: the person's words of this turn; None takes the newest that was heard in the subject.

        Raises:
            CallerError: if the subject is malformed, or the draft longer than an utterance may be.
            OmoideError: if the directives can't be asked; say nothing then.
        """
        limit = self._runtime.settings.limits.text_chars
        if isinstance(draft, str) and len(draft) > limit:
            raise InvalidRequestError(f"a draft has at most {limit:,} characters, got {len(draft):,}")
        return await self._answer(
            "directives",
            JudgeDraft(draft=draft, unprompted=unprompted, subject=parse_subject(subject), said=said),
        )

    def gate_stream(
        self, *, unprompted: bool = False, subject: str = PRIVATE, said: str | None = None
    ) -> GateStream:
        """Return a gate for text that arrives in chunks, which lets whole sentences through.

        Args:
            unprompted: whether the character speaks of its own accord.
            subject: where it is said.
            said: the person's words of this turn; None takes the newest that was heard in the subject when the
                first chunk arrives.

        Raises:
            CallerError: if the subject is malformed.
        """
        place = parse_subject(subject)

        async def open_gate(known: Opening | None) -> Opening:
            return await self._answer(
                "directives", OpenGate(unprompted=unprompted, subject=place, said=said, known=known)
            )

        return GateStream(open_gate)

    async def directives_block(self, *, locale: str | None = None, subjects: Sequence[str] | None = None) -> str:
        """Return the block of a prompt that tells a model what not to mention; empty if there is nothing.

        A prompt that is prepared ahead carries the block of then: ask again when it is used, and add the block
        where it isn't the same. A receipt whose `directives` aren't empty says that it changed.

        Args:
            locale: language of the block; None for the character's.
            subjects: where the prompt is for; None is `private` alone. What the owner asked for in private is
                held to elsewhere too, by the gates, but isn't written into a prompt for others.

        Raises:
            CallerError: if the subjects are malformed.
        """
        return await self._answer("directives", ShowBlock(subjects=parse_subjects(subjects), locale=locale))

    async def directives(self, *, active_only: bool = True) -> tuple[Directive, ...]:
        """Return the directives in force, in the order in which they were first given.

        Args:
            active_only: false returns the lapsed, lifted and deleted ones too.
        """
        now = self._runtime.clock.now()
        async with self.resident() as resident:
            directives = await resident.journal.records(Directive)
        return tuple(directive for directive in directives if not active_only or is_active(directive, now))

    async def add_directive(self, term: str, aliases: Sequence[str] = ()) -> Directive:
        """Ban a topic as the owner does by saying so, and return its directive.

        Args:
            term: the topic, in any way of writing.
            aliases: other names of it, which are banned with it.

        Raises:
            InvalidRequestError: if a name is too short, too long, or only points at something.
            StorageError: if the disk refused; nothing was stored.
        """
        (directive,) = await self._ask("scribe", AddDirective(term=term, aliases=texts_of("aliases", aliases)))
        return directive

    async def remove_directive(self, name: str) -> tuple[Directive, ...]:
        """Delete a directive by its id, or all on a term whoever gave them, and return them.

        Raises:
            NotFoundError: if there is none.
            StorageError: if the disk refused; nothing was deleted.
        """
        return await self._ask("scribe", RemoveDirective(name=name))

    def _bound_warning(self, directives: Sequence[Directive]) -> str:
        return bound(directives, self._runtime.clock.now(), self._runtime.settings.directives.stored).warning
