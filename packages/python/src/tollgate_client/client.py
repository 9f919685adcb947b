"""The sync client."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

from . import _calls, _jobs
from ._events import Cursor
from ._price_lock import Lock
from ._steps import Outcome, Sent, Steps, send
from ._transport import Transport, drive
from .budget import DEFAULT_TTL_S, Budget
from .catalog import Catalog
from .chat import Chat
from .files import Files
from .results import Answer, Result, StartedJob, read_json
from .settings import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S, Cassette, read_settings


class Tollgate(Catalog):
    """The client of one gateway with one key. Threads can share it.

    `tollgate.core.onescrape(urls=["https://example.com"])` runs the action core/onescrape.
    """

    def __init__(
        self,
        key: Optional[str] = None,
        url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        retries: int = DEFAULT_RETRIES,
        lock: Optional[Lock] = None,
        cassette: Cassette = None,
    ) -> None:
        """By default TOLLGATE_KEY and TOLLGATE_URL of the environment are used.

        `timeout`: the most seconds of one call with all its retries. `cassette`: records calls
        and replays them for free; a name, or ("name", "replay"). `lock`: the parsed content of
        tollgate.lock; calls above a locked price are not sent. Raises TollgateError.
        """
        self._settings = read_settings(key, url, timeout, retries, lock, cassette)
        self._transport = Transport()
        self._names: Dict[str, str] = {}

    @property
    def is_test(self) -> bool:
        """Whether the key is a test key: vendors are simulated, and nothing is charged."""
        return self._settings.key.startswith("tg_test_")

    @property
    def chat(self) -> Chat:
        """Language models."""
        return Chat(self._drive, self._settings)

    @property
    def files(self) -> Files:  # type: ignore
        """The actions of the service files. `upload` and `download` also send the bytes."""
        return Files(self._drive, self._settings, self._run_member)

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> "Tollgate":
        """A client with other options, for a single call or for many. It shares the connections.

        `idempotency_key` is for a single call: repeat the call with its key to get its result again.
        """
        given = {"timeout": timeout, "retries": retries, "idempotency_key": idempotency_key}
        return self._with({name: value for name, value in given.items() if value is not None})

    def _with(self, changes: Mapping[str, Any]) -> "Tollgate":
        other = object.__new__(type(self))
        other._settings = dataclasses.replace(self._settings, **changes)
        other._transport = self._transport
        other._names = self._names
        return other

    def run(self, action: str, params: Optional[Mapping[str, Any]] = None) -> Result[Any]:
        """Runs an action by its name in the catalog, such as "core/onescrape". Raises TollgateError."""
        return self._drive(_calls.run_locked(self._settings, action, params or {}))

    def request(self, method: str, path: str, body: Any = None) -> Dict[str, Any]:
        """A request to any route of the gateway. Returns the whole answer. Raises TollgateError."""
        answer = self._drive(send(self._settings, Sent(method, path, body)))
        return read_json(answer.response, answer.idempotency_key)

    def wait_for(
        self, job: Union[StartedJob[Answer], str], timeout: Optional[float] = None
    ) -> Result[Answer]:
        """The result of a job, after its end. Raises TollgateError with the code of a failed job.

        `job`: the result of the call that started it, or its id. `timeout`: the most seconds to
        wait; the job has a deadline of its own.
        """
        return self._drive(_jobs.wait_for(self._settings, job, timeout))

    def watch(self, job: _jobs.Job, every_s: float = 5) -> Iterator[Dict[str, Any]]:
        """The states of a job, as core/result returns them: the present one, changes, and the last.

        `every_s`: seconds between two looks at a running job, 1 to 60.
        """
        last: Optional[Dict[str, Any]] = None
        while last is None or last["status"] not in _jobs.ENDED:
            seconds = 0 if last is None else max(1, every_s)
            state = self._drive(_jobs.poll(self._settings, job, seconds)).data
            if state != last:
                yield state
            last = state

    def cancel(self, job: _jobs.Job) -> Dict[str, Any]:
        """Ends a job early and returns its state. Its results so far are charged and delivered."""
        return self._drive(_jobs.cancel(self._settings, job)).data

    def events(
        self,
        *,
        after: Optional[str] = None,
        types: Sequence[str] = (),
        follow: bool = True,
    ) -> Iterator[Dict[str, Any]]:
        """Events, oldest first. Without `follow` it stops after the newest one.

        `after`: the id of the last event that you have, or "latest". `types`: such as "job.*".
        """
        cursor = Cursor(after, types)
        while True:
            page = self._drive(cursor.next_page(self._settings, follow))
            yield from page
            if not page and not follow:
                return

    def budget(self, cents: int, *, ttl_s: int = DEFAULT_TTL_S, **settings: Any) -> "Budget[Tollgate]":
        """`with tollgate.budget(50) as child:` gives the block a client that spends at most 50 cents.

        The child key ends with the block, or after `ttl_s` seconds. `settings` are further settings of
        the key, such as label and allow. The key of this client needs may_mint.
        """
        body = {"ceiling_cents": cents, "ttl_s": ttl_s, **settings}
        return Budget(self._drive, self._settings, body, self._open_child)

    def _open_child(self, key: Mapping[str, Any]) -> "Tollgate":
        return self._with({"key": key["key"], "idempotency_key": None})

    def close(self) -> None:
        """Closes idle connections. The client still works afterwards."""
        self._transport.close()

    def __enter__(self) -> "Tollgate":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _drive(self, steps: Steps[Outcome]) -> Outcome:
        return drive(steps, self._transport)

    def _run_member(self, member: str, params: Mapping[str, Any]) -> Result[Any]:
        return self._drive(_calls.run_member(self._settings, self._names, member, params))
