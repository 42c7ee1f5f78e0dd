"""The report of a period: its figures, the page, the files, and who gets them."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pypdfium2
import pytest
import time_machine

from reviews.access import roles
from reviews.decisions import decisions
from reviews.models import (
    BulkApproval,
    Case,
    CaseEvent,
    CheckReview,
    Decision,
    FourEyesRule,
    Team,
)
from tests.factories import make_case, make_connection, make_job
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result, words
from tests.reviews.rows import CHECK, decide, one_person, someone

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 10, 9, tzinfo=UTC)
QUERY = "?first=2026-03-01&last=2026-03-31"


@pytest.fixture
def desk():
    """Of March: three cases received, two decided, one by two people in time and one late."""
    connection = make_connection()
    one_person()
    ana, sven = someone(roles.ANALYST, "ana"), someone(roles.SENIOR, "sven")
    with time_machine.travel(MARCH, tick=False):
        cases = []
        for number in range(3):
            case = make_case(
                connection, status=Case.Status.TO_REVIEW, country="NO",
                reference=f"=C-{number}", recommendation="Approve",
                due_at=MARCH + timedelta(hours=5),
            )  # fmt: skip
            add_check_result(
                make_job(case, status="complete"), {"passed": True}, check_id=CHECK
            )
            cases.append(case)
    with time_machine.travel(MARCH + timedelta(hours=1), tick=False):
        decide(cases[0], ana)
        # It decides nothing until it is final.
        FourEyesRule.objects.create(
            name="Rejections", condition="always", outcome="reject"
        )
        proposed = decide(cases[1], ana, "reject")
        CheckReview.objects.create(
            job=cases[0].jobs.get(), check_id=CHECK, kind="overridden", reason="x", by=ana
        )  # fmt: skip
        approval = BulkApproval.objects.create(by=ana, share=10)
        approval.cases.create(case=cases[2], revision="1", is_sample=True)
    with time_machine.travel(MARCH + timedelta(days=2), tick=False):
        cases[1].refresh_from_db()
        Decision.objects.filter(pk=proposed.pk).update(
            status="standing", second_by=sven, second_at=MARCH + timedelta(days=2)
        )
    # Of April, and so none of it.
    with time_machine.travel(MARCH + timedelta(days=30), tick=False):
        decide(cases[2], ana, "reject")
        make_case(connection, reference="later")
    return connection


def figures(rows) -> dict[str, tuple[float | None, int | None]]:
    return {row["name"]: (row["value"], row["of"]) for row in rows}


def test_the_figures_are_those_of_the_period(desk):
    caller = Caller(someone(roles.AUDITOR))
    answer = caller.get(f"/period-report{QUERY}").json()
    result = figures(answer["figures"])
    expected = {
        "Cases received": (3, None),
        "Received: business": (3, 3),
        "Received from: Norway": (3, 3),
        "Cases decided": (2, None),
        "Open at the end": (1, None),
        "Approved": (1, 2),
        "Rejected": (1, 2),
        "Reason: A01 All checks passed": (1, 2),
        "Decided in time (SLA)": (1, 2),
        # Of an hour and two days. No time is longer than the longest.
        "Nine of ten within": (2 * 24 * 60, None),
        "Longest": (2 * 24 * 60, None),
        "Agreed to by a second person": (1, 2),
        "As the agent recommended": (1, 2),
        "Checks overridden": (1, None),
        "Drawn for a full look": (1, None),
        "Decided otherwise": (1, 1),
    }
    assert {name: result[name] for name in expected} == expected
    # Made again it is the same; of another time it is another.
    assert caller.get(f"/period-report{QUERY}").json() == answer
    later = caller.get("/period-report?first=2026-04-01&last=2026-04-30").json()
    assert figures(later["figures"])["Rejected"] == (0, 0)


def test_a_case_that_was_reopened_is_one_case_with_two_decisions(desk):
    case = Case.objects.get(reference="=C-0")
    senior = someone(roles.SENIOR, "eva")
    with time_machine.travel(MARCH + timedelta(days=5), tick=False):
        decisions.reopen(case, actor=senior, reason="News.", revision=case.revision)
        case.refresh_from_db()
        # The rule for rejections asks for two people.
        FourEyesRule.objects.update(is_active=False)
        decide(case, senior, "reject")
    answer = Caller(someone(roles.AUDITOR)).get(f"/period-report{QUERY}").json()
    result = figures(answer["figures"])
    expected = {
        "Cases decided": (2, None),
        "Decided: business": (2, 2),
        "Approved": (1, 3),
        "Rejected": (2, 3),
        "Reopened since": (1, 3),
        # Both were in time: each by the due time that the case had then.
        "Decided in time (SLA)": (2, 3),
    }
    assert {name: result[name] for name in expected} == expected


def test_a_case_that_nobody_decided_is_open_until_it_is_erased(desk):
    with time_machine.travel(MARCH, tick=False):
        case = make_case(desk, reference="left", status=Case.Status.DECIDED)
    Case.objects.filter(pk=case.pk).update(erased_at=MARCH + timedelta(days=3))
    caller = Caller(someone(roles.AUDITOR))
    answer = caller.get(f"/period-report{QUERY}").json()
    assert figures(answer["figures"])["Open at the end"] == (1, None)
    answer = caller.get("/period-report?first=2026-03-01&last=2026-03-12").json()
    assert figures(answer["figures"])["Open at the end"][0] == 2


def test_the_page_and_its_files(client, desk):
    client.force_login(someone(roles.SENIOR, "eva"))
    page = words(client, f"/period-report/{QUERY}")
    assert "Approved 1 50.0 %" in page
    assert "Median time to the decision 24 h 30 m" in page
    table = client.get(f"/period-report/file.csv{QUERY}")
    # Excel reads UTF-8 by this mark.
    assert table.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert rows[0][0] == "section"
    assert ["Outcomes", "Approved", "1", "2", ""] in rows
    # A reference of another system is no formula.
    assert ["Sample", "'=C-2", "Decided otherwise", "", ""] in rows
    paper = client.get(f"/period-report/file.pdf{QUERY}")
    text = pypdfium2.PdfDocument(paper.content)[0].get_textpage().get_text_bounded()
    assert "Report of the period 2026-03-01 to 2026-03-31" in text
    assert "Decided in time (SLA)" in text
    queryset = CaseEvent.objects.filter(what="period_report_taken")
    assert [event.data["form"] for event in queryset.order_by("id")] == ["csv", "pdf"]


def test_it_counts_what_the_person_sees(client, desk):
    Team.objects.create(name="Others").connections.add(desk)
    client.force_login(someone(roles.SENIOR, "eva"))
    assert "Cases received 0" in words(client, f"/period-report/{QUERY}")
    client.force_login(someone(roles.INTEGRATOR, "erp"))
    assert client.get(f"/period-report/{QUERY}").status_code == 403


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("?first=2026-03-31&last=2026-03-01", "The last day is before the first one."),
        ("?first=x&last=2026-03-01", "Choose two days, such as 2026-03-31."),
        ("?first=2026-03-01&last=2999-03-01", "The last day has not come yet."),
        ("?first=2020-03-01&last=2026-03-01", "At most 366 days."),
    ],
)
def test_a_period_that_cannot_be(client, desk, query, fault):
    client.force_login(someone(roles.SENIOR, "eva"))
    answer = client.get(f"/period-report/{query}")
    assert answer.status_code == 422
    assert fault in answer.content.decode()
    assert client.get(f"/period-report/file.csv{query}").status_code == 422
