"""Prices that a lock fixes."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from .errors import TollgateError

Lock = Mapping[str, Any]


def require_lock(lock: Optional[Lock]) -> None:
    """Raises TollgateError invalid_settings."""
    if lock is None or (isinstance(lock, Mapping) and isinstance(lock.get("actions"), Mapping)):
        return
    raise TollgateError(
        "invalid_settings",
        "The lock is not the content of a tollgate.lock.",
        'Pass the parsed file: lock=json.loads(Path("tollgate.lock").read_text()).',
    )


def apply_lock(lock: Optional[Lock], action: str, params: Mapping[str, Any]) -> Dict[str, Any]:
    """The input with the locked price, so that the gateway rejects the call after a change.

    Raises TollgateError action_not_locked or above_locked_price.
    """
    if lock is None:
        return dict(params)
    endpoint = params.get("endpoint")
    name = f"{action} {endpoint}" if isinstance(endpoint, str) else action
    locked = lock["actions"].get(name) or lock["actions"].get(action)
    if locked is None:
        raise TollgateError(
            "action_not_locked",
            f"The price lock has no entry for {name}. The call was not sent.",
            f'Run: ./tollgate lock "{name}"',
        )
    asked, most = params.get("max_cost_cents"), locked["max_cents"]
    if asked is not None and asked > most:
        raise TollgateError(
            "above_locked_price",
            f"max_cost_cents is {asked}; the price lock allows {most} for {name}. The call was not sent.",
            f'Lower max_cost_cents, or run: ./tollgate lock "{name}" --max-cents {asked}',
            details={"max_cost_cents": asked, "max_cents": most},
        )
    return {"max_cost_cents": most, "price_id": locked["price_id"], **params}
