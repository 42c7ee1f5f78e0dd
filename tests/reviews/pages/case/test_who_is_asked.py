"""What a proposed decision says about who must agree to it."""

from __future__ import annotations

import html
import re

import pytest

from reviews.models import Case, FourEyesRule
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def case() -> Case:
    FourEyesRule.objects.create(name="Always", condition="always")
    return open_case()


def bar(client, case: Case, user) -> str:
    client.force_login(user)
    page = client.get(case.get_absolute_url()).content.decode()
    part = page.partition('id="decision-bar"')[2]
    text = html.unescape(re.sub(r"<[^>]+>", " ", part))
    return " ".join(text.split())


def test_the_proposer_reads_who_was_asked(client, case):
    ana = someone("analyst", "ana")
    sven, olga = someone("senior", "sven"), someone("senior", "olga")
    sven.first_name, sven.last_name = "Sven", "Sund"
    sven.save()
    decide(case, ana, second="sven")
    for user in (ana, sven, olga):
        text = bar(client, case, user)
        assert "Waits for: Sven Sund" in text
        assert "Waits for: Sven Sund, " not in text


def test_without_a_name_everybody_who_may_agree_was_asked(client, case):
    ana = someone("analyst", "ana")
    for name in ("sven", "sofia", "ole", "rut", "ulla"):
        someone("senior", name)
    decide(case, ana)
    assert "Waits for: ole , rut , sofia and 2 more" in bar(client, case, ana)


def test_the_proposer_reads_that_nobody_can_agree_yet(client, case):
    ana = someone("analyst", "ana")
    decide(case, ana)
    text = bar(client, case, ana)
    assert "Nobody else has the right yet to be the second" in text
    assert "Waits for" not in text


def test_who_was_asked_and_may_no_longer_agree_is_not_waited_for(client, case):
    """The proposer sees those who can agree now, not a colleague who has left."""
    ana = someone("analyst", "ana")
    sven = someone("senior", "sven")
    someone("senior", "sofia")
    decide(case, ana, second="sven")
    sven.is_active = False
    sven.save()
    assert "Waits for: sofia" in bar(client, case, ana)


def test_the_next_case_says_who_was_asked(client, case):
    ana = someone("analyst", "ana")
    someone("senior", "sven")
    client.force_login(ana)
    sent = {
        "outcome": "approve",
        "reasons": ["A01"],
        "rationale": "All of it was looked at.",
        "revision": str(case.revision),
        "second": "sven",
        "next": "yes",
    }
    answer = client.post(f"/cases/{case.pk}/decide/", sent, follow=True)
    text = html.unescape(answer.content.decode())
    assert f"{case.reference}: it waits for sven now." in re.sub(r"<[^>]+>", "", text)


def test_the_second_person_is_led_to_the_next_case_they_were_asked_about(client):
    FourEyesRule.objects.create(name="Always", condition="always")
    ana, sven = someone("analyst", "ana"), someone("senior", "sven")
    someone("senior", "olga")
    cases = {}
    for name in ("first", "of olga", "second", "free"):
        cases[name] = open_case(slug=name.replace(" ", "-"), reference=name)
    decide(cases["first"], ana, second="sven")
    decide(cases["of olga"], ana, second="olga")
    decide(cases["second"], ana, second="sven")
    client.force_login(sven)
    sent = {"agrees": "yes", "note": "", "next": "yes"}
    # Another person was asked about one case, so it is left to them.
    for name, following, words in (
        ("first", "second", "first: approved."),
        ("second", "free", "second: approved."),
    ):
        case = cases[name]
        case.refresh_from_db()
        sent["revision"] = str(case.revision)
        answer = client.post(f"/cases/{case.pk}/second/", sent)
        assert answer["Location"] == cases[following].get_absolute_url()
        text = html.unescape(client.get(answer["Location"]).content.decode())
        assert words in re.sub(r"<[^>]+>", "", text)


def test_a_case_that_is_sent_back_leads_to_the_next_of_the_list(client):
    FourEyesRule.objects.create(name="Always", condition="always")
    ana, sven = someone("analyst", "ana"), someone("senior", "sven")
    first = open_case(slug="a", reference="first")
    other = open_case(slug="b", reference="other")
    last = open_case(slug="c", reference="last")
    for case in (first, other, last):
        decide(case, ana, second="sven")
    client.force_login(sven)
    sent = {
        "agrees": "no",
        "note": "The deed is missing.",
        "next": "yes",
        "next_case": str(last.pk),
        "revision": str(Case.objects.get(pk=first.pk).revision),
    }
    answer = client.post(f"/cases/{first.pk}/second/", sent, follow=True)
    assert answer.redirect_chain == [(last.get_absolute_url(), 303)]
    text = html.unescape(answer.content.decode())
    assert "first: sent back." in re.sub(r"<[^>]+>", "", text)
