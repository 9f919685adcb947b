"""Child keys with a limit that end with a block."""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, Generic, Mapping, Optional, TypeVar
from urllib.parse import quote

from ._steps import Sent, Steps, send
from .errors import TollgateError
from .results import read_json
from .settings import Settings

PATH = "/api/v1/agents/me/children"
DEFAULT_TTL_S = 3600

Key = Dict[str, Any]
Client = TypeVar("Client")


def open_child(settings: Settings, body: Mapping[str, Any]) -> Steps[Key]:
    answer = yield from send(settings, Sent("POST", PATH, body=body))
    key: Key = read_json(answer.response, answer.idempotency_key)["data"]
    return key


def end_child(settings: Settings, key_id: str) -> Steps[Key]:
    answer = yield from send(settings, Sent("DELETE", f"{PATH}/{quote(key_id, safe='')}"))
    key: Key = read_json(answer.response)["data"]
    return key


class BudgetState:
    key: Optional[Key] = None
    """The child key, without its secret after the block."""

    @property
    def spent_micros(self) -> int:
        """After the block: what the child spent, in micro-dollars."""
        return int((self.key or {}).get("spent_micros", 0))


class Budget(BudgetState, Generic[Client]):
    """`with` returns a client whose key ends with the block, also after an exception."""

    def __init__(
        self,
        drive: Callable[[Steps[Key]], Key],
        settings: Settings,
        body: Mapping[str, Any],
        open_client: Callable[[Key], Client],
    ) -> None:
        self._drive = drive
        self._settings = settings
        self._body = body
        self._open_client = open_client

    def __enter__(self) -> Client:
        self.key = self._drive(open_child(self._settings, self._body))
        return self._open_client(self.key)

    def __exit__(self, failure: object, *_: object) -> None:
        assert self.key is not None
        try:
            self.key = self._drive(end_child(self._settings, self.key["id"]))
        except TollgateError:
            # The exception of the block matters more. The key also ends by itself.
            if failure is None:
                raise


class AsyncBudget(BudgetState, Generic[Client]):
    """As `Budget`, with `async with`."""

    def __init__(
        self,
        drive: Callable[[Steps[Key]], Awaitable[Key]],
        settings: Settings,
        body: Mapping[str, Any],
        open_client: Callable[[Key], Client],
    ) -> None:
        self._drive = drive
        self._settings = settings
        self._body = body
        self._open_client = open_client

    async def __aenter__(self) -> Client:
        self.key = await self._drive(open_child(self._settings, self._body))
        return self._open_client(self.key)

    async def __aexit__(self, failure: object, *_: object) -> None:
        assert self.key is not None
        try:
            self.key = await self._drive(end_child(self._settings, self.key["id"]))
        except TollgateError:
            # The exception of the block matters more. The key also ends by itself.
            if failure is None:
                raise
