from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core import signals
from django.db import close_old_connections

SIGNALS = (signals.request_started, signals.request_finished)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """The requests run in the transaction of the test, as those of Django's test client do."""
    for signal in SIGNALS:
        signal.disconnect(close_old_connections)
    yield
    for signal in SIGNALS:
        signal.connect(close_old_connections)
