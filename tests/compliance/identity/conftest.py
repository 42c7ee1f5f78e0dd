from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviews.audit import verification
from reviews.audit.bound_rows import BOUND

TABLES = ("mfa_", "socialaccount_", "account_", "compliance_directory")


@pytest.fixture(autouse=True)
def proven(request) -> Iterator[None]:
    """After each test the trail proves the ways to sign in as they are."""
    yield
    if request.node.get_closest_marker("django_db") is None:
        return
    models = [model for model in BOUND if model._meta.db_table.startswith(TABLES)]
    assert list(verification.row_faults(models)) == []
