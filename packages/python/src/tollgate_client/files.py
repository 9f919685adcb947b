"""The service files, with the bytes of uploads and downloads."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Mapping

from . import _files
from ._steps import Steps
from .settings import Settings

if TYPE_CHECKING:
    from .catalog import AsyncFilesService, FilesService
else:
    from .catalog import Service

    AsyncFilesService = FilesService = Service


class Files(FilesService):
    def __init__(
        self,
        drive: Callable[[Steps[Any]], Any],
        settings: Settings,
        run: Callable[[str, Mapping[str, Any]], Any],
    ) -> None:
        self._drive = drive
        self._settings = settings
        self._run = run
        self._name = "files"

    def upload(self, source: _files.Source, **params: Any) -> Dict[str, Any]:  # type: ignore
        """Stores bytes, or the file at a path. `params` are those of files/upload.

        Bytes need a `filename`. Returns the record of the file with its `file_id`.
        """
        stored: Dict[str, Any] = self._drive(_files.upload(self._settings, source, params))
        return stored

    def download(self, file_id: str) -> bytes:
        """The bytes of a file of the account, compared with its SHA-256."""
        data: bytes = self._drive(_files.download(self._settings, file_id))
        return data


class AsyncFiles(AsyncFilesService):
    """As `Files`; all methods are awaited."""

    def __init__(
        self,
        drive: Callable[[Steps[Any]], Awaitable[Any]],
        settings: Settings,
        run: Callable[[str, Mapping[str, Any]], Any],
    ) -> None:
        self._drive = drive
        self._settings = settings
        self._run = run
        self._name = "files"

    async def upload(self, source: _files.Source, **params: Any) -> Dict[str, Any]:  # type: ignore
        """Stores bytes, or the file at a path. `params` are those of files/upload.

        Bytes need a `filename`. Returns the record of the file with its `file_id`.
        """
        stored: Dict[str, Any] = await self._drive(_files.upload(self._settings, source, params))
        return stored

    async def download(self, file_id: str) -> bytes:
        """The bytes of a file of the account, compared with its SHA-256."""
        data: bytes = await self._drive(_files.download(self._settings, file_id))
        return data
