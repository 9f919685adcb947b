"""Turns error responses into TollgateError."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional

from ._http import Response
from .errors import FieldProblem, TollgateError
from .results import excerpt


def read_error(response: Response, idempotency_key: Optional[str]) -> TollgateError:
    """Reads a response with a status of 400 or more, in the gateway's format or the router's."""
    body = parse_object(response.body)
    found = body.get("error")
    error: Dict[str, Any] = found if isinstance(found, dict) else {}
    code = error.get("code") or error.get("type")
    if code is None:
        return unknown_response(response, idempotency_key)
    headers = response.headers
    charged = body.get("charged_micros", headers.get("x-charged-micros", 0))
    return TollgateError(
        str(code),
        str(error.get("message") or f"The gateway answered {response.status}."),
        str(error.get("fix") or ""),
        status=response.status,
        retryable=bool(error.get("retryable", "retry-after" in headers)),
        request_id=body.get("request_id") or headers.get("x-request-id"),
        idempotency_key=idempotency_key,
        fields=read_fields(error),
        details=error.get("details") or {},
        charged_micros=int(charged),
        simulated=body.get("test") is True or headers.get("x-test") == "true",
    )


def read_fields(error: Mapping[str, Any]) -> List[FieldProblem]:
    problems = (error.get("details") or {}).get("problems") or []
    if problems:
        return [
            FieldProblem(
                str(problem.get("param") or ""),
                str(problem.get("message") or ""),
                str(problem.get("fix") or ""),
            )
            for problem in problems
        ]
    param = error.get("param")
    if param is None:
        return []
    return [FieldProblem(str(param), str(error.get("message") or ""), str(error.get("fix") or ""))]


def parse_object(body: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def unknown_response(response: Response, idempotency_key: Optional[str]) -> TollgateError:
    """A response of a proxy, or of another server. After 502, 503 and 504 the call may have run."""
    return TollgateError(
        "invalid_response",
        f"The response with status {response.status} is not from a gateway: {excerpt(response)}",
        "Check the url, and the proxies in front of the gateway.",
        status=response.status,
        retryable=response.status in (502, 503, 504),
        idempotency_key=idempotency_key,
    )
