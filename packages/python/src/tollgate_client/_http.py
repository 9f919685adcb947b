"""HTTP/1.1 without sockets: bytes of a request, and a parser that is fed the bytes of a response.

The standard `http.client` has no time limit for a whole response, no trailers and no asyncio. Both
transports use this module instead.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import urlsplit

MOST_HEAD_BYTES = 65_536


class ConnectionLost(Exception):
    """The connection could not be opened, or it ended before the response did."""


class TimeUp(Exception):
    """The deadline of the exchange has passed."""


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int


@dataclass
class Response:
    status: int
    headers: Dict[str, str]
    """Names in lower case; trailers are added at the end."""
    body: bytes = b""
    stream: Any = None
    """The open body of a stream; `body` is then empty."""


def split_url(url: str) -> Tuple[Origin, str]:
    """The origin, and the path with its query."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    return Origin(parts.scheme, parts.hostname or "", port), target


def encode_head(method: str, url: str, headers: Mapping[str, str], length: Optional[int]) -> bytes:
    """The request line and the headers. `length` is the length of the body in bytes."""
    _, target = split_url(url)
    named = {"host": urlsplit(url).netloc.rpartition("@")[2], **headers}
    if length is not None:
        named["content-length"] = str(length)
    lines = [f"{method} {target} HTTP/1.1"] + [f"{name}: {value}" for name, value in named.items()]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("A header or the address contains a line break.")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@dataclass
class ResponseParser:
    """Feed it bytes; `feed` returns the bytes of the body that they contain."""

    response: Optional[Response] = None
    """Set after the head was read."""
    is_complete: bool = False
    _buffer: bytearray = field(default_factory=bytearray)
    _framing: str = "head"
    _left: int = 0

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection can carry a further request."""
        if not self.is_complete or self.response is None or self._buffer:
            return False
        return self._framing != "close" and (
            self.response.headers.get("connection", "").lower() != "close"
        )

    def feed(self, data: bytes) -> bytes:
        """Raises ConnectionLost for bytes that are not HTTP/1.1."""
        self._buffer += data
        body = bytearray()
        while not self.is_complete and self._step(body):
            pass
        return bytes(body)

    def feed_end(self) -> bytes:
        """The peer closed the connection. Raises ConnectionLost if the response is incomplete."""
        if self._framing == "close":
            self.is_complete = True
        if not self.is_complete:
            raise ConnectionLost("the connection was closed")
        return b""

    def _step(self, body: bytearray) -> bool:
        """Whether it made progress."""
        if self._framing == "head":
            return self._read_head()
        if self._framing == "close":
            body += self._buffer
            self._buffer.clear()
            return False
        if self._framing in ("length", "chunk"):
            return self._read_counted(body)
        if self._framing == "trailers":
            return self._read_trailers()
        return self._read_chunk_size()

    def _read_head(self) -> bool:
        lines = self._take_lines()
        if lines is None:
            return False
        version, _, rest = lines[0].partition(" ")
        if not version.startswith("HTTP/1.") or not rest[:3].isdigit():
            raise ConnectionLost("the response is not HTTP/1.1")
        status = int(rest[:3])
        if 100 <= status < 200:
            return True
        headers = read_headers(lines[1:])
        self.response = Response(status, headers)
        length = headers.get("content-length", "")
        if status in (204, 304):
            self._framing, self.is_complete = "length", True
        elif "chunked" in headers.get("transfer-encoding", "").lower():
            self._framing = "size"
        elif length.isdigit():
            self._framing, self._left = "length", int(length)
            self.is_complete = self._left == 0
        else:
            self._framing = "close"
        return True

    def _read_counted(self, body: bytearray) -> bool:
        taken = min(self._left, len(self._buffer))
        body += self._buffer[:taken]
        del self._buffer[:taken]
        self._left -= taken
        if self._left > 0:
            return False
        if self._framing == "length":
            self.is_complete = True
            return True
        if len(self._buffer) < 2:
            return False
        if self._buffer[:2] != b"\r\n":
            raise ConnectionLost("a chunk of the response has the wrong length")
        del self._buffer[:2]
        self._framing = "size"
        return True

    def _read_chunk_size(self) -> bool:
        end = self._buffer.find(b"\r\n")
        if end < 0:
            self._limit_head()
            return False
        text = bytes(self._buffer[:end]).split(b";", 1)[0].strip()
        del self._buffer[: end + 2]
        try:
            self._left = int(text, 16)
        except ValueError:
            raise ConnectionLost("the response has a chunk without a length") from None
        self._framing = "trailers" if self._left == 0 else "chunk"
        return True

    def _read_trailers(self) -> bool:
        if self._buffer[:2] == b"\r\n":
            del self._buffer[:2]
        else:
            lines = self._take_lines()
            if lines is None:
                return False
            if self.response is not None:
                self.response.headers.update(read_headers(lines))
        self.is_complete = True
        return True

    def _take_lines(self) -> Optional[List[str]]:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            self._limit_head()
            return None
        text = bytes(self._buffer[:end]).decode("latin-1")
        del self._buffer[: end + 4]
        return text.split("\r\n")

    def _limit_head(self) -> None:
        if len(self._buffer) > MOST_HEAD_BYTES:
            raise ConnectionLost("the head of the response is too long")


def read_headers(lines: List[str]) -> Dict[str, str]:
    """Names in lower case. Repeated headers are joined with a comma."""
    headers: Dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        name = name.strip().lower()
        value = value.strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers
