"""A case that waits for a decision, and people of each role."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User

from reviews.access import roles
from reviews.decisions import decisions
from reviews.decisions.decisions import DecisionRequest
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Decision, Document, FourEyesRule
from tests import factories
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)


def one_person() -> None:
    """No rule asks for a second person."""
    FourEyesRule.objects.update(is_active=False)


CHECK = "kyb.sanctions_screening_check_v2"


def open_case(*, failing: bool = False, **values: Any) -> Case:
    """To be reviewed: one check about no document, passed or failed."""
    case, job = reviewed_case(**values)
    add_check_result(
        job,
        {"passed": not failing, "explanation": "One name was found."},
        check_id=CHECK,
    )
    return case


def add_risky_document(
    case: Case, *, sha256: str = "ab" * 32, **values: Any
) -> Document:
    """A document in which the newest job found one RISK indicator."""
    document = add_document(case, sha256=sha256)
    result = payloads.fraud(payloads.indicator(**values))
    body = payloads.tool_results(
        "fraud_verification_data", result, document=wire(document), passed=False
    )
    add_tool_result(
        case.jobs.latest("created_at"), payloads.FRAUD, body, subject=str(document.pk)
    )
    return document


def someone(role: str, username: str = "") -> User:
    return factories.make_user(username or role, role=role)


def with_every_role(name: str) -> User:
    """Somebody whom a small team gave all roles."""
    user = someone(roles.SENIOR, name)
    user.groups.set(Group.objects.all())
    return user


def wish(outcome: str = "approve", **values: Any) -> DecisionRequest:
    reasons = {
        "approve": ["A01"],
        "reject": ["R04"],
        "request": ["I01"],
        "escalate": ["E01"],
    }
    values.setdefault("reasons", reasons[outcome])
    values.setdefault("rationale", "All of it was looked at.")
    if outcome == "request":
        values.setdefault("message", "Please send the certificate.")
    return DecisionRequest(outcome=outcome, **values)


def decide(
    case: Case, actor: User, outcome: str = "approve", **values: Any
) -> Decision:
    case.refresh_from_db()
    result = ReviewState.of(case)
    if outcome == "approve" and (result.failed or result.doubtful or not result.passed):
        values.setdefault("reasons", ["A02"])  # not all checks passed
    return decisions.decide(
        case, actor=actor, request=wish(outcome, **values), revision=case.revision
    )
