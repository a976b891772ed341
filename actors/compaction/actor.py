"""The compaction role: has a mind make a memo of the turns that leave the recent window.

Takes `RunOp` for `CompactWindow` and `ReviewWindow`, replies `OpDone`; sends `StoreMemo` to the scribe, the writer
of the memos. A review finds turns that a later one repeats or takes back: briefings tell the later one alone.
Nothing of what was said is rewritten, for a mind's words must never stand in a person's mouth. The role
is apart from the scribe so that hearing never waits for a mind. It holds no state: a crash leaves the op pending,
and the memo is made again. Where the mind fails for good the op is parked, the memo stays as it was, and
briefings tell the newest turns alone. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import ClassVar

import trio

from ...protocols.errors import DefectError, InvalidTextError, ModelCutOffError, ModelOutputError
from ...protocols.memos import ConversationMemo, memo_id, reviewed
from ...protocols.messages import Commit, OpDone, RunOp
from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import Directive, Profile, Rejection, Turn
from ...protocols.scopes import Subject
from ...protocols.tasks import Overtaken, ReviewRequest, SummariseRequest
from ...protocols.text import check_text
from ...protocols.work import CompactWindow, OutboxOp, ReviewWindow
from ..briefing.forgotten import forgotten_turns
from ..directives.standing import Standing
from ..precedence import give_way
from ..role import Role
from ..scribe.messages import StoreMemo
from .heeding import Banned, is_overtaken, rejected_in
from .reviewing import review_due, still_overtaken
from .window import fitted, leaving, pieces, shortened

logger = logging.getLogger(__name__)


class Compaction(Role):
    """Makes memos."""

    role: ClassVar[str] = "compaction"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Make one memo; raises `ModelError` where the mind gives no usable one."""
        self.reach("received")
        match message.op.work:
            case CompactWindow():
                await self._compact(message.op, message.op.work)
            case ReviewWindow():
                await self._review(message.op, message.op.work)
            case work:
                raise DefectError(f"compaction was given {work.key}")
        return OpDone()

    async def _compact(self, op: OutboxOp, work: CompactWindow) -> None:
        journal, settings, now = self.world.journal, self.world.settings.window, self.world.clock.now()
        known = await journal.record(ConversationMemo, memo_id(work.subject))
        rejections = await journal.records(Rejection)
        profile = await journal.profile()
        base = known if known is not None and known.text and not is_overtaken(known, rejections) else None
        turns = await journal.turns(subjects=(work.subject,), newest=settings.most_turns)
        fresh = leaving(turns, base, settings)
        if not fresh:
            await self.commit(Commit(actor=self.role, cause=work.turn, settles=(op.id,)))
            return
        names = (profile.owner,) if profile.owner else ()
        banned = await self._banned(work.subject, now)
        forgotten = await forgotten_turns(turns, "", among=[turn.id for turn in fresh])

        def may_tell(text: str, speaker: str | None = None) -> bool:
            return not banned(text) and not rejected_in(text, work.subject, rejections, names, speaker=speaker)

        # Beside the loop: with hundreds of rejections that takes as long as others would wait.
        told = await trio.to_thread.run_sync(
            lambda: [turn for turn in fresh if turn.id not in forgotten and may_tell(turn.text, _account(turn))]
        )
        text = await self._summarised(told, base, profile, now)
        lines = await trio.to_thread.run_sync(lambda: list(filter(may_tell, text.splitlines())))
        self.reach("summarised")
        memo = ConversationMemo(
            id=memo_id(work.subject),
            subject=work.subject,
            text="\n".join(fitted(lines, settings)),
            upto=fresh[-1].id,
            turns=len(told) + (base.turns if base else 0),
            made_at=now,
            overtaken=known.overtaken if known else (),
            reviewed_upto=known.reviewed_upto if known else None,
            reviewed_at=known.reviewed_at if known else None,
        )
        stored = await self.ask(
            "scribe",
            StoreMemo(op=op.id, base=known, memo=memo, rests_on=tuple(turn.id for turn in told)),
            timeout_s=self.world.settings.actors.reply_timeout_s,
        )
        if not stored.stored:
            logger.info("compaction.overtaken", extra={"turns": len(told)})

    # --- review ----------------------------------------------------------------------------------

    async def _review(self, op: OutboxOp, work: ReviewWindow) -> None:
        journal, settings, now = self.world.journal, self.world.settings.window, self.world.clock.now()
        memo = await journal.record(ConversationMemo, memo_id(work.subject))
        turns = await journal.turns(subjects=(work.subject,), newest=settings.most)
        if not review_due(turns, memo, now, settings):
            await self.commit(Commit(actor=self.role, cause=work.turn, settles=(op.id,)))
            return
        profile = await journal.profile()
        forgotten = await forgotten_turns(turns, "")
        told = shortened([turn for turn in turns if turn.id not in forgotten], settings)
        found = await self._overtaken(told, profile)
        self.reach("reviewed")
        upto = turns[-1].id
        await self.ask(
            "scribe",
            StoreMemo(
                op=op.id,
                base=memo,
                memo=reviewed(memo, work.subject, now, upto=upto, overtaken=still_overtaken(found, memo, turns)),
                rests_on=tuple(turn.id for turn in told),
            ),
            timeout_s=self.world.settings.actors.reply_timeout_s,
        )

    async def _overtaken(self, turns: Sequence[Turn], profile: Profile) -> tuple[Overtaken, ...]:
        """Return what a mind finds; where its answer was cut off, it is asked about the newer half alone."""
        try:
            return tuple(await self.world.model.review(ReviewRequest(turns=tuple(turns), profile=profile)))
        except ModelCutOffError:
            if len(turns) < self.world.settings.window.review_least:
                raise
            return await self._overtaken(turns[len(turns) // 2 :], profile)

    async def _banned(self, subject: Subject, now: float) -> Banned:
        standing = Standing(await self.world.journal.records(Directive))
        matcher = standing.matcher((subject,), now)
        return lambda text: bool(matcher.find(text))

    async def _summarised(
        self, turns: Sequence[Turn], base: ConversationMemo | None, profile: Profile, now: float
    ) -> str:
        """Return the memo's text: piece after piece is added, and what got too long is told again."""
        settings = self.world.settings.window
        text = base.text if base else ""
        elapsed_s = now - base.made_at if base else None
        await give_way()
        for piece in await trio.to_thread.run_sync(lambda: pieces(shortened(turns, settings), settings)):
            request = SummariseRequest(
                turns=piece, earlier=text, elapsed_s=elapsed_s, max_tokens=settings.memo_tokens, profile=profile
            )
            text = self._checked((await self.world.model.summarise(request)).text)
        if estimated_tokens(text) > settings.memo_tokens:
            request = SummariseRequest(turns=(), earlier=text, max_tokens=settings.again_tokens, profile=profile)
            text = self._checked((await self.world.model.summarise(request)).text)
        return text

    def _checked(self, text: str) -> str:
        if not text.strip():
            return ""
        try:
            return check_text(text, max_chars=self.world.settings.limits.text_chars, what="memo")
        except InvalidTextError as error:
            raise ModelOutputError(f"the model's memo is no text that can be kept: {error}") from error


def _account(turn: Turn) -> str:
    return "" if turn.speaker is None else turn.speaker.key
