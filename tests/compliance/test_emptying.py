"""Between two tests the tables are empty, whatever a page of the first still says."""

from __future__ import annotations

import threading
import time

import pytest
from django.core.signals import request_finished, request_started
from django.db import connection

from reviews.models import Case, FourEyesRule, ReasonCode
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
    emptier.empty()
    thread.join(20)
    assert not Case.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_an_installation_starts_with_comes_back():
    emptier = Emptier()
    before = list(ReasonCode.objects.order_by("pk").values())
    FourEyesRule.objects.filter(pk=FourEyesRule.objects.earliest("pk").pk).update(
        name="another"
    )
    ReasonCode.objects.earliest("pk").delete()
    ReasonCode.objects.create(code="new", label="New", outcome="approve")
    case = make_case()

    emptier.empty()

    assert list(ReasonCode.objects.order_by("pk").values()) == before
    assert not FourEyesRule.objects.filter(name="another").exists()
    assert not Case.objects.filter(pk=case.pk).exists()
