"""Between two tests the tables are empty, whatever a page of the first still says."""

from __future__ import annotations

import threading
import time

import pytest
from django.core.signals import request_finished, request_started
from django.db import connection
from django.test import TransactionTestCase

from reviews.models import Case
from tests.emptying import Emptier
from tests.factories import make_case


@pytest.mark.django_db(transaction=True)
def test_a_request_that_is_under_way_is_waited_for():
    emptier, begun = Emptier(), threading.Event()

    def answer() -> None:
        request_started.send(None)
        begun.set()
        time.sleep(0.5)  # as long as emptying takes, had it not waited
        make_case()
        request_finished.send(None)
        connection.close()

    thread = threading.Thread(target=answer)
    thread.start()
    assert begun.wait(20)
    emptier.empty(TransactionTestCase())
    thread.join(20)
    assert not Case.objects.exists()
