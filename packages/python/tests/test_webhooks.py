import base64
import hashlib
import hmac
import json
import unittest

from tollgate_client import TollgateError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes or more").decode()
BODY = b'{"id":"evt_1","type":"job.succeeded","data":{}}'
NOW = 1_800_000_000


def sign(body=BODY, at=NOW, secret=SECRET):
    key = base64.b64decode(secret[6:])
    return "v1," + base64.b64encode(hmac.new(key, f"evt_1.{at}.".encode() + body, hashlib.sha256).digest()).decode()


def headers(signature=None, at=NOW):
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signature or sign(at=at)}


class Webhooks(unittest.TestCase):
    def verify(self, given=None, body=BODY, secret=SECRET, now=NOW):
        return verify_webhook(body, given or headers(), secret, now=lambda: now)

    def code(self, *args, **more):
        with self.assertRaises(TollgateError) as caught:
            self.verify(*args, **more)
        return caught.exception.code

    def test_returns_the_event_of_a_signed_delivery(self):
        for body in (BODY, BODY.decode(), bytearray(BODY)):
            self.assertEqual(self.verify(body=body), json.loads(BODY))

    def test_accepts_one_of_several_signatures(self):
        self.assertEqual(self.verify(headers(f"v1,bad v1a,{sign()[3:]} {sign()}"))["id"], "evt_1")

    def test_rejects_another_body_secret_id_or_version(self):
        other = "whsec_" + base64.b64encode(b"another secret of 24 bytes").decode()
        self.assertEqual(self.code(body=BODY + b" "), "invalid_signature")
        self.assertEqual(self.code(secret=other), "invalid_signature")
        self.assertEqual(self.code({**headers(), "Webhook-Id": "evt_2"}), "invalid_signature")
        self.assertEqual(self.code(headers(sign().replace("v1,", "v1a,"))), "invalid_signature")
        self.assertEqual(self.code(headers("v1,ü")), "invalid_signature")

    def test_rejects_old_and_future_deliveries(self):
        for now in (NOW - 300, NOW + 300):
            self.assertEqual(self.verify(now=now)["id"], "evt_1")
        for now in (NOW - 301, NOW + 301):
            self.assertEqual(self.code(now=now), "invalid_signature")

    def test_rejects_missing_headers_and_wrong_secrets(self):
        for name in headers():
            left = {key: value for key, value in headers().items() if key != name}
            self.assertEqual(self.code(left), "invalid_signature")
        self.assertEqual(self.code({**headers(), "Webhook-Timestamp": "1e9"}), "invalid_signature")
        for secret in ("", "whpk_abc", "whsec_%"):
            self.assertEqual(self.code(secret=secret), "invalid_settings")
