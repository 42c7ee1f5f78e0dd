"""What an erasure does to the merges of parties."""

from __future__ import annotations

import pytest
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.models import Case
from reviews.parties.merges import merging
from reviews.privacy import erasing
from tests.factories import make_agent, make_connection
from tests.reviews.parties.test_merging import party_of, submit
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


def erase(case: Case) -> erasing.Outcome:
    outcome = erasing.erase(case, at=now())
    trail.record(case, "case_erased", {}, about=outcome.rows)
    return outcome


def test_the_reasons_of_a_merge_end_with_the_last_case_of_its_parties():
    """People write names into them, though they are asked not to."""
    agent = make_agent(make_connection())
    actor = someone("analyst")
    first, second = submit(agent, 1), submit(agent, 2)
    reason = "Acme 1 Ltd is now Acme 2 Ltd."
    pair = party_of(first), party_of(second)
    row = merging.merge(*pair, actor=actor, reason=reason)
    merging.undo(row, actor=actor, reason="Acme 1 Ltd is another.")

    assert "reviews.PartyMerge" not in erase(first).counts
    row.refresh_from_db()
    assert row.reason == reason

    assert erase(second).counts["reviews.PartyMerge"] == 1
    row.refresh_from_db()
    assert (row.reason, row.undone_reason) == ("[erased]", "[erased]")
    assert list(verification.faults()) == []
