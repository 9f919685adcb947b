"""Verifies deliveries of webhooks: Standard Webhooks with HMAC-SHA256 (`v1`)."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Callable, Dict, Mapping, Union

from .errors import TollgateError

TOLERANCE_S = 300


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = TOLERANCE_S,
    now: Callable[[], float] = time.time,
) -> Dict[str, Any]:
    """The event of a delivery. Its id is the header webhook-id.

    Raises TollgateError invalid_signature, and invalid_settings for a malformed secret.
    `body` is the body as it arrived. `secret` begins with whsec_. `tolerance`: the most seconds
    between the time of the delivery and `now`.
    """
    key = read_secret(secret)
    named = {str(name).lower(): value for name, value in headers.items()}
    message_id, sent_at, signatures = (
        named.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not message_id or not signatures or not re.fullmatch(r"\d{1,12}", sent_at):
        raise invalid("The headers webhook-id, webhook-timestamp and webhook-signature are missing.")
    if abs(now() - int(sent_at)) > tolerance:
        raise invalid(f"The delivery is more than {tolerance:g} s away from the current time.")
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{sent_at}.".encode("utf-8") + raw
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # All are compared, so that the time does not depend on the position of the right one.
    matches = [
        hmac.compare_digest(expected, given[len("v1,") :].encode("utf-8"))
        for given in signatures.split(" ")
        if given.startswith("v1,")
    ]
    if not any(matches):
        raise invalid("No signature of the delivery matches the secret.")
    event: Dict[str, Any] = json.loads(raw)
    return event


def read_secret(secret: str) -> bytes:
    try:
        if not secret.startswith("whsec_"):
            raise ValueError("no prefix")
        return base64.b64decode(secret[len("whsec_") :], validate=True)
    except (binascii.Error, ValueError):
        raise TollgateError(
            "invalid_settings",
            "The secret of the webhook is not whsec_ and base64.",
            "Use the secret from the response that created the webhook. For a webhook with "
            "signature v1a, use a library of Standard Webhooks.",
        ) from None


def invalid(message: str) -> TollgateError:
    return TollgateError(
        "invalid_signature",
        message,
        "Check the secret, pass the body as it arrived, and answer with status 400.",
    )
