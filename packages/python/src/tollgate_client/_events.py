"""Pages of events."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence
from urllib.parse import urlencode

from ._jobs import with_wait
from ._steps import Sent, Steps, send
from .results import read_json
from .settings import Settings

# A proxy may end a request that is silent for longer.
WAIT_S = 25


class Cursor:
    """Reads one page after the other."""

    def __init__(self, after: Optional[str], types: Sequence[str]) -> None:
        self.after = after
        self._types = ",".join(types)

    def next_page(self, settings: Settings, waits: bool) -> Steps[List[Dict[str, Any]]]:
        wait_s = WAIT_S if waits else 0
        query = {"wait_s": str(wait_s)}
        if self.after is not None:
            query["after"] = self.after
        if self._types:
            query["types"] = self._types
        sent = Sent("GET", f"/api/v1/events?{urlencode(query)}")
        answer = yield from send(with_wait(settings, wait_s), sent)
        page = read_json(answer.response)
        # "latest" has no id while there are no events: all events are new then.
        former = None if self.after == "latest" else self.after
        self.after = page.get("next_after") or former
        events: List[Dict[str, Any]] = page["data"]
        return events
