"""Exchanges over sockets, for the sync client. Threads share the idle connections."""
from __future__ import annotations

import selectors
import socket
import ssl
import threading
import time
from typing import Callable, Dict, Iterator, List, Optional

from ._http import ConnectionLost, Origin, Response, ResponseParser, TimeUp, encode_head, split_url
from ._steps import Exchange, Outcome, Steps, Upload, Wait

READ_BYTES = 65_536
# The gateway and proxies close idle connections after some seconds.
LONGEST_IDLE_S = 4.0
MOST_IDLE = 32


class Connection:
    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.idle_since = 0.0

    def send(self, data: bytes, deadline: float) -> None:
        try:
            self.sock.settimeout(left(deadline))
            self.sock.sendall(data)
        except socket.timeout:
            raise TimeUp() from None
        except OSError as reason:
            raise ConnectionLost(str(reason)) from reason

    def receive(self, deadline: float) -> bytes:
        """Empty at the end of the connection."""
        try:
            self.sock.settimeout(left(deadline))
            return self.sock.recv(READ_BYTES)
        except socket.timeout:
            raise TimeUp() from None
        except OSError as reason:
            raise ConnectionLost(str(reason)) from reason

    def is_stale(self) -> bool:
        if time.monotonic() - self.idle_since > LONGEST_IDLE_S:
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(self.sock, selectors.EVENT_READ)
            # The gateway sends nothing without a request, except the end of the connection.
            return bool(selector.select(0))

    def close(self) -> None:
        self.sock.close()


def left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeUp()
    return seconds


class Body:
    """The body of a response whose head has arrived. An unread rest closes the connection."""

    def __init__(self, transport: "Transport", connection: Connection, origin: Origin) -> None:
        self.connection = connection
        self.origin = origin
        self.parser = ResponseParser()
        self.first = b""
        self._transport = transport

    @property
    def response(self) -> Response:
        assert self.parser.response is not None
        return self.parser.response

    def read_all(self, deadline: float) -> bytes:
        return b"".join(self._read(lambda: deadline))

    def read(self, idle_seconds: float) -> Iterator[bytes]:
        """Raises ConnectionLost, and TimeUp after `idle_seconds` without a byte."""
        return self._read(lambda: time.monotonic() + idle_seconds)

    def _read(self, until: Callable[[], float]) -> Iterator[bytes]:
        try:
            if self.first:
                yield self.first
            while not self.parser.is_complete:
                data = self.connection.receive(until())
                piece = self.parser.feed(data) if data else self.parser.feed_end()
                if piece:
                    yield piece
        except BaseException:
            self.close()
            raise
        self._transport.give_back(self)

    def close(self) -> None:
        self.connection.close()


class Transport:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: Dict[Origin, List[Connection]] = {}
        self._tls: Optional[ssl.SSLContext] = None

    def exchange(self, exchange: Exchange) -> Response:
        """Raises ConnectionLost, TimeUp."""
        body = self._open(exchange)
        response = body.response
        if exchange.is_stream and response.status < 300:
            response.stream = body
        else:
            response.body = body.read_all(exchange.deadline)
        return response

    def _open(self, exchange: Exchange) -> Body:
        origin, _ = split_url(exchange.url)
        idle = None if isinstance(exchange.body, Upload) else self._take_idle(origin)
        if idle is not None:
            try:
                return self._begin(idle, origin, exchange)
            except ConnectionLost:
                # Closed while it was idle. Every request can be sent again.
                pass
        return self._begin(self._connect(origin, exchange.deadline), origin, exchange)

    def _begin(self, connection: Connection, origin: Origin, exchange: Exchange) -> Body:
        body = Body(self, connection, origin)
        try:
            self._send(connection, exchange)
            while body.parser.response is None:
                data = connection.receive(exchange.deadline)
                if not data:
                    raise ConnectionLost("the connection was closed")
                body.first += body.parser.feed(data)
        except BaseException:
            connection.close()
            raise
        return body

    def _send(self, connection: Connection, exchange: Exchange) -> None:
        body, deadline = exchange.body, exchange.deadline
        length = body.length if isinstance(body, Upload) else None if body is None else len(body)
        head = encode_head(exchange.method, exchange.url, exchange.headers, length)
        if not isinstance(body, Upload):
            connection.send(head + (body or b""), deadline)
            return
        connection.send(head, deadline)
        try:
            for piece in body.open():
                connection.send(piece, deadline)
        except ConnectionLost:
            # The gateway may have rejected the upload before its end. Its response has the reason.
            pass

    def _connect(self, origin: Origin, deadline: float) -> Connection:
        try:
            sock = socket.create_connection((origin.host, origin.port), left(deadline))
        except socket.timeout:
            raise TimeUp() from None
        except OSError as reason:
            raise ConnectionLost(str(reason)) from reason
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if origin.scheme == "https":
                sock.settimeout(left(deadline))
                sock = self._context().wrap_socket(sock, server_hostname=origin.host)
        except socket.timeout:
            sock.close()
            raise TimeUp() from None
        except OSError as reason:
            sock.close()
            raise ConnectionLost(str(reason)) from reason
        return Connection(sock)

    def _context(self) -> ssl.SSLContext:
        # Reading the certificates takes longer than a call.
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls

    def _take_idle(self, origin: Origin) -> Optional[Connection]:
        while True:
            with self._lock:
                waiting = self._idle.get(origin)
                if not waiting:
                    return None
                connection = waiting.pop()
            if not connection.is_stale():
                return connection
            connection.close()

    def give_back(self, body: Body) -> None:
        """Stores the connection for a further request, or closes it."""
        with self._lock:
            waiting = self._idle.setdefault(body.origin, [])
            if body.parser.keeps_alive and len(waiting) < MOST_IDLE:
                body.connection.idle_since = time.monotonic()
                waiting.append(body.connection)
                return
        body.connection.close()

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            waiting = [one for many in self._idle.values() for one in many]
            self._idle.clear()
        for connection in waiting:
            connection.close()


def drive(steps: Steps[Outcome], transport: Transport) -> Outcome:
    try:
        effect = next(steps)
        while True:
            try:
                response = perform(effect, transport)
            except (ConnectionLost, TimeUp) as error:
                effect = steps.throw(error)
            else:
                effect = steps.send(response)
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome
    finally:
        steps.close()


def perform(effect: object, transport: Transport) -> Optional[Response]:
    if isinstance(effect, Wait):
        time.sleep(effect.seconds)
        return None
    assert isinstance(effect, Exchange)
    return transport.exchange(effect)
