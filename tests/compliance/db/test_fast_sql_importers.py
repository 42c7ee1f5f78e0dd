"""Who may pass the ORM: everything else is written with it."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

# The four places: rows of work, changes of a status, the insert of a webhook, and deliveries.
ALLOWED = {
    "agenthub/deliveries/sending.py",
    "compliance/db/states.py",
    "compliance/http/outbox.py",
    "compliance/work/queues.py",
    "compliance/work/rows.py",
    "webhooks/events.py",
}
IMPORT = re.compile(
    r"^ *(?:from compliance\.db import .*\bfast_sql\b|.*compliance\.db\.fast_sql)",
    re.MULTILINE,
)


def test_no_other_module_passes_the_orm():
    importers = set()
    for package in (
        "agenthub",
        "checks",
        "compliance",
        "papers",
        "reviews",
        "webhooks",
    ):
        for path in (ROOT / package).rglob("*.py"):
            if IMPORT.search(path.read_text(encoding="utf-8")):
                importers.add(path.relative_to(ROOT).as_posix())
    assert importers == ALLOWED
