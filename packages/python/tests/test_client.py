"""Both clients against a scripted server."""
import asyncio
import json
import socket
import threading
import time
import unittest
from unittest import mock

from clients import LIVE, BothClients
from scripted_server import ScriptedServer, answer, ok, refused
from tollgate_client import AsyncTollgate, Tollgate, TollgateError

PAGE = {"urls": ["https://a.example"]}


class Calls(BothClients):
    def test_runs_actions_by_their_names(self):
        with ScriptedServer(ok({"rows": []}, X_Credits_Remaining_Cents="98")) as server:
            for client in self.both(LIVE, server.url):
                server.asked.clear()
                for work in (
                    lambda one: one.core.onescrape(urls=PAGE["urls"]),
                    lambda one: one.run("core/onescrape", PAGE),
                    lambda one: one.llmnative_a.new_action(from_=1, limit=2),
                ):
                    result = client.do(work)
                    self.assertEqual((result.data, result.charged.micros, result.charged.cents), ({"rows": []}, 20000, 2))
                    self.assertEqual((result.request_id, result.remaining_cents), ("req_1", 98))
                self.assertEqual(
                    [(one.path, json.loads(one.body)) for one in server.asked],
                    [("/api/run/core/onescrape", PAGE)] * 2
                    + [("/api/run/llmnative-a/new-action", {"from": 1, "limit": 2})],
                )
                self.assertEqual(server.asked[0].headers["authorization"], f"Bearer {LIVE}")

    def test_finds_names_with_underscores_and_remembers_them(self):
        unknown = refused(404, "unknown_action")
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            with ScriptedServer(unknown, ok({}), ok({})) as server:
                other = client.client._with({"url": server.url})
                for _ in range(2):
                    client.do(lambda _: other.files.upload_from_url(url="x"))
                paths = [one.path.rpartition("/")[2] for one in server.asked]
                self.assertEqual(paths, ["upload-from-url", "upload_from_url", "upload_from_url"])
            with ScriptedServer(unknown) as server:
                other = client.client._with({"url": server.url})
                error = self.failure(client, lambda _: other.core.one_scrap())
                self.assertEqual((error.code, len(server.asked)), ("unknown_action", 2))

    def test_with_options_changes_one_call(self):
        with ScriptedServer(ok({}, Idempotency_Replayed="true")) as server:
            for client in self.both(LIVE, server.url):
                result = client.do(lambda one: one.with_options(idempotency_key="mine").core.onescrape(**PAGE))
                self.assertEqual((result.idempotency_key, result.replayed), ("mine", True))
                self.assertEqual(server.asked[-1].headers["idempotency-key"], "mine")
                client.do(lambda one: one.core.onescrape(**PAGE))
                self.assertNotEqual(server.asked[-1].headers["idempotency-key"], "mine")

    def test_errors_have_code_fix_fields_and_request_id(self):
        problems = [{"param": "urls[0]", "message": "Not a URL.", "fix": "Send one."}]
        error = {"code": "invalid_params", "message": "No.", "fix": "Send one.", "param": "urls[0]"}
        body = {"ok": False, "error": {**error, "retryable": False, "details": {"problems": problems}}}
        with ScriptedServer(answer({**body, "request_id": "req_9", "charged_micros": 0, "test": True}, 400)) as server:
            for client in self.both(LIVE, server.url):
                found = self.failure(client, lambda one: one.core.onescrape(urls=["x"]))
                self.assertEqual((found.code, found.fix, found.status), ("invalid_params", "Send one.", 400))
                self.assertEqual((found.request_id, found.simulated), ("req_9", True))
                self.assertEqual(found.fields[0], ("urls[0]", "Not a URL.", "Send one."))
                self.assertEqual(str(found), "invalid_params: No. Send one.")

    def test_a_page_of_another_server_is_an_invalid_response(self):
        with ScriptedServer(answer("hello")) as server:
            for client in self.both(LIVE, server.url):
                error = self.failure(client, lambda one: one.core.onescrape(**PAGE))
                self.assertEqual((error.code, error.status), ("invalid_response", 200))


class Connections(BothClients):
    def test_later_calls_use_the_connection_of_the_first(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            with ScriptedServer(ok({})) as server:
                other = client.client._with({"url": server.url})
                for _ in range(3):
                    client.do(lambda _: other.core.onescrape(**PAGE))
                self.assertEqual({one.connection for one in server.asked}, {1})

    def test_a_connection_that_the_server_closed_costs_no_retry(self):
        for client in self.both(LIVE, "http://127.0.0.1:1", retries=0):
            with ScriptedServer(ok({})) as server:
                other = client.client._with({"url": server.url})
                client.do(lambda _: other.core.onescrape(**PAGE))
                server.close_connections()
                client.do(lambda _: other.core.onescrape(**PAGE))
                self.assertEqual([one.connection for one in server.asked], [1, 2])

    def test_a_lost_answer_is_asked_for_again(self):
        cut = ok({"rows": [1, 2, 3]})[:-4]
        for lost in (b"", lambda sock: (sock.sendall(cut), sock.shutdown(socket.SHUT_RDWR))):
            for client in self.both(LIVE, "http://127.0.0.1:1"):
                with ScriptedServer(lost, ok({"a": 1})) as server, mock.patch("random.random", return_value=0.0):
                    other = client.client._with({"url": server.url})
                    self.assertEqual(client.do(lambda _: other.core.onescrape(**PAGE)).data, {"a": 1})
                    self.assertEqual(len({one.headers["idempotency-key"] for one in server.asked}), 1)
                    self.assertEqual(len(server.asked), 2)

    def test_the_deadline_holds_for_a_server_that_sends_a_byte_now_and_then(self):
        def trickle(sock):
            sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while True:
                sock.sendall(b" ")
                stop.wait(0.02)

        stop = threading.Event()
        with ScriptedServer(trickle) as server:
            for client in self.both(LIVE, server.url, timeout=0.3):
                started = time.monotonic()
                error = self.failure(client, lambda one: one.core.onescrape(**PAGE))
                self.assertEqual(error.code, "deadline_exceeded")
                self.assertLess(time.monotonic() - started, 5)

    def test_threads_share_a_client(self):
        with ScriptedServer(ok({})) as server, Tollgate(LIVE, server.url) as tollgate:
            results = []
            work = lambda: results.append(tollgate.core.onescrape(**PAGE).charged.micros)
            threads = [threading.Thread(target=work) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(results, [20000] * 20)

    def test_cancelling_a_task_closes_its_connection(self):
        arrived = threading.Event()
        with ScriptedServer(lambda sock: arrived.set()) as server:

            async def leave():
                tollgate = AsyncTollgate(LIVE, server.url)
                task = asyncio.ensure_future(tollgate.core.onescrape(**PAGE))
                await asyncio.get_running_loop().run_in_executor(None, arrived.wait)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task

            asyncio.run(leave())
            self.assertTrue(server.closed.acquire(timeout=10))
            self.assertEqual(len(server.asked), 1)

    def test_an_async_client_works_in_one_loop_after_another(self):
        with ScriptedServer(ok({"a": 1})) as server:
            tollgate = AsyncTollgate(LIVE, server.url)
            for _ in range(2):

                async def call():
                    async with tollgate:
                        return (await tollgate.core.onescrape(**PAGE)).data

                self.assertEqual(asyncio.run(call()), {"a": 1})


class SettingsTest(unittest.TestCase):
    def test_reads_the_environment(self):
        with mock.patch.dict("os.environ", {"TOLLGATE_KEY": "tg_test_1", "TOLLGATE_URL": "http://a.example/"}):
            for kind in (Tollgate, AsyncTollgate):
                self.assertTrue(kind().is_test)
                self.assertFalse(kind(LIVE).is_test)
                self.assertEqual(kind()._settings.url, "http://a.example")

    def test_names_the_setting_at_fault(self):
        with mock.patch.dict("os.environ", {}, clear=True):
            for given, part in (
                (("tg_live_1", None), "TOLLGATE_URL"),
                ((None, "http://a.example"), "TOLLGATE_KEY"),
                (("tg_live_1", "a.example"), "a.example"),
                (("tg_live_1", "http://a.example?x"), "a.example"),
                (("tg_live_1\n", "http://a.example"), "line break"),
            ):
                with self.assertRaises(TollgateError) as caught:
                    Tollgate(*given)
                self.assertEqual(caught.exception.code, "invalid_settings")
                self.assertIn(part, str(caught.exception))
