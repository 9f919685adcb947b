"""Language models of the gateway."""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, Mapping, Sequence

from . import _chat
from ._steps import Steps
from .results import Result
from .settings import Settings
from .streams import AsyncChatStream, ChatStream

Messages = Sequence[Mapping[str, Any]]
DEFAULT_MODEL = "core/mid"


class Chat:
    def __init__(self, drive: Callable[[Steps[Any]], Any], settings: Settings) -> None:
        self._drive = drive
        self._settings = settings

    def create(
        self, messages: Messages, model: str = DEFAULT_MODEL, **params: Any
    ) -> Result[Dict[str, Any]]:
        """A chat completion. `params` are the further fields of the request, such as max_tokens."""
        body = _chat.to_body(messages, model, params)
        result: Result[Dict[str, Any]] = self._drive(_chat.complete(self._settings, body))
        return result

    def stream(self, messages: Messages, model: str = DEFAULT_MODEL, **params: Any) -> ChatStream:
        """As `create`, piece by piece. The request is sent when you iterate."""
        body = _chat.to_body(messages, model, params)
        return ChatStream(
            lambda: self._drive(_chat.open_stream(self._settings, body)), self._settings.timeout
        )


class AsyncChat:
    """As `Chat`; `create` is awaited."""

    def __init__(self, drive: Callable[[Steps[Any]], Awaitable[Any]], settings: Settings) -> None:
        self._drive = drive
        self._settings = settings

    async def create(
        self, messages: Messages, model: str = DEFAULT_MODEL, **params: Any
    ) -> Result[Dict[str, Any]]:
        """A chat completion. `params` are the further fields of the request, such as max_tokens."""
        body = _chat.to_body(messages, model, params)
        result: Result[Dict[str, Any]] = await self._drive(_chat.complete(self._settings, body))
        return result

    def stream(
        self, messages: Messages, model: str = DEFAULT_MODEL, **params: Any
    ) -> AsyncChatStream:
        """As `create`, piece by piece. The request is sent when you iterate."""
        body = _chat.to_body(messages, model, params)
        return AsyncChatStream(
            lambda: self._drive(_chat.open_stream(self._settings, body)), self._settings.timeout
        )
