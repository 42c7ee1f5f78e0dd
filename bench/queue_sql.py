"""Measures the SQL of the queue in the configured database; prints JSON."""

from __future__ import annotations

import json
import statistics
import time

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from reviews.models import (  # noqa: E402
    Case,
    CheckResult,
    CheckReview,
    Document,
    Job,
    Page,
)
from reviews.queue import filters, queue_page  # noqa: E402

# Searches: names and numbers, common words, words too short for a trigram index, words that occur
# nowhere.
SEARCHES = (
    "halden maritime", "blue heron", "d-100004", "123456 as", "llc", "ing", "00000", "d-1",
    "payments 77", "halden as 99", "gmbh 77 cedar", "robotics gmbh 9", "halden d-10",
    "no such subject", "no", "d", "x-9", "---", "a b c",
    # Misspelt, in another script, in quotes.
    "haldne maritme", "robotcis", "pyaments 77", "халден", "\"halden maritime\"",
)  # fmt: skip
RUNS = 5
# Each is typed letter by letter, as in the search box.
TYPED = ("halden mar", "robotcis", "d-100004", "халден", "no such")
# Filters that match three cases.
FEW = {
    "a country of three cases": filters.Filter(view="all", country="LU"),
    "one analyst with three cases": filters.Filter(view="all", analyst="of-few-cases"),
}


def main() -> None:
    user = User.objects.get(username="of-the-bench")
    result = _filters(user)
    for text in SEARCHES:
        for view in ("all", "review"):
            wanted = filters.Filter(view=view, q=text)
            took = []
            for _ in range(RUNS):
                began = time.perf_counter()
                rows, _more = queue_page.page(wanted, user)
                took.append((time.perf_counter() - began) * 1000)
            result[f"{text} ({view})"] = {
                "ms": statistics.median(took),
                "rows": len(rows),
            }
    data = {
        "typed": _typed(user),
        "page": _statements(user, "/"),
        "case": _statements(user, f"/cases/{_case()}/"),
    }
    print(json.dumps({"searches": result, **data}))


def _filters(user: User) -> dict[str, dict[str, float]]:
    """Milliseconds and number of rows for the filters that match few cases."""
    other = User.objects.create_user("of-few-cases")
    newest = Case.objects.order_by("-pk").values_list("pk", flat=True)
    three = Case.objects.filter(pk__in=list(newest[:3]))
    three.update(country="LU", analyst=other)
    with connection.cursor() as cursor:
        # The planner must know that these values are rare.
        cursor.execute("ANALYZE reviews_case")
    data = {}
    for name, wanted in FEW.items():
        took = []
        for _ in range(RUNS):
            began = time.perf_counter()
            rows, _more = queue_page.page(wanted, user)
            took.append((time.perf_counter() - began) * 1000)
        data[name] = {"ms": statistics.median(took), "rows": len(rows)}
    return data


def _typed(user: User) -> dict[str, float]:
    """What the search box asks while somebody types: the slowest request of each text."""
    client = Client()
    client.force_login(user)
    data = {}
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        for text in TYPED:
            slowest = 0.0
            letters = ""
            for end in range(1, len(text) + 1):
                took = _asked(client, text[:end])
                if took > slowest:
                    slowest = took
                    letters = text[:end]
            data[f"{text}, slowest at “{letters}”"] = slowest
    return data


def _asked(client: Client, letters: str) -> float:
    """Milliseconds of the request for a few letters, the middle of several."""
    took = []
    for _ in range(RUNS):
        began = time.perf_counter()
        answer = client.post("/queue/find/", {"q": letters, "as": "options"})
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200
    return statistics.median(took)


def _statements(user: User, address: str) -> dict[str, int]:
    """The number of SQL statements of a page that was opened shortly before."""
    client = Client()
    client.force_login(user)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        # The first request fills the caches, the second one is counted.
        assert client.get(address).status_code == 200
        with CaptureQueriesContext(connection) as result:
            assert client.get(address).status_code == 200
    return {"statements": len(result)}


def _case() -> int:
    """Create a case with everything a case may have: job, results, documents, reviews. Returns
    its id.
    """
    case = Case.objects.filter(status=Case.Status.TO_REVIEW).earliest("pk")
    user = User.objects.get(username="of-the-bench")
    job = Job.objects.create(
        case=case, connection=case.connection, agent=case.agent, remote_id="of-the-bench",
        status=Job.Status.COMPLETE,
    )  # fmt: skip
    for number in range(12):
        body = {
            "id": str(number),
            "status": "completed",
            "result": {"passed": number % 3 == 0},
        }
        check = f"kyb.check_{number}"
        CheckResult.objects.create(
            job=job,
            source=CheckResult.Source.CHECK,
            check_id=check,
            status="completed",
            body=body,
        )
        CheckReview.objects.create(job=job, check_id=check, kind="reviewed", by=user)
        document = Document.objects.create(
            case=case,
            kind=Document.Kind.EIN,
            file_name="ein.pdf",
            status=Document.Status.DRAWN,
        )
        Page.objects.create(document=document, number=1, width=100, height=140)
    return int(case.pk)


if __name__ == "__main__":
    main()
