"""The trust role: how far a speaker is believed, by the host's word and by what the pool of accounts knows.

Takes `Weigh` (replies `Weighed`), `Identify` (replies `Identified`) and `RunOp` for what is to be reported to the
pool (replies `OpDone`); asks the pool. It holds no state. Where the pool can't be asked it abstains, and a report
is tried again from the outbox. Of a platform whose history is awaited it weighs nobody. Restart: permanent.
"""

from __future__ import annotations

import logging
from typing import ClassVar, assert_never

from ...protocols.errors import DefectError, OmoideError, PoolAwaitedError
from ...protocols.messages import Commit, OpDone, RunOp
from ...protocols.people import Person
from ...protocols.trust import Tally, account_key, messages_counted, trust_of
from ...protocols.work import ReportAttestation, ReportMessage
from ..role import Role
from .messages import Attest, CountMessage, FindPerson, Found, Identified, Identify, Weigh, Weighed

logger = logging.getLogger(__name__)


class Trust(Role):
    """Weighs speakers, and reports what they did."""

    role: ClassVar[str] = "trust"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (Weigh, Identify, RunOp)

    async def receive(self, message: Weigh | Identify | RunOp) -> Weighed | Identified | OpDone:
        """Handle one message."""
        self.reach("received")
        match message:
            case Weigh():
                return await self._weigh(message)
            case Identify():
                return await self._identify(message)
            case RunOp():
                return await self._run(message)
            case _:
                assert_never(message)

    async def _weigh(self, message: Weigh) -> Weighed:
        account = account_key(message.speaker)
        if account is None or self._is_awaited(account):
            return Weighed(trust=None)
        try:
            found = await self._ask_pool(FindPerson(account=account), self.world.settings.trust.wait_s)
        except OmoideError as error:
            logger.warning("trust.abstains", extra={"error": type(error).__name__})
            return Weighed(trust=None)
        settings = self.world.settings.trust
        tally = found.person.tally if found.person else Tally()
        return Weighed(
            trust=trust_of(message.base, tally, settings),
            counts=_messages_of(found.person, account) < messages_counted(settings),
        )

    async def _identify(self, message: Identify) -> Identified:
        """Return who is bound to whom; where the pool can't be asked, everybody is a person of their own."""
        try:
            identified: Identified = await self.world.pool.aask(
                message, timeout_s=self.world.settings.trust.wait_s
            )
        except OmoideError as error:
            logger.warning("trust.identifies_nobody", extra={"error": type(error).__name__})
            return Identified(persons={})
        return identified

    def _is_awaited(self, account: str) -> bool:
        return account.partition(":")[0] in self.world.settings.trust.awaited

    async def _run(self, message: RunOp) -> OpDone:
        op = message.op
        match op.work:
            case ReportMessage(account=account, turn=turn):
                report: CountMessage | Attest | None = CountMessage(account=account, event=turn)
                if self._is_awaited(account):
                    report = None  # what was done before the history is there isn't booked (baseline: 20.8)
            case ReportAttestation(account=account, corrects=corrects, event=event):
                if self._is_awaited(account):
                    raise PoolAwaitedError(
                        f"the history of {account.partition(':')[0]!r} is awaited: import the pool, or take the "
                        "platform out of trust.awaited"
                    )
                report = Attest(account=account, corrects=corrects, event=event)
            case work:
                raise DefectError(f"trust was given {work.key}")
        if report is not None:
            await self._ask_pool(report, self.world.settings.actors.reply_timeout_s)
        await self.commit(Commit(actor=self.role, cause=op.id, settles=(op.id,)))
        return OpDone()

    async def _ask_pool(self, request: FindPerson | CountMessage | Attest, timeout_s: float) -> Found:
        found: Found = await self.world.pool.aask(request, timeout_s=timeout_s)
        return found


def _messages_of(person: Person | None, account: str) -> int:
    held = person.accounts if person else ()
    return next((one.tally.messages for one in held if one.key == account), 0)
