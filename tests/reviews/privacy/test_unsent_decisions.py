"""What somebody has typed about a case and not sent ends with the key of the case."""

from __future__ import annotations

import base64

import pytest
from django.db import transaction
from django.utils.timezone import now

from compliance.security import data_keys
from reviews.privacy import erasing
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db


def test_a_decision_that_was_not_sent_cannot_be_read_after_the_erasure_of_its_case(
    client,
):
    case = open_case()
    client.force_login(someone("analyst"))
    page = f"/cases/{case.pk}/"
    sent = {"outcome": "reject", "rationale": "Quillbottom lied to the bank."}
    assert client.post(f"{page}unsent/", sent).status_code == 204
    kept = client.session["unsent_decision"]["form"]
    assert "Quillbottom" not in kept
    # Whoever has the keys of the installation can still read it.
    token = base64.b64decode(kept)
    assert b"Quillbottom" in data_keys.unseal(token, "reviews.unsent_decision")

    with transaction.atomic():
        erasing.erase(case, at=now())
    assert client.session["unsent_decision"]["form"] == kept
    with pytest.raises(data_keys.ErasedError):
        data_keys.unseal(token, "reviews.unsent_decision")
    answer = client.get(f"{page}?decide=reject")
    assert answer.status_code == 200
    assert "Quillbottom" not in answer.content.decode()
