"""Finds a contact at each company of a list, with an email address.

The agent finds one person per company by role, then starts a job that looks up the email addresses
of all of them, and waits for its end.

Cost: 2 cents per company for the person, and at most 16 cents per person for the job.

Install the client first, then run it:

    pip install http://127.0.0.1:4020/sdk/tollgate_client-0.1.0-py3-none-any.whl

    TOLLGATE_URL=http://127.0.0.1:4020 TOLLGATE_KEY=tg_test_… \
        python3 examples/python/company_enrichment.py "Acme" "Globex"
"""
import sys

from bill import run_agent

COMPANIES = ["Acme", "Globex"]
ROLE = "Head of marketing"


def find_person(tollgate, bill, company):
    """The LinkedIn profile of the person, or None."""
    rows = bill.add(tollgate.core.onefind(query=f"{ROLE} at {company}", limit=1))["rows"]
    return rows[0]["linkedin"] if rows else None


def print_table(people):
    for row in people:
        name, title = row["name"] or "unknown name", row["title"] or "unknown title"
        print(f"{name:<22} {title:<22} {row['email'] or 'no email address found'}")


def enrich(tollgate, bill):
    companies = sys.argv[1:] or COMPANIES
    profiles = []
    for company in companies:
        profile = find_person(tollgate, bill, company)
        print(f"{company}: {profile or 'nobody found'}")
        if profile:
            profiles.append(profile)
    if not profiles:
        return

    job = tollgate.core.onefind_deep(rows=profiles, budgetCents=max(10, 16 * len(profiles)))
    print(f"Started {job.job_id}")
    result = tollgate.wait_for(job, timeout=600)
    data = bill.add(result)
    print_table(data["rows"])
    print(f"Found {data['stats']['emails']} email addresses for {data['row_count']} people")


run_agent(enrich)
