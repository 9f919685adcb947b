"""Runs the examples of the documents with a test key."""
import contextlib
import io
import os
import pathlib
import re
import unittest
from unittest import mock

from tollgate_client import Tollgate

PACKAGE = pathlib.Path(__file__).parents[2]
DOCUMENTS = (PACKAGE / "README.md", PACKAGE.parents[1] / "docs" / "sdk-python.md")


class Documents(unittest.TestCase):
    def test_every_example_runs_in_the_order_of_the_page(self):
        with mock.patch.dict("os.environ", {"TOLLGATE_KEY": os.environ["TOLLGATE_TEST_KEY"]}):
            for document in DOCUMENTS:
                blocks = re.findall(r"^```python\n(.*?)^```", document.read_text("utf-8"), re.M | re.S)
                self.assertGreater(len(blocks), 0)
                names = {}
                printed = io.StringIO()
                for block in blocks:
                    with self.subTest(document.name, block=block), contextlib.redirect_stdout(printed):
                        exec(block, names)
                for client in names.values():
                    if isinstance(client, Tollgate):
                        client.close()
        output = printed.getvalue()
        self.assertIn("onescrape_social 400 ", output)
        self.assertIn("\nTrue\n", output)
        self.assertIn("succeeded", output)
        self.assertIn("b'hello'", output)
        self.assertIn("simulated", output)
        self.assertIn("https://example.com/b", output)
