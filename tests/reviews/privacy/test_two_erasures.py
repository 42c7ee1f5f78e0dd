"""Two erasures at the same time, of cases that share a party."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction
from django.utils.timezone import now

from reviews.models import Case, LookUp
from reviews.parties import recording
from reviews.privacy import erasing
from tests.factories import make_case, make_connection, make_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has one writer at a time."
    ),
]

OWNER = "Ottokarine Brimble"
SECONDS = 20


def test_neither_keeps_for_the_other_what_only_they_have():
    service = make_connection()
    cases = []
    for number in (1, 2):
        case = make_case(
            service,
            kind="kyb",
            subject=f"Pear {number} Ltd",
            self_attested_data={"owners": [{"name": OWNER, "share": 60}]},
        )
        recording.record_with_line(case)
        cases.append(case)
    LookUp.objects.create(
        connection=service,
        by=make_user(),
        query={"name": OWNER},
        answer={},
        hit_count=0,
    )

    def erase_second() -> None:
        try:
            with transaction.atomic():
                erasing.erase(Case.objects.get(pk=cases[1].pk), at=now())
        finally:
            connection.close()

    thread = threading.Thread(target=erase_second)
    with transaction.atomic():
        erasing.erase(cases[0], at=now())
        thread.start()
        # Without the lock it ends now, and takes the first case for one that has the name.
        thread.join(timeout=2)
    thread.join(timeout=SECONDS)
    assert not thread.is_alive()
    assert not LookUp.objects.exists()
