"""Chat completions that arrive piece by piece."""
from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator

from ._chat import StreamState, text_of
from ._http import ConnectionLost, TimeUp
from ._steps import Answer


class ChatStream(StreamState):
    """Iterate over its chunks, or over `text()`. Leaving the `with` block closes the connection."""

    def __init__(self, begin: Callable[[], Answer], idle_seconds: float) -> None:
        super().__init__()
        self._begin = begin
        self._idle_s = idle_seconds

    def __enter__(self) -> "ChatStream":
        if self._answer is None:
            self._answer = self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        if self._answer is not None and not self._is_done:
            self._answer.response.stream.close()

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Raises TollgateError with the code of the event, or stream_failed."""
        with self:
            assert self._answer is not None
            try:
                for data in self._answer.response.stream.read(self._idle_s):
                    yield from self._feed(data)
                if not self._is_done:
                    raise ConnectionLost("it has no end")
            except (ConnectionLost, TimeUp) as reason:
                raise self._broken(reason) from reason

    def text(self) -> Iterator[str]:
        """The text of the first choice, piece by piece."""
        for chunk in self:
            piece = text_of(chunk)
            if piece:
                yield piece


class AsyncChatStream(StreamState):
    """As `ChatStream`, with `async for` and `async with`."""

    def __init__(self, begin: Callable[[], Awaitable[Answer]], idle_seconds: float) -> None:
        super().__init__()
        self._begin = begin
        self._idle_s = idle_seconds

    async def __aenter__(self) -> "AsyncChatStream":
        if self._answer is None:
            self._answer = await self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._answer is not None and not self._is_done:
            self._answer.response.stream.close()

    async def __aiter__(self) -> AsyncIterator[Dict[str, Any]]:
        """Raises TollgateError with the code of the event, or stream_failed."""
        async with self:
            assert self._answer is not None
            try:
                async for data in self._answer.response.stream.read(self._idle_s):
                    for chunk in self._feed(data):
                        yield chunk
                if not self._is_done:
                    raise ConnectionLost("it has no end")
            except (ConnectionLost, TimeUp) as reason:
                raise self._broken(reason) from reason

    async def text(self) -> AsyncIterator[str]:
        """The text of the first choice, piece by piece."""
        async for chunk in self:
            piece = text_of(chunk)
            if piece:
                yield piece
