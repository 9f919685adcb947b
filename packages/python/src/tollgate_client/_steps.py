"""Calls as generators, so that the sync and the async client share every rule.

A generator yields `Exchange` and receives the response, or yields `Wait`. Its return value is the
outcome. `drive` and `drive_async` carry it out.
"""
from __future__ import annotations

import random
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, Iterable, Mapping, Optional, TypeVar, Union
import json

from ._http import ConnectionLost, Response, TimeUp
from ._read_error import read_error
from .errors import TollgateError
from .settings import Settings

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 8.0
# Other conflicts, such as loop_suspected, must not be repeated.
WAITING = ("idempotency_in_progress", "room_held")


@dataclass
class Upload:
    """A body that is sent in pieces. Each attempt opens it again."""

    length: int
    open: Callable[[], Iterable[bytes]]


@dataclass
class Exchange:
    """One request and its response. With `is_stream` the response has an open body if it is no error."""

    method: str
    url: str
    headers: Dict[str, str] = field(default_factory=dict)
    body: Union[bytes, Upload, None] = None
    deadline: float = 0.0
    """On the clock `time.monotonic`."""
    is_stream: bool = False


@dataclass
class Wait:
    seconds: float


Outcome = TypeVar("Outcome")
Steps = Generator[Union[Exchange, Wait], Any, Outcome]


@dataclass
class Sent:
    """What a request needs beside its settings. `is_keyed`: sends an Idempotency-Key."""

    method: str
    path: str
    """Below the address of the gateway, or a signed link, which needs no key."""
    body: Any = None
    """Sent as JSON."""
    upload: Optional[Upload] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_keyed: bool = True
    is_stream: bool = False


@dataclass
class Answer:
    response: Any
    idempotency_key: Optional[str]


def send(settings: Settings, sent: Sent, now: Callable[[], float] = time.monotonic) -> Steps[Answer]:
    """Sends a request with retries, within the deadline. Raises TollgateError.

    Retries share one idempotency key, so a call is charged once.
    """
    deadline = now() + settings.timeout
    key = None
    if sent.method == "POST" and sent.is_keyed:
        key = settings.idempotency_key or str(uuid.uuid4())
    exchange = to_exchange(settings, sent, key, deadline)
    attempt = 0
    last: Optional[TollgateError] = None
    while True:
        retry_after = None
        try:
            response: Response = yield exchange
            if 300 <= response.status < 400:
                raise redirected(settings, response)
            if response.status < 400:
                return Answer(response, key)
            last = read_error(response, key)
            retry_after = response.headers.get("retry-after")
        except TimeUp:
            raise out_of_time(settings, key) from last
        except ConnectionLost as reason:
            last = lost(settings, reason, key)
            last.__cause__ = reason
        delay = retry_delay(attempt, retry_after)
        is_waiting = last.code == "idempotency_in_progress"
        may_retry = is_waiting or attempt < settings.retries
        if not is_worth_retrying(last) or not may_retry or now() + delay >= deadline:
            raise last
        attempt += 0 if is_waiting else 1
        yield Wait(delay)


# Calls that a cassette covers. The bytes of files are not part of a recording.
RECORDED = re.compile(r"/api/(run/(?!files/)|llm/v1/chat/)")


def to_exchange(settings: Settings, sent: Sent, key: Optional[str], deadline: float) -> Exchange:
    is_link = re.match("https?://", sent.path) is not None
    headers = {"accept": "application/json", **sent.headers}
    # A signed link needs no key, and its host may not be the gateway's.
    if not is_link:
        headers["authorization"] = f"Bearer {settings.key}"
    if key is not None:
        headers["idempotency-key"] = key
    if settings.cassette is not None and RECORDED.match(sent.path):
        headers["x-tollgate-cassette"] = settings.cassette
    body: Union[bytes, Upload, None] = sent.upload
    if sent.body is not None:
        headers["content-type"] = "application/json"
        body = to_json(sent.body)
    url = sent.path if is_link else settings.url + sent.path
    return Exchange(sent.method, url, headers, body, deadline, sent.is_stream)


def to_json(value: Any) -> bytes:
    """Raises TypeError for values that JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")


def is_worth_retrying(error: TollgateError) -> bool:
    """Whether the same request can succeed, or its lost response can be read, by sending it again."""
    if error.code == "connection_failed":
        return True
    if error.status == 409:
        return error.code in WAITING
    if error.code == "invalid_response":
        return error.retryable
    return error.status in (429, 503) and error.retryable


def retry_delay(attempt: int, retry_after: Optional[str]) -> float:
    """Seconds before retry number `attempt`, from 0."""
    if retry_after is not None and re.fullmatch(r"\d+(\.\d+)?", retry_after):
        return float(retry_after)
    longest = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2**attempt)
    # Half of it is random, so that clients do not return together.
    return longest / 2 + random.random() * longest / 2


def lost(settings: Settings, reason: Exception, key: Optional[str]) -> TollgateError:
    return TollgateError(
        "connection_failed",
        f"The connection to {settings.url} failed before the response was complete: {reason}.",
        f"Check the url and the network. {repeat(key)}",
        retryable=True,
        idempotency_key=key,
    )


def out_of_time(settings: Settings, key: Optional[str]) -> TollgateError:
    return TollgateError(
        "deadline_exceeded",
        f"The call did not end within {settings.timeout:g} s.",
        f"Allow a longer timeout. {repeat(key)}",
        retryable=True,
        idempotency_key=key,
    )


def repeat(key: Optional[str]) -> str:
    if key is None:
        return "Then send the request again."
    return (
        "Repeat the call with the idempotency_key of this error to get its result without a second "
        "charge."
    )


def redirected(settings: Settings, response: Response) -> TollgateError:
    target = response.headers.get("location")
    return TollgateError(
        "redirected",
        f"{settings.url} redirects{f' to {target}' if target else ''}. The request was not sent further.",
        "Set url to the final address of the gateway.",
        status=response.status,
    )
