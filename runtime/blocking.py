"""The runtime for threads: the same names and types, each call waits for its outcome.

Made from the Trio classes by `docs/make_twins.py`: change those, and run it again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
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
from ..protocols.people import Person
from ..protocols.ports import Clock, Embedder, Failpoints, LanguageModel
from ..protocols.records import Directive, Fact, PersonaEntry, Profile, Reflection, Speaker, Turn
from ..protocols.scopes import PRIVATE, Subject
from ..protocols.settings import Settings
from ..protocols.work import OpState, OutboxOp
from . import changes, character, guarded, host, people
from .character import CharacterStatus
from .host import RuntimeStatus
from .loop_thread import LoopThread
from .store import ErasureReport, ExportReport, ImportReport, Watch, ignore


class GateStream:
    """A gate for text that is spoken while it is still being written. Made by `Character.gate_stream`.

    All that `omoide.runtime.guarded.GateStream` says of it holds.
    """

    def __init__(self, inner: guarded.GateStream, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The sentences that were held back so far, and where they stood in the whole text."""
        return self._inner.dropped

    def push(self, chunk: str) -> str:
        """Take the next chunk and return the sentences that may be spoken now; empty while none is complete."""
        return self._loop.call(partial(self._inner.push, chunk))

    def close(self) -> str:
        """Return what is left and may be spoken, now that nothing more comes. Closing twice returns nothing."""
        return self._loop.call(partial(self._inner.close))

    def over(self, chunks: Iterable[str]) -> Generator[str]:
        """Yield what may be spoken of a text that arrives in chunks, whole sentences at a time."""
        for chunk in chunks:
            if spoken := self.push(chunk):
                yield spoken
        if spoken := self.close():
            yield spoken


class Changes:
    """The entries of a character's journal, oldest first, each once it is stored. Made by `Character.changes`.

    All that `omoide.runtime.changes.Changes` says of it holds.
    """

    def __init__(self, inner: changes.Changes, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    def __iter__(self) -> Self:
        """Return the stream itself."""
        return self

    def __next__(self) -> Event:
        """Return the next change; waits for it."""
        try:
            return self._loop.call(partial(self._inner.__anext__))
        except StopAsyncIteration:
            raise StopIteration from None

    def each(self, call: Callable[[Event], object]) -> None:
        """Call a function with each change until the stream is closed."""
        for change in self:
            call(change)

    def close(self) -> None:
        """End the stream: whoever waits for the next change goes on, and gets no more."""
        return self._loop.call(partial(self._inner.close))


class Character:
    """A handle on one character. Cheap to make and to keep; the character itself comes and goes from memory.

    All that `omoide.runtime.character.Character` says of it holds.
    """

    def __init__(self, inner: character.Character, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    @property
    def name(self) -> str:
        """Its canonical name."""
        return self._inner.name

    def subjects_for(self, where: str, *, speaker: Speaker | None = None) -> tuple[Subject, ...]:
        """Return the subjects that may be read for a turn, in order of priority: for `recall` and `briefing`."""
        return self._loop.call(partial(self._inner.subjects_for, where, speaker=speaker))

    def set_member_memory(self, on: bool) -> Profile:
        """Switch the memory of a group's members on or off, from the next turn on and durably."""
        return self._loop.call(partial(self._inner.set_member_memory, on))

    def stale_subjects(self) -> tuple[StaleSubject, ...]:
        """Return the groups and participants whose memory would be put away now, with their last additions."""
        return self._loop.call(partial(self._inner.stale_subjects))

    def restore_subject(self, subject: str) -> Restored:
        """Bring back what was put away of a group or participant, and return how much that was."""
        return self._loop.call(partial(self._inner.restore_subject, subject))

    def answer_tool(
        self, arguments: object, *, subjects: Sequence[str] | None = None, said: str | None = None
    ) -> Recollection:
        """Answer a model that called `RECALL_TOOL`. Only its query is read: whose memory is the host's to say."""
        return self._loop.call(partial(self._inner.answer_tool, arguments, subjects=subjects, said=said))

    def erase(
        self,
        *,
        subject: str | None = None,
        account: str | None = None,
        memory: str | None = None,
        words: str | None = None,
        dry_run: bool = False,
    ) -> ErasureReport:
        """Erase one thing for good, with what rests on it, and return what was erased. Name exactly one."""
        return self._loop.call(
            partial(
                self._inner.erase, subject=subject, account=account, memory=memory, words=words, dry_run=dry_run
            )
        )

    def reject(self, record_id: str) -> Decided:
        """Reject what is stored under an id: it is retracted, and what it says doesn't come back."""
        return self._loop.call(partial(self._inner.reject, record_id))

    def affirm(self, record_id: str) -> Decided:
        """Affirm what is stored under an id, though it was denied before: what held it back is lifted."""
        return self._loop.call(partial(self._inner.affirm, record_id))

    def explain(self, what: str) -> tuple[Explanation, ...]:
        """Return why something is remembered as it is, and since when."""
        return self._loop.call(partial(self._inner.explain, what))

    def meant(self, what: str, *, affirms: bool) -> str:
        """Return the id of the one record that an id, the beginning of one, or words mean for a decision."""
        return self._loop.call(partial(self._inner.meant, what, affirms=affirms))

    def matching(self, what: str, *, affirms: bool) -> tuple[Explanation, ...]:
        """Return the records that an id, the beginning of one, or words may mean for a decision, at least one."""
        return self._loop.call(partial(self._inner.matching, what, affirms=affirms))

    def reflections(
        self, *, subjects: Sequence[str] | None = None, tier: str | None = None
    ) -> tuple[Reflection, ...]:
        """Return the reflections that take part, pending or confirmed, in order of storing."""
        return self._loop.call(partial(self._inner.reflections, subjects=subjects, tier=tier))

    def offers(self, *, subject: str = PRIVATE, limit: int | None = None) -> tuple[OfferedMemory, ...]:
        """Return memories that the character may bring up of its own accord, drawn at random by their weight."""
        return self._loop.call(partial(self._inner.offers, subject=subject, limit=limit))

    def set_strong_memory(self, on: bool) -> Profile:
        """Switch strong memory on or off, from now on and durably; return the profile as it is then."""
        return self._loop.call(partial(self._inner.set_strong_memory, on))

    def briefing(self, *, subjects: Sequence[str] | None = None, cue: str | None = None) -> Briefing:
        """Return what the character should have in mind for its next line; `.text` of it goes into a prompt."""
        return self._loop.call(partial(self._inner.briefing, subjects=subjects, cue=cue))

    def persona(self, *, subjects: Sequence[str] | None = None) -> tuple[PersonaEntry, ...]:
        """Return the persona entries in force, in order of storing; of all subjects for None."""
        return self._loop.call(partial(self._inner.persona, subjects=subjects))

    def gate(self, draft: str, *, unprompted: bool, subject: str = PRIVATE, said: str | None = None) -> Verdict:
        """Return whether the character may say something: allow, block or revise, with reasons and places."""
        return self._loop.call(partial(self._inner.gate, draft, unprompted=unprompted, subject=subject, said=said))

    def gate_stream(
        self, *, unprompted: bool = False, subject: str = PRIVATE, said: str | None = None
    ) -> GateStream:
        """Return a gate for text that arrives in chunks, which lets whole sentences through."""
        return GateStream(self._inner.gate_stream(unprompted=unprompted, subject=subject, said=said), self._loop)

    def directives_block(self, *, locale: str | None = None, subjects: Sequence[str] | None = None) -> str:
        """Return the block of a prompt that tells a model what not to mention; empty if there is nothing."""
        return self._loop.call(partial(self._inner.directives_block, locale=locale, subjects=subjects))

    def directives(self, *, active_only: bool = True) -> tuple[Directive, ...]:
        """Return the directives in force, in the order in which they were first given."""
        return self._loop.call(partial(self._inner.directives, active_only=active_only))

    def add_directive(self, term: str, aliases: Sequence[str] = ()) -> Directive:
        """Ban a topic as the owner does by saying so, and return its directive."""
        return self._loop.call(partial(self._inner.add_directive, term, aliases))

    def remove_directive(self, name: str) -> tuple[Directive, ...]:
        """Delete a directive by its id, or all on a term whoever gave them, and return them."""
        return self._loop.call(partial(self._inner.remove_directive, name))

    def hear(
        self,
        text: str,
        *,
        speaker: Speaker | None = None,
        subject: str = PRIVATE,
        trust: float | str | None = None,
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what somebody said, and return once it can't be lost any more."""
        return self._loop.call(
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

    def say(
        self,
        text: str,
        *,
        subject: str = PRIVATE,
        surfaced: Sequence[str] = (),
        said_at: float | None = None,
        message_id: str | None = None,
    ) -> Receipt:
        """Take in what the character itself said, and return once it can't be lost any more."""
        return self._loop.call(
            partial(
                self._inner.say, text, subject=subject, surfaced=surfaced, said_at=said_at, message_id=message_id
            )
        )

    def recall(
        self,
        query: str,
        *,
        subjects: Sequence[str] | None = None,
        limit: int | None = None,
        said: str | None = None,
        time: str | None = None,
    ) -> Recollection:
        """Return what is remembered about `query`, best first; `.text` of it is for a model's tool result."""
        return self._loop.call(
            partial(self._inner.recall, query, subjects=subjects, limit=limit, said=said, time=time)
        )

    def describe(
        self, *, owner: str | None = None, locale: str | None = None, card: Sequence[str] | None = None
    ) -> Profile:
        """Replace what is given of the character's profile, and return the whole."""
        return self._loop.call(partial(self._inner.describe, owner=owner, locale=locale, card=card))

    def drain(self) -> Drained:
        """Do the background work that is due now; returns when the rest falls due, and how much is parked."""
        return self._loop.call(partial(self._inner.drain))

    def settle(self) -> Drained:
        """Return once no background work is left; waits for retries. Parked work is counted in the reply."""
        return self._loop.call(partial(self._inner.settle))

    def facts(self, *, subjects: Sequence[str] | None = None) -> tuple[Fact, ...]:
        """Return the facts in force, in order of storing; of all subjects for None."""
        return self._loop.call(partial(self._inner.facts, subjects=subjects))

    def turns(
        self, *, newest: int, subjects: Sequence[str] | None = None, before: str | None = None
    ) -> tuple[Turn, ...]:
        """Return the newest turns, oldest first; of all subjects for None."""
        return self._loop.call(partial(self._inner.turns, newest=newest, subjects=subjects, before=before))

    def events(self, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        """Return journal entries with a seq above `after`, oldest first."""
        return self._loop.call(partial(self._inner.events, after=after, limit=limit))

    def changes(self, *, after: int = 0) -> Changes:
        """Return the stream of what changes from now on, and of what did since an entry."""
        return Changes(self._inner.changes(after=after), self._loop)

    def outbox(self, *, states: Sequence[OpState] = (OpState.PENDING, OpState.PARKED)) -> tuple[OutboxOp, ...]:
        """Return background work in these states, in order."""
        return self._loop.call(partial(self._inner.outbox, states=states))

    def retry(self, op: str) -> OutboxOp:
        """Send parked work again."""
        return self._loop.call(partial(self._inner.retry, op))

    def discard(self, op: str) -> OutboxOp:
        """Give up pending or parked work for good."""
        return self._loop.call(partial(self._inner.discard, op))

    def status(self) -> CharacterStatus:
        """Return the health of the character."""
        return self._loop.call(partial(self._inner.status))


class TrustedPeople:
    """The pool of accounts of a data folder, shared by all its characters.

    All that `omoide.runtime.people.TrustedPeople` says of it holds.
    """

    def __init__(self, inner: people.TrustedPeople, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    def people(self) -> tuple[Person, ...]:
        """Return the persons of the pool, in order of storing, those who were merged into others too."""
        return self._loop.call(partial(self._inner.people))

    def person(self, account: str) -> Person | None:
        """Return the person who holds an account, or None where the pool doesn't know it."""
        return self._loop.call(partial(self._inner.person, account))

    def bind(self, account: str, to: str, *, by: str) -> tuple[Person, ...]:
        """Make an account one of a person's, and return the persons that changed. Its history moves along."""
        return self._loop.call(partial(self._inner.bind, account, to, by=by))

    def unbind(self, account: str, *, by: str) -> tuple[Person, ...]:
        """Make an account a person of its own, and return the persons that changed: exactly one account moves."""
        return self._loop.call(partial(self._inner.unbind, account, by=by))

    def forget(self, account: str) -> bool:
        """Erase what the pool knows of an account, for good: it begins anew when it next speaks."""
        return self._loop.call(partial(self._inner.forget, account))

    def merge(self, one: str, other: str, *, by: str) -> tuple[Person, ...]:
        """Make two persons one, whichever is named first, and return the persons that changed."""
        return self._loop.call(partial(self._inner.merge, one, other, by=by))


class Runtime:
    """All characters of one data folder. Made by `open_runtime`.

    All that `omoide.runtime.host.Runtime` says of it holds.
    """

    def __init__(self, inner: host.Runtime, loop: LoopThread) -> None:
        self._inner = inner
        self._loop = loop

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self._inner.settings

    @property
    def trust(self) -> TrustedPeople:
        """The pool of accounts."""
        return TrustedPeople(self._inner.trust, self._loop)

    def character(
        self,
        name: str,
        *,
        create: bool = True,
        owner: str | None = None,
        locale: str | None = None,
        card: Sequence[str] | None = None,
    ) -> Character:
        """Return a character, activated; what is given of owner, locale and card replaces what was stored."""
        return Character(
            self._loop.call(
                partial(self._inner.character, name, create=create, owner=owner, locale=locale, card=card)
            ),
            self._loop,
        )

    def stored_characters(self) -> tuple[str, ...]:
        """Return the names of all characters in the data folder, in memory or not."""
        return self._inner.stored_characters()

    def export(self, name: str, folder: Path | str, *, on_progress: Watch = ignore) -> ExportReport:
        """Export a character, in memory or not, as readable files from which `import_` makes it again."""
        return self._loop.call(partial(self._inner.export, name, folder, on_progress=on_progress))

    def import_(self, folder: Path | str, name: str | None = None, *, on_progress: Watch = ignore) -> ImportReport:
        """Import an export as a character that doesn't exist yet. `character()` returns it then."""
        return self._loop.call(partial(self._inner.import_, folder, name, on_progress=on_progress))

    def restriction(self, name: str) -> str:
        """Return what is being done to a character that keeps it from being used; empty where it can be used."""
        return self._inner.restriction(name)

    def erase(self, name: str, target: Target | None, *, dry_run: bool = False) -> ErasureReport:
        """Erase part of a character, or all of it, for good, and return what was erased."""
        return self._loop.call(partial(self._inner.erase, name, target, dry_run=dry_run))

    def status(self) -> RuntimeStatus:
        """Return the health of the runtime and of every character in memory."""
        return self._loop.call(partial(self._inner.status))

    def passivate(self, name: str) -> None:
        """Take a character out of memory once nobody uses it. It comes back at its next use."""
        return self._loop.call(partial(self._inner.passivate, name))

    def warm_up(self) -> None:
        """Load the embedding model, so that no query has to wait for it; it starts by itself at opening."""
        return self._loop.call(partial(self._inner.warm_up))


@contextmanager
def open_runtime(
    settings: Settings | Path | str,
    *,
    clock: Clock | None = None,
    model: LanguageModel | None = None,
    failpoints: Failpoints | None = None,
    embedder: Embedder | None = None,
) -> Iterator[Runtime]:
    """Open a data folder in a thread with a Trio loop, yield its runtime, and close it in order.

    What it takes and raises is what `omoide.open_runtime` does. Any thread may call what it yields.
    """
    loop = LoopThread(
        host.open_runtime(settings, clock=clock, model=model, failpoints=failpoints, embedder=embedder)
    )
    try:
        yield Runtime(loop.start(), loop)
    finally:
        loop.stop()
