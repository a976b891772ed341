"""The runtime for asyncio: the same names and types, each call is awaited in any asyncio loop.

Made from the Trio classes by `docs/make_twins.py`: change those, and run it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Self

from ..actors.directives.gates import Verdict
from ..actors.directives.streaming import Dropped
from ..actors.keeper.messages import Restored, StaleSubject
from ..actors.reflection.messages import OfferedMemory
from ..protocols.erasure import Target
from ..protocols.events import Event
from ..protocols.explanations import Explanation
from ..protocols.messages import Briefing, Decided, Drained, Receipt, Recollection
from ..protocols.ports import Clock, Embedder, Failpoints, LanguageModel
from ..protocols.records import (
    Directive,
    Fact,
    OpState,
    OutboxOp,
    PersonaEntry,
    Profile,
    Reflection,
    Speaker,
    Turn,
)
from ..protocols.scopes import PRIVATE, Subject
from ..protocols.settings import Settings
from . import changes, character, guarded, host
from .character import CharacterStatus
from .host import RuntimeStatus
from .loop_thread import LoopThread
from .store import ErasureReport, ExportReport, ImportReport, Watch, ignore


class GateStream:
    """A gate for text that is spoken while it is still being written. Made by `Character.gate_stream`.

    What comes out is final and can be spoken at once; a sentence is held back until its end is known, so that
    nothing is delayed by more than a sentence. A directive that is given meanwhile holds from the next chunk.
    """

    def __init__(self, inner: guarded.GateStream, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The sentences that were held back so far, and where they stood in the whole text."""
        return self._inner.dropped

    async def push(self, chunk: str) -> str:
        """Take the next chunk and return the sentences that may be spoken now; empty while none is complete.

        Raises:
            InvalidRequestError: after `close`.
            OmoideError: if the directives can't be asked; the chunk wasn't taken.
        """
        return await self._loop.acall(partial(self._inner.push, chunk))

    async def close(self) -> str:
        """Return what is left and may be spoken, now that nothing more comes. Closing twice returns nothing."""
        return await self._loop.acall(partial(self._inner.close))

    async def over(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        """Yield what may be spoken of a text that arrives in chunks, whole sentences at a time."""
        async for chunk in chunks:
            if spoken := await self.push(chunk):
                yield spoken
        if spoken := await self.close():
            yield spoken


class Changes:
    """The entries of a character's journal, oldest first, each once it is stored. Made by `Character.changes`.

    Iterating never ends by itself: it waits for the next change, and keeps the character in memory while it does.
    An erasure is one of the changes, and the stream goes on after it.
    A host that keeps the seq of the last entry that it took up goes on after it, also after a restart.
    """

    def __init__(self, inner: changes.Changes, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> Event:
        """Return the next change; waits for it.

        Raises:
            ActorDeadError: if the runtime is closed meanwhile.
            UnknownCharacterError: if the character was erased.
        """
        return await self._loop.acall(partial(self._inner.__anext__))


class Character:
    """A handle on one character. Cheap to make and to keep; the character itself comes and goes from memory."""

    def __init__(self, inner: character.Character, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    @property
    def name(self) -> str:
        """Its canonical name."""
        return self._inner.name

    async def subjects_for(self, where: str, *, speaker: Speaker | None = None) -> tuple[Subject, ...]:
        """Return the subjects that may be read for a turn, in order of priority: for `recall` and `briefing`.

        For a group that is the group, the member who speaks, and those who spoke there last. Members are among
        them only while member memory is on, which is looked up each time.

        Args:
            where: the subject of the conversation, such as `group:<platform>:<id>`.
            speaker: who speaks; None is the owner.

        Raises:
            InvalidSubjectError: if `where` is blank or malformed; then don't ask for memory at all.
        """
        return await self._loop.acall(partial(self._inner.subjects_for, where, speaker=speaker))

    async def set_member_memory(self, on: bool) -> Profile:
        """Switch the memory of a group's members on or off, from the next turn on and durably.

        Off, `subjects_for` names no member. What was learned of them stays, and is read again once it is on.

        Raises:
            InvalidRequestError: if `on` is neither true nor false.
            StorageError: if the disk refused; nothing was changed.
        """
        return await self._loop.acall(partial(self._inner.set_member_memory, on))

    async def stale_subjects(self) -> tuple[StaleSubject, ...]:
        """Return the groups and participants whose memory would be put away now, with their last additions.

        What is done with them is `scopes.stale`'s to say. Nothing is changed.
        """
        return await self._loop.acall(partial(self._inner.stale_subjects))

    async def restore_subject(self, subject: str) -> Restored:
        """Bring back what was put away of a group or participant, and return how much that was.

        Raises:
            InvalidSubjectError: if the subject is malformed.
            StorageError: if the disk refused; nothing was changed.
        """
        return await self._loop.acall(partial(self._inner.restore_subject, subject))

    async def answer_tool(
        self, arguments: object, *, subjects: Sequence[str] | None = None, said: str | None = None
    ) -> Recollection:
        """Answer a model that called `RECALL_TOOL`. Only its query is read: whose memory is the host's to say.

        Whatever else the model sends, such as subjects or a limit, changes nothing, and what is no query finds
        nothing.

        Args:
            arguments: what the model sent.
            subjects: what the caller may read, as `subjects_for` returns it; None is `private` alone.
            said: the person's words of this turn. None takes the query for them.

        Raises:
            CallerError: if the subjects or `said` are malformed.
        """
        return await self._loop.acall(partial(self._inner.answer_tool, arguments, subjects=subjects, said=said))

    async def erase(
        self,
        *,
        subject: str | None = None,
        account: str | None = None,
        memory: str | None = None,
        words: str | None = None,
        dry_run: bool = False,
    ) -> ErasureReport:
        """Erase one thing for good, with what rests on it, and return what was erased. Name exactly one.

        What was said before and arrives late isn't taken in again; what is said from now on is. The whole
        character is erased by `Runtime.erase`.

        Args:
            subject: all of a subject, such as `group:qq:77`; `private` is what the owner and the character share.
            account: all that an account said anywhere and what was learned from it, as `<platform>:<account>`.
            memory: one record by its id: a fact, a reflection, a persona entry, a turn, a directive or a
                rejection.
            words: every record in which these words occur.
            dry_run: whether only to look what would go.

        Raises:
            CallerError: if none or several are named, the one is malformed, or nothing is stored under it.
            CharacterOwnedError: if another process has the character open.
            StorageError: if the disk refuses; nothing was erased.
        """
        return await self._loop.acall(
            partial(
                self._inner.erase, subject=subject, account=account, memory=memory, words=words, dry_run=dry_run
            )
        )

    async def reject(self, record_id: str) -> Decided:
        """Reject what is stored under an id: it is retracted, and what it says doesn't come back.

        Raises:
            NotFoundError: if nothing that can be rejected has that id.
        """
        return await self._loop.acall(partial(self._inner.reject, record_id))

    async def affirm(self, record_id: str) -> Decided:
        """Affirm what is stored under an id, though it was denied before: what held it back is lifted.

        Raises:
            NotFoundError: if nothing that can be affirmed has that id.
        """
        return await self._loop.acall(partial(self._inner.affirm, record_id))

    async def explain(self, what: str) -> tuple[Explanation, ...]:
        """Return why something is remembered as it is, and since when.

        Args:
            what: an id, the beginning of one, or words of the text; words may name several records.

        Raises:
            NotFoundError: if nothing matches.
        """
        return await self._loop.acall(partial(self._inner.explain, what))

    async def meant(self, what: str, *, affirms: bool) -> str:
        """Return the id of the one record that an id, the beginning of one, or words mean for a decision.

        Raises:
            NotFoundError: if nothing matches that can be rejected or affirmed.
            InvalidRequestError: if several do.
        """
        return await self._loop.acall(partial(self._inner.meant, what, affirms=affirms))

    async def matching(self, what: str, *, affirms: bool) -> tuple[Explanation, ...]:
        """Return the records that an id, the beginning of one, or words may mean for a decision, at least one.

        Words mean what is in force where it is to be rejected, and what isn't where it is to be affirmed, if there
        is any.

        Args:
            what: an id, the beginning of one, or words of the text.
            affirms: whether it is to be affirmed.

        Raises:
            NotFoundError: if nothing matches that can be rejected or affirmed.
        """
        return await self._loop.acall(partial(self._inner.matching, what, affirms=affirms))

    async def reflections(
        self, *, subjects: Sequence[str] | None = None, tier: str | None = None
    ) -> tuple[Reflection, ...]:
        """Return the reflections that take part, pending or confirmed, in order of storing.

        Disputed ones are among them, though recall leaves them out.

        Args:
            subjects: whose memory, at most eight; None is all.
            tier: only those whose evidence makes this tier now: archive_candidate, pending, confirmed or promoted.
                It follows from the score alone, so that a pending reflection can be of the confirmed tier.

        Raises:
            CallerError: if the subjects are malformed or there is no such tier.
        """
        return await self._loop.acall(partial(self._inner.reflections, subjects=subjects, tier=tier))

    async def offers(self, *, subject: str = PRIVATE, limit: int | None = None) -> tuple[OfferedMemory, ...]:
        """Return memories that the character may bring up of its own accord, drawn at random by their weight.

        Left out is what the person banned or rejected, and whatever the character brought up in the last
        `mentions.window_s`, in these words or others. Being offered changes nothing: hand what was really said to
        `say`, with the id in `surfaced`, and what the person answers is judged.

        Args:
            subject: where it would be said.
            limit: most that are wanted; None takes `reflections.surfaced`.

        Raises:
            CallerError: if the subject or the limit is malformed.
        """
        return await self._loop.acall(partial(self._inner.offers, subject=subject, limit=limit))

    async def set_strong_memory(self, on: bool) -> Profile:
        """Switch strong memory on or off, from now on and durably; return the profile as it is then.

        Off, no words but answers to what was brought up move what is believed, and no model decides what becomes
        of it: a reflection is confirmed after `reflections.confirm_after_d` and becomes lasting knowledge
        `promote_after_d` later, each counted from the switching off at the earliest. What a person denies or
        rejects is held back all the same.

        Raises:
            InvalidRequestError: if `on` is neither true nor false.
            StorageError: if the disk refused; nothing was changed.
        """
        return await self._loop.acall(partial(self._inner.set_strong_memory, on))

    async def briefing(self, *, subjects: Sequence[str] | None = None, cue: str | None = None) -> Briefing:
        """Return what the character should have in mind for its next line; `.text` of it goes into a prompt.

        Being briefed changes nothing: nothing of it is learned, counted or stored.

        Args:
            subjects: what the caller may read, at most eight, the first served first; None is `private` alone.
                The character card is in every briefing.
            cue: what the person just said. What recall finds for these words is added, as `associated`.

        Raises:
            CallerError: if the subjects or the cue are malformed.
        """
        return await self._loop.acall(partial(self._inner.briefing, subjects=subjects, cue=cue))

    async def persona(self, *, subjects: Sequence[str] | None = None) -> tuple[PersonaEntry, ...]:
        """Return the persona entries in force, in order of storing; of all subjects for None."""
        return await self._loop.acall(partial(self._inner.persona, subjects=subjects))

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
        return await self._loop.acall(
            partial(self._inner.gate, draft, unprompted=unprompted, subject=subject, said=said)
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
        return GateStream(self._inner.gate_stream(unprompted=unprompted, subject=subject, said=said), self._loop)

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
        return await self._loop.acall(partial(self._inner.directives_block, locale=locale, subjects=subjects))

    async def directives(self, *, active_only: bool = True) -> tuple[Directive, ...]:
        """Return the directives in force, in the order in which they were first given.

        Args:
            active_only: false returns the lapsed, lifted and deleted ones too.
        """
        return await self._loop.acall(partial(self._inner.directives, active_only=active_only))

    async def add_directive(self, term: str, aliases: Sequence[str] = ()) -> Directive:
        """Ban a topic as the owner does by saying so, and return its directive.

        Args:
            term: the topic, in any way of writing.
            aliases: other names of it, which are banned with it.

        Raises:
            InvalidRequestError: if a name is too short, too long, or only points at something.
            StorageError: if the disk refused; nothing was stored.
        """
        return await self._loop.acall(partial(self._inner.add_directive, term, aliases))

    async def remove_directive(self, name: str) -> tuple[Directive, ...]:
        """Delete a directive by its id, or all on a term whoever gave them, and return them.

        Raises:
            NotFoundError: if there is none.
            StorageError: if the disk refused; nothing was deleted.
        """
        return await self._loop.acall(partial(self._inner.remove_directive, name))

    async def hear(
        self,
        text: str,
        *,
        speaker: Speaker | None = None,
        subject: str = PRIVATE,
        trust: float | str | None = None,
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what somebody said, and return once it can't be lost any more.

        Never waits for a model: what the words mean is worked out in the background.

        Args:
            text: the words.
            speaker: who spoke, by the host's word; None is the owner.
            subject: where it was said, such as `private` or `group:<platform>:<id>`.
            trust: where the host lets the speaker's trust start: the tier that a human gave the account (`admin`,
                `trusted`, `normal` or `none`), or a number from 0 to 1, which never counts for more than
                `trust.reported_max`. What the pool of accounts knows of them moves it a little. None abstains.
            said_at: when it was said, in seconds since the epoch; None is now.
            message_id: the host's id; the same message heard again is the same turn.

        Raises:
            CallerError: if a part of the envelope is malformed; the message says which.
            StorageError: if the disk refused; nothing was stored.
        """
        return await self._loop.acall(
            partial(
                self._inner.hear,
                text,
                speaker=speaker,
                subject=subject,
                trust=trust,
                said_at=said_at,
                message_id=message_id,
            )
        )

    async def say(
        self,
        text: str,
        *,
        subject: str = PRIVATE,
        surfaced: Sequence[str] = (),
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what the character itself said, and return once it can't be lost any more.

        Args:
            text: the words.
            subject: where it was said.
            surfaced: the reflections of that subject that the words brought up, each by its id or by words that
                its text contains. What the person says next is taken as their answer to them.
            said_at: when it was said, in seconds since the epoch; None is now.
            message_id: the host's id; the same message said again is the same turn.

        Raises:
            CallerError: if a part of the envelope is malformed; the message says which.
            StorageError: if the disk refused; nothing was stored.
        """
        return await self._loop.acall(
            partial(
                self._inner.say, text, subject=subject, surfaced=surfaced, said_at=said_at, message_id=message_id
            )
        )

    async def recall(
        self,
        query: str,
        *,
        subjects: Sequence[str] | None = None,
        limit: int | None = None,
        said: str | None = None,
        time: str | None = None,
    ) -> Recollection:
        """Return what is remembered about `query`, best first; `.text` of it is for a model's tool result.

        Where memory can't answer right now, nothing is found and `degraded` names `recall`: a conversation goes on
        without it.

        What is about a topic that the person banned is left out, unless the person raised the topic in this
        turn. A sentence of the query that is a wish not to hear of something, or to forget it, finds nothing.

        Args:
            query: any words; a blank query finds nothing, unless a time is asked for.
            subjects: what the caller may read, at most eight; None is `private` alone.
            limit: most hits wanted.
            said: the person's words of this turn, where the query isn't made of them; empty where nobody
                asked. None takes the query for them.
            time: only what is of this time, or with a blank query what is nearest to it: YYYY, YYYY-MM,
                YYYY-MM-DD, an ISO time (its day), two of these joined by `/` or `..`, or words such as
                "last summer". One that can't be read finds nothing, and `degraded` names `time`.

        Raises:
            CallerError: if the query, the subjects, the limit or the time are malformed.
        """
        return await self._loop.acall(
            partial(self._inner.recall, query, subjects=subjects, limit=limit, said=said, time=time)
        )

    async def describe(
        self, *, owner: str | None = None, locale: str | None = None, card: Sequence[str] | None = None
    ) -> Profile:
        """Replace what is given of the character's profile, and return the whole.

        Raises:
            InvalidTextError: if a part is no text that can be stored.
        """
        return await self._loop.acall(partial(self._inner.describe, owner=owner, locale=locale, card=card))

    async def drain(self) -> Drained:
        """Do the background work that is due now; returns when the rest falls due, and how much is parked.

        Periodic work that is due is done too, and what lacks a vector is embedded. A role that queues such work
        and has crashed holds nothing else up: it queues what was due once it is back.
        """
        return await self._loop.acall(partial(self._inner.drain))

    async def settle(self) -> Drained:
        """Return once no background work is left; waits for retries. Parked work is counted in the reply."""
        return await self._loop.acall(partial(self._inner.settle))

    async def facts(self, *, subjects: Sequence[str] | None = None) -> tuple[Fact, ...]:
        """Return the facts in force, in order of storing; of all subjects for None."""
        return await self._loop.acall(partial(self._inner.facts, subjects=subjects))

    async def turns(self, *, newest: int, subjects: Sequence[str] | None = None) -> tuple[Turn, ...]:
        """Return the newest turns, oldest first; of all subjects for None."""
        return await self._loop.acall(partial(self._inner.turns, newest=newest, subjects=subjects))

    async def events(self, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        """Return journal entries with a seq above `after`, oldest first."""
        return await self._loop.acall(partial(self._inner.events, after=after, limit=limit))

    def changes(self, *, after: int = 0) -> Changes:
        """Return the stream of what changes from now on, and of what did since an entry.

        Args:
            after: seq of the last entry that isn't wanted; 0 begins with the first.
        """
        return Changes(self._inner.changes(after=after), self._loop)

    async def outbox(
        self, *, states: Sequence[OpState] = (OpState.PENDING, OpState.PARKED)
    ) -> tuple[OutboxOp, ...]:
        """Return background work in these states, in order."""
        return await self._loop.acall(partial(self._inner.outbox, states=states))

    async def retry(self, op: str) -> OutboxOp:
        """Send parked work again.

        Raises:
            NotFoundError: if there is no such op.
            InvalidRequestError: if it isn't parked.
        """
        return await self._loop.acall(partial(self._inner.retry, op))

    async def discard(self, op: str) -> OutboxOp:
        """Give up pending or parked work for good.

        Raises:
            NotFoundError: if there is no such op.
            InvalidRequestError: if it is neither pending nor parked.
        """
        return await self._loop.acall(partial(self._inner.discard, op))

    async def status(self) -> CharacterStatus:
        """Return the health of the character."""
        return await self._loop.acall(partial(self._inner.status))


class Runtime:
    """All characters of one data folder. Made by `open_runtime`."""

    def __init__(self, inner: host.Runtime, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    async def character(
        self,
        name: str,
        *,
        create: bool = True,
        owner: str | None = None,
        locale: str | None = None,
        card: Sequence[str] | None = None,
    ) -> Character:
        """Return a character, activated; what is given of owner, locale and card replaces what was stored.

        Args:
            name: any name; it is trimmed and brought to Unicode's normal form C.
            create: whether a character that isn't stored yet comes into being.
            owner: how the person is called whom the character belongs to.
            locale: language tag of the character, such as `en` or `zh`.
            card: statements about the character that always hold.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if there is none and `create` is false.
            CharacterOwnedError: if another process has it open.
            StorageError: if its file can't be opened; the message says why and what to do.
        """
        return Character(
            await self._loop.acall(
                partial(self._inner.character, name, create=create, owner=owner, locale=locale, card=card)
            ),
            self._loop,
        )

    def stored_characters(self) -> tuple[str, ...]:
        """Return the names of all characters in the data folder, in memory or not."""
        return self._inner.stored_characters()

    async def export(self, name: str, folder: Path | str, *, on_progress: Watch = ignore) -> ExportReport:
        """Export a character, in memory or not, as readable files from which `import_` makes it again.

        It is exported as it stands on disk at this moment, and may be used meanwhile. If the call is cancelled or
        fails, nothing is in the folder's place.

        Args:
            name: of the character.
            folder: a folder that doesn't exist yet or is empty.
            on_progress: called with rows done and rows in all now and then, in a worker thread.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if nothing is stored under the name.
            InvalidRequestError: if there is something in the folder's place.
            CorruptStorageError: if the journal is damaged.
            StorageFullError: if the disk is full.
            StorageError: if a disk refuses.
        """
        return await self._loop.acall(partial(self._inner.export, name, folder, on_progress=on_progress))

    async def import_(
        self, folder: Path | str, name: str | None = None, *, on_progress: Watch = ignore
    ) -> ImportReport:
        """Import an export as a character that doesn't exist yet. `character()` returns it then.

        If the call is cancelled or fails, nothing was imported, or all if the character was about to exist.

        Args:
            folder: what `export` made.
            name: how the character is called here; None for the name that it had.
            on_progress: called with rows read and rows in all now and then, in a worker thread.

        Raises:
            InvalidNameError: if no character can have that name.
            InvalidRequestError: if the folder holds no export, or the character exists.
            CorruptStorageError: if anything is wrong with the export; the message says what and where.
            NewerSchemaError: if a newer program wrote it.
            CharacterOwnedError: if another process has the file open that the character would go into.
            StorageFullError: if the disk is full.
            StorageError: if a disk refuses.
        """
        return await self._loop.acall(partial(self._inner.import_, folder, name, on_progress=on_progress))

    async def erase(self, name: str, target: Target | None, *, dry_run: bool = False) -> ErasureReport:
        """Erase part of a character, or all of it, for good, and return what was erased.

        The character leaves memory for it, once those who use it are done or `actors.shutdown_s` have passed, so
        that nothing which is under way brings back what is erased; calls that come meanwhile wait. When it
        returns, nothing of it is found any more; `scrubbed` of the report says whether its bytes are gone from the
        data folder too. Exports that were made before are the person's own copies and stay.

        Args:
            name: of the character.
            target: what is to be erased; None for the whole character.
            dry_run: whether only to look what would go: nothing is changed, and anybody may own the character.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if nothing is stored under the name.
            CharacterOwnedError: if another process has it open.
            NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
            InvalidRequestError: if the target can't be erased; the message says why.
            StorageError: if the file can't be opened, or the disk refuses; nothing was erased.
        """
        return await self._loop.acall(partial(self._inner.erase, name, target, dry_run=dry_run))

    async def status(self) -> RuntimeStatus:
        """Return the health of the runtime and of every character in memory."""
        return await self._loop.acall(partial(self._inner.status))

    async def passivate(self, name: str) -> None:
        """Take a character out of memory once nobody uses it. It comes back at its next use.

        Everything it knows is on disk already; work that was pending goes on when it is back.
        """
        return await self._loop.acall(partial(self._inner.passivate, name))

    async def warm_up(self) -> None:
        """Load the embedding model, so that no query has to wait for it; it starts by itself at opening.

        One that can't be loaded is no error here: recall says then that it went on without.
        """
        return await self._loop.acall(partial(self._inner.warm_up))


@asynccontextmanager
async def open_runtime(
    settings: Settings | Path | str,
    *,
    clock: Clock | None = None,
    model: LanguageModel | None = None,
    failpoints: Failpoints | None = None,
    embedder: Embedder | None = None,
) -> AsyncIterator[Runtime]:
    """Open a data folder in a thread with a Trio loop, yield its runtime, and close it in order.

    What it takes and raises is what `omoide.open_runtime` does. Any asyncio loop may call what it yields.
    """
    loop = LoopThread(
        host.open_runtime(settings, clock=clock, model=model, failpoints=failpoints, embedder=embedder)
    )
    try:
        yield Runtime(await asyncio.to_thread(loop.start), loop)
    finally:
        await asyncio.shield(asyncio.to_thread(loop.stop))
