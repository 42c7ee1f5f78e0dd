"""Every state that a case can be in is drawn, and says what is going on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils.timezone import now

from compliance.db.states import stored_values
from reviews.intake import cases
from reviews.models import Case, Document, Job
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


def running() -> tuple[Case, Job]:
    return reviewed_case(status=Job.Status.RUNNING)


def test_a_running_job_shows_what_is_there_and_what_is_awaited(analyst):
    case, job = running()
    document = add_document(case)
    part = payloads.extraction(payloads.comparison())
    result = payloads.tool_results("extraction_data", part, document=wire(document))
    add_tool_result(job, payloads.EXTRACTION, result)
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Incorporation date" in text
    assert text.count("The service examines certificate.pdf.") == 2
    assert "still checking" in text
    assert "Run again" not in text


def test_a_job_that_waits_says_for_what_and_until_when(analyst):
    case, job = reviewed_case(status=Job.Status.QUEUED)
    moment = now().replace(hour=9, minute=41, second=7) + timedelta(days=1)
    changes = {"error": "Connection refused.", "tries": 3, "due_at": moment}
    Job.objects.filter(pk=job.pk).update(**stored_values(job, changes))
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Connection refused." in text
    assert "Next try at 09:41:07 UTC , after 3 that failed" in text


def test_a_failed_job_shows_the_services_words_and_can_be_run_again(
    analyst, monkeypatch
):
    case, job = reviewed_case(status=Job.Status.FAILED)
    changes = stored_values(job, {"error": "403 You may not use this agent."})
    Job.objects.filter(pk=job.pk).update(**changes)
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert "403 You may not use this agent." in html
    assert f'action="/cases/{case.pk}/run-again/"' in html
    rows = []

    def run_again(case, *, actor, check_id):
        rows.append((case, actor))
        return job

    monkeypatch.setattr(cases, "run_again", run_again)
    response = analyst.post(f"/cases/{case.pk}/run-again/")
    assert (response.status_code, response["Location"]) == (303, f"/cases/{case.pk}/")
    assert rows[0][0] == case
    assert rows[0][1].username == "ana"


def test_running_again_while_a_job_is_under_way_says_so(analyst):
    case, _ = running()
    response = analyst.post(f"/cases/{case.pk}/run-again/", follow=True)
    assert "A job of this case is still under way." in response.content.decode()


def test_running_again_needs_the_permission(client):
    case, _ = reviewed_case(status=Job.Status.FAILED)
    reader = make_user("reader")
    reader.groups.clear()
    reader.user_permissions.set(Permission.objects.filter(codename="view_case"))
    client.force_login(reader)
    assert client.post(f"/cases/{case.pk}/run-again/").status_code == 403
    assert "run-again" not in client.get(f"/cases/{case.pk}/").content.decode()
    assert client.get(f"/cases/{case.pk}/run-again/").status_code in {403, 405}


def test_an_unreadable_document_says_why(analyst):
    case, job = reviewed_case()
    status = Document.Status.UNREADABLE
    add_document(
        case, pages=0, status=status, reason="It is protected with a password."
    )
    add_check_result(job, {"verdict": "inconclusive", "explanation": "Not opened."})
    text = words(analyst, f"/cases/{case.pk}/")
    assert "certificate.pdf cannot be shown It is protected with a password." in text
    assert "Not checked: the service sent nothing on this." in text
    # The titles of what is missing are in the reader's language, too.
    german = {"Accept-Language": "de"}
    page = analyst.get(f"/cases/{case.pk}/", headers=german).content.decode()
    assert "<h3>Angaben gegen Dokument" in page
    assert "Attested against document" not in page


def test_a_document_that_is_being_drawn(analyst):
    case, _ = reviewed_case()
    add_document(case, pages=0, status=Document.Status.PENDING)
    assert "certificate.pdf is being fetched" in words(analyst, f"/cases/{case.pk}/")


def test_a_document_drawn_in_part_says_so(analyst):
    case, _ = reviewed_case()
    add_document(case, reason="The first 50 of 312 pages are drawn.")
    assert "The first 50 of 312 pages are drawn." in words(
        analyst, f"/cases/{case.pk}/"
    )


def test_a_case_without_documents_or_results(analyst):
    case, _ = reviewed_case()
    text = words(analyst, f"/cases/{case.pk}/")
    assert "No documents" in text
    assert "The service reported no checks." in text


def test_an_adopted_case_names_its_origin(analyst):
    case, _ = reviewed_case()
    case.events.create(actor="agent", what="adopted", data={"job": "abc"})
    text = words(analyst, f"/cases/{case.pk}/")
    assert "from a job started elsewhere" in text


def test_the_head_names_the_case_and_masks_its_tax_number(analyst):
    case, _ = reviewed_case(
        country="US",
        recommendation="Approve",
        submitted_by=make_user("bo", first_name="Bo", last_name="Ek"),
        self_attested_data={"tin_number": "92-3212308"},
    )
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    head = html[
        html.index('<header class="head"') : html.index(
            "</header>", html.index('<header class="head"')
        )
    ]
    for text in (
        "<h1>Northwind Ltd</h1>",
        "C-10428",
        "United States",
        "92•••08",
        "Approve",
        "Bo Ek",
    ):
        assert text in head, text
    assert "92-3212308" not in head
    assert html.count("<h1") == 1


def test_activity_tells_who_did_what(analyst):
    case, _ = reviewed_case()
    person = make_user("bo", first_name="Bo", last_name="Ek")
    case.events.create(
        actor="person", user=person, what="submitted", data={"agent": "KYB"}
    )
    case.events.create(
        actor="agent", what="job_complete", data={"recommendation": "Deny"}
    )
    case.events.create(actor="system", what="something_new", data=["odd"])
    text = words(analyst, f"/cases/{case.pk}/?tab=activity")
    assert "Bo Ek submitted the case" in text
    assert "kyb agent finished the job" in text
    assert "Recommendation Reject" in text
    assert "The desk something new" in text
    assert (
        text.index("something new")
        < text.index("finished the job")
        < text.index("Bo Ek sub")
    )


def test_the_payload_is_shown_word_for_word(analyst):
    case, job = reviewed_case()
    add_tool_result(job, payloads.FRAUD, {"passed": None, "oddity": {"deep": [1, 2]}})
    text = words(analyst, f"/cases/{case.pk}/?tab=payload")
    assert '"oddity": { "deep": [ 1, 2 ] }' in text
    assert job.remote_id in text


def test_unknown_cases_and_anonymous_readers(client, analyst):
    assert analyst.get("/cases/424242/").status_code == 404
    case, _ = reviewed_case()
    client.logout()
    for address in (f"/cases/{case.pk}/", f"/cases/{case.pk}/live/"):
        assert client.get(address)["Location"].startswith("/login/")


def test_odd_queries_fall_back(analyst):
    case, _ = reviewed_case()
    document = add_document(case)
    for query in (
        "doc=nonsense",
        "check=nonsense",
        "tab=nonsense",
        "doc=%00&check=%ff",
    ):
        assert "certificate.pdf" in words(analyst, f"/cases/{case.pk}/?{query}"), query
    assert document.file_name in words(
        analyst, f"/cases/{case.pk}/?doc={document.pk.hex}"
    )


def test_the_number_of_queries_does_not_grow(analyst, django_assert_max_num_queries):
    case, job = reviewed_case(submitted_by=make_user("bo"))
    for number in range(6):
        document = add_document(case, name=f"{number}.pdf", pages=3)
        part = payloads.extraction(payloads.comparison())
        result = payloads.tool_results("extraction_data", part, document=wire(document))
        add_tool_result(job, payloads.EXTRACTION, result, subject=str(number))
        add_check_result(job, {"passed": True}, check_id=f"kyb.check_{number}")
    with django_assert_max_num_queries(19):
        analyst.get(f"/cases/{case.pk}/")
    with django_assert_max_num_queries(19):
        analyst.get(f"/cases/{case.pk}/?tab=activity")
