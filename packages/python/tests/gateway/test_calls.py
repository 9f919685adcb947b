"""Calls of a real gateway."""
import os

from clients import BothClients

SEARCH = {"query": "gateways"}


def balance(client):
    return client.do(lambda one: one.request("GET", "/api/v1/balance"))["data"]["balance_micros"]


class Calls(BothClients):
    def test_a_call_returns_its_data_and_its_charge(self):
        for client in self.both():
            before = balance(client)
            result = client.do(lambda one: one.semantic.search(**SEARCH))
            self.assertEqual(len(result.data["results"]), 1)
            self.assertGreater(result.charged.micros, 0)
            self.assertEqual(before - balance(client), result.charged.micros)
            self.assertRegex(result.request_id, "^req_")
            self.assertFalse(result.simulated or result.replayed)

    def test_a_call_whose_answer_was_lost_is_charged_once(self):
        for client in self.both():
            before = balance(client)
            lossy = client.client._with({"url": os.environ["TOLLGATE_LOSSY_URL"]})
            result = client.do(lambda _: lossy.semantic.search(**SEARCH))
            self.assertTrue(result.replayed)
            self.assertEqual(len(result.data["results"]), 1)
            again = client.do(lambda one: one.with_options(idempotency_key=result.idempotency_key).semantic.search(**SEARCH))
            self.assertEqual((again.replayed, again.data), (True, result.data))
            self.assertEqual(before - balance(client), 10_000)

    def test_a_test_key_calls_simulators(self):
        for client in self.both(os.environ["TOLLGATE_TEST_KEY"]):
            self.assertTrue(client.client.is_test)
            result = client.do(lambda one: one.semantic.search(**SEARCH))
            self.assertTrue(result.simulated)
            error = self.failure(client, lambda one: one.semantic.search())
            self.assertTrue(error.simulated)

    def test_an_invalid_input_names_the_fields(self):
        for client in self.both():
            error = self.failure(client, lambda one: one.semantic.search(querry="x"))
            self.assertEqual((error.code, error.status, error.charged_micros), ("invalid_params", 400, 0))
            self.assertIn("querry", [problem.field for problem in error.fields])
            self.assertTrue(error.fix)
            self.assertRegex(error.request_id or "", "^req_")

    def test_names_with_hyphens_and_underscores_are_found(self):
        for client in self.both(os.environ["TOLLGATE_TEST_KEY"]):
            result = client.do(lambda one: one.boxd.list_snapshots())
            self.assertEqual(result.data["snapshots"], [])
            error = self.failure(client, lambda one: one.core.one_scrap(urls=["x"]))
            self.assertEqual(error.code, "unknown_action")
