"""Exchanges over asyncio streams, for the async client. Idle connections belong to one event loop."""
from __future__ import annotations

import asyncio
import ssl
import time
from typing import Any, AsyncIterator, Callable, Coroutine, Dict, List, Optional, TypeVar

from ._http import ConnectionLost, Origin, Response, ResponseParser, TimeUp, encode_head, split_url
from ._steps import Exchange, Outcome, Steps, Upload, Wait
from ._transport import LONGEST_IDLE_S, MOST_IDLE, READ_BYTES, left

Value = TypeVar("Value")


class AsyncConnection:
    """Time limits abort the connection. `asyncio.wait_for` can lose a cancellation before Python 3.12."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._is_late = False
        self.idle_since = 0.0

    async def send(self, data: bytes, deadline: float) -> None:
        async def write() -> None:
            self._writer.write(data)
            await self._writer.drain()

        await self._within(deadline, write())

    async def receive(self, deadline: float) -> bytes:
        """Empty at the end of the connection."""
        return await self._within(deadline, self._reader.read(READ_BYTES))

    async def _within(self, deadline: float, work: Coroutine[Any, Any, Value]) -> Value:
        """Raises TimeUp, ConnectionLost."""
        seconds = max(0.0, deadline - time.monotonic())
        timer = asyncio.get_running_loop().call_later(seconds, self._end_late)
        try:
            value = await work
        except OSError as reason:
            if self._is_late:
                raise TimeUp() from None
            raise ConnectionLost(str(reason)) from reason
        finally:
            timer.cancel()
        if self._is_late:
            raise TimeUp()
        return value

    def _end_late(self) -> None:
        self._is_late = True
        self.close()

    def is_stale(self) -> bool:
        is_old = time.monotonic() - self.idle_since > LONGEST_IDLE_S
        return is_old or self._reader.at_eof() or self._writer.is_closing()

    def close(self) -> None:
        self._writer.transport.abort()


class AsyncBody:
    """The body of a response whose head has arrived. An unread rest closes the connection."""

    def __init__(
        self, transport: "AsyncTransport", connection: AsyncConnection, origin: Origin
    ) -> None:
        self.connection = connection
        self.origin = origin
        self.parser = ResponseParser()
        self.first = b""
        self._transport = transport

    @property
    def response(self) -> Response:
        assert self.parser.response is not None
        return self.parser.response

    async def read_all(self, deadline: float) -> bytes:
        return b"".join([piece async for piece in self._read(lambda: deadline)])

    def read(self, idle_seconds: float) -> AsyncIterator[bytes]:
        """Raises ConnectionLost, and TimeUp after `idle_seconds` without a byte."""
        return self._read(lambda: time.monotonic() + idle_seconds)

    async def _read(self, until: Callable[[], float]) -> AsyncIterator[bytes]:
        try:
            if self.first:
                yield self.first
            while not self.parser.is_complete:
                data = await self.connection.receive(until())
                piece = self.parser.feed(data) if data else self.parser.feed_end()
                if piece:
                    yield piece
        except BaseException:
            self.close()
            raise
        self._transport.give_back(self)

    def close(self) -> None:
        self.connection.close()


class AsyncTransport:
    def __init__(self) -> None:
        self._idle: Dict[Origin, List[AsyncConnection]] = {}
        self._loop: Optional[Any] = None
        self._tls: Optional[ssl.SSLContext] = None

    async def exchange(self, exchange: Exchange) -> Response:
        """Raises ConnectionLost, TimeUp."""
        body = await self._open(exchange)
        response = body.response
        if exchange.is_stream and response.status < 300:
            response.stream = body
        else:
            response.body = await body.read_all(exchange.deadline)
        return response

    async def _open(self, exchange: Exchange) -> AsyncBody:
        origin, _ = split_url(exchange.url)
        idle = None if isinstance(exchange.body, Upload) else self._take_idle(origin)
        if idle is not None:
            try:
                return await self._begin(idle, origin, exchange)
            except ConnectionLost:
                # Closed while it was idle. Every request can be sent again.
                pass
        return await self._begin(await self._connect(origin, exchange.deadline), origin, exchange)

    async def _begin(
        self, connection: AsyncConnection, origin: Origin, exchange: Exchange
    ) -> AsyncBody:
        body = AsyncBody(self, connection, origin)
        try:
            await self._send(connection, exchange)
            while body.parser.response is None:
                data = await connection.receive(exchange.deadline)
                if not data:
                    raise ConnectionLost("the connection was closed")
                body.first += body.parser.feed(data)
        except BaseException:
            connection.close()
            raise
        return body

    async def _send(self, connection: AsyncConnection, exchange: Exchange) -> None:
        body, deadline = exchange.body, exchange.deadline
        length = body.length if isinstance(body, Upload) else None if body is None else len(body)
        head = encode_head(exchange.method, exchange.url, exchange.headers, length)
        if not isinstance(body, Upload):
            await connection.send(head + (body or b""), deadline)
            return
        await connection.send(head, deadline)
        try:
            for piece in body.open():
                await connection.send(piece, deadline)
        except ConnectionLost:
            # The gateway may have rejected the upload before its end. Its response has the reason.
            pass

    async def _connect(self, origin: Origin, deadline: float) -> AsyncConnection:
        if self._tls is None and origin.scheme == "https":
            # Reading the certificates takes longer than a call.
            self._tls = ssl.create_default_context()
        tls = self._tls if origin.scheme == "https" else None
        opening = asyncio.ensure_future(
            asyncio.open_connection(origin.host, origin.port, ssl=tls)
        )
        try:
            await asyncio.wait({opening}, timeout=left(deadline))
            if not opening.done():
                raise TimeUp()
            return AsyncConnection(*opening.result())
        except OSError as reason:
            raise ConnectionLost(str(reason)) from reason
        except BaseException:
            opening.add_done_callback(close_unused)
            opening.cancel()
            raise

    def _take_idle(self, origin: Origin) -> Optional[AsyncConnection]:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._idle.clear()
            self._loop = loop
        waiting = self._idle.get(origin, [])
        while waiting:
            connection = waiting.pop()
            if not connection.is_stale():
                return connection
            connection.close()
        return None

    def give_back(self, body: AsyncBody) -> None:
        """Stores the connection for a further request, or closes it."""
        waiting = self._idle.setdefault(body.origin, [])
        if body.parser.keeps_alive and len(waiting) < MOST_IDLE:
            body.connection.idle_since = time.monotonic()
            waiting.append(body.connection)
        else:
            body.connection.close()

    def close(self) -> None:
        """Closes idle connections."""
        for waiting in self._idle.values():
            for connection in waiting:
                connection.close()
        self._idle.clear()


def close_unused(opening: "asyncio.Future[Any]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result()[1].transport.abort()


async def drive_async(steps: Steps[Outcome], transport: AsyncTransport) -> Outcome:
    try:
        effect = next(steps)
        while True:
            try:
                response = await perform_async(effect, transport)
            except (ConnectionLost, TimeUp) as error:
                effect = steps.throw(error)
            else:
                effect = steps.send(response)
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome
    finally:
        steps.close()


async def perform_async(effect: object, transport: AsyncTransport) -> Optional[Response]:
    if isinstance(effect, Wait):
        await asyncio.sleep(effect.seconds)
        return None
    assert isinstance(effect, Exchange)
    return await transport.exchange(effect)
