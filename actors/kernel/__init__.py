"""Pykka's actor model on Trio tasks, with OTP's supervision. The kernel knows nothing of memory.

What happens when something goes wrong is decided in one place and is always the same:

| what happens | the asker gets | a tell becomes | the actor |
|---|---|---|---|
| a type that it doesn't accept | `UnexpectedMessageError` | dead letter `unexpected` | goes on |
| the handler raises `CallerError` or `OutsideError` | that error | dead letter `refused` | goes on |
| the handler raises anything else | `ActorCrashedError`, cause chained | dead letter `crashed` | crashes |
| a task of `start_soon` raises | the message being handled: as above | as above | crashes |
| the same, after it took `reply_later()` | what the holder gives | nothing | crashes or stops |
| the factory or `on_start` raises | queued messages wait for the restart | they wait too | crashes |
| `on_stop` or `on_failure` raises | nothing | nothing | stops; logged, in `Terminated.reason` |
| it is cancelled when its shutdown time is over | `ActorDeadError` | dead letter `stopped` | stops |
| it has stopped, and the message was queued | `ActorDeadError` | dead letter `stopped` | is gone |
| it has stopped, and the message is new | `ActorDeadError` | `ActorDeadError` to the sender | is gone |
| the child is suspended | `ActorSuspendedError` | dead letter `suspended` | waits for its probe |
| the deadline passed in the queue | `DeadlineExceededError` | | skips it: dead letter `expired` |
| the asker was cancelled | nothing | | may handle it; the reply is dropped |
| the mailbox is full | waits for room | waits; `tell` on a loop: `MailboxFullError` | goes on |
| a blocking call on a loop's thread | `WouldDeadlockError`, nothing is sent | | goes on |

A crashed actor that nobody supervises stops. A supervised one is restarted after its backoff with the same
ref and mailbox: what is queued is kept, in order; the message that crashed it is not tried again. One that
is restarted more often than its intensity allows is suspended, and its siblings go on.

Messages of one sender to one actor arrive in the order sent, whatever mixture of `tell`, `atell`, `ask` and
`aask`. A mailbox never holds more than its bound, save the kernel's own signals (a stop, a `Terminated`).
Nothing that an actor, a hook or a callback does cancels another actor or the system; only a
`KeyboardInterrupt` passes through.
"""

from .actor import Actor
from .backoff import Backoff
from .child import ChildState, ChildStatus
from .child_spec import ChildSpec, Restart
from .dead_letters import DeadLetter, DeadLetterReason, DeadLetters
from .envelope import Envelope, current_envelope
from .errors import AskTimeoutError, DeadActorError
from .future import Future
from .intensity import Intensity
from .pending_reply import PendingReply
from .ref import ActorRef
from .supervisor import Strategy, Supervisor
from .system import ActorSystem, open_system
from .terminated import Terminated

__all__ = [
    "Actor",
    "ActorRef",
    "ActorSystem",
    "AskTimeoutError",
    "Backoff",
    "ChildSpec",
    "ChildState",
    "ChildStatus",
    "DeadActorError",
    "DeadLetter",
    "DeadLetterReason",
    "DeadLetters",
    "Envelope",
    "Future",
    "Intensity",
    "PendingReply",
    "Restart",
    "Strategy",
    "Supervisor",
    "Terminated",
    "current_envelope",
    "open_system",
]
