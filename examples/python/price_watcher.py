"""Compares the price on a product page with your target, and receives an event by webhook.

A language model extracts the price from the page. The agent then registers a webhook, triggers a
test event, verifies the signature of the delivery, and deletes the webhook.

Cost: 2 cents for the page and a fraction of a cent for the model. Webhooks are free. The
gateway must reach this program: set WEBHOOK_URL to a public address that forwards to port 8099 (or
WEBHOOK_PORT), or run a gateway on this machine with ALLOW_PRIVATE_NETWORKS=127.0.0.0/8.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/price_watcher.py https://shop.example.com/kettle 25
"""
import http.server
import json
import os
import queue
import sys
import threading

from bill import run_agent
from tollgate_client import TollgateError, verify_webhook

SCHEMA = {
    "type": "object",
    "properties": {"price": {"type": "number"}, "currency": {"type": "string"}},
    "required": ["price", "currency"],
    "additionalProperties": False,
}


def read_price(tollgate, bill, url):
    page = bill.add(tollgate.core.onescrape(urls=[url], format="text", max_chars=8_000))["rows"][0]
    print(f"Read {page['title']}")
    messages = [{"role": "user", "content": f"What does the product cost?\n\n{page['content']}"}]
    schema = {"type": "json_schema", "json_schema": {"name": "price", "strict": True, "schema": SCHEMA}}
    answer = tollgate.chat.create(messages, model="core/cheap", max_tokens=200, response_format=schema)
    return json.loads(bill.add(answer)["choices"][0]["message"]["content"])


def start_receiver(deliveries):
    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            deliveries.put((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    port = int(os.environ.get("WEBHOOK_PORT", "8099"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return os.environ.get("WEBHOOK_URL") or f"http://127.0.0.1:{server.server_port}/"


def watch_price(tollgate, bill):
    url = sys.argv[1] if len(sys.argv) > 1 else "https://shop.example.com/kettle"
    target = float(sys.argv[2]) if len(sys.argv) > 2 else 25.0
    found = read_price(tollgate, bill, url)
    verdict = "buy now" if found["price"] <= target else "wait"
    print(f"Price {found['price']:.2f} {found['currency']}, target {target:.2f}: {verdict}")
    deliveries = queue.Queue()
    hook = {"url": start_receiver(deliveries), "events": ["balance.low", "job.*"]}
    webhook = tollgate.request("POST", "/api/v1/webhooks", hook)["data"]
    try:
        tollgate.request("POST", f"/api/v1/webhooks/{webhook['id']}/test")
        body, headers = deliveries.get(timeout=60)
        event = verify_webhook(body, headers, webhook["secret"])
        print(f"Verified the event {event['type']}")
    except queue.Empty:
        fix = "Check that the gateway reaches this program at WEBHOOK_URL."
        raise TollgateError("no_delivery", "No event arrived within a minute.", fix) from None
    finally:
        tollgate.request("DELETE", f"/api/v1/webhooks/{webhook['id']}")


run_agent(watch_price)
