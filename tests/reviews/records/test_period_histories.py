"""The figures of a period against a count of the tests' own, over generated histories of cases.

Moments lie around midnight, the end of a month, leap days and the days on which clocks change.
"""

from __future__ import annotations

import csv
import io
import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from statistics import median

import pypdfium2
import pytest
from django.contrib.auth.models import User

from reviews.access import roles
from reviews.models import Case, Connection, Decision, DecisionPolicy
from reviews.queue.dashboard import minutes_in_words
from tests.factories import make_case, make_connection, make_user
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
DAYS = (date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1), date(2024, 3, 31), date(2024, 4, 1))  # fmt: skip
PERIODS = (
    (date(2024, 2, 29), date(2024, 2, 29)),
    (date(2024, 3, 1), date(2024, 3, 31)),
    (date(2024, 2, 1), date(2024, 4, 30)),
)
AROUND_MIDNIGHT = (-3_600, -1, 0, 1, 1_800, 43_200)
HISTORIES = 60


@dataclass
class Made:
    """A decision. It is final when one person made it, or when the second one agreed."""

    at: datetime
    outcome: str
    second_at: datetime | None = None
    is_returned: bool = False
    is_automatic: bool = False
    reopened_at: datetime | None = None

    @property
    def final_at(self) -> datetime | None:
        return None if self.is_returned else self.second_at or self.at


@dataclass
class History:
    created: datetime
    due: datetime
    decisions: list[Made] = field(default_factory=list)
    erased_at: datetime | None = None


def moment(rng: random.Random, after: datetime | None = None) -> datetime:
    seconds = rng.choice(AROUND_MIDNIGHT)
    day = datetime.combine(rng.choice(DAYS), datetime.min.time(), UTC)
    at = day + timedelta(seconds=seconds)
    if after is not None and at <= after:
        at = after + timedelta(seconds=rng.choice([1, 60, 86_400, 40 * 86_400]))
    return at


def history(rng: random.Random) -> History:
    created = moment(rng)
    row = History(created, created + timedelta(hours=rng.choice([1, 24, 72])))
    last = created
    for number in range(rng.randint(0, 3)):
        at = moment(rng, last)
        made = Made(at, rng.choice(["approve", "reject"]))
        made.is_automatic = rng.random() < 0.2
        if made.is_automatic:
            made.outcome = "approve"
        elif rng.random() < 0.4:
            made.second_at = moment(rng, at)
            made.is_returned = rng.random() < 0.3
        row.decisions.append(made)
        last = made.second_at or at
        if made.is_returned:
            continue
        if number == 2 or rng.random() < 0.5:
            break
        made.reopened_at = last = moment(rng, last)
    if rng.random() < 0.2:
        row.erased_at = moment(rng, last)
    return row


def store(
    row: History, connection: Connection, number: int, people: list[User]
) -> None:
    policy = DecisionPolicy.objects.get()
    case = make_case(connection, reference=f"H-{number}", due_at=row.due)
    for made in row.decisions:
        status = "reopened" if made.reopened_at else "standing"
        decision = Decision.objects.create(
            case=case, outcome=made.outcome, rationale="r", due_at=row.due,
            status="returned" if made.is_returned else status,
            made_by=None if made.is_automatic else people[0],
            policy=policy if made.is_automatic else None,
            needs_second=made.second_at is not None,
            second_by=people[1] if made.second_at else None, second_at=made.second_at,
        )  # fmt: skip
        ended = made.reopened_at or made.second_at or made.at
        Decision.objects.filter(pk=decision.pk).update(
            made_at=made.at, updated_at=ended
        )
    Case.objects.filter(pk=case.pk).update(
        created_at=row.created, erased_at=row.erased_at
    )


def is_open(row: History, end: datetime) -> bool:
    if row.created >= end or (row.erased_at and row.erased_at < end):
        return False
    return not any(
        made.final_at
        and made.final_at < end
        and (made.reopened_at is None or made.reopened_at >= end)
        for made in row.decisions
    )


def expected(rows: list[History], first: date, last: date) -> dict[str, float | None]:
    start = datetime.combine(first, datetime.min.time(), UTC)
    end = datetime.combine(last, datetime.min.time(), UTC) + timedelta(days=1)
    final: list[tuple[History, Made, datetime]] = []
    returned = 0
    for row in rows:
        for made in row.decisions:
            at = made.final_at
            if at and start <= at < end:
                final.append((row, made, at))
            if made.is_returned and made.second_at and start <= made.second_at < end:
                returned += 1
    minutes = sorted((at - row.created).total_seconds() / 60 for row, _, at in final)
    return {
        "Cases received": sum(start <= row.created < end for row in rows),
        "Cases decided": len({id(row) for row, _, _ in final}),
        "Open at the end": sum(is_open(row, end) for row in rows),
        "Approved": sum(made.outcome == "approve" for _, made, _ in final),
        "Rejected": sum(made.outcome == "reject" for _, made, _ in final),
        "Approved automatically": sum(made.is_automatic for _, made, _ in final),
        "Agreed to by a second person": sum(
            bool(made.second_at) for _, made, _ in final
        ),
        "Sent back by the second person": returned,
        "Reopened since": sum(bool(made.reopened_at) for _, made, _ in final),
        "Decided in time (SLA)": sum(at <= row.due for row, _, at in final),
        "Median time to the decision": median(minutes) if minutes else None,
        "Longest": minutes[-1] if minutes else None,
    }


@pytest.mark.parametrize("seed", range(3))
def test_page_csv_and_pdf_have_the_figures_of_all_histories(client, seed):
    rng = random.Random(seed)  # noqa: S311 - test data
    connection = make_connection()
    people = [make_user("ana"), make_user("sven", role=roles.SENIOR)]
    DecisionPolicy.objects.create(
        number=1, status="live", content={}, made_by=people[0]
    )
    rows = [history(rng) for _ in range(HISTORIES)]
    for number, row in enumerate(rows):
        store(row, connection, number, people)
    client.force_login(someone(roles.SENIOR, "eva"))
    for first, last in PERIODS:
        query = f"?first={first}&last={last}"
        file = client.get(f"/period-report/file.csv{query}").content.decode()
        figures = {line[1]: line[2] for line in csv.reader(io.StringIO(file))}
        page = words(client, f"/period-report/{query}")
        paper = client.get(f"/period-report/file.pdf{query}").content
        with pypdfium2.PdfDocument(paper) as document:
            text = "".join(
                sheet.get_textpage().get_text_bounded() for sheet in document
            )
        text = " ".join(text.split())
        for name, value in expected(rows, first, last).items():
            unit = (
                ".1f" if name in {"Median time to the decision", "Longest"} else ".10g"
            )
            assert figures[name] == ("" if value is None else format(value, unit)), name
            if value is None:
                continue
            shown = minutes_in_words(value) if unit == ".1f" else f"{value:,.0f}"
            assert f"{name} {shown}" in page, name
            assert f"{name} {shown}" in text, name
