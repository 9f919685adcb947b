"""Uploads and downloads through signed links."""
from __future__ import annotations

import hashlib
import os
from typing import Any, Callable, Dict, Iterable, Iterator, Mapping, Tuple, Union

from ._calls import run
from ._steps import Sent, Steps, Upload, send
from .errors import TollgateError
from .results import read_json
from .settings import Settings

PIECE_BYTES = 65_536

Source = Union[bytes, str, "os.PathLike[str]"]


def upload(settings: Settings, source: Source, params: Mapping[str, Any]) -> Steps[Dict[str, Any]]:
    """The stored file. `source` is the bytes, or the path of a file."""
    body, sha256 = to_upload(source)
    asked = {"size_bytes": body.length, "sha256": sha256, **params}
    if not isinstance(source, bytes):
        asked.setdefault("filename", os.path.basename(os.fspath(source)))
    slot = (yield from run(settings, "files/upload", asked)).data
    headers = {"content-type": "application/octet-stream"}
    sent = Sent("PUT", slot["put_url"], upload=body, headers=headers)
    try:
        answer = yield from send(settings, sent)
        stored: Dict[str, Any] = read_json(answer.response)["data"]
        return stored
    except TollgateError:
        # After a lost response, a repeated upload is rejected: the file is already stored.
        found = yield from find_file(settings, slot["file_id"])
        if found.get("sha256") == sha256:
            return found
        raise


def find_file(settings: Settings, file_id: str) -> Steps[Dict[str, Any]]:
    """Empty if no such file exists."""
    try:
        found: Dict[str, Any] = (yield from run(settings, "files/get", {"file_id": file_id})).data
        return found
    except TollgateError:
        return {}


def to_upload(source: Source) -> Tuple[Upload, str]:
    """The body, and its SHA-256 in hexadecimal. Raises OSError for a file that cannot be read."""
    reads: Callable[[], Iterable[bytes]]
    if isinstance(source, bytes):
        data = source
        reads = lambda: [data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES)]
    else:
        path = source
        reads = lambda: read_pieces(path)
    digest = hashlib.sha256()
    length = 0
    for piece in reads():
        digest.update(piece)
        length += len(piece)
    return Upload(length, reads), digest.hexdigest()


def read_pieces(path: Union[str, "os.PathLike[str]"]) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while True:
            piece = file.read(PIECE_BYTES)
            if not piece:
                return
            yield piece


def download(settings: Settings, file_id: str) -> Steps[bytes]:
    """The bytes of a file of the account."""
    found = (yield from run(settings, "files/get", {"file_id": file_id})).data
    answer = yield from send(settings, Sent("GET", found["get_url"], headers={"accept": "*/*"}))
    data: bytes = answer.response.body
    if hashlib.sha256(data).hexdigest() != found["sha256"]:
        raise TollgateError(
            "invalid_response",
            "The downloaded bytes do not match the SHA-256 of the file.",
            "Check the proxies in front of the gateway, and download the file again.",
            retryable=True,
        )
    return data
