from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time

import pytest
import time_machine

from tests.checks.documents import TODAY


@pytest.fixture
def at_noon() -> Iterator[None]:
    """No midnight comes between what a test makes and what a check says of its age."""
    with time_machine.travel(datetime.combine(TODAY, time(12), UTC)):
        yield
