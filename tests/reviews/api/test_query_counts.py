"""Lists of the interface take as many statements for many rows as for few."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from reviews.models import (
    Contradiction,
    DecisionPolicy,
    DecisionTrial,
    PolicyTrial,
    RatingBatch,
    RiskPolicy,
    TrialChange,
)
from reviews.risk.engine.default import DEFAULT
from tests.factories import make_case, make_connection
from tests.reviews.api.calling import Caller
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db


def counted(caller: Caller, path: str) -> tuple[int, dict[int, Any]]:
    """The number of statements, and the items by number of the version."""
    caller.get(path)
    with CaptureQueriesContext(connection) as queries:
        items = caller.get(path).json()["items"]
    return len(queries), {item["number"]: item for item in items}


def test_versions_of_the_risk_policy():
    caller = Caller(someone("analyst"))
    person = caller.user
    live = RiskPolicy.objects.get(status="live")
    hub = make_connection()
    cases = [make_case(hub) for _ in range(2)]

    def add(number: int) -> None:
        row = RiskPolicy.objects.create(
            number=number, note="x", content=DEFAULT, made_by=person
        )
        for done in (1, 2):
            trial = PolicyTrial.objects.create(
                policy=row, against=live, by=person, status="done", done=done
            )
            # The older trial has one change, the newer one has two.
            for case in cases[:done]:
                TrialChange.objects.create(
                    trial=trial, case=case, band="low", score=1, new_band="high",
                    new_score=9,
                )  # fmt: skip
        for first, status in ((1, "done"), (11, "waiting")):
            RatingBatch.objects.create(
                policy=row, first_case=first, last_case=first + 9, status=status,
                changed=number,
            )  # fmt: skip

    add(101)
    few, _ = counted(caller, "/risk-policies")
    for number in range(102, 108):
        add(number)
    many, items = counted(caller, "/risk-policies")
    assert many == few
    assert items[live.number]["trial"] is None
    assert items[live.number]["following"] is None
    for number in range(101, 108):
        trial = items[number]["trial"]
        assert (trial["cases"], trial["changed"]) == (2, 2)
        following = items[number]["following"]
        assert (following["batches"], following["done"]) == (2, 1)
        assert following["changed"] == 2 * number


def test_versions_of_the_decision_policy():
    caller = Caller(someone("analyst"))
    person = caller.user
    decisions = []
    for slug in ("one", "two", "three"):
        case = open_case(slug=slug)
        decisions.append(decide(case, person, "reject"))

    def add(number: int) -> None:
        row = DecisionPolicy.objects.create(
            number=number, note="x", content={"rules": []}, made_by=person
        )
        for done in (1, 3):
            trial = DecisionTrial.objects.create(
                policy=row, by=person, status="done", done=done
            )
            for decision in decisions[:done]:
                Contradiction.objects.create(
                    trial=trial, case=decision.case, decision=decision, outcome="reject"
                )
            # Of both trials somebody has acknowledged the first.
            first = trial.contradictions.all()[0]
            first.acknowledged_by, first.acknowledged_at = person, now()
            first.reason = "Known."
            first.save()

    add(101)
    few, _ = counted(caller, "/decision-policies")
    for number in range(102, 108):
        add(number)
    DecisionPolicy.objects.create(
        number=108, note="x", content={"rules": []}, made_by=person
    )
    many, items = counted(caller, "/decision-policies")
    assert many == few
    assert items[108]["trial"] is None
    for number in range(101, 108):
        trial = items[number]["trial"]
        assert (trial["cases"], trial["not_acknowledged"]) == (3, 2)
