"""Risk and reviews where people work: pages, queue, dashboard, report, evidence pack and REST."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils.timezone import now

from reviews.models import Case, Job, PeriodicReview, RiskBand
from reviews.queue.filters import Filter
from reviews.queue.queue_page import page
from reviews.records import evidence_pack
from tests.factories import make_case, make_connection, make_job, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result
from tests.reviews.periodic.rows import (
    approve,
    customer,
    rate,
    review_of,
    submitted,
    work,
)
from tests.reviews.risk.rows import hit, rated, screened_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def analyst(client):
    client.force_login(make_user("ana"))
    return client


def words(client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


@pytest.fixture
def opened() -> Case:
    case = customer(400, "high")
    work()
    result = review_of(case).opened_case
    assert result is not None
    return result


def test_the_page_says_when_the_next_review_is(analyst):
    case = customer(10, "high")
    work()
    day = (now() + timedelta(days=355)).date().isoformat()
    assert f">{day}</time>" in words(analyst, f"/cases/{case.pk}/")
    risk = words(analyst, f"/cases/{case.pk}/?tab=risk")
    assert "The next one is due on" in risk
    assert "interval of the risk band" in risk


def test_the_review_case_leads_to_the_case_before_and_says_what_changed(
    analyst, opened
):
    before = opened.review_of.case
    Case.objects.filter(pk=before.pk).update(summary={"checks": [["Lists", "pass"]]})
    Case.objects.filter(pk=opened.pk).update(
        summary={"checks": [["Lists", "fail"]]}, status=Case.Status.TO_REVIEW
    )
    head = words(analyst, f"/cases/{opened.pk}/")
    assert "Periodic review" in head
    assert f'href="/cases/{opened.pk}/?tab=risk"' in head
    assert "by the desk itself" in head
    risk = words(analyst, f"/cases/{opened.pk}/?tab=risk")
    assert (
        f'is the review of case <a href="/cases/{before.pk}/">{before.reference}'
        in risk
    )
    assert "<td>Lists</td>" in risk
    assert opened.reference in words(analyst, f"/cases/{before.pk}/?tab=risk")
    activity = words(analyst, f"/cases/{opened.pk}/?tab=activity")
    assert "opened this case as a periodic review" in activity


def test_the_case_before_is_no_surprise_among_duplicates(analyst, opened):
    job = make_job(opened, status=Job.Status.COMPLETE)
    Case.objects.filter(pk=opened.pk).update(status=Case.Status.TO_REVIEW)
    link = {"case_id": opened.review_of.case.reference, "state": "review", "shared": []}
    other = link | {"case_id": "OTHER"}
    result = {
        "verdict": "review",
        "explanation": "Look.",
        "payload": {"duplicates": {"links": [link, other]}},
    }
    add_check_result(job, result, check_id="kyc.duplicate_subject")
    text = words(analyst, f"/cases/{opened.pk}/?check=kyc.duplicate_subject")
    assert text.count("This case is its periodic review.") == 1


def test_what_another_team_states_is_not_named(analyst, opened):
    other = make_case(make_connection("secret"), reference="SECRET-1")
    review = PeriodicReview.objects.get(opened_case=opened)
    review.changes = [{"on": "2026-01-01", "words": "New: owner", "case": other.pk}]
    review.save()
    from reviews.models import Team

    team = Team.objects.create(name="Others")
    team.connections.add(other.connection)
    risk = words(analyst, f"/cases/{opened.pk}/?tab=risk")
    assert "New: owner" in risk
    assert "SECRET-1" not in risk


def test_the_party_shows_its_greatest_risk_and_first_review(analyst):
    case = customer(10, "high")
    Case.objects.filter(pk=case.pk).update(risk_band=RiskBand.HIGH)
    work()
    party = case.case_parties.get(place="subject").party
    text = words(analyst, f"/parties/{party.pk}/")
    assert "High risk" in text
    assert f"Next review {(now() + timedelta(days=355)).date().isoformat()}" in text


class TestQueue:
    def test_the_band_follows_the_rating_and_what_people_say(self):
        from reviews.risk import overrides

        case, _ = screened_case(hit("strong"), verdict="fail")
        rated(case)
        case.refresh_from_db()
        assert case.risk_band == RiskBand.HIGH
        before = case.updated_at
        person = make_user("ana")
        row = overrides.make(case, actor=person, band="prohibited", reason="So.")
        case.refresh_from_db()
        assert case.risk_band == RiskBand.PROHIBITED
        # What somebody is about to decide stays valid.
        assert case.updated_at == before
        overrides.take_back(row, actor=person)
        case.refresh_from_db()
        assert case.risk_band == RiskBand.HIGH

    def test_it_is_shown_filtered_and_sorted(self, analyst):
        cases = [_of_band(number, band) for number, band in enumerate(RiskBand)]
        text = words(analyst, "/?view=all&sort=band")
        places = [text.index(case.reference) for case in cases]
        assert places == sorted(places)
        assert '<span class="tag fail">Prohibited</span>' in text
        only_high = words(analyst, "/?view=all&band=high")
        assert cases[1].reference in only_high
        assert cases[0].reference not in only_high
        assert cases[4].reference in words(analyst, "/?view=all&band=none")

    def test_the_next_page_goes_on_where_the_first_ended(self, monkeypatch):
        from reviews.queue import queue_page

        monkeypatch.setattr(queue_page, "PAGE", 2)
        for number in range(7):
            _of_band(number, list(RiskBand)[number % 5])
        user = make_user("ana")
        items: list[int] = []
        after = ""
        for _ in range(4):
            rows, more = page(Filter(view="all", sort="band", after=after), user)
            items += [row.pk for row in rows]
            after = rows[-1].key("band")
        assert not more
        assert len(items) == len(set(items)) == 7
        bands = dict(Case.objects.values_list("pk", "risk_band"))
        assert [bands[pk] for pk in items] == sorted(bands.values())

    def test_reviews_are_marked_and_found(self, analyst, opened):
        before = opened.review_of.case
        text = words(analyst, "/?view=all&origin=review")
        assert opened.reference in text
        assert before.reference not in text
        assert 'title="Opened as a periodic review"' in text

    def test_customers_whose_review_is_near_are_found(self, analyst):
        case = customer(340, "high")
        far = submitted({"business_name": "Far Ltd"})
        rate(far, "low")
        approve(far)
        work()
        text = words(analyst, "/?view=all&review_in=30")
        assert case.reference in text
        assert far.reference not in text

    def test_it_takes_no_more_queries(self, analyst, opened, django_assert_num_queries):
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        analyst.get("/?view=all")
        with CaptureQueriesContext(connection) as before:
            analyst.get("/?view=all&kind=kyb")
        for number in range(5):
            _of_band(number, RiskBand.HIGH)
        with django_assert_num_queries(len(before)):
            analyst.get("/?view=all&kind=kyb")


def _of_band(number: int, band: RiskBand) -> Case:
    from reviews.models import Connection

    connection = Connection.objects.filter(slug="hub").first() or make_connection()
    return make_case(
        connection, reference=f"R-{number}", status="to_review", risk_band=band
    )


def test_the_dashboard_counts_by_band(analyst, opened):
    Case.objects.filter(pk=opened.pk).update(
        risk_band=RiskBand.HIGH, status=Case.Status.TO_REVIEW
    )
    text = words(analyst, "/dashboard/")
    row = '<a class="row" href="/?view=review&amp;band=high"><span>High</span><b class="end num">1</b>'
    assert row in text
    assert "view=review&amp;origin=review" in text


def test_the_report_and_the_pack_say_it(analyst):
    case, _ = screened_case(hit("strong"), verdict="fail")
    rated(case)
    approve(case)
    work()
    text = words(analyst, f"/cases/{case.pk}/report/")
    assert "Risk: High" in text
    assert "A strong hit on a list of sanctions was not cleared." in text
    assert "The next review is due on" in text
    assert analyst.get(f"/cases/{case.pk}/report/pdf/").status_code == 200
    case.refresh_from_db()
    wire = json.loads(evidence_pack.to_json(evidence_pack.case_to_wire(case)))
    assert wire["risk_band"] == "high"
    (review,) = wire["periodic_reviews"]
    assert (review["status"], review["case"]) == ("waiting", case.reference)


def test_rest_lists_by_band_and_says_the_review(opened):
    before = opened.review_of.case
    Case.objects.filter(pk=before.pk).update(risk_band=RiskBand.HIGH)
    caller = Caller(make_user("ana"))
    (row,) = caller.get("/cases?band=high").json()["items"]
    assert (row["id"], row["risk_band"]) == (before.pk, "high")
    assert caller.get("/cases?band=loud").status_code == 400
    (row,) = caller.get("/cases?origin=review").json()["items"]
    assert row["id"] == opened.pk
    answer = caller.get(f"/cases/{opened.pk}/reviews").json()
    assert answer["review_of"]["case_id"] == before.pk
    assert answer["review_of"]["reason"] == "band"
    answer = caller.get(f"/cases/{before.pk}/reviews").json()
    assert [row["case_id"] for row in answer["opened"]] == [opened.pk]
    assert answer["next"] is None
