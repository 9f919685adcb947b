"""Opens a cloud browser, prints the address that drives it, and releases it.

The agent pays for five minutes, shows the state of the session, and always releases the browser.
Connect Playwright or Puppeteer to `connectUrl` with the Chrome DevTools Protocol (CDP):
`playwright.chromium.connect_over_cdp(session["connectUrl"])`.

Cost: 1 cent for five minutes. Status and release are free. Unused minutes are not refunded.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/browser_agent.py 5
"""
import sys

from bill import run_agent


def use_browser(tollgate, bill, session):
    """Replace this with the work of your agent, such as a login that needs a real browser."""
    state = bill.add(tollgate.browser.session_status(session_id=session["sessionId"]))
    left = state["usage"]["minutesRemaining"]
    print(f"The session is {state['status']}, {left:.1f} minutes remain")


def browse(tollgate, bill):
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    session = bill.add(tollgate.browser.create_session(estimatedMinutes=minutes))
    print(f"Opened browser session {session['sessionId']} for {session['paidMinutes']} minutes")
    print(f"Connect to {session['connectUrl']}")
    try:
        use_browser(tollgate, bill, session)
    finally:
        released = bill.add(tollgate.browser.release_session(session_id=session["sessionId"]))
        unused = released["unused_minutes"]
        print("Released the browser" + ("" if unused is None else f", {unused:.1f} minutes unused"))


run_agent(browse)
