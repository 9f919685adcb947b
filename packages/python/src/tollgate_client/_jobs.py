"""Jobs: their state, their result and their early end."""
from __future__ import annotations

import dataclasses
import math
import time
from typing import Any, Callable, Mapping, Optional, Union

from ._calls import run
from ._steps import Steps
from .errors import TollgateError
from .results import Result, charge_of
from .settings import Settings

LONGEST_WAIT_S = 60
ENDED = ("succeeded", "failed")

Job = Union[str, Mapping[str, Any], Result[Any]]


def job_id_of(job: Job) -> str:
    """The id of a started job, of its data, or of a state of it."""
    data = job.data if isinstance(job, Result) else job
    job_id = data if isinstance(data, str) else data.get("job_id")
    if isinstance(job_id, str) and job_id.startswith("job_"):
        return job_id
    raise TollgateError(
        "invalid_settings",
        "This is no job: it has no job_id.",
        "Pass the result of a call that started a job, or an id such as job_….",
    )


def poll(settings: Settings, job: Job, seconds: float = 0) -> Steps[Result[Any]]:
    """The state of the job, after its end or after some seconds."""
    wait_s = whole_wait(seconds)
    # A poll with a stored answer would never see the end, so polls have no idempotency key.
    params = {"job_id": job_id_of(job), "wait_s": wait_s}
    return run(with_wait(settings, wait_s), "core/result", params, is_keyed=False)


def whole_wait(seconds: float) -> int:
    """Rounded up, so that a wait never becomes a loop without one."""
    return math.ceil(max(0.0, min(LONGEST_WAIT_S, seconds)))


def with_wait(settings: Settings, wait_s: int) -> Settings:
    """The timeout is for the answer after the wait."""
    return dataclasses.replace(settings, timeout=settings.timeout + wait_s)


def wait_for(
    settings: Settings,
    job: Job,
    timeout: Optional[float] = None,
    now: Callable[[], float] = time.monotonic,
) -> Steps[Result[Any]]:
    """The result of the job. Raises TollgateError with the code of a failed job."""
    end = None if timeout is None else now() + timeout
    while True:
        left = LONGEST_WAIT_S if end is None else end - now()
        state = yield from poll(settings, job, left)
        if state.data["status"] in ENDED:
            return read_ended(job, state)
        if end is not None and now() >= end:
            raise TollgateError(
                "deadline_exceeded",
                f"The job {state.data['job_id']} did not end within {timeout:g} s. It continues.",
                "Allow a longer timeout, wait for the job again, or cancel it.",
                retryable=True,
                details={"job": state.data},
            )


def read_ended(job: Job, state: Result[Any]) -> Result[Any]:
    data = state.data
    micros = int(data.get("charged_micros", 0))
    # A job, its request and its transaction have the same id after the prefix.
    request_id = f"req_{data['job_id'][len('job_'):]}"
    if data["status"] == "succeeded":
        return Result(
            data=data.get("result"),
            charged=charge_of(micros),
            request_id=request_id,
            idempotency_key=job.idempotency_key if isinstance(job, Result) else "",
            recorded=state.recorded,
            simulated=state.simulated,
        )
    error = data.get("error") or {}
    raise TollgateError(
        str(error.get("code") or "job_failed"),
        str(error.get("message") or "The job failed."),
        str(error.get("fix") or ""),
        retryable=error.get("retryable") is True,
        request_id=request_id,
        details={**(error.get("details") or {}), "job": data},
        charged_micros=micros,
        simulated=state.simulated,
    )


def cancel(settings: Settings, job: Job) -> Steps[Result[Any]]:
    return run(settings, "core/cancel", {"job_id": job_id_of(job)})
