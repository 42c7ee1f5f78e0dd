"""Two people who judge one hit at the same moment."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from reviews import results
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Dismissal, HitLabel
from tests.reviews.risk.rows import hit, rated, screened_case
from tests.reviews.rows import someone

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has one writer at a time."
    ),
]
SECONDS = 20


def _dismiss(case: Case, actor: User) -> None:
    state = ReviewState.of(case)
    found = _hit(state)
    key = state.dismissed.key(found)
    dismissals.dismiss(case, found, key=key, actor=actor, reason="Born elsewhere.")


def _confirm(case: Case, actor: User) -> None:
    matches.confirm(case, _hit(ReviewState.of(case)), actor=actor)


def _hit(state: ReviewState) -> results.Hit:
    for part in state.parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit):
                return finding
    raise AssertionError(state.parts)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (_confirm, _dismiss, "It is confirmed as a match"),
        (_dismiss, _confirm, "It is dismissed here"),
        (_confirm, _confirm, "Somebody has confirmed it already"),
    ],
)
def test_the_second_learns_of_the_first(first, second, words):
    """It ended with an error of the database."""
    case, _job = screened_case(hit("strong"), verdict="review")
    ana, bob = someone("analyst", "ana"), someone("analyst", "bob")
    errors: list[ValueError] = []

    def judge() -> None:
        try:
            second(Case.objects.get(pk=case.pk), bob)
        except ValueError as exc:
            errors.append(exc)
        finally:
            connection.close()

    thread = threading.Thread(target=judge)
    with transaction.atomic():
        first(case, ana)
        thread.start()
        # It has read that nobody has judged the hit, or waits.
        thread.join(timeout=2)
    thread.join(timeout=SECONDS)
    assert not thread.is_alive()
    assert [words in str(error) for error in errors] == [True]
    confirmed = HitLabel.objects.filter(kind="confirmed").count()
    assert confirmed + Dismissal.objects.count() == 1
    assert (rated(case).band == "prohibited") is (confirmed == 1)
