"""The queue shows each person what is true and allowed now, however often it was asked for before."""

from __future__ import annotations

import re
from datetime import timedelta

import time_machine
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils.timezone import now

from compliance.db.states import stored_values
from reviews.models import Case
from tests import factories
from tests.reviews.pages.test_queue import html, make_cases


def test_a_row_follows_its_case(ana, desk):
    [case] = make_cases(desk, 1, recommendation="Approve")
    first = ana.get("/queue/rows/")
    assert first.content == ana.get("/queue/rows/").content
    for changes, text in (
        ({"recommendation": "Reject"}, "Reject"),
        ({"subject": "Now <b>another</b>"}, "Now &lt;b&gt;another&lt;/b&gt;"),
        ({"risk": 7}, "against it: 7"),
        ({"summary": {"checks": [["a", "fail"]], "finding": "Seal gone"}}, "Seal gone"),
    ):
        Case.objects.filter(pk=case.pk).update(**stored_values(case, changes))
        again = ana.get("/queue/rows/", headers={"If-None-Match": first["ETag"]})
        assert text in html(again)
        first = again
    assert "Status" in html(ana.get("/", {"view": "all"}))
    assert "To review" in html(ana.get("/", {"view": "all"}))


def test_the_forms_of_the_queue_are_sent_with_the_token_of_the_page(analyst, desk):
    case = factories.make_case(desk, status=Case.Status.TO_REVIEW)
    for _ in range(2):
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(analyst)
        tokens = re.findall(
            r'name="csrfmiddlewaretoken" value="(\w+)"', html(strict.get("/"))
        )
        assert len(tokens) >= 4
        assert len(set(tokens)) == 1
        data = {"csrfmiddlewaretoken": tokens[0], "case": case.pk, "act": "csv"}
        assert strict.post("/queue/act/", data).status_code == 200


def test_a_person_who_is_renamed_or_given_a_right_sees_it(ana, analyst, desk):
    assert "Submit case" in html(ana.get("/"))
    analyst.first_name, analyst.last_name = "Renamed", "Lately"
    analyst.save()
    assert "Renamed Lately" in html(ana.get("/"))
    assert 'href="/admin/"' not in html(ana.get("/"))
    analyst.is_staff = True
    analyst.save()
    assert 'href="/admin/"' in html(ana.get("/"))
    analyst.groups.clear()
    analyst.user_permissions.set(Permission.objects.filter(codename="view_case"))
    assert "Submit case" not in html(ana.get("/"))


def test_a_snoozed_case_wakes_in_a_queue_that_was_asked_for_before(ana, desk):
    case = factories.make_case(desk, status=Case.Status.TO_REVIEW)
    until = now() + timedelta(hours=1)
    Case.objects.filter(pk=case.pk).update(snoozed_until=until, due_at=until)
    assert case.reference not in html(ana.get("/"))
    assert case.reference not in html(ana.get("/?due=over"))
    moment = now()
    Case.objects.filter(pk=case.pk).update(snoozed_until=moment, due_at=moment)
    assert case.reference in html(ana.get("/"))
    assert case.reference in html(ana.get("/?due=over"))


def test_a_page_shows_what_the_person_may_do_now(ana, desk, analyst):
    factories.make_case(
        desk, subject="Halden Maritime AS", status=Case.Status.TO_REVIEW
    )
    # Both in one moment: the page says how long there is left.
    with time_machine.travel(now(), tick=False):
        first, again = html(ana.get("/")), html(ana.get("/"))
    assert "Submit case" in first
    token = re.compile(
        r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=X-CSRFToken": ")[^"]+'
    )
    assert token.sub("", first) == token.sub("", again)
    assert set(token.findall(first)).isdisjoint(token.findall(again))
    analyst.groups.clear()
    analyst.user_permissions.add(Permission.objects.get(codename="view_case"))
    assert "Submit case" not in html(ana.get("/"))
