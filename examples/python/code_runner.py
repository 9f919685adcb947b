"""Runs a Python program in an isolated sandbox, and prints its output and charge.

The agent starts a sandbox, runs the program, and always stops the sandbox. The sandbox ends on its
own after five minutes. With a test key the sandbox is simulated: it has `echo`, but no Python.

Cost: 3 cents to start, 1 cent per command, and 1 cent to stop.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/code_runner.py [program.py]
"""
import sys

from bill import dollars, run_agent

PROGRAM = """
primes = [n for n in range(2, 60) if all(n % d for d in range(2, n))]
print(len(primes), "primes, the largest is", primes[-1])
"""


def read_program():
    if len(sys.argv) < 2:
        return PROGRAM
    with open(sys.argv[1], encoding="utf-8") as file:
        return file.read()


def execute(tollgate, bill, sandbox_id, command):
    """Runs a command, and prints its output and charge. Returns its exit code."""
    result = tollgate.sandbox.sandbox_exec(sandbox_id=sandbox_id, command=command, timeout=60)
    ran = bill.add(result)
    print(f"{command[0]}: exit code {ran['returncode']}, {dollars(result.charged.micros)}")
    print((ran["stdout"] + ran["stderr"]).rstrip())
    return ran["returncode"]


def run_program(tollgate, bill):
    program = read_program()
    created = tollgate.sandbox.sandbox_create(image="python:3.13-slim", timeout=300)
    sandbox_id = bill.add(created)["sandbox_id"]
    print(f"Started sandbox {sandbox_id}")
    try:
        execute(tollgate, bill, sandbox_id, ["echo", "The sandbox is ready."])
        code = execute(tollgate, bill, sandbox_id, ["python3", "-c", program])
        if created.simulated and code == 127:
            print("The simulated sandbox has no Python. Use a live key to run the program.")
    finally:
        bill.add(tollgate.sandbox.sandbox_terminate(sandbox_id=sandbox_id))
        print("Stopped the sandbox")


run_agent(run_program)
