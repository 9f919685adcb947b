"""The error of the SDK."""
from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence


class FieldProblem(NamedTuple):
    """A field at fault."""

    field: str
    """The JSON path, such as "urls[2]"."""
    message: str
    fix: str


class TollgateError(Exception):
    """Every error of the SDK.

    `code` is a code of the gateway, such as "invalid_params", or one of the SDK: "above_locked_price",
    "action_not_locked", "connection_failed", "deadline_exceeded", "invalid_settings",
    "invalid_response", "invalid_signature", "job_failed", "redirected" or "stream_failed".
    """

    code: str
    message: str
    fix: str
    """How to fix it."""
    status: int
    """The HTTP status; 0 without a response."""
    retryable: bool
    """Whether the same request can succeed later."""
    request_id: Optional[str]
    idempotency_key: Optional[str]
    """Repeat the same call with this key to get its result without a second charge."""
    fields: Sequence[FieldProblem]
    """The fields of the input at fault."""
    details: Mapping[str, Any]
    charged_micros: int
    """The charge of the failed call in micro-dollars; usually 0."""
    simulated: bool
    """Whether the call was made with a test key."""

    def __init__(
        self,
        code: str,
        message: str,
        fix: str,
        *,
        status: int = 0,
        retryable: bool = False,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        fields: Sequence[FieldProblem] = (),
        details: Optional[Mapping[str, Any]] = None,
        charged_micros: int = 0,
        simulated: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix
        self.status = status
        self.retryable = retryable
        self.request_id = request_id
        self.idempotency_key = idempotency_key
        self.fields = tuple(fields)
        self.details = {} if details is None else details
        self.charged_micros = charged_micros
        self.simulated = simulated

    def __str__(self) -> str:
        return f"{self.code}: {self.message} {self.fix}".rstrip()
