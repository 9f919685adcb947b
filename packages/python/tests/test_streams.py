"""Chat completions in pieces, against a scripted server."""
import json

from clients import LIVE, BothClients
from scripted_server import ScriptedServer, answer, refused
from tollgate_client import TollgateError

QUESTION = [{"role": "user", "content": "What is a ledger?"}]
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    b"X-Request-Id: req_7\r\nX-Model: maker/small\r\nTrailer: X-Charged-Micros\r\n\r\n"
)


def say(text):
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


DONE = chunk(b"data: [DONE]\n\n")
END = b"0\r\nX-Charged-Micros: 1234\r\n\r\n"


class Streams(BothClients):
    def test_yields_the_text_in_pieces_and_then_the_charge(self):
        text = say("A büch") + b": a comment\n\n" + say(" of entries")
        for size in (1, 7, 1000):
            pieces = b"".join(chunk(text[at : at + size]) for at in range(0, len(text), size))
            with ScriptedServer(HEAD + pieces + DONE + END) as server:
                for client in self.both(LIVE, server.url):
                    stream = client.client.chat.stream(QUESTION, max_tokens=9)
                    self.assertIsNone(stream.charged)
                    self.assertEqual("".join(client.list(lambda _: stream.text())), "A büch of entries")
                    self.assertEqual((stream.charged.micros, stream.request_id), (1234, "req_7"))
                    self.assertEqual(stream.model, "maker/small")
                    body = json.loads(server.asked[-1].body)
                    self.assertEqual((body["stream"], body["model"], body["max_tokens"]), (True, "core/mid", 9))
                    self.assertEqual(stream.idempotency_key, server.asked[-1].headers["idempotency-key"])

    def test_reads_the_charge_of_the_usage_if_a_proxy_dropped_the_trailer(self):
        usage = f"data: {json.dumps({'choices': [], 'usage': {'cost': 0.001234}})}\n\n".encode()
        with ScriptedServer(HEAD + chunk(say("a") + usage) + DONE + b"0\r\n\r\n") as server:
            for client in self.both(LIVE, server.url):
                stream = client.client.chat.stream(QUESTION)
                self.assertEqual(len(client.list(lambda _: stream)), 2)
                self.assertEqual(stream.charged.micros, 1234)

    def test_a_broken_stream_has_the_key_of_its_replay(self):
        cut = HEAD + chunk(say("a"))
        for answers in (cut + END, lambda sock: (sock.sendall(cut), sock.shutdown(2))):
            with ScriptedServer(answers) as server:
                for client in self.both(LIVE, server.url):
                    stream = client.client.chat.stream(QUESTION)
                    with self.assertRaises(TollgateError) as caught:
                        client.list(lambda _: stream)
                    error = caught.exception
                    self.assertEqual((error.code, error.request_id, error.retryable), ("stream_failed", "req_7", True))
                    self.assertEqual(error.idempotency_key, server.asked[-1].headers["idempotency-key"])

    def test_a_silent_stream_ends_after_the_timeout(self):
        with ScriptedServer(lambda sock: sock.sendall(HEAD + chunk(say("a")))) as server:
            for client in self.both(LIVE, server.url, timeout=0.2):
                with self.assertRaises(TollgateError) as caught:
                    client.list(lambda one: one.chat.stream(QUESTION))
                self.assertEqual(caught.exception.code, "stream_failed")

    def test_an_error_event_has_its_code(self):
        failed = {"error": {"message": "No.", "type": "x", "code": "upstream_error", "fix": "Wait.", "retryable": True}}
        events = say("a") + f"data: {json.dumps(failed)}\n\n".encode()
        with ScriptedServer(HEAD + chunk(events) + DONE + END) as server:
            for client in self.both(LIVE, server.url):
                with self.assertRaises(TollgateError) as caught:
                    client.list(lambda one: one.chat.stream(QUESTION))
                error = caught.exception
                self.assertEqual((error.code, error.fix, error.retryable), ("upstream_error", "Wait.", True))

    def test_a_refusal_has_the_code_of_the_router(self):
        error = {"message": "No.", "type": "invalid_request_error", "code": "model_not_found", "param": "model", "fix": "List."}
        with ScriptedServer(answer({"error": error}, 404, X_Request_Id="req_8")) as server:
            for client in self.both(LIVE, server.url):
                with self.assertRaises(TollgateError) as caught:
                    client.list(lambda one: one.chat.stream(QUESTION))
                found = caught.exception
                self.assertEqual((found.code, found.fields[0].field, found.request_id), ("model_not_found", "model", "req_8"))

    def test_leaving_early_closes_the_connection(self):
        with ScriptedServer(lambda sock: sock.sendall(HEAD + chunk(say("a")))) as server:
            for client in self.both(LIVE, server.url):
                if type(client).__name__ == "SyncClient":
                    with client.client.chat.stream(QUESTION) as stream:
                        for _ in stream:
                            break
                else:

                    async def leave():
                        async with client.client.chat.stream(QUESTION) as stream:
                            async for _ in stream:
                                break

                    client.loop.run_until_complete(leave())
                self.assertTrue(server.closed.acquire(timeout=10))

    def test_retries_before_the_first_byte_only(self):
        with ScriptedServer(
            refused(503, "overloaded", True, Retry_After="0"), HEAD + chunk(say("a")) + DONE + END
        ) as server:
            for client in self.both(LIVE, server.url):
                self.assertEqual("".join(client.list(lambda one: one.chat.stream(QUESTION).text())), "a")
            self.assertEqual(len(server.asked), 3)
