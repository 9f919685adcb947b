"""A local HTTP server that answers with given bytes and records the requests."""
from __future__ import annotations

import json
import socket
import threading
from typing import Any, Callable, Dict, List, NamedTuple, Union


class Asked(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes
    connection: int


# The bytes of an answer, or a function that writes to the socket itself. Empty: close without one.
Answer = Union[bytes, Callable[[socket.socket], None]]


def answer(body: Any, status: int = 200, **headers: str) -> bytes:
    text = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(text)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + text


def ok(data: Any, **headers: str) -> bytes:
    return answer(envelope(data), **headers)


def envelope(data: Any) -> Dict[str, Any]:
    return {"ok": True, "data": data, "charged_cents": 2, "charged_micros": 20000, "request_id": "req_1"}


def refused(status: int, code: str, retryable: bool = False, **headers: str) -> bytes:
    error = {"code": code, "message": "No.", "fix": "Pay.", "param": None, "retryable": retryable}
    return answer({"ok": False, "error": error, "charged_micros": 0, "request_id": "req_2"}, status, **headers)


class ScriptedServer:
    """Answers in the given order, over all connections. Further requests get the last answer."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: List[Asked] = []
        self.closed = threading.Semaphore(0)
        """Released whenever a client closes its connection."""
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: List[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_: object) -> None:
        # Without it, the thread would wait for a connection forever.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        self.close_connections()

    def close_connections(self) -> None:
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            number += 1
            self._open.append(client)
            threading.Thread(target=self._serve, args=(client, number), daemon=True).start()

    def _serve(self, client: socket.socket, number: int) -> None:
        try:
            with client, client.makefile("rb") as incoming:
                while self._answer_one(client, incoming, number):
                    pass
        except (OSError, ValueError):
            pass
        self.closed.release()

    def _answer_one(self, client: socket.socket, incoming: Any, number: int) -> bool:
        line = incoming.readline()
        if not line:
            return False
        method, path, _ = line.decode().split(" ", 2)
        headers: Dict[str, str] = {}
        for raw in iter(incoming.readline, b"\r\n"):
            if not raw:
                return False
            name, _, value = raw.decode().partition(":")
            headers[name.lower()] = value.strip()
        body = incoming.read(int(headers.get("content-length", 0)))
        with self._lock:
            self.asked.append(Asked(method, path, headers, body, number))
            given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if callable(given):
            given(client)
            return True
        client.sendall(given)
        return given != b""
