"""Calls actions with the types of the Python SDK."""
from typing import List, Optional

from tollgate_client import Tollgate

tollgate = Tollgate("tg_test_x", "http://127.0.0.1:4020")
page = tollgate.core.onescrape(urls=["https://a.example"], max_cost_cents=2)
trend = tollgate.trends.fetch(endpoint="/trend", keyword="ledger")
job = tollgate.core.onescrape_deep(urls=["https://a.example"])
titles: List[Optional[str]] = [
    page.data["rows"][0]["title"],
    tollgate.core.onesearch(query="ledger").data["rows"][0]["title"],
    tollgate.semantic.search(query="ledger").data["results"][0].get("title"),
    tollgate.rag.search(query="ledger").data["results"][0].get("title"),
    tollgate.core.discover(query="ledger").data["hits"][0]["action"],
    tollgate.files.list().data["files"][0]["filename"],
    tollgate.reader.document(url="https://a.example").data.get("title"),
    tollgate.render.scrape(url="https://a.example").data["data"].get("markdown"),
    tollgate.wait_for(job).data["rows"][0]["title"],
]
# The checker reports each of these if it is no error any longer.
page.data["rows"][0]["titel"]  # pyright: ignore[reportGeneralTypeIssues]
tollgate.core.onescrape(url="https://a.example")  # pyright: ignore[reportCallIssue]
tollgate.core.onescrap()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
