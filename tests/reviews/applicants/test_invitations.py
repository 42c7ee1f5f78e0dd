"""A case that begins with the applicant: invited by a link, filled in, kept, submitted once."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import formats
from django.utils.timezone import localtime, now

from compliance.security import data_keys
from reviews.applicants import invitations
from reviews.intake import links
from reviews.models import (
    Case,
    CaseEvent,
    DraftFile,
    Invitation,
    Organisation,
    RequestMail,
)
from tests import factories
from tests.compliance.storage.files import PDF, PNG
from tests.reviews.api.calling import Caller
from tests.reviews.applicant_links import key_of, open_link
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
INCORPORATION, FRONT = "incorporation_documents", "front_image_url"


def paper(name: str = "deed.pdf", content: bytes = PDF) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


@pytest.fixture
def agents():
    connection = factories.make_connection()
    return {
        kind: factories.make_agent(connection, kind=kind) for kind in ("kyb", "kyc")
    }


@pytest.fixture
def ana():
    return someone("analyst", "ana")


@pytest.fixture
def invitation(agents, ana) -> Invitation:
    return invitations.create(agents["kyb"], actor=ana, message="Hello from Ana.")


@pytest.fixture
def link(client, invitation) -> str:
    return open_link(client, links.address(invitation))


def page(client, address: str) -> str:
    return client.get(address).content.decode()


def test_an_analyst_makes_a_link_and_sends_it(client, agents, ana, work_off):
    client.force_login(ana)
    data = {
        "agent": agents["kyc"].pk,
        "reference": "A-7",
        "days": "5",
        "email": "amy@example.org",
        "message": "Please fill this in.",
        "language": "fr",
    }
    assert client.post("/invitations/", data).status_code == 303
    invitation = Invitation.objects.get()
    assert timedelta(days=4) < invitation.expires_at - now() < timedelta(days=6)
    assert links.address(invitation) in page(client, "/invitations/")
    work_off()
    [message] = mail.outbox
    assert "vous demande de remplir un formulaire" in message.subject
    assert links.address(invitation) in str(message.body)
    for secret in ("A-7", "Please fill"):
        assert secret not in str(message.body)
    line = CaseEvent.objects.get(what="invitation_made")
    assert line.user == ana


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"email": "amy"}, "not complete"),
        ({"days": "91"}, "less than or equal to 90"),
        ({"agent": "0"}, "valid choice"),
        ({"reference": "taken"}, "Another case has this reference"),
    ],
)
def test_what_cannot_be_made_is_refused_with_words(client, agents, ana, wrong, words):
    factories.make_case(agents["kyb"].connection, reference="taken")
    client.force_login(ana)
    data = {"agent": agents["kyb"].pk, "days": "5", **wrong}
    answer = client.post("/invitations/", data)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Invitation.objects.exists()


def test_the_applicant_opens_a_case(client, link, invitation, ana):
    result = page(client, link)
    assert "Hello from Ana." in result
    for hidden in ("MCC", "reference", invitation.agent.name):
        assert hidden not in result
    data = {
        "business_name": "Acorn Ltd",
        "address_of_incorporation.country_code": "DK",
        INCORPORATION: paper(),
    }
    assert client.post(link, data).status_code == 303
    # Who opens the link again reads when it came.
    words = page(client, link)
    assert "has arrived" in words
    moment = formats.date_format(
        localtime(Invitation.objects.get().submitted_at), "LONG_MOMENT"
    )
    assert f"It came on {moment}. You need not send it" in " ".join(words.split())
    # And which files came.
    assert "Received" in words
    assert "<bdi>deed.pdf</bdi>" in words
    case = Case.objects.get()
    assert (case.subject, case.country, case.status) == ("Acorn Ltd", "DK", "checking")
    assert case.submitted_by == ana
    assert case.self_attested_data["business_name"] == "Acorn Ltd"
    assert case.documents.get().file_name == "deed.pdf"
    assert case.jobs.count() == 1
    assert case.events.get(what="applicant_submitted").actor == "applicant"
    invitation.refresh_from_db()
    assert (invitation.status, invitation.case, invitation.typed) == (
        "submitted", case, {},
    )  # fmt: skip
    # Sent twice, it is one case.
    assert client.post(link, data).status_code == 200
    assert Case.objects.count() == 1
    client.force_login(ana)
    assert "Acorn Ltd" in page(client, "/?view=all")
    assert case.reference in page(client, "/invitations/")


def test_a_person_sends_pictures_of_an_id(client, agents, ana):
    invitation = invitations.create(agents["kyc"], actor=ana, reference="P-1")
    link = open_link(client, links.address(invitation))
    for name in ("old.png", "new.png"):
        files = {FRONT: paper(name, PNG)}
        assert client.post(f"{link}draft/?part={FRONT}", files).status_code == 200
    assert DraftFile.objects.get().file_name == "new.png"
    data = {"first_name": "Amy", "last_name": "Acorn", "country_of_nationality": "SE"}
    assert client.post(link, data).status_code == 303
    case = Case.objects.get()
    assert (case.reference, case.subject) == ("P-1", "Amy Acorn")
    assert [row.file_name for row in case.documents.all()] == ["new.png"]


@pytest.mark.parametrize("act", ["draft", "end"])
def test_without_a_script_a_refused_file_is_named(client, link, act):
    files = [paper("page.html", b"<html>"), paper("deed.pdf")]
    data = {"business_name": "Acorn Ltd", INCORPORATION: files}
    answer = client.post(f"{link}{act}/", data)
    assert answer.status_code == 422
    words = answer.content.decode()
    assert "Incorporation document: “page.html” is not a PDF" in words
    assert f'action="{link}"' in words
    assert "Acorn Ltd" in words
    assert DraftFile.objects.get().file_name == "deed.pdf"
    assert "Acorn Ltd" in page(client, link)


def test_faults_stand_beside_their_fields_and_nothing_is_lost(client, link, invitation):
    wrong = {
        "business_name": "Acorn",
        "website": "ht tp:/",
        INCORPORATION: [paper("good.pdf"), paper("page.html", b"<html>")],
    }
    answer = client.post(link, wrong)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Website must be an address" in text
    assert "“page.html” is not a PDF" in text
    assert "good.pdf" in text
    assert not Case.objects.exists()
    # Another day, another device.
    client.cookies.clear()
    assert client.get(link).status_code == 403
    again = page(client, open_link(client, links.address(invitation)))
    assert 'value="Acorn"' in again
    assert "good.pdf" in again
    right = {"business_name": "Acorn", "website": "acorn.example"}
    assert client.post(link, right).status_code == 303
    assert Case.objects.get().documents.get().file_name == "good.pdf"
    assert not DraftFile.objects.exists()


def test_a_second_device_with_the_link_open_deletes_nothing(client, link, invitation):
    first = {"business_name": "Acorn", "parties.rows": "4", "parties.3.name": "Bo"}
    second = {"website": "https://acorn.example", "parties.rows": "3"}
    for typed in (first, second):
        assert client.post(f"{link}draft/?part=text", typed).status_code == 204
    invitation.refresh_from_db()
    assert invitation.typed == {**first, **second, "parties.rows": "4"}
    # A field that was emptied is empty.
    client.post(f"{link}draft/?part=text", {"business_name": "", "parties.rows": "3"})
    invitation.refresh_from_db()
    assert "business_name" not in invitation.typed


def shown_on(text: str) -> str:
    """The hidden field that says what the page showed when it was opened."""
    match = re.search(r'name="shown" value="([^"]*)"', text)
    assert match
    return unescape(match[1])


def test_closing_or_sending_an_older_page_loses_nothing(client, link, invitation):
    old = {"shown": shown_on(page(client, link)), "parties.rows": "3"}
    newer = {"business_name": "Acorn", "parties.rows": "6", "parties.4.name": "Bo"}
    client.post(f"{link}draft/?part=text", newer)
    typed = {**old, "business_name": "", "website": "acorn.example"}
    again = client.post(link, typed)
    # It was not sent: the page shows what the other device had saved, to be read first.
    assert again.status_code == 409
    text = again.content.decode()
    assert "on another device" in text
    assert 'value="Acorn"' in text
    assert 'value="acorn.example"' in text
    assert not Case.objects.exists()
    client.post(f"{link}end/", {**typed, "website": "acorn.test"})
    invitation.refresh_from_db()
    assert invitation.typed == {**newer, "website": "acorn.test"}
    assert 'value="Bo"' in text


def test_a_field_that_two_devices_changed_is_sent_after_both_texts_were_shown(
    client, link, invitation
):
    opened = {"shown": shown_on(page(client, link)), "parties.rows": "3"}
    draft = f"{link}draft/?part=text"
    for name in ("Acorn", "Acorn Trading"):
        client.post(draft, {"business_name": name, "parties.rows": "3"})
    # The first device sends what it has, and the draft has what the second one saved after it.
    answer = client.post(link, {**opened, "business_name": "Acorn"})
    assert answer.status_code == 409
    text = answer.content.decode()
    assert 'value="Acorn"' in text
    assert "the other device has “Acorn Trading”" in text
    assert not Case.objects.exists()
    # Now it was read.
    again = {**opened, "shown": shown_on(text), "business_name": "Acorn"}
    assert client.post(link, again).status_code == 303
    assert Case.objects.get().subject == "Acorn"


def test_a_save_does_not_replace_what_another_device_has_saved_unseen(
    client, link, invitation
):
    """The scripts of two pages save as they go. The later one is told of the earlier text."""
    draft = f"{link}draft/?part=text"
    known = {"shown": json.dumps({"business_name": ""})}
    mine = {**known, "business_name": "Acorn", "website": "acorn.example"}
    assert client.post(draft, {**known, "business_name": "Oak"}).status_code == 204
    answer = client.post(draft, mine)
    assert answer.status_code == 409
    assert answer.json() == {
        "values": {"business_name": "Oak"},
        "words": {
            "business_name": "Business name: the other device has “Oak”. Here is what you typed."
        },
    }
    invitation.refresh_from_db()
    # All but that field is saved.
    assert invitation.typed == {"business_name": "Oak", "website": "acorn.example"}
    seen = {"shown": json.dumps({"business_name": "Oak"}), "business_name": "Acorn"}
    assert client.post(draft, seen).status_code == 204
    invitation.refresh_from_db()
    assert invitation.typed["business_name"] == "Acorn"


@pytest.mark.parametrize("act", ["draft", "end"])
def test_without_a_script_the_page_shows_what_it_replaces(
    client, link, invitation, act
):
    opened = {"shown": shown_on(page(client, link)), "parties.rows": "3"}
    client.post(f"{link}draft/?part=text", {"business_name": "Oak"})
    answer = client.post(f"{link}{act}/", {**opened, "business_name": "Acorn"})
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "the other device has “Oak”" in text
    assert 'value="Acorn"' in text
    # Now it was read.
    again = {**opened, "shown": shown_on(text), "business_name": "Acorn"}
    assert client.post(f"{link}{act}/", again).status_code in {200, 303}


def test_one_device_that_saves_while_it_types_is_not_asked_twice(client, link):
    opened = {"shown": shown_on(page(client, link)), "parties.rows": "3"}
    draft = f"{link}draft/?part=text"
    for name in ("Aco", "Acorn "):
        client.post(draft, {"business_name": name, "parties.rows": "3"})
    answer = client.post(link, {**opened, "business_name": "Acorn "})
    assert answer.status_code == 303


def test_what_is_typed_is_kept_as_it_comes_and_encrypted(client, link, invitation):
    typed = {"business_name": "Acorn", "agent": "1", "csrfmiddlewaretoken": "x"}
    assert client.post(f"{link}draft/?part=text", typed).status_code == 204
    invitation.refresh_from_db()
    assert invitation.typed == {"business_name": "Acorn"}
    assert 'value="Acorn"' in page(client, link)
    stored = Invitation.objects.values_list("typed", flat=True).get()
    assert stored.key_id == data_keys.INSTALLATION
    assert b"Acorn" not in stored.token


def test_a_link_ends_and_what_was_begun_goes(client, link, invitation, work_off):
    client.post(f"{link}draft/?part={INCORPORATION}", {INCORPORATION: paper()})
    client.post(f"{link}draft/?part=text", {"business_name": "Acorn"})
    Invitation.objects.update(expires_at=now(), due_at=now())
    assert client.get(link).status_code == 410
    work_off()
    invitation.refresh_from_db()
    assert (invitation.status, invitation.typed) == ("expired", {})
    assert not DraftFile.objects.exists()
    assert client.post(link, {"business_name": "Acorn"}).status_code == 410
    assert not Case.objects.exists()


def test_an_analyst_withdraws_a_link(client, link, invitation, ana):
    client.force_login(ana)
    address = f"/invitations/{invitation.pk}/withdraw/"
    assert client.post(address).status_code == 303
    assert client.get(link).status_code == 410
    assert client.post(f"{link}draft/", {"business_name": "A"}).status_code == 410
    assert CaseEvent.objects.filter(what="invitation_withdrawn").count() == 1
    client.post(address)
    assert CaseEvent.objects.filter(what="invitation_withdrawn").count() == 1


def test_a_changed_address_of_a_mail_is_erased_with_its_link(invitation, ana):
    mail_of_link = invitation.mails.create(kind="request", address="amy@example.org")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE reviews_requestmail SET address = %s", [b"eve@b.org"])
    assert invitations.withdraw(invitation, actor=ana)
    mail_of_link = RequestMail.objects.get(pk=mail_of_link.pk)
    assert mail_of_link.is_erased


def test_a_link_of_somebody_who_has_left_still_opens_a_case(client, link, ana):
    ana.is_active = False
    ana.save()
    assert client.post(link, {"business_name": "Acorn"}).status_code == 303
    case = Case.objects.get()
    # It is the company that has invited the applicant.
    assert case.submitted_by is None
    assert case.events.get(what="submitted").actor == "agent"


def test_a_quota_that_is_used_up_loses_nothing(client, link, settings):
    settings.QUOTAS = {**settings.QUOTAS, ("user", "files"): 1}
    data = {"business_name": "Acorn", INCORPORATION: [paper("a.pdf"), paper("b.pdf")]}
    answer = client.post(link, data)
    assert answer.status_code == 429
    text = answer.content.decode()
    assert "cannot be taken today" in text
    assert "a.pdf" in text
    assert not Case.objects.exists()


def test_a_reference_that_was_used_meanwhile_stops_no_applicant(client, agents, ana):
    invitation = invitations.create(agents["kyb"], actor=ana, reference="A-7")
    factories.make_case(agents["kyb"].connection, reference="A-7")
    link = open_link(client, links.address(invitation))
    assert client.post(link, {"business_name": "Acorn"}).status_code == 303
    invitation.refresh_from_db()
    assert invitation.case is not None
    assert invitation.case.reference.startswith("C-")


def test_links_that_were_made_up_lead_nowhere(client, link, invitation):
    key = key_of(links.address(invitation))
    signature, _, number = key.partition(".")
    of_another = f"{signature}.{int(number) + 1}"
    for wrong in ("1", "x.1", of_another):
        assert client.post("/apply/open/", {"link": wrong}).status_code == 422
        assert client.post("/requests/open/", {"link": wrong}).status_code == 422
    # The link of an invitation is none of a request, and its cookie neither.
    assert client.post("/requests/open/", {"link": key}).status_code == 422
    assert client.get(f"/requests/{number}/").status_code == 403
    assert client.get(f"/apply/{int(number) + 1}/").status_code == 403


@pytest.mark.parametrize("role", ["auditor", "administrator", "rule owner"])
def test_who_may_not_submit_invites_nobody(client, agents, role):
    client.force_login(someone(role))
    assert client.get("/invitations/").status_code == 403
    assert client.post("/invitations/", {"agent": agents["kyb"].pk}).status_code == 403


def test_an_applicant_who_does_not_begin_is_reminded(agents, ana, work_off):
    Organisation.objects.create(name="Fjord Bank", remind_days=2, remind_most=1, due_at=None)  # fmt: skip
    invitations.create(agents["kyb"], actor=ana, email="amy@example.org")
    for _ in range(3):
        work_off()
        RequestMail.objects.filter(status="waiting").update(due_at=now())
    subjects = [message.subject for message in mail.outbox]
    assert subjects == [
        "Fjord Bank asks you to fill in a form",
        "Reminder: Fjord Bank waits for your form",
    ]
    assert "still waits for a form" in mail.outbox[1].body


def test_an_invitation_over_rest(agents, ana, client):
    caller = Caller(ana)
    answer = caller.post(
        "/invitations", {"agent": agents["kyb"].pk, "reference": "app-17", "days": 7}
    )
    assert answer.status_code == 201
    row = answer.json()
    assert (row["status"], row["reference"], row["case_id"]) == ("open", "app-17", None)
    assert client.get(open_link(client, row["link"])).status_code == 200
    [listed] = caller.get("/invitations").json()["items"]
    assert listed == row
    again = caller.post(
        "/invitations", {"agent": agents["kyb"].pk, "reference": "app-17"}
    )
    assert (again.status_code, again.json()["code"]) == (409, "reference_taken")
    wrong = caller.post(
        "/invitations", {"agent": agents["kyb"].pk, "email": "no address"}
    )
    assert wrong.status_code == 422
    ended = caller.post(f"/invitations/{row['id']}/withdraw", {})
    assert (ended.json()["status"], ended.json()["link"]) == ("withdrawn", None)
    assert caller.post(f"/invitations/{row['id']}/withdraw", {}).status_code == 409


def open_parts(text: str) -> list[str]:
    """The keys of the parts of the form that are not folded."""
    return re.findall(r'<details class="part" id="([\w-]+)" open>', text)


def test_a_form_is_folded_into_parts_that_say_how_far_they_are(client, link):
    text = page(client, link)
    parts = re.findall(r'<details class="part" id="([\w-]+)"', text)
    assert parts[:4] == ["business", "incorporation", "operation", "relations"]
    assert open_parts(text) == ["business"]
    # Of a draft the heads of the parts say what is there.
    client.post(f"{link}draft/", {"business_name": "Lamps Ltd", "parties.0.name": "Bo"})
    filled = dict(
        re.findall(
            r'id="([\w-]+)"[^>]*>\s*<summary>.*?data-filled>(\d+)<',
            page(client, link),
            re.DOTALL,
        )
    )
    assert (filled["business"], filled["parties-0"], filled["operation"]) == (
        "1",
        "1",
        "0",
    )


def test_a_part_with_a_fault_and_rows_that_were_added_are_open(client, link):
    faulty = {"business_name": "Lamps Ltd", "contact_email_address": "bo"}
    answer = client.post(link, faulty)
    assert open_parts(answer.content.decode()) == ["business", "relations"]
    client.post(f"{link}draft/", {"add_parties": "1"})
    assert open_parts(page(client, link)) == [
        "business",
        "parties-3",
        "parties-4",
        "parties-5",
    ]


def test_who_invited_learns_that_the_link_expired_and_invites_again(
    client, agents, ana, work_off
):
    client.force_login(ana)
    row = invitations.create(agents["kyb"], actor=ana, reference="A-7")
    assert "Invite again" not in page(client, "/inbox/")
    Invitation.objects.update(expires_at=now(), due_at=now())
    # Before the task and after it.
    for _ in range(2):
        inbox = page(client, "/inbox/")
        assert "the applicant has sent nothing" in inbox
        again = f"/invitations/?again={row.pk}"
        assert again in inbox
        assert again in page(client, "/invitations/")
        work_off()
    row.refresh_from_db()
    assert row.status == "expired"
    form = page(client, again)
    assert 'value="A-7"' in form
    assert "enter them again" in form
    values = {"agent": agents["kyb"].pk, "reference": "A-7", "days": "3"}
    assert client.post(again, values).status_code == 303
    assert Invitation.objects.filter(reference="A-7", status="open").count() == 1
    assert "Invite again" not in page(client, "/inbox/")
    # Nobody else is told.
    client.force_login(someone("senior", "sven"))
    invitations.create(agents["kyb"], actor=ana)
    Invitation.objects.update(expires_at=now(), due_at=now())
    assert "Invite again" not in page(client, "/inbox/")
