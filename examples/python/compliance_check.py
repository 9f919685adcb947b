"""Checks a website before you do business with it.

The agent runs two checks: the data protection of the website, and the reputation of its domain. A
check that fails is reported and not charged; the others still run.

Cost: at most 12 cents and 6 cents. Only the actual cost of each check is charged.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/compliance_check.py https://example.com
"""
import json
import sys
from urllib.parse import urlsplit

from bill import dollars, run_agent
from tollgate_client import TollgateError


def list_checks(site):
    domain = urlsplit(site).hostname or site
    return [
        ("Data protection", {"endpoint": "/x402/gdpr-website-check", "url": site}),
        ("Domain reputation", {"endpoint": "/x402/domain-reputation", "domain": domain}),
    ]


def print_findings(data):
    """Prints the fields of a check, without those about the call."""
    for name, value in data.items():
        if name not in ("_meta", "check", "content_trust"):
            print(f"  {name}: {value if isinstance(value, str) else json.dumps(value)}")


def check_site(tollgate, bill):
    site = sys.argv[1] if len(sys.argv) > 1 else "https://example.com"
    print(f"Checks of {site}")
    failed = []
    for title, params in list_checks(site):
        try:
            result = tollgate.compliance.check(**params)
        except TollgateError as error:
            failed.append(error)
            print(f"{title}: {error.code}. {error.fix}")
            continue
        print(f"{title}, {dollars(result.charged.micros)}:")
        print_findings(bill.add(result))
    if failed:
        raise failed[0]


run_agent(check_site)
