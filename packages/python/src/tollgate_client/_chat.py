"""Chat completions, whole and as a stream."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._http import Response
from ._steps import Answer, Sent, Steps, send
from .errors import TollgateError
from .results import Charge, Result, charge_of, recorded_micros
from .settings import Settings

PATH = "/api/llm/v1/chat/completions"


def complete(settings: Settings, body: Mapping[str, Any]) -> Steps[Result[Dict[str, Any]]]:
    answer = yield from send(settings, Sent("POST", PATH, body={**body, "stream": False}))
    response: Response = answer.response
    try:
        data = json.loads(response.body)
        if "choices" not in data:
            raise ValueError("no choices")
    except (TypeError, ValueError):
        raise TollgateError(
            "invalid_response",
            "The response is not a chat completion.",
            "Check the url: it is the address of the gateway without a path.",
            status=response.status,
            idempotency_key=answer.idempotency_key,
        ) from None
    recorded = recorded_micros(response)
    return Result(
        data=data,
        charged=charge_of(
            int(response.headers.get("x-charged-micros", 0)) if recorded is None else recorded
        ),
        request_id=response.headers.get("x-request-id", ""),
        idempotency_key=answer.idempotency_key or "",
        replayed=response.headers.get("idempotency-replayed") == "true",
        recorded=recorded is not None,
        simulated=response.headers.get("x-test") == "true",
    )


def open_stream(settings: Settings, body: Mapping[str, Any]) -> Steps[Answer]:
    headers = {"accept": "text/event-stream"}
    sent = Sent("POST", PATH, body={**body, "stream": True}, headers=headers, is_stream=True)
    return send(settings, sent)


def to_body(messages: Sequence[Mapping[str, Any]], model: str, params: Mapping[str, Any]) -> Dict[str, Any]:
    return {"model": model, "messages": list(messages), **params}


class StreamState:
    """Facts of a stream, and its events from bytes."""

    def __init__(self) -> None:
        self._buffer = b""
        self._is_done = False
        self._answer: Optional[Answer] = None
        self._cost: Optional[float] = None

    @property
    def request_id(self) -> Optional[str]:
        return self._header("x-request-id")

    @property
    def model(self) -> Optional[str]:
        """The model that answers."""
        return self._header("x-model")

    @property
    def idempotency_key(self) -> Optional[str]:
        """Repeat the call with this key to read the same answer from its beginning, free."""
        return self._answer.idempotency_key if self._answer else None

    @property
    def simulated(self) -> bool:
        return self._header("x-test") == "true"

    @property
    def charged(self) -> Optional[Charge]:
        """After the end. None if a proxy dropped the trailer and no usage was requested."""
        micros = self._header("x-charged-micros")
        if micros is not None:
            return charge_of(int(micros))
        return None if self._cost is None else charge_of(round(self._cost * 1_000_000))

    def _header(self, name: str) -> Optional[str]:
        return self._answer.response.headers.get(name) if self._answer else None

    def _feed(self, data: bytes) -> List[Dict[str, Any]]:
        """Raises TollgateError for an event that is an error."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        chunks = []
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            text = line[len(b"data:") :].strip()
            if text == b"[DONE]":
                self._is_done = True
                continue
            chunk = json.loads(text)
            if chunk.get("error"):
                raise self._failed(chunk["error"])
            self._cost = (chunk.get("usage") or {}).get("cost", self._cost)
            chunks.append(chunk)
        return chunks

    def _failed(self, error: Mapping[str, Any]) -> TollgateError:
        return TollgateError(
            str(error.get("code") or "stream_failed"),
            str(error.get("message") or "The stream ended with an error."),
            str(error.get("fix") or "Send the request again."),
            status=200,
            retryable=error.get("retryable") is True,
            request_id=self.request_id,
            idempotency_key=self.idempotency_key,
            simulated=self.simulated,
        )

    def _broken(self, reason: Exception) -> TollgateError:
        return TollgateError(
            "stream_failed",
            f"The stream broke off: {reason or 'no data arrived in time'}.",
            "Repeat the call with the idempotency_key of this error to read the answer from its "
            "beginning without a second charge.",
            retryable=True,
            request_id=self.request_id,
            idempotency_key=self.idempotency_key,
            simulated=self.simulated,
        )


def text_of(chunk: Mapping[str, Any]) -> str:
    """The text of the first choice; empty for a chunk without text."""
    choices = chunk.get("choices") or [{}]
    return (choices[0].get("delta") or {}).get("content") or ""
