"""A hold is placed while a worker erases a case that it would keep."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from reviews.models import Case, LegalHold
from reviews.privacy import holds
from tests.factories import make_case, make_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has one writer at a time."
    ),
]
SECONDS = 20


@pytest.mark.parametrize("by", ["case", "reference"])
def test_a_hold_waits_for_the_erasure_that_is_under_way(by):
    case = make_case(reference="A-1")
    boss = make_user("boss", role="administrator")
    target = {"case": case} if by == "case" else {"reference": "A-1"}

    def place() -> None:
        try:
            holds.place(actor=boss, reason="Court", **target)
        finally:
            connection.close()

    thread = threading.Thread(target=place)
    with transaction.atomic():
        Case.objects.select_for_update().get(pk=case.pk)
        thread.start()
        thread.join(timeout=2)
        is_placed_meanwhile = not thread.is_alive()
    thread.join(timeout=SECONDS)
    assert not is_placed_meanwhile
    assert LegalHold.objects.exists()
