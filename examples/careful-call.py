"""Reads a page. Retries retryable errors and stops at all others.

All attempts share one Idempotency-Key, so a call whose answer was lost is not charged again.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

GATEWAY = os.environ.get("TOLLGATE_URL", "http://127.0.0.1:4020")
KEY = os.environ["TOLLGATE_KEY"]
MOST_ATTEMPTS = 4


def call(action, body, idempotency_key):
    """Returns the answer as a dictionary, and the seconds to wait before a retry."""
    request = urllib.request.Request(
        f"{GATEWAY}/api/run/{action}",
        data=json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key,
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=150) as response:
            return json.load(response), 0
    except urllib.error.HTTPError as error:
        return json.load(error), int(error.headers.get("Retry-After", "1"))
    except OSError as error:
        return {"ok": False, "error": {"message": str(error), "fix": "Is the gateway running?", "retryable": True}}, 1


def careful_call(action, body):
    idempotency_key = str(uuid.uuid4())
    for attempt in range(1, MOST_ATTEMPTS + 1):
        answer, wait_seconds = call(action, body, idempotency_key)
        if answer["ok"]:
            return answer
        error = answer["error"]
        if not error["retryable"] or attempt == MOST_ATTEMPTS:
            sys.exit(f"{error['message']} {error['fix']}")
        time.sleep(wait_seconds)


page = sys.argv[1] if len(sys.argv) > 1 else f"{GATEWAY}/guide"
answer = careful_call("core/onescrape", {"urls": [page], "max_cost_cents": 2})
row = answer["data"]["rows"][0]
print(f"{row['title']}: {row['chars']} characters of {row['format']} for {answer['charged_cents']} cents")
