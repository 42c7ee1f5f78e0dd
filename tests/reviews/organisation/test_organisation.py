"""Applicants see the organisation's name, contact, logo and colours, and nothing that cannot be read."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from reviews.intake import information_requests
from reviews.models import CaseEvent, Organisation
from reviews.organisation import colours, organisation
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import decide, open_case, someone
from tests.stale_forms import opened_state

pytestmark = pytest.mark.django_db
GOOD = {"name": "Fjord Bank", "contact": "+45 11 22", "colour": "#0F5132"}


def picture(form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (320, 80), "#0f5132").save(file, form)
    return file.getvalue()


@pytest.fixture
def admin(client):
    client.force_login(someone("administrator"))
    return client


def test_a_name_a_contact_and_colours_reach_the_page_of_a_request(admin, client):
    assert admin.post("/organisation/", GOOD).status_code == 303
    case = open_case()
    decide(case, someone("analyst"), "request")
    client.logout()
    link = open_link(client, information_requests.address(case.requests.get()))
    page = client.get(link).content.decode()
    assert "Fjord Bank needs something from you" in page
    assert "+45 11 22" in page
    assert "/organisation/colours.css" in page
    css = client.get("/organisation/colours.css")
    assert css["Content-Type"].startswith("text/css")
    assert "light-dark(#0f5132, #" in css.content.decode()
    line = CaseEvent.objects.get(what="organisation_changed")
    assert str(line.user) == "administrator"


def test_the_contrast_has_the_decimal_comma_of_the_reader(admin):
    german = {"accept-language": "de"}
    answer = admin.post("/organisation/", GOOD | {"colour": "#ffff00"}, headers=german)
    assert " 1,0 " in answer.content.decode()
    assert " 4,5 " in answer.content.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"colour": "#ffff00"}, "Choose a darker one"),
        ({"colour_dark": "#101010"}, "Choose a lighter one"),
        ({"colour": "red"}, "six digits"),
        ({"colour": "#12345;"}, "six digits"),
        ({"name": ""}, "required"),
    ],
)
def test_what_cannot_be_read_is_refused_with_words(admin, wrong, words):
    answer = admin.post("/organisation/", {**GOOD, **wrong})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Organisation.objects.exists()


def test_a_name_cannot_add_a_header_to_mails(admin):
    admin.post("/organisation/", {**GOOD, "name": "Fjord\r\nBcc: x@example.org"})
    assert Organisation.objects.get().name == "Fjord Bcc: x@example.org"


def test_a_logo_is_drawn_again_before_anybody_sees_it(admin, work_off):
    content = picture()
    logo = SimpleUploadedFile("logo.png", content)
    assert admin.post("/organisation/", {**GOOD, "logo": logo}).status_code == 303
    assert admin.get("/organisation/logo.webp").status_code == 404
    work_off()
    answer = admin.get("/organisation/logo.webp")
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.format == "WEBP"
        assert image.width == Organisation.objects.get().logo_width
    assert bytes(Organisation.objects.get().upload) == b""
    admin.post("/organisation/", {**GOOD, "remove_logo": "on"})
    assert admin.get("/organisation/logo.webp").status_code == 404


@pytest.mark.parametrize(
    "content", [b"<svg onload=alert(1)>", b"%PDF-1.7\n", b"GIF89a", b"x" * 100]
)
def test_no_other_type_is_a_logo(admin, content):
    logo = SimpleUploadedFile("logo.png", content)
    assert admin.post("/organisation/", {**GOOD, "logo": logo}).status_code == 422


def test_a_broken_logo_is_told_and_the_earlier_one_stays(admin, work_off):
    for content in (picture(), picture()[:60]):
        logo = SimpleUploadedFile("logo.png", content)
        admin.post("/organisation/", {**GOOD, "logo": logo})
        work_off()
    assert "could not be drawn" in admin.get("/organisation/").content.decode()
    assert admin.get("/organisation/logo.webp").status_code == 200


@pytest.mark.parametrize("role", ["analyst", "senior", "auditor", "rule owner"])
def test_only_administrators_change_it(client, role):
    client.force_login(someone(role))
    assert client.post("/organisation/", GOOD).status_code == 403


@pytest.mark.parametrize("colour", ["#000000", "#0f5132", "#7a0019", "#1d4ed8"])
def test_the_shade_for_the_dark_theme_can_be_read(colour):
    shade = colours.for_dark_theme(colour)
    assert colours.contrast(shade, colours.DARK_PAPER) >= colours.LEAST


def test_contrast_is_that_of_wcag():
    assert colours.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colours.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_without_an_organisation_pages_have_a_name(client):
    assert organisation.stylesheet(organisation.current()) == ""
    assert str(organisation.UNNAMED) in client.get("/requests/1:x/").content.decode()


def test_how_often_applicants_are_reminded_is_set_on_the_page(admin):
    admin.post("/organisation/", {**GOOD, "remind_days": 3, "remind_most": 4})
    row = Organisation.objects.get()
    assert (row.remind_days, row.remind_most) == (3, 4)
    page = admin.get("/organisation/").content.decode()
    assert "Remind applicants after days" in page
    answer = admin.post("/organisation/", {**GOOD, "remind_days": 61})
    assert answer.status_code == 422
    line = CaseEvent.objects.filter(what="organisation_changed").latest("id")
    assert line.details["reminders"] == [3, 4]


def test_a_page_of_an_older_tab_replaces_nothing_unseen(admin):
    admin.post("/organisation/", GOOD)
    opened = opened_state(admin.get("/organisation/"))
    # Another tab, or another person.
    newer = {**GOOD, "contact": "+45 99 88"}
    assert admin.post("/organisation/", newer).status_code == 303
    older = {**GOOD, "name": "Fjord Bank A/S", "opened_state": opened}
    answer = admin.post("/organisation/", older)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "somebody else has changed this" in page
    assert "For questions: +45 99 88" in page
    assert Organisation.objects.get().contact == "+45 99 88"
    again = {**older, "opened_state": opened_state(answer)}
    assert admin.post("/organisation/", again).status_code == 303
    assert Organisation.objects.get().name == "Fjord Bank A/S"
