"""Calls with a price lock."""
import json
import unittest

from clients import LIVE, BothClients
from scripted_server import ScriptedServer, ok
from tollgate_client import Tollgate, TollgateError

PAGE = {"urls": ["https://a.example"]}
LOCK = {
    "actions": {
        "core/onescrape": {"price_id": "price_000000000000", "max_cents": 4},
        "files/upload_from_url": {"price_id": "price_000000000001", "max_cents": 0},
        "trends/fetch /trend": {"price_id": "price_000000000002", "max_cents": 2},
    }
}


class PriceLock(BothClients):
    def test_sends_the_locked_price_and_its_limit(self):
        with ScriptedServer(ok({})) as server:
            for client in self.both(LIVE, server.url, lock=LOCK):
                server.asked.clear()
                for work in (
                    lambda one: one.core.onescrape(**PAGE),
                    lambda one: one.run("core/onescrape", {**PAGE, "max_cost_cents": 1}),
                    lambda one: one.trends.fetch(endpoint="/trend"),
                    lambda one: one.files.upload_from_url(url="x"),
                ):
                    client.do(work)
                first = {**PAGE, "price_id": "price_000000000000", "max_cost_cents": 4}
                self.assertEqual(
                    [json.loads(one.body) for one in server.asked],
                    [
                        first,
                        {**first, "max_cost_cents": 1},
                        {"endpoint": "/trend", "price_id": "price_000000000002", "max_cost_cents": 2},
                        {"url": "x", "price_id": "price_000000000001", "max_cost_cents": 0},
                    ],
                )
                self.assertEqual(server.asked[-1].path, "/api/run/files/upload_from_url")

    def test_sends_no_call_above_the_locked_price_or_without_an_entry(self):
        with ScriptedServer(ok({})) as server:
            for client in self.both(LIVE, server.url, lock=LOCK):
                for work, code in (
                    (lambda one: one.core.onescrape(**PAGE, max_cost_cents=5), "above_locked_price"),
                    (lambda one: one.core.onesearch(query="x"), "action_not_locked"),
                    (lambda one: one.run("trends/fetch", {"endpoint": "/growth"}), "action_not_locked"),
                ):
                    error = self.failure(client, work)
                    self.assertEqual(error.code, code)
                    self.assertIn("./tollgate lock", error.fix)
            self.assertEqual(server.asked, [])

    def test_rejects_another_object_as_a_lock(self):
        for wrong in ({}, {"actions": None}, "tollgate.lock"):
            with self.assertRaises(TollgateError) as caught:
                Tollgate(LIVE, "http://a.example", lock=wrong)
            self.assertEqual(caught.exception.code, "invalid_settings")
