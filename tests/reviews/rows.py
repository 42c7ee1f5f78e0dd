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
    add_document,
    check_said,
    reviewed_case,
    tool_said,
    wire,
)


def one_person() -> None:
    """No rule asks for a second person."""
    FourEyesRule.objects.update(is_active=False)


CHECK = "kyb.sanctions_screening_check_v2"


def open_case(*, failing: bool = False, **given: Any) -> Case:
    """To be reviewed: one check about no document, passed or failed."""
    case, job = reviewed_case(**given)
    check_said(
        job,
        {"passed": not failing, "explanation": "One name was found."},
        check_id=CHECK,
    )
    return case


def add_risky_document(
    case: Case, *, sha256: str = "ab" * 32, **given: Any
) -> Document:
    """A document in which the newest job found one RISK indicator."""
    document = add_document(case, sha256=sha256)
    found = payloads.fraud(payloads.indicator(**given))
    body = payloads.tool_results(
        "fraud_verification_data", found, document=wire(document), passed=False
    )
    tool_said(
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


def wish(outcome: str = "approve", **given: Any) -> DecisionRequest:
    reasons = {
        "approve": ["A01"],
        "reject": ["R04"],
        "request": ["I01"],
        "escalate": ["E01"],
    }
    given.setdefault("reasons", reasons[outcome])
    given.setdefault("rationale", "All of it was looked at.")
    if outcome == "request":
        given.setdefault("message", "Please send the certificate.")
    return DecisionRequest(outcome=outcome, **given)


def decide(case: Case, actor: User, outcome: str = "approve", **given: Any) -> Decision:
    case.refresh_from_db()
    found = ReviewState.of(case)
    if outcome == "approve" and (found.failed or found.doubtful or not found.passed):
        given.setdefault("reasons", ["A02"])  # not all checks passed
    return decisions.decide(
        case, actor=actor, request=wish(outcome, **given), revision=case.revision
    )
