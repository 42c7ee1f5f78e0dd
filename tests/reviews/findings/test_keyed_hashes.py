"""The identities of findings: nobody guesses what they are made of, and those of before still count."""

from __future__ import annotations

import hashlib

import pytest
from django.db.migrations import Migration
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.findings.values import keyed_hashes
from reviews.models import CaseEvent, Dismissal, HitLabel
from tests.factories import make_case, make_connection, make_user

pytestmark = pytest.mark.django_db
PARTS = ["Hit", "kyc:ida lund", '{"date_of_birth": "1981-07-23"}']
PLAIN = hashlib.sha256("\x1f".join(PARTS).encode()).hexdigest()
PLAN = [(Migration(keyed_hashes.FINDINGS, "reviews"), False)]


@pytest.fixture
def rows():
    """A dismissal and a label as an earlier version stored and bound them."""
    case = make_case(make_connection())
    ana = make_user("ana")
    dismissal = Dismissal.objects.create(
        key=PLAIN, case=case, title="A hit", reason="Another person.", by=ana
    )
    label = HitLabel.objects.create(
        case=case, kind="dismissed", source="screening", key=PLAIN, list_title="A list",
        script="Latin", band="strong", is_certain=False, by=ana, at=now(),
    )  # fmt: skip
    trail.record(case, "dismissed", {}, user=ana, about=[dismissal, label])
    return dismissal, label


def faults() -> list[str]:
    bound = [Dismissal, HitLabel]
    return list(verification.row_faults(bound))


def test_what_an_earlier_version_stored_still_counts(rows):
    keyed_hashes.key_after_migrate(plan=PLAN)
    for row in rows:
        row.refresh_from_db()
        assert row.key == keyed_hashes.of(PARTS)
        assert row.key != PLAIN
    assert not faults()


def test_a_row_that_was_changed_in_the_database_is_not_bound_again(rows):
    other = hashlib.sha256(b"another finding").hexdigest()
    Dismissal.objects.update(key=other)
    keyed_hashes.key_after_migrate(plan=PLAN)
    assert Dismissal.objects.get().key == other
    [fault] = faults()
    assert fault.startswith("reviews_dismissal")


def test_another_upgrade_keys_nothing(rows):
    lines = CaseEvent.objects.filter(what="rows_bound")
    before = lines.count()
    keyed_hashes.key_after_migrate(plan=[(Migration("0055", "reviews"), False)])
    keyed_hashes.key_after_migrate(plan=[(PLAN[0][0], True)])
    assert Dismissal.objects.get().key == PLAIN
    assert lines.count() == before
