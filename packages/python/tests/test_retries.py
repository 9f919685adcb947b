"""The rules of retries, without sockets: the test is the transport and the clock."""
import unittest
from unittest import mock

from tollgate_client import TollgateError
from tollgate_client._http import ConnectionLost, Response, TimeUp
from tollgate_client._steps import Exchange, Sent, Wait, send
from tollgate_client.results import read_result
from tollgate_client.settings import Settings, read_settings

import json

SETTINGS = Settings(key="tg_live_0", url="http://gate.example", timeout=60.0, retries=2)


def response(status=200, code=None, retryable=False, **headers):
    body = {"ok": True} if code is None else {"error": {"code": code, "message": "No.", "retryable": retryable}}
    return Response(status, headers, json.dumps(body).encode())


class Run:
    """Carries out the steps. `given` are responses, or errors of the transport."""

    def __init__(self, *given, settings=SETTINGS, sent=Sent("POST", "/api/run/a/b", body={})):
        self.now = 1000.0
        self.waits = []
        self.exchanges = []
        self.answer = self.error = None
        left = list(given)
        steps = send(settings, sent, lambda: self.now)
        try:
            effect = next(steps)
            while True:
                if isinstance(effect, Wait):
                    self.waits.append(effect.seconds)
                    self.now += effect.seconds
                    effect = steps.send(None)
                    continue
                assert isinstance(effect, Exchange)
                self.exchanges.append(effect)
                next_one = left.pop(0)
                if isinstance(next_one, Exception):
                    effect = steps.throw(next_one)
                else:
                    effect = steps.send(next_one)
        except StopIteration as end:
            self.answer = end.value
        except TollgateError as error:
            self.error = error
        assert left == [], "an answer was not asked for"


class Retries(unittest.TestCase):
    def test_repeats_what_can_succeed_with_the_same_idempotency_key(self):
        lossy = [ConnectionLost("cut"), response(503, "overloaded", True, **{"retry-after": "3"})]
        run = Run(*lossy, response())
        self.assertEqual(len({one.headers["idempotency-key"] for one in run.exchanges}), 1)
        self.assertEqual(run.answer.idempotency_key, run.exchanges[0].headers["idempotency-key"])
        self.assertEqual(run.waits[1], 3.0)
        for status, code in ((429, "rate_limited"), (503, "upstream_busy"), (409, "room_held")):
            self.assertIsNotNone(Run(response(status, code, True), response()).answer, code)

    def test_raises_all_other_errors_immediately(self):
        for status, code, retryable in (
            (400, "invalid_params", False),
            (402, "credits_required", False),
            (409, "loop_suspected", False),
            (422, "idempotency_key_reused", False),
            (500, "internal", True),
            (502, "upstream_error", True),
            (503, "upstream_not_configured", False),
            (504, "upstream_timeout", True),
        ):
            run = Run(response(status, code, retryable))
            self.assertEqual((run.error.code, run.error.status, run.waits), (code, status, []))

    def test_waits_longer_each_time_at_random(self):
        settings = Settings(key="k", url="http://g.example", timeout=600.0, retries=7)
        for share, expected in ((0.0, [0.125, 0.25, 0.5, 1, 2, 4, 4]), (1.0, [0.25, 0.5, 1, 2, 4, 8, 8])):
            with mock.patch("random.random", return_value=share):
                run = Run(*[ConnectionLost("cut")] * 8, settings=settings)
            self.assertEqual(run.waits, expected)
            self.assertEqual(run.error.code, "connection_failed")

    def test_waits_for_a_call_in_progress_until_the_deadline(self):
        busy = response(409, "idempotency_in_progress", True, **{"retry-after": "1"})
        self.assertIsNotNone(Run(*[busy] * 50, response()).answer)
        run = Run(*[busy] * 60)
        self.assertEqual((run.error.code, run.now), ("idempotency_in_progress", 1059.0))

    def test_does_not_wait_beyond_the_deadline(self):
        run = Run(response(429, "rate_limited", True, **{"retry-after": "61"}))
        self.assertEqual((run.error.code, run.waits), ("rate_limited", []))
        self.assertEqual(run.exchanges[0].deadline, 1060.0)

    def test_the_deadline_names_the_key_and_the_last_error(self):
        run = Run(ConnectionLost("cut"), TimeUp())
        self.assertEqual((run.error.code, run.error.retryable), ("deadline_exceeded", True))
        self.assertEqual(run.error.idempotency_key, run.exchanges[0].headers["idempotency-key"])
        self.assertEqual(run.error.__cause__.code, "connection_failed")

    def test_only_posts_have_a_key_and_links_have_no_secret(self):
        run = Run(response(), sent=Sent("GET", "/api/v1/balance"))
        self.assertNotIn("idempotency-key", run.exchanges[0].headers)
        self.assertEqual(run.exchanges[0].headers["authorization"], "Bearer tg_live_0")
        run = Run(response(), sent=Sent("PUT", "http://files.example/files/file_1?signature=x"))
        self.assertNotIn("authorization", run.exchanges[0].headers)

    def test_does_not_follow_redirects(self):
        run = Run(Response(301, {"location": "https://gate.example/"}))
        self.assertEqual((run.error.code, run.error.status), ("redirected", 301))
        self.assertIn("https://gate.example/", run.error.message)

    def test_retries_a_proxy_that_answers_502_but_not_one_that_answers_404(self):
        page = b"<html>Bad gateway</html>"
        self.assertIsNotNone(Run(Response(502, {}, page), response()).answer)
        self.assertEqual(Run(Response(404, {}, page)).error.code, "invalid_response")

    def test_names_the_cassette_in_calls_that_it_covers(self):
        settings = read_settings("tg_test_0", "http://gate.example", cassette=("trip", "replay"))
        for path, expected in (
            ("/api/run/core/onescrape", "trip; mode=replay"),
            ("/api/llm/v1/chat/completions", "trip; mode=replay"),
            ("/api/run/files/upload", None),
            ("/api/v1/balance", None),
            ("http://files.example/api/run/a/b", None),
        ):
            run = Run(response(), settings=settings, sent=Sent("POST", path, body={}))
            self.assertEqual(run.exchanges[0].headers.get("x-tollgate-cassette"), expected, path)
        self.assertEqual(read_settings("k", "http://g.example", cassette="a").cassette, "a; mode=auto")

    def test_a_replay_shows_the_charge_of_the_recorded_call(self):
        header = {"x-tollgate-cassette": "trip; result=replayed; charged_micros=31"}
        body = {"ok": True, "data": {}, "charged_cents": 1, "charged_micros": 31, "request_id": "r"}
        result = read_result(Response(200, header, json.dumps(body).encode()), "k")
        self.assertEqual((result.recorded, result.charged.micros), (True, 31))
