"""When a failed op is tried again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.outbox.backoff import failure_of
from omoide.protocols.errors import ActorSuspendedError, MailboxFullError, ModelError, OmoideError
from omoide.protocols.records import OpId, TurnId
from omoide.protocols.settings import OutboxSettings
from omoide.protocols.work import ExtractTurn, OpState, OutboxOp

NOW = 1_000.0
SETTINGS = OutboxSettings(attempts=5, backoff_min_s=1, backoff_max_s=300, backoff_factor=4, jitter=0.2)


def op(attempts: int) -> OutboxOp:
    return OutboxOp(
        id=OpId("op_1"),
        seq=1,
        work=ExtractTurn(turn=TurnId("turn_1")),
        cause="turn_1",
        state=OpState.PENDING,
        attempts=attempts,
        not_before=0.0,
        enqueued_at=0.0,
    )


@given(attempts=st.integers(0, 40), seed=st.integers())
def test_a_wait_lies_between_the_backoff_and_its_jitter(attempts: int, seed: int) -> None:
    failure = failure_of(op(attempts), ModelError("no"), now=NOW, settings=SETTINGS, random=Random(seed))

    base_s = min(300.0, 4.0**attempts)
    assert base_s <= failure.not_before - NOW <= base_s * 1.2


@pytest.mark.parametrize(("attempts", "parks"), [(0, False), (3, False), (4, True), (5, True)])
def test_the_last_attempt_parks(attempts: int, parks: bool) -> None:
    failure = failure_of(op(attempts), ModelError("no"), now=NOW, settings=SETTINGS, random=Random(0))

    assert failure.parks is parks


@pytest.mark.parametrize("error", [ActorSuspendedError("extraction rests"), MailboxFullError("no room")])
def test_a_worker_that_is_not_there_is_not_counted_against_the_op(error: OmoideError) -> None:
    failure = failure_of(op(4), error, now=NOW, settings=SETTINGS, random=Random(0))

    assert (failure.counts, failure.parks) == (False, False)


def test_the_error_is_kept_by_class_and_message_and_cut() -> None:
    failure = failure_of(op(0), ModelError("x" * 10_000), now=NOW, settings=SETTINGS, random=Random(0))

    assert failure.error == f"ModelError: {'x' * 10_000}"[:500]
