"""One exception tree, split by whose fault it is.

The kernel relies on the split: a `CallerError` or an `OutsideError` raised by a handler is an
answer, and the actor goes on; anything else is a fault of the program, and the actor crashes.
Every message names the thing, the value and the next step.
"""

from collections.abc import Sequence


class OmoideError(Exception):
    """Root of every error that Omoide raises on purpose."""


class CallerError(OmoideError):
    """The caller broke a rule. Nothing was changed; correct the call and send it again."""


class OutsideError(OmoideError):
    """Something outside failed: a disk, a model, another process. Nothing was half done; try again later."""


class DefectError(OmoideError):
    """The program itself is wrong. Please report it."""


# --- caller's fault -----------------------------------------------------------------------------


class InvalidTextError(CallerError):
    """A text can't be stored: it is empty, too long, not Unicode, or holds control characters."""


class InvalidNameError(CallerError):
    """A character's, speaker's or subject's name breaks the rule that the message states."""


class InvalidSubjectError(CallerError):
    """A subject descriptor is partial or malformed. It is never read as private, and never as everything."""


class InvalidRequestError(CallerError):
    """A request's field has a wrong type or value; the message says which one and what is allowed."""


class IdempotencyConflictError(CallerError):
    """An idempotency key came again with other content. Use a new key for new content."""


class CursorBehindError(CallerError):
    """A place of a stream came again with other content: the stream has lost its end. Nothing was stored."""


class UnknownCharacterError(CallerError):
    """No character of that name is stored in this data folder."""


class NotFoundError(CallerError):
    """No record has the id that was asked for."""


class NotAuthenticatedError(CallerError):
    """The server doesn't know who is calling. Show a token that it knows."""


class NotAllowedError(CallerError):
    """The caller is known and may not do this; the message says what its token lacks."""


class ErasedError(CallerError):
    """What was said before an erasure that covers it can't be taken in again."""


class IllegalTransitionError(CallerError):
    """A belief can't go from where it stands to where the caller wants it; the message names both."""


class SettingsError(CallerError):
    """A setting is unknown or out of range; the message names its path and what it may be."""


# --- kernel -------------------------------------------------------------------------------------


class UnexpectedMessageError(CallerError):
    """An actor got a message of a type that it doesn't accept. The actor goes on; the sender is wrong."""


class WouldDeadlockError(CallerError):
    """A blocking call was made on an event loop's own thread. Await the async form instead."""


class MailboxFullError(OutsideError):
    """A bounded mailbox has no room and the sender can't wait (any longer). Slow down, or await `atell`."""


class DeadlineExceededError(OutsideError):
    """No answer came in time. The message may or may not have been handled."""


class ActorDeadError(OutsideError):
    """The actor is stopped and will not handle the message."""


class ActorCrashedError(OutsideError):
    """The actor crashed while it handled this very message. It is being restarted; the kernel doesn't retry."""


class ActorSuspendedError(OutsideError):
    """The actor crashed too often and is suspended until a probe finds it well. Durable work waits."""


# --- trust --------------------------------------------------------------------------------------


class TrustUnavailableError(OutsideError):
    """The pool of accounts can't be opened or written. Trust abstains meanwhile; reports to it are tried again."""


class PoolAwaitedError(TrustUnavailableError):
    """What the pool of accounts knows of a platform is still to come. A report waits, and no attempt counts."""


# --- storage ------------------------------------------------------------------------------------


class StorageError(OutsideError):
    """The disk or the database refused. What was not acknowledged is not stored."""


class StorageFullError(StorageError):
    """No space is left on the disk. Free some and send again; nothing acknowledged is lost."""


class StorageReadOnlyError(StorageError):
    """The data folder can't be written. Change its permissions or choose another one."""


class CorruptStorageError(StorageError):
    """The file is damaged, or is no Omoide file. It was not touched; the message says what to do."""


class NewerSchemaError(StorageError):
    """The file was written by a newer Omoide. Update the program; the file was not touched."""


class CharacterOwnedError(StorageError):
    """Another process has this character open; the message names it."""


class RestrictedError(StorageError):
    """The character is being imported or brought up to date, and can't be used meanwhile. Try again soon."""


# --- servers ------------------------------------------------------------------------------------


class AddressError(OutsideError):
    """A server can't listen at its address: another program does, or it is none of this machine's."""


# --- buses --------------------------------------------------------------------------------------


class BusUnavailableError(OutsideError):
    """A message bus can't be reached or doesn't answer. Nothing is lost: what waits goes on when it is back."""


# --- models -------------------------------------------------------------------------------------


class ModelError(OutsideError):
    """A language model gave no usable answer. The step stays in the outbox and is tried again."""


class ModelOutputError(ModelError):
    """A model's answer couldn't be read as what was asked for; what could be read is not applied."""


class ModelCutOffError(ModelOutputError):
    """A model's answer was cut off. `kept` holds its complete elements; the rest is asked for again.

    Args:
        message: what was cut off, and after how much.
        kept: what the task returns for the elements that were complete.
    """

    def __init__(self, message: str, kept: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.kept = tuple(kept)


class ModelWaitError(ModelError):
    """A model can't be asked right now, which says nothing about the work. It waits, and no attempt is counted.

    Args:
        message: why, and what a person can do about it.
        not_before: when to ask again, in seconds since the epoch; None leaves it to the outbox.
    """

    def __init__(self, message: str, not_before: float | None = None) -> None:
        super().__init__(message)
        self.not_before = not_before


class ModelBusyError(ModelWaitError):
    """The model's server is there and asks to wait, or what it may be used for in this hour is used up."""


class ModelUnavailableError(ModelWaitError):
    """The model's server can't be reached, refuses the key, or failed too often lately. See `omoide status`."""


# --- outbox -------------------------------------------------------------------------------------


class ChangedMeanwhileError(OutsideError):
    """A record changed between its reading and its writing, and nothing was written. The step is done again."""


class ParkedWorkError(OutsideError):
    """Background work is parked after its last attempt. `omoide outbox NAME` shows it and can retry it."""


# --- scenarios ----------------------------------------------------------------------------------


class ScenarioError(CallerError):
    """A scenario file can't be read or breaks the format; the message names the file and the step."""


class NotAvailableError(CallerError):
    """A part of the design that doesn't exist yet was asked for; the message names it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"not available yet: {name}")
