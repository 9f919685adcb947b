"""Jobs, events and budgets against a scripted server."""
import json

from clients import LIVE, BothClients
from scripted_server import ScriptedServer, answer, ok, refused
from tollgate_client import StartedJob, TollgateError

STARTED = {"job_id": "job_1", "status": "queued", "async": True}


def state(status, **more):
    return ok({"job_id": "job_1", "status": status, "charged_micros": 30000 if status == "succeeded" else 0, **more})


FAILED = state("failed", error={"code": "all_blocked", "message": "No.", "fix": "Wait.", "retryable": True})


class Jobs(BothClients):
    def test_waits_for_the_result(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            answers = (ok(STARTED), state("queued"), state("running"), state("succeeded", result={"rows": [1]}))
            with ScriptedServer(*answers) as server:
                tollgate = client.client._with({"url": server.url})
                job = client.do(lambda _: tollgate.core.onescrape_deep(urls=["a"]))
                self.assertIsInstance(job, StartedJob)
                result = client.do(lambda _: tollgate.wait_for(job))
                self.assertEqual((result.data, result.charged.cents), ({"rows": [1]}, 3))
                self.assertEqual((result.request_id, result.idempotency_key), ("req_1", job.idempotency_key))
                polls = server.asked[1:]
                self.assertEqual([json.loads(one.body) for one in polls], [{"job_id": "job_1", "wait_s": 60}] * 3)
                self.assertFalse(any("idempotency-key" in one.headers for one in polls))

    def test_a_failed_job_raises_its_error(self):
        with ScriptedServer(FAILED) as server:
            for client in self.both(LIVE, server.url):
                error = self.failure(client, lambda one: one.wait_for("job_1"))
                self.assertEqual((error.code, error.fix, error.retryable), ("all_blocked", "Wait.", True))
                self.assertEqual(error.details["job"]["status"], "failed")

    def test_stops_waiting_after_the_timeout(self):
        with ScriptedServer(state("running")) as server:
            for client in self.both(LIVE, server.url):
                error = self.failure(client, lambda one: one.wait_for("job_1", timeout=0))
                self.assertEqual((error.code, error.details["job"]["status"]), ("deadline_exceeded", "running"))

    def test_yields_each_change_of_the_progress(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            steps = [state("queued"), state("running", progress={"done": 1}), state("running", progress={"done": 1})]
            with ScriptedServer(*steps, state("succeeded")) as server:
                tollgate = client.client._with({"url": server.url})
                states = client.list(lambda _: tollgate.watch("job_1", every_s=1))
                self.assertEqual([one["status"] for one in states], ["queued", "running", "succeeded"])
                waits = [json.loads(one.body)["wait_s"] for one in server.asked]
                self.assertEqual(waits, [0, 1, 1, 1])

    def test_something_else_than_a_job_is_rejected_before_a_request(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            for job in ("req_1", {}, {"job_id": None}):
                self.assertEqual(self.failure(client, lambda one: one.wait_for(job)).code, "invalid_settings")


class Events(BothClients):
    def pages(self, client, *pages, **options):
        answers = [answer({"ok": True, "data": data, "next_after": after}) for data, after in pages]
        with ScriptedServer(*answers) as server:
            tollgate = client.client._with({"url": server.url})
            found = client.list(lambda _: tollgate.events(follow=False, **options))
            return found, [one.path.partition("?")[2] for one in server.asked]

    def test_reads_page_after_page(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            found, queries = self.pages(
                client, ([{"id": "evt_1"}], "evt_1"), ([{"id": "evt_2"}], "evt_2"), ([], "evt_2"), types=["job.*", "balance.low"]
            )
            self.assertEqual(found, [{"id": "evt_1"}, {"id": "evt_2"}])
            types = "types=job.%2A%2Cbalance.low"
            self.assertEqual(queries, [f"wait_s=0&{types}", f"wait_s=0&after=evt_1&{types}", f"wait_s=0&after=evt_2&{types}"])

    def test_latest_begins_with_the_next_event(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            for newest in ("evt_9", None):
                answers = [([], newest), ([{"id": "evt_10"}], "evt_10")]
                texts = [answer({"ok": True, "data": data, "next_after": after}) for data, after in answers]
                with ScriptedServer(*texts) as server:
                    tollgate = client.client._with({"url": server.url})
                    self.assertEqual(client.do(lambda _: first(tollgate.events(after="latest"))), {"id": "evt_10"})
                    paths = [one.path for one in server.asked]
                    self.assertEqual("after=latest" in paths[0], True)
                    self.assertEqual("after=evt_9" in paths[1], newest is not None)
                    self.assertNotIn("latest", paths[1])


def first(events):
    """The first event of either kind of iterator."""
    return events.__anext__() if hasattr(events, "__anext__") else next(events)


class Budgets(BothClients):
    def run_block(self, client, tollgate, work):
        if type(client).__name__ == "SyncClient":
            budget = tollgate.budget(50, label="x")
            with budget as child:
                work(child)
        else:
            budget = tollgate.budget(50, label="x")

            async def run():
                async with budget as child:
                    work(child)

            client.loop.run_until_complete(run())
        return budget

    def test_ends_the_key_after_the_block_and_after_an_exception(self):
        minted = ok({"id": "agk_1", "key": "tg_live_child"})
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            with ScriptedServer(minted, ok({"id": "agk_1", "spent_micros": 7})) as server:
                tollgate = client.client._with({"url": server.url, "idempotency_key": "mine"})
                seen = []
                budget = self.run_block(client, tollgate, lambda child: seen.append(child._settings))
                self.assertEqual((seen[0].key, seen[0].idempotency_key), ("tg_live_child", None))
                self.assertEqual(budget.spent_micros, 7)
                self.assertEqual(json.loads(server.asked[0].body), {"ceiling_cents": 50, "ttl_s": 3600, "label": "x"})
                self.assertEqual((server.asked[1].method, server.asked[1].path), ("DELETE", "/api/v1/agents/me/children/agk_1"))
                self.assertEqual(server.asked[1].headers["authorization"], f"Bearer {LIVE}")
            for ended in (ok({"id": "agk_1"}), refused(500, "internal")):
                with ScriptedServer(minted, ended) as server:
                    tollgate = client.client._with({"url": server.url})
                    with self.assertRaises(ZeroDivisionError):
                        self.run_block(client, tollgate, lambda _: 1 / 0)
                    self.assertEqual(server.asked[1].method, "DELETE")

    def test_an_end_that_fails_is_reported(self):
        for client in self.both(LIVE, "http://127.0.0.1:1"):
            with ScriptedServer(ok({"id": "agk_1", "key": "tg_live_child"}), refused(500, "internal")) as server:
                tollgate = client.client._with({"url": server.url})
                with self.assertRaises(TollgateError):
                    self.run_block(client, tollgate, lambda _: None)
