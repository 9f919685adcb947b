"""The outcome of a call."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Generic, Mapping, Optional, TypeVar

from ._http import Response
from .errors import TollgateError

Data = TypeVar("Data")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Charge:
    micros: int
    """Exact, in micro-dollars: 20000 is 2 cents."""
    cents: int
    """In cents, rounded up."""


@dataclass(frozen=True)
class Result(Generic[Data]):
    """The outcome of a call. The types of `data` are dictionaries at run time."""

    data: Data
    charged: Charge
    request_id: str
    idempotency_key: str
    replayed: bool = False
    """The response to an earlier call with the same key; not charged again."""
    recorded: bool = False
    """From a cassette. `charged` is the charge of the recorded call; this one is free."""
    simulated: bool = False
    """True with a test key: no vendor was called, and no money was charged."""
    remaining_cents: Optional[int] = None
    """The balance of the key, in cents; None for an answer without it."""
    lowered: Optional[Mapping[str, Any]] = None
    """Fields of the input that `max_cost_cents` lowered."""
    advice: Optional[Mapping[str, Any]] = None
    """Advice for an agent that repeats itself."""


class StartedJob(Result[Dict[str, Any]], Generic[Answer]):
    """A job that was accepted. `wait_for` returns its result; `Answer` is the type of its data."""

    @property
    def job_id(self) -> str:
        return str(self.data["job_id"])


def recorded_micros(response: Response) -> Optional[int]:
    """The charge of the recorded call; None for an answer that no cassette replayed."""
    cassette = response.headers.get("x-tollgate-cassette", "")
    found = re.search(r"; result=replayed; charged_micros=(\d+)", cassette)
    return None if found is None else int(found[1])


def read_result(response: Response, idempotency_key: Optional[str]) -> Result[Any]:
    """A StartedJob if the call began one. Raises TollgateError invalid_response."""
    envelope = read_json(response, idempotency_key)
    remaining = response.headers.get("x-credits-remaining-cents")
    micros = int(envelope.get("charged_micros", 0))
    data: Any = envelope.get("data")
    is_job = isinstance(data, dict) and data.get("async") is True and "job_id" in data
    return (StartedJob if is_job else Result)(
        data=data,
        charged=charge_of(micros),
        request_id=envelope.get("request_id") or response.headers.get("x-request-id", ""),
        idempotency_key=idempotency_key or "",
        replayed=response.headers.get("idempotency-replayed") == "true",
        recorded=recorded_micros(response) is not None,
        simulated=envelope.get("test") is True,
        remaining_cents=None if remaining is None else int(remaining),
        lowered=envelope.get("lowered"),
        advice=envelope.get("advice"),
    )


def charge_of(micros: int) -> Charge:
    return Charge(micros=micros, cents=-(-micros // 10_000))


def read_json(response: Response, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
    """An answer of the gateway with `ok: true`. Raises TollgateError invalid_response."""
    try:
        body = json.loads(response.body)
        if isinstance(body, dict) and body.get("ok") is True:
            return body
    except ValueError:
        pass
    raise TollgateError(
        "invalid_response",
        f"The response is not from a gateway: {excerpt(response)}",
        "Check the url: it is the address of the gateway without a path.",
        status=response.status,
        idempotency_key=idempotency_key,
    )


def excerpt(response: Response) -> str:
    return response.body[:200].decode("utf-8", "replace")
