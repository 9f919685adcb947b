"""Jobs, events, files, models, budgets and webhooks of a real gateway."""
import hashlib
import http.server
import os
import tempfile
import threading
import unittest

from clients import BothClients
from tollgate_client import StartedJob, Tollgate, TollgateError, verify_webhook

TEST_KEY = os.environ["TOLLGATE_TEST_KEY"]
QUESTION = [{"role": "user", "content": "What is a ledger?"}]


class Jobs(BothClients):
    def test_a_job_is_started_waited_for_and_reported_as_an_event(self):
        for client in self.both(TEST_KEY):
            job = client.do(lambda one: one.core.onescrape_deep(urls=["https://example.com"]))
            self.assertIsInstance(job, StartedJob)
            result = client.do(lambda one: one.wait_for(job, timeout=120))
            self.assertEqual(result.data["url_count"], 1)
            self.assertTrue(result.simulated)
            states = client.list(lambda one: one.watch(job))
            self.assertEqual([one["status"] for one in states], ["succeeded"])
            events = client.list(lambda one: one.events(types=["job.*"], follow=False))
            self.assertIn(job.job_id, [event["data"]["job_id"] for event in events])

    def test_a_job_can_be_cancelled(self):
        for client in self.both(TEST_KEY):
            job = client.do(lambda one: one.core.onescrape_deep(urls=[f"https://{at}.example.com" for at in range(50)]))
            state = client.do(lambda one: one.cancel(job))
            self.assertEqual(state["job_id"], job.job_id)
            try:
                client.do(lambda one: one.wait_for(job, timeout=120))
            except TollgateError as error:
                self.assertEqual((error.code, error.charged_micros), ("job_cancelled", 0))

    def test_an_unknown_job_is_an_error(self):
        for client in self.both(TEST_KEY):
            error = self.failure(client, lambda one: one.wait_for("job_019a7b1c2d3e7f00a1b2c3d4e5f60718"))
            self.assertEqual((error.code, error.status), ("unknown_job", 404))


class Files(BothClients):
    def test_bytes_and_files_are_stored_and_read_again(self):
        data = os.urandom(300_000)
        for client in self.both(TEST_KEY):
            stored = client.do(lambda one: one.files.upload(data, filename="a.bin", tags=["sdk"]))
            self.assertEqual((stored["size"], stored["sha256"]), (len(data), hashlib.sha256(data).hexdigest()))
            self.assertEqual(client.do(lambda one: one.files.download(stored["file_id"])), data)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "page.txt")
                with open(path, "wb") as file:
                    file.write(b"hello")
                stored = client.do(lambda one: one.files.upload(path, note="mine"))
            self.assertEqual((stored["filename"], stored["mime"], stored["note"]), ("page.txt", "text/plain", "mine"))
            self.assertEqual(client.do(lambda one: one.files.download(stored["file_id"])), b"hello")
            error = self.failure(client, lambda one: one.files.download("file_019a7b1c2d3e7f00a1b2c3d4e5f60718"))
            self.assertEqual(error.code, "unknown_file")

    def test_an_empty_file_is_stored(self):
        for client in self.both(TEST_KEY):
            stored = client.do(lambda one: one.files.upload(b"", filename="empty"))
            self.assertEqual(client.do(lambda one: one.files.download(stored["file_id"])), b"")


class Models(BothClients):
    def test_an_answer_comes_whole_or_in_pieces(self):
        for client in self.both(TEST_KEY):
            whole = client.do(lambda one: one.chat.create(QUESTION, model="core/cheap"))
            text = whole.data["choices"][0]["message"]["content"]
            self.assertIn("simulated", text)
            self.assertGreater(whole.charged.micros, 0)
            self.assertTrue(whole.simulated)
            stream = client.client.chat.stream(QUESTION, "core/cheap")
            self.assertEqual("".join(client.list(lambda _: stream.text())), text)
            self.assertEqual(stream.charged, whole.charged)
            self.assertTrue(stream.simulated)

    def test_a_stream_is_replayed_without_a_second_charge(self):
        for client in self.both(TEST_KEY):
            stream = client.client.chat.stream(QUESTION)
            first = client.list(lambda _: stream)
            again = client.client.with_options(idempotency_key=stream.idempotency_key).chat.stream(QUESTION)
            self.assertEqual(client.list(lambda _: again), first)

    def test_an_unknown_model_is_an_error(self):
        for client in self.both(TEST_KEY):
            error = self.failure(client, lambda one: one.chat.create(QUESTION, model="maker/none"))
            self.assertEqual((error.code, error.status), ("model_not_found", 404))
            self.assertTrue(error.fix)


class Budgets(BothClients):
    def enter(self, client, budget, work):
        """Runs `work` with the child, also in an event loop."""
        if type(client).__name__ == "SyncClient":
            with budget as child:
                return work(child)

        async def run():
            async with budget as child:
                return await work(child)

        return client.loop.run_until_complete(run())

    def test_a_child_spends_at_most_its_budget_and_ends_with_the_block(self):
        for client in self.both():
            budget = client.client.budget(1, label="researcher", allow=["semantic/search"])
            children = []

            def spend(child):
                children.append(child)
                return child.semantic.search(query="x")

            result = self.enter(client, budget, spend)
            self.assertEqual(result.charged.cents, 1)
            self.assertEqual(budget.spent_micros, result.charged.micros)
            error = self.failure(client, lambda _: children[0].semantic.search(query="x"))
            self.assertEqual((error.code, error.status), ("invalid_token", 401))

    def test_a_call_above_the_budget_is_refused_and_the_key_ends_anyway(self):
        for client in self.both():
            children = []

            def spend(child):
                children.append(child)
                return child.semantic.search(query="x", numResults=100)

            with self.assertRaises(TollgateError) as caught:
                self.enter(client, client.client.budget(0), spend)
            self.assertEqual(caught.exception.code, "api_key_limit_exceeded")
            error = self.failure(client, lambda _: children[0].semantic.search(query="x"))
            self.assertEqual(error.code, "invalid_token")


class Webhooks(unittest.TestCase):
    def test_a_delivery_of_the_gateway_is_verified(self):
        deliveries = []
        arrived = threading.Event()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                deliveries.append((body, dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()
                arrived.set()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Tollgate() as tollgate:
            url = f"http://127.0.0.1:{server.server_port}/hook"
            made = tollgate.request("POST", "/api/v1/webhooks", {"url": url, "events": ["*"]})["data"]
            tollgate.request("POST", f"/api/v1/webhooks/{made['id']}/test")
            self.assertTrue(arrived.wait(60))
            tollgate.request("DELETE", f"/api/v1/webhooks/{made['id']}")
        server.shutdown()
        server.server_close()
        body, headers = deliveries[0]
        event = verify_webhook(body, headers, made["secret"])
        self.assertEqual(event["type"], "webhook.test")
        self.assertEqual(event["data"]["webhook_id"], made["id"])
        with self.assertRaises(TollgateError):
            verify_webhook(body + b" ", headers, made["secret"])
