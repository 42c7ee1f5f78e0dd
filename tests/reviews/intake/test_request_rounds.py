"""What an applicant begins is kept, and a second round says what was received and what was refused."""

from __future__ import annotations

import io
from datetime import timedelta

import pikepdf
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from reviews.intake import information_requests
from reviews.models import Case, DraftFile, InformationRequest, Notification
from reviews.pages.intake.information_requests import RATE_OF_DRAFTS
from reviews.people import assignment
from tests.compliance.storage.files import PDF, PNG
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
INCORPORATION, EIN = "incorporation_documents", "ein_documents"


def paper(name: str = "deed.pdf", content: bytes = PDF) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def path_of(request: InformationRequest) -> str:
    return f"/requests/{request.pk}/"


@pytest.fixture
def case() -> Case:
    case = open_case()
    decide(case, someone("analyst"), "request", kinds=[INCORPORATION, EIN])
    return Case.objects.get()


@pytest.fixture
def link(client, case) -> str:
    return open_link(client, information_requests.address(case.requests.get()))


def page(client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_closed_tab_loses_nothing(client, link, case):
    answer = client.post(f"{link}draft/?part={INCORPORATION}", {INCORPORATION: paper()})
    assert answer.status_code == 200
    assert "deed.pdf" in answer.content.decode()
    typed = client.post(f"{link}draft/?part=text", {"text": "The EIN letter follows."})
    assert typed.status_code == 204
    # Nothing was sent yet.
    case.refresh_from_db()
    assert case.status == "waiting"
    assert not case.documents.exists()
    # Another browser, another day.
    client.cookies.clear()
    assert client.get(link).status_code == 403
    again = page(
        client, open_link(client, information_requests.address(case.requests.get()))
    )
    assert "deed.pdf" in again
    assert "The EIN letter follows." in again
    assert "not sent yet" in again
    assert client.post(link, {"text": "The EIN letter follows."}).status_code == 303
    document = case.documents.get()
    assert (document.file_name, document.request) == (
        "deed.pdf", case.requests.get(),
    )  # fmt: skip
    assert not DraftFile.objects.exists()
    assert case.requests.get().draft == ""


@pytest.mark.parametrize("end", ["answer", "expire", "withdraw"])
def test_a_case_that_was_put_aside_while_it_waits_wakes_when_it_returns(
    client, link, case, end
):
    analyst = case.decisions.get().made_by
    assignment.snooze(case, now() + timedelta(days=80), actor=analyst)
    request = case.requests.get()
    if end == "answer":
        assert client.post(link, {"text": "Here it is."}).status_code == 303
    elif end == "expire":
        information_requests.expire(request)
    else:
        information_requests.withdraw(case, actor=analyst)
    client.force_login(analyst)
    assert case.reference in client.get("/?view=review").content.decode()


def test_a_hostile_file_is_refused_on_arrival_and_nothing_else_is_lost(client, link):
    client.post(f"{link}draft/?part={EIN}", {EIN: paper("ein.pdf")})
    answer = client.post(
        f"{link}draft/?part={INCORPORATION}",
        {INCORPORATION: [paper("page.html", b"<html>"), paper("deed.png", PNG)]},
    )
    words = answer.content.decode()
    assert "“page.html” is not a PDF" in words
    assert "deed.png" in words
    assert {row.file_name for row in DraftFile.objects.all()} == {"ein.pdf", "deed.png"}


@pytest.mark.parametrize("password", ["secret", ""])
def test_who_sends_a_protected_file_is_told_and_may_send_it(client, link, password):
    # Whether it opens without a password is for the person to see: no reader runs here.
    content = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        lock = pikepdf.Encryption(owner="other", user=password)
        pdf.save(content, encryption=lock)
    answer = client.post(
        f"{link}draft/?part={EIN}",
        {EIN: [paper("plain.pdf"), paper("locked.pdf", content.getvalue())]},
        headers={"accept-language": "de"},
    )
    words = answer.content.decode()
    assert "„locked.pdf“ ist geschützt" in words
    assert "„plain.pdf“ ist geschützt" not in words
    # Both are saved, whole.
    sizes = {row.file_name: row.file.size for row in DraftFile.objects.all()}
    assert sizes.keys() == {"plain.pdf", "locked.pdf"}
    assert sizes["locked.pdf"] >= len(content.getvalue())
    # It is said for as long as the file is there: when the page is opened again, and when it was
    # refused for another reason.
    assert page(client, link).count("“locked.pdf” is protected") == 1
    refused = client.post(link, {EIN: paper("page.html", b"<html>")})
    assert refused.status_code == 422
    text = refused.content.decode()
    assert text.count("“locked.pdf” is protected") == 1
    assert "“page.html” is not a PDF" in text
    [locked] = [row for row in DraftFile.objects.all() if row.file_name == "locked.pdf"]
    client.post(f"{link}draft/?part={EIN}", {"drop_file": str(locked.pk)})
    assert "is protected" not in page(client, link)


def test_a_file_can_be_removed_and_those_of_others_cannot(client, link, case):
    client.post(f"{link}draft/?part={EIN}", {EIN: paper("ein.pdf")})
    own = DraftFile.objects.get()
    other = DraftFile.objects.create(
        user=someone("senior"), kind=EIN, file_name="x.pdf", size=1, sha256="0" * 64
    )
    address = f"{link}draft/?part={EIN}"
    client.post(address, {"drop_file": [str(own.pk), str(other.pk), "x"]})
    assert [row.pk for row in DraftFile.objects.all()] == [other.pk]


def test_without_a_script_a_draft_leads_back_to_the_page(client, link):
    answer = client.post(f"{link}draft/", {EIN: paper("ein.pdf"), "text": "Later."})
    assert (answer.status_code, answer["Location"]) == (303, link)
    assert "ein.pdf" in page(client, link)
    assert "Later." in page(client, link)


@pytest.mark.parametrize("act", ["draft", "end"])
def test_without_a_script_a_refused_file_is_named(client, link, act):
    files = [paper("page.html", b"<html>"), paper("ein.pdf")]
    answer = client.post(f"{link}{act}/", {EIN: files, "text": "Later."})
    assert answer.status_code == 422
    words = answer.content.decode()
    assert "EIN letter: “page.html” is not a PDF" in words
    assert "Everything else is kept." in words
    # "Send" on this page goes to the address of the request.
    assert f'action="{link}"' in words
    assert DraftFile.objects.get().file_name == "ein.pdf"
    # The browser can still open the request.
    assert "Later." in page(client, link)


def test_no_file_is_called_kept_where_none_is(client, link):
    answer = client.post(link, {EIN: paper("page.html", b"<html>")})
    words = answer.content.decode()
    assert "“page.html” is not a PDF" in words
    assert "files are kept" not in words


def test_drafts_of_a_link_that_ended_or_was_made_up_are_refused(client, link, case):
    assert client.post("/requests/1:x/draft/", {"text": "a"}).status_code == 403
    assert client.post("/requests/0/draft/", {"text": "a"}).status_code == 403
    assert client.get(f"{link}draft/").status_code == 405
    information_requests.withdraw(case, actor=someone("senior"))
    ended = client.post(f"{link}draft/?part=text", {"text": "Late."})
    assert ended.status_code == 410
    assert case.requests.get().draft == ""


def test_a_link_that_is_saved_to_without_end_waits(client, link):
    for _ in range(RATE_OF_DRAFTS):
        client.post(f"{link}draft/?part=text", {"text": "a"})
    answer = client.post(f"{link}draft/?part=text", {"text": "b"})
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")
    # The page itself can still be sent.
    assert client.post(link, {"text": "Here."}).status_code == 303


def test_the_second_round_names_what_was_received_and_what_was_refused(
    client, link, case
):
    one_person()
    client.post(link, {INCORPORATION: paper("old.pdf"), EIN: paper("ein.pdf")})
    case.refresh_from_db()
    case.move(Case.Status.TO_REVIEW)
    old = case.documents.get(kind=INCORPORATION)
    refused = {
        str(old.pk): "It is from 1999.",
        "00000000-0000-4000-8000-000000000000": "x",
    }
    decide(case, someone("senior"), "request", kinds=[INCORPORATION], refused=refused)
    second = case.requests.first()
    assert client.get(path_of(second)).status_code == 403
    # Who has the first link finds the way to the second; what it was for is closed.
    first = page(client, link)
    assert "has arrived" in first
    assert path_of(second) in first
    result = page(client, path_of(second))
    assert "Not accepted" in result
    assert "It is from 1999." in result
    assert "Received earlier" in result
    assert "ein.pdf" in result
    information_requests.withdraw(case, actor=someone("senior", "s2"))
    assert path_of(second) not in page(client, link)


def test_what_was_wanted_and_not_sent_is_named_after_the_answer(client, link):
    client.post(link, {EIN: paper("ein.pdf")})
    result = page(client, link)
    assert "ein.pdf" in result
    assert "Not sent yet" in result
    assert "Incorporation document" in result


def test_the_analyst_sees_the_answer_beside_the_request(client, link, case):
    client.post(link, {EIN: paper("ein.pdf"), "text": "Here is the letter."})
    case.refresh_from_db()
    case.move(Case.Status.TO_REVIEW)
    client.force_login(someone("senior"))
    assert 'id="answered"' in page(client, f"/cases/{case.pk}/")
    activity = page(client, f"/cases/{case.pk}/?tab=activity")
    requests = activity.partition('id="requests"')[2].partition("</section>")[0]
    for words in ("Please send the certificate.", "Here is the letter.", "ein.pdf"):
        assert words in requests


def test_erasure_reaches_drafts_refusals_and_addresses(client, link, case, settings):
    from pathlib import Path

    from django.utils.timezone import now

    from reviews.privacy import erasing

    client.post(f"{link}draft/?part={EIN}", {EIN: paper("ein.pdf"), "text": "Mine."})
    request = case.requests.get()
    request.mails.create(kind="request", address="amy@example.org")
    erasing.erase(case, at=now())
    assert not DraftFile.objects.exists()
    assert not list(Path(settings.MEDIA_ROOT).rglob("drafts/*/*/*"))
    request = InformationRequest.objects.get()
    assert "Mine." not in request.draft
    assert "amy" not in request.mails.get().address
    assert request.mails.get().due_at is None


def test_the_analyst_is_told_that_a_request_ended_without_an_answer(client, case):
    analyst = case.decisions.get().made_by
    request = case.requests.get()
    information_requests.expire(request)
    information_requests.expire(request)
    assert [(row.to, row.case, row.kind) for row in Notification.objects.all()] == [
        (analyst, case, "no_answer")
    ]
    client.force_login(analyst)
    words = " ".join(page(client, "/inbox/").split())
    assert "The desk got no answer to the request in time" in words
    # Who decides, or asks again, has done what the message asks for.
    case.refresh_from_db()
    decide(case, analyst, "request", kinds=[EIN])
    assert not Notification.objects.filter(kind="no_answer", read_at=None).exists()


@pytest.mark.parametrize("end", ["answer", "expire"])
def test_when_the_person_who_asked_has_left_the_colleagues_are_told(
    client, link, case, end
):
    colleague = someone("analyst", "bea")
    someone("auditor", "otto")
    User.objects.filter(pk=case.decisions.get().made_by_id).update(is_active=False)
    if end == "answer":
        assert client.post(link, {"text": "Here it is."}).status_code == 303
    else:
        information_requests.expire(case.requests.get())
    assert {row.to for row in Notification.objects.all()} == {colleague}


def test_nobody_is_told_while_the_case_waits_for_a_later_answer(case):
    analyst = case.decisions.get().made_by
    information_requests.create(case, actor=analyst, message="Again.", kinds=[EIN])
    first = case.requests.order_by("pk")[0]
    information_requests.expire(first)
    assert not Notification.objects.exists()
