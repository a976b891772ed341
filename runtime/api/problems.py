"""How an error of Omoide's becomes an HTTP answer (RFC 9457, problem details)."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct
from starlette.responses import Response

from ...protocols import errors
from ...protocols.errors import OmoideError

MEDIA_TYPE: Final = "application/problem+json"

STATUSES: Final[tuple[tuple[type[OmoideError], int], ...]] = (
    (errors.NotAuthenticatedError, 401),
    (errors.NotAllowedError, 403),
    (errors.UnknownCharacterError, 404),
    (errors.NotFoundError, 404),
    (errors.IdempotencyConflictError, 409),
    (errors.IllegalTransitionError, 409),
    (errors.ErasedError, 409),
    (errors.CallerError, 400),
    (errors.CharacterOwnedError, 409),
    (errors.RestrictedError, 409),
    (errors.StorageFullError, 507),
    (errors.OutsideError, 503),
    (OmoideError, 500),
)
"""The status of each kind of error; the first that fits holds."""


RETRY_RESTRICTED_S: Final = 2
"""When to try again what a migration or an import keeps from being used, in seconds."""

_RETRY_S: Final = {503: 1}
"""The same for what failed outside, by status."""


class Problem(Struct, frozen=True, kw_only=True):
    """What went wrong. `type` names the kind of error, `detail` says what to do.

    `retry_after_s` says after how many seconds the same request is worth another try, None where it isn't.
    """

    type: str
    title: str
    status: int
    detail: str
    retry_after_s: int | None = None


def problem_of(error: OmoideError) -> Problem:
    """Return the problem that an error is for the caller."""
    status = next(status for kind, status in STATUSES if isinstance(error, kind))
    name = type(error).__name__
    title = " ".join((type(error).__doc__ or name).split())
    retry = RETRY_RESTRICTED_S if isinstance(error, errors.RestrictedError) else _RETRY_S.get(status)
    return Problem(
        type=f"urn:omoide:error:{name}", title=title, status=status, detail=str(error), retry_after_s=retry
    )


def answer(problem: Problem) -> Response:
    """Return the HTTP answer that tells a problem."""
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    if problem.retry_after_s is not None:
        headers["Retry-After"] = str(problem.retry_after_s)
    return Response(
        msgspec.json.encode(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers
    )
