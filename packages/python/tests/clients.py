"""Runs a test with both clients. Methods of the async client are awaited."""
from __future__ import annotations

import asyncio
import inspect
import unittest
from typing import Any, Callable, Iterator, List

from tollgate_client import AsyncTollgate, Tollgate, TollgateError

LIVE = "tg_live_0000"


class SyncClient:
    """The sync client."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.client: Any = Tollgate(*given, **options)

    def do(self, work: Callable[[Any], Any]) -> Any:
        return work(self.client)

    def list(self, work: Callable[[Any], Any]) -> List[Any]:
        return list(work(self.client))

    def close(self) -> None:
        self.client.close()


class AsyncClient:
    """The async client with the interface of the sync one."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.client: Any = AsyncTollgate(*given, **options)
        self.loop = asyncio.new_event_loop()

    def do(self, work: Callable[[Any], Any]) -> Any:
        async def run() -> Any:
            value = work(self.client)
            return await value if inspect.isawaitable(value) else value

        return self.loop.run_until_complete(run())

    def list(self, work: Callable[[Any], Any]) -> List[Any]:
        async def run() -> List[Any]:
            return [item async for item in work(self.client)]

        return self.loop.run_until_complete(run())

    def close(self) -> None:
        self.loop.run_until_complete(self.client.close())
        # The transports of closed connections end in the next turns of the loop.
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


class BothClients(unittest.TestCase):
    def both(self, *given: Any, **options: Any) -> Iterator[Any]:
        """One client after the other, each in a subtest."""
        for kind in (SyncClient, AsyncClient):
            with self.subTest(kind.__name__):
                client = kind(*given, **options)
                try:
                    yield client
                finally:
                    client.close()

    def failure(self, client: Any, work: Callable[[Any], Any]) -> TollgateError:
        """The error that the work raises."""
        with self.assertRaises(TollgateError) as caught:
            client.do(work)
        return caught.exception


