"""Times the statements of the queue in the database that the environment names; prints JSON."""

from __future__ import annotations

import json
import statistics
import time

import django

SEARCHES = (
    "halden maritime", "d-100004", "123456 as", "llc", "d-1", "payments 77", "no such subject",
    "no", "d", "halden d-10", "robotics gmbh 9",
)  # fmt: skip


def main() -> None:
    django.setup()
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client, override_settings
    from django.test.utils import CaptureQueriesContext

    from reviews import queue

    user = User.objects.get(username="of-the-bench")
    found = {}
    for text in SEARCHES:
        for view in ("all", "review"):
            wanted = queue.Filter(view=view, q=text)
            took = []
            for _ in range(5):
                began = time.perf_counter()
                rows, _more = queue.page(wanted, user)
                took.append((time.perf_counter() - began) * 1000)
            found[f"{text} ({view})"] = {"ms": statistics.median(took), "rows": len(rows)}
    client = Client()
    client.force_login(user)
    with override_settings(ALLOWED_HOSTS=["testserver"]), CaptureQueriesContext(connection) as made:
        assert client.get("/").status_code == 200
    own = [q for q in made.captured_queries if "reviews_" in q["sql"]]
    print(json.dumps({"searches": found, "page": {"statements": len(own)}}))


if __name__ == "__main__":
    main()
