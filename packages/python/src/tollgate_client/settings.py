"""Settings of a client."""
from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Optional, Tuple, Union

from ._price_lock import Lock, require_lock
from .errors import TollgateError

Cassette = Union[str, Tuple[str, str], None]
"""The name of a cassette, or the name and the mode: "auto", "record" or "replay"."""

DEFAULT_TIMEOUT_S = 300.0
DEFAULT_RETRIES = 4


@dataclass(frozen=True)
class Settings:
    key: str
    url: str
    timeout: float
    """The most seconds of one call with all its retries."""
    retries: int
    """The most retries of one call, besides waiting for a call in progress."""
    idempotency_key: Optional[str] = None
    lock: Optional[Lock] = None
    cassette: Optional[str] = None
    """The header that names the cassette."""


def read_settings(
    key: Optional[str],
    url: Optional[str],
    timeout: float = DEFAULT_TIMEOUT_S,
    retries: int = DEFAULT_RETRIES,
    lock: Optional[Lock] = None,
    cassette: Cassette = None,
) -> Settings:
    """Raises TollgateError invalid_settings."""
    require_lock(lock)
    key = key or os.environ.get("TOLLGATE_KEY") or missing("key", "TOLLGATE_KEY")
    url = url or os.environ.get("TOLLGATE_URL") or missing("url", "TOLLGATE_URL")
    if re.search(r"[^!-~]", key):
        raise TollgateError(
            "invalid_settings",
            "The key contains a space, a line break or another character that no key has.",
            "Copy the key again; it begins with tg_live_ or tg_test_.",
        )
    if not re.fullmatch(r"https?://[^/?#\s]+[^?#\s]*", url):
        raise TollgateError(
            "invalid_settings",
            f'"{url}" is not the address of a gateway.',
            'Set url to an http or https address, such as "https://gateway.example.com".',
        )
    return Settings(
        key=key,
        url=url.rstrip("/"),
        timeout=timeout,
        retries=retries,
        lock=lock,
        cassette=read_cassette(cassette),
    )


def read_cassette(cassette: Cassette) -> Optional[str]:
    if cassette is None:
        return None
    name, mode = (cassette, "auto") if isinstance(cassette, str) else cassette
    return f"{name}; mode={mode}"


def missing(setting: str, variable: str) -> str:
    raise TollgateError(
        "invalid_settings",
        f"The {setting} is missing.",
        f"Use Tollgate({setting}=…), or set {variable} in the environment.",
    )
