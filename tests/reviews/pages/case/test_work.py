"""Who works on a case, and when it is due, on the page of the case itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from reviews.access import roles
from reviews.models import Case
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db


def test_the_head_says_whose_it_is_and_when_it_is_due(analyst):
    case = open_case()
    Case.objects.filter(pk=case.pk).update(
        due_at=now() - timedelta(days=3, hours=12), risk=3
    )
    text = words(analyst, f"/cases/{case.pk}/")
    for message in ("Adverse findings 3", "3 d over", "Analyst Nobody", "Take"):
        assert message in text
    back = f"/cases/{case.pk}/?tab=activity"
    answer = analyst.post(f"/cases/{case.pk}/assign/", {"to": "me", "back": back})
    assert answer["Location"] == back
    text = words(analyst, back)
    assert "Nobody" not in text
    assert "Take" not in text
    analyst.post(f"/cases/{case.pk}/snooze/", {"for": "1d"})
    assert "Sleeps until" in words(analyst, back)
    analyst.post(f"/cases/{case.pk}/snooze/", {"for": "wake"})
    assert "Sleeps until" not in words(analyst, back)


def test_who_may_not_review_is_not_offered_to_and_nor_is_anybody_once_it_is_decided(
    client,
):
    one_person()
    case = open_case()
    address, page = f"/cases/{case.pk}/assign/", f"/cases/{case.pk}/"
    for role in (roles.ANALYST, roles.AUDITOR):
        client.force_login(someone(role))
        assert (address in client.get(page).content.decode()) == (role == roles.ANALYST)
    decide(case, someone(roles.SENIOR))
    client.force_login(someone(roles.ADMINISTRATOR))
    html = client.get(page).content.decode()
    assert address not in html
    assert ">Due<" not in html


def test_a_case_that_a_colleague_took_meanwhile_is_not_taken_from_them(client):
    case = open_case()
    ana, bo = someone(roles.ANALYST, "ana"), someone(roles.ANALYST, "bo")
    # Both see a case of nobody.
    for person in (ana, bo):
        client.force_login(person)
        sent = {"to": "me", "analyst": "", "back": f"/cases/{case.pk}/"}
        page = client.post(f"/cases/{case.pk}/assign/", sent, follow=True)
    assert "ana has this case by now." in page.content.decode()
    assert Case.objects.get().analyst == ana
    # The page names her now, and who sees that may take it.
    assert '<input type="hidden" name="analyst" value="ana">' in " ".join(
        page.content.decode().split()
    )
    client.post(f"/cases/{case.pk}/assign/", sent | {"analyst": "ana"})
    assert Case.objects.get().analyst == bo
