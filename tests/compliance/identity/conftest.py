from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from reviews.audit import trail, verification

TABLES = ("mfa_", "socialaccount_", "account_", "compliance_directory")


@pytest.fixture(autouse=True)
def proven(request) -> Iterator[None]:
    """After each test the trail proves the ways to sign in as they are."""
    yield
    if request.node.get_closest_marker("django_db") is None:
        return
    with transaction.atomic():
        trail.seal_all()
        faults = list(verification.faults())
        transaction.set_rollback(True)
    assert [line for line in faults if line.startswith(TABLES)] == []
