"""Shared by the examples: opens the client, adds up charges, and prints errors."""
import os
import sys

from tollgate_client import Tollgate, TollgateError


class Bill:
    """The charges of an agent."""

    def __init__(self):
        self.micros = 0

    def add(self, result):
        """Adds the charge of a result, and returns its data."""
        self.micros += result.charged.micros
        return result.data


def dollars(micros):
    return f"${micros / 1_000_000:.6f}"


def run_agent(agent):
    """Runs `agent(tollgate, bill)` and prints the total. An error ends the program with exit code 1."""
    os.environ.setdefault("TOLLGATE_URL", "http://127.0.0.1:4020")
    bill = Bill()
    try:
        with Tollgate() as tollgate:
            agent(tollgate, bill)
            note = " (test key: simulated, no money is charged)" if tollgate.is_test else ""
            print(f"Total charge: {dollars(bill.micros)}{note}")
    except TollgateError as error:
        sys.exit(
            f"Error {error.code}: {error.message}\nFix: {error.fix}\n"
            f"Charged before the error: {dollars(bill.micros)}"
        )
