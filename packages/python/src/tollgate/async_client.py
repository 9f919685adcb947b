"""The async client."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Optional

from . import _calls
from ._async_transport import AsyncTransport, drive_async
from ._steps import Outcome, Sent, Steps, send
from .catalog import AsyncCatalog
from .results import Result, read_json
from .settings import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S, read_settings


class AsyncTollgate(AsyncCatalog):
    """As `Tollgate`, for asyncio. Cancelling a task closes its connection."""

    def __init__(
        self,
        key: Optional[str] = None,
        url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        retries: int = DEFAULT_RETRIES,
    ) -> None:
        """By default TOLLGATE_KEY and TOLLGATE_URL of the environment are used.

        `timeout`: the most seconds of one call with all its retries. Raises TollgateError.
        """
        self._settings = read_settings(key, url, timeout, retries)
        self._transport = AsyncTransport()
        self._names: Dict[str, str] = {}

    @property
    def is_test(self) -> bool:
        """Whether the key is a test key: vendors are simulated, and nothing is charged."""
        return self._settings.key.startswith("tg_test_")

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> "AsyncTollgate":
        """A client with other options, for a single call or for many. It shares the connections.

        `idempotency_key` is for a single call: repeat the call with its key to get its result again.
        """
        given = {"timeout": timeout, "retries": retries, "idempotency_key": idempotency_key}
        return self._with({name: value for name, value in given.items() if value is not None})

    def _with(self, changes: Mapping[str, Any]) -> "AsyncTollgate":
        other = object.__new__(type(self))
        other._settings = dataclasses.replace(self._settings, **changes)
        other._transport = self._transport
        other._names = self._names
        return other

    async def run(self, action: str, params: Optional[Mapping[str, Any]] = None) -> Result[Any]:
        """Runs an action by its name in the catalog, such as "core/onescrape". Raises TollgateError."""
        return await self._drive(_calls.run(self._settings, action, params or {}))

    async def request(self, method: str, path: str, body: Any = None) -> Dict[str, Any]:
        """A request to any route of the gateway. Returns the whole answer. Raises TollgateError."""
        answer = await self._drive(send(self._settings, Sent(method, path, body)))
        return read_json(answer.response, answer.idempotency_key)

    async def close(self) -> None:
        """Closes idle connections. The client still works afterwards."""
        self._transport.close()

    async def __aenter__(self) -> "AsyncTollgate":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _drive(self, steps: Steps[Outcome]) -> Outcome:
        return await drive_async(steps, self._transport)

    async def _run_member(self, member: str, params: Mapping[str, Any]) -> Result[Any]:
        return await self._drive(_calls.run_member(self._settings, self._names, member, params))
