"""Running again, all checks or one, and what two runs said differently."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile

from reviews.intake import cases
from reviews.jobs import completion, start
from reviews.jobs.endings import Ending
from reviews.models import Case, CheckReview, Job
from tests import fakeservice
from tests.factories import make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)

pytestmark = pytest.mark.django_db

OTHER = "kyb.registry_check"


def ran_once() -> tuple[Case, Job]:
    case, job = reviewed_case(recommendation="Review")
    Job.objects.filter(pk=job.pk).update(recommendation="Review")
    document = add_document(case)
    part = payloads.extraction(
        payloads.comparison(), payloads.comparison("Business name", state="equal")
    )
    result = payloads.tool_results("extraction_data", part, document=wire(document))
    add_tool_result(job, payloads.EXTRACTION, result)
    add_check_result(job, {"passed": False, "explanation": "They differ."})
    add_check_result(
        job, {"passed": True, "explanation": "Registered."}, check_id=OTHER
    )
    return case, job


def run_one(case: Case, check_id: str = payloads.CHECK) -> Job:
    job = cases.run_again(case, actor=None, check_id=check_id)
    assert job is not None
    return job


def test_one_check_is_asked_for_by_its_id_and_what_was_sent_is_kept(analyst):
    with fakeservice.running() as service:
        case, _ = ran_once()
        document = case.documents.get()
        document.file.save("a.pdf", ContentFile(b"%PDF-"))
        type(case.connection).objects.update(base_url=service.url)
        address = f"/cases/{case.pk}/run-again/"
        assert analyst.post(address, {"check": payloads.CHECK}).status_code == 303
        job = case.jobs.get(check_id=payloads.CHECK)
        start.start(job)
    (_, path, body) = service.asked[0]
    assert path.endswith("runCheck")
    assert body["check_id"] == payloads.CHECK
    assert body["kyb_schema"]["id"] == case.reference
    job.refresh_from_db()
    assert job.sent["check_id"] == payloads.CHECK
    assert "agent_key" not in job.sent
    lent = body["kyb_schema"]["self_attested_data"]["incorporation_documents"][0]["url"]
    value = job.sent["kyb_schema"]["self_attested_data"]["incorporation_documents"][0][
        "url"
    ]
    assert value == lent.rstrip("/").rpartition("/")[0] + "/.../"


def test_a_check_that_never_ran_cannot_be_run_alone(analyst):
    case, _ = ran_once()
    assert (
        analyst.post(f"/cases/{case.pk}/run-again/", {"check": "x"}).status_code == 404
    )
    assert case.jobs.count() == 1


def test_one_check_takes_the_place_of_what_it_said_and_leaves_the_others(analyst):
    case, first = ran_once()
    for check_id in (payloads.CHECK, OTHER):
        CheckReview.objects.create(
            job=first, check_id=check_id, kind="reviewed", by=make_user(check_id[-9:])
        )
    job = run_one(case)
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert "Registered." in html
    assert "Incorporation date" in html  # until the run has ended, what was said stands
    add_check_result(job, {"passed": True, "explanation": "They agree now."})
    completion.apply_results(
        job, end=Ending(Job.Status.COMPLETE, "Approve", has_results=True)
    )
    case.refresh_from_db()
    assert (case.status, case.recommendation) == (Case.Status.TO_REVIEW, "Review")
    assert dict(case.summary["checks"])["Registry"] == "pass"
    text = words(analyst, f"/cases/{case.pk}/")
    assert "They agree now." in text
    assert "They differ." not in text
    # What was looked at before it ran again was something else.
    page = analyst.get(f"/cases/{case.pk}/").context["page"]
    assert set(page["review_state"].reviews) == {OTHER}


def test_a_run_of_one_check_that_failed_leaves_all_as_it_was(analyst):
    case, _ = ran_once()
    job = run_one(case)
    completion.apply_results(
        job, end=Ending(Job.Status.FAILED, error="No such check.", has_results=True)
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Running one check again failed What stood before still stands." in text
    assert "They differ." in text


def test_the_difference_between_runs(analyst):
    case, _ = ran_once()
    document = case.documents.get()
    again = cases.run_again(case, actor=None)
    assert again is not None
    part = payloads.extraction(
        payloads.comparison(state="equal"),
        payloads.comparison("Jurisdiction", state="equal"),
    )
    result = payloads.tool_results("extraction_data", part, document=wire(document))
    add_tool_result(again, payloads.EXTRACTION, result)
    add_check_result(again, {"passed": True})
    add_check_result(again, {"passed": True}, check_id=OTHER)
    completion.apply_results(
        again, end=Ending(Job.Status.COMPLETE, "Approve", has_results=True)
    )
    text = words(analyst, f"/cases/{case.pk}/?tab=runs")
    assert "The agent recommended Review , then Approve ." in text
    flipped = "flipped Incorporation date certificate.pdf Differs then Equal"
    for page in (flipped, "appeared Jurisdiction", "went Business name"):
        assert page in text, page
    assert "Registry check" not in text  # it said the same twice
    german = words(analyst, f"/cases/{case.pk}/?tab=runs", language="de")
    for page in ("umgeschlagen Gründungsdatum", "hinzugekommen Rechtsraum"):
        assert page in german, page
    old = case.jobs.earliest("created_at")
    same = words(analyst, f"/cases/{case.pk}/?tab=runs&before={old.pk}&after={old.pk}")
    assert "Both runs said the same." in same
    odd = words(analyst, f"/cases/{case.pk}/?tab=runs&before=x&after=%00")
    assert "flipped" in odd


def test_the_first_run_has_nothing_to_be_compared_with(analyst):
    case, _ = ran_once()
    assert "The checks have run once." in words(analyst, f"/cases/{case.pk}/?tab=runs")
