"""Cases for demonstrations and benchmarks.

The database itself generates them, so any number is fast.
"""

from __future__ import annotations

from django.db import connection, transaction

from reviews.models import Agent, RiskBand
from reviews.models.search import forms

CHUNK = 50_000
# The parts of the made-up names. Each row picks by its number, so every run gives the same
# rows.
FIRST = ("Halden", "Cedar", "Blue Heron", "Quarry Lane", "Lumen", "Vantaa", "Kestrel", "Orchid Bay",
         "Mirador", "Northwind", "Fjordline", "Stonebridge", "Sato", "Delta Agro", "Juniper")  # fmt: skip
SECOND = ("Maritime", "Capital", "Robotics", "Foods", "Freight", "Cloud", "Payments", "Trading",
          "Energy", "Imports", "Precision")  # fmt: skip
FORMS = ("AS", "LLC", "GmbH", "Ltd", "Oy", "SAPI", "BV")
COUNTRIES = (
    "NO",
    "US",
    "DE",
    "GB",
    "FI",
    "MX",
    "NL",
    "SG",
    "JP",
    "FR",
    "IE",
    "PL",
    "ZA",
)
# The statuses of a hundred cases: each applies up to its number.
STATUSES = (("to_review", 12), ("attention", 14), ("second", 16), ("escalated", 17),
            ("waiting", 20), ("decided", 100))  # fmt: skip
FINDINGS = ("Seal not found", "Address differs", "Name differs from the register",
            "Document older than 90 days", "Registration number differs")  # fmt: skip
CHECKS = ("Text extraction", "Visual inspection", "Fraud indicators", "Sanctions screening",
          "Address verification", "Web presence")  # fmt: skip


def create(count: int) -> int:
    """Add `count` cases that look reviewed, without jobs or documents. Returns their number.

    They show the queue at its full size. No check ran, and no line of the audit trail says so.
    """
    agents = list(
        Agent.objects.order_by("pk")[:2].values_list("pk", "connection_id", "kind")
    )
    if not agents:
        raise ValueError("There is no agent to make cases of.")
    total = 0
    while total < count:
        size = min(CHUNK, count - total)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT COALESCE(MAX(id), 0) FROM reviews_case")
            before = cursor.fetchone()[0]
            agent, service, kind = agents[(total // CHUNK) % len(agents)]
            cursor.execute(_cases(), [before + 1, before + size, service, agent, kind])
            cursor.execute(_search_texts(), [before])
            for word in _words_of_names():
                cursor.execute(_search_words(), [word, before, f"%{word}%"])
        total += size
    with connection.cursor() as cursor:
        # Explicit ids were inserted, so the sequence must continue after the largest one.
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence('reviews_case', 'id'), MAX(id))"
                " FROM reviews_case"
            )
        cursor.execute("ANALYZE")
    return total


def _pick(values: tuple[str, ...], number: str) -> str:
    """SQL that picks one of the values by a number."""
    cases = []
    for at, value in enumerate(values):
        cases.append(f"WHEN {at} THEN '{value}'")
    return f"(CASE ({number}) %% {len(values)} {' '.join(cases)} END)"


def _cases() -> str:
    is_sqlite = connection.vendor == "sqlite"
    mixed = "(g.n * 7919 + g.n / 13)"  # pseudo-random: neighbours differ much
    status = " ".join(
        f"WHEN {mixed} %% 100 < {below} THEN '{name}'" for name, below in STATUSES
    )
    risk = f"CASE WHEN {mixed} %% 5 < 3 THEN 0 ELSE {mixed} %% 7 END"
    fails = []
    for at in range(len(CHECKS)):
        fails.append(f"({mixed} / {at + 2}) %% 9 = {at}")
    reviews = []
    for at in range(len(CHECKS)):
        reviews.append(f"({mixed} / {at + 3}) %% 8 = {at}")
    verdicts = ", ' || '".join(
        f"""["{name}", "' || CASE WHEN {fails[at]} THEN 'fail' WHEN {reviews[at]} THEN 'review'
        ELSE 'pass' END || '"]"""
        for at, name in enumerate(CHECKS)
    )
    summary = f"""'{{"checks": [{verdicts}], "finding": "' || CASE WHEN {risk} > 0
        THEN {_pick(FINDINGS, mixed)} ELSE '' END || '", "risks": 0}}'"""
    severity = f"""CASE WHEN {fails[CHECKS.index("Sanctions screening")]} THEN 1
        WHEN {" OR ".join(fails)} THEN 2 WHEN {" OR ".join(reviews)} THEN 3 ELSE 5 END"""
    ago = f"({mixed} %% 7776000)"  # seconds: within the last ninety days
    if is_sqlite:
        series = "(WITH RECURSIVE s(n) AS (SELECT %s UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n FROM s)"
        created, due, moment = (
            f"strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', {shift})"
            for shift in (
                f"'-' || {ago} || ' seconds'",
                f"(({mixed} %% 86400) - 3600) || ' seconds'",
                "'+0 seconds'",
            )
        )
        json = summary
    else:
        series = "generate_series(%s::bigint, %s::bigint)"
        created = f"now() - {ago} * interval '1 second'"
        due = f"now() + (({mixed} %% 86400) - 3600) * interval '1 second'"
        moment, json = "now()", f"({summary})::jsonb"
    # Unencrypted, as in earlier versions: the database cannot encrypt a million cases.
    empty = "''" if is_sqlite else "''::bytea"
    subject = f"""{_pick(FIRST, mixed)} || ' ' || {_pick(SECOND, f"{mixed} / 15")} || ' ' || g.n
        || ' ' || {_pick(FORMS, f"{mixed} / 165")}"""
    if not is_sqlite:
        subject = f"convert_to({subject}, 'UTF8')"
    return f"""INSERT INTO reviews_case (id, connection_id, agent_id, kind, reference, subject,
        country, status, recommendation, recommendation_reasons, requirements_version, risk, severity, risk_band,
        summary, self_attested_data, schema_extra,
        created_at, updated_at, due_at, alarm, first_finding, custom_fields, extra_columns, open_items)
        SELECT g.n, x.service, x.agent, x.kind, 'D-' || (100000 + g.n),
        {subject}, {_pick(COUNTRIES, mixed)},
        CASE {status} END,
        CASE WHEN {risk} = 0 THEN 'Approve' WHEN {risk} > 4 THEN 'Reject' ELSE 'Review' END,
        {empty}, '', {risk}, {severity}, {RiskBand.NONE.value}, {json}, {empty}, {empty}, {created}, {moment}, {due}, {empty},
        {empty}, {empty}, {empty}, 0
        FROM {series + (" g" if is_sqlite else " AS g(n)")}
        CROSS JOIN (SELECT %s AS service, %s AS agent, %s AS kind) x"""  # noqa: S608


def _words_of_names() -> list[str]:
    return forms.searchable_words(" ".join((*FIRST, *SECOND, *FORMS)))


def _search_words() -> str:
    return """INSERT INTO reviews_searchword (text_id, word)
        SELECT id, %s FROM reviews_searchtext WHERE case_id > %s AND text LIKE %s"""


def _search_texts() -> str:
    is_sqlite = connection.vendor == "sqlite"
    line = "CHAR(10)" if is_sqlite else "CHR(10)"
    subject = "subject" if is_sqlite else "convert_from(subject, 'UTF8')"
    return f"""INSERT INTO reviews_searchtext (case_id, text, reference, name)
        SELECT id, LOWER(reference || {line} || {subject}), LOWER(reference),
        SUBSTR(LOWER({subject}), 1, 40) FROM reviews_case WHERE id > %s"""  # noqa: S608
