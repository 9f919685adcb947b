"""Calls of actions by their name."""
from __future__ import annotations

import keyword
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote

from ._price_lock import apply_lock
from ._steps import Sent, Steps, send
from .errors import TollgateError
from .results import Result, read_result
from .settings import Settings


def run(
    settings: Settings, action: str, params: Mapping[str, Any], is_keyed: bool = True
) -> Steps[Result[Any]]:
    """`action` is a name of the catalog, such as "core/onescrape"."""
    path = "/api/run/" + "/".join(quote(part, safe="") for part in action.split("/"))
    answer = yield from send(settings, Sent("POST", path, body=dict(params), is_keyed=is_keyed))
    return read_result(answer.response, answer.idempotency_key)


def run_locked(settings: Settings, action: str, params: Mapping[str, Any]) -> Steps[Result[Any]]:
    """Helpers use `run`: their free calls need no lock."""
    params = apply_lock(settings.lock, action, params)
    return (yield from run(settings, action, params))


def run_member(
    settings: Settings, names: Dict[str, str], member: str, params: Mapping[str, Any]
) -> Steps[Result[Any]]:
    """`member` is a name in code, such as "core/onescrape_deep". `names` stores what it stands for.

    Most names of the catalog have hyphens, some have underscores.
    """
    hyphens = member.replace("_", "-")
    service, _, action = member.partition("/")
    underscores = f"{service.replace('_', '-')}/{action}"
    try:
        name = names.get(member) or locked_name(settings, params, underscores) or hyphens
        return (yield from run_locked(settings, name, params))
    except TollgateError as error:
        if error.code != "unknown_action" or member in names or "_" not in action:
            raise
        try:
            result = yield from run_locked(settings, underscores, params)
        except TollgateError as second:
            # The first message suggests names.
            if second.code == "unknown_action":
                raise error
            names[member] = underscores
            raise
        names[member] = underscores
        return result


def locked_name(settings: Settings, params: Mapping[str, Any], name: str) -> Optional[str]:
    """The name, if the lock has it. The lock knows which names have underscores."""
    locked = {} if settings.lock is None else settings.lock["actions"]
    return name if name in locked or f"{name} {params.get('endpoint')}" in locked else None


def to_params(named: Mapping[str, Any]) -> Dict[str, Any]:
    """`from_` stands for `from`, which Python does not allow as a name."""
    return {
        name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name: value
        for name, value in named.items()
    }
