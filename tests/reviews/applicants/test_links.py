"""The key of an applicant's link is in no address: it comes in a body, and a cookie stands for it."""

from __future__ import annotations

import json
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import Signer
from django.test import Client

from reviews.applicants import invitations
from reviews.applicants.link_cookies import IDLE_SECONDS
from reviews.intake import information_requests, links
from reviews.models import CaseEvent
from tests import factories
from tests.compliance.storage.files import PDF
from tests.reviews.applicant_links import key_of, open_link
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db
EIN = "ein_documents"


@pytest.fixture
def information_request():
    """An open request."""
    case = open_case()
    decide(case, someone("analyst"), "request", kinds=[EIN])
    return case.requests.get()


@pytest.fixture
def invitation():
    agent = factories.make_agent(factories.make_connection(slug="other"))
    return invitations.create(agent, actor=someone("analyst", "ana"))


def paper() -> SimpleUploadedFile:
    return SimpleUploadedFile("ein.pdf", PDF)


def of_earlier_version(row) -> str:
    """The path of a link as it was sent before keys stood behind the "#"."""
    if row._meta.model_name == "invitation":
        return f"/apply/{Signer(salt='reviews.invitation').sign(str(row.pk))}/"
    return f"/requests/{Signer(salt='reviews.request').sign(str(row.pk))}/"


def test_the_key_stands_where_no_server_sees_it(information_request, invitation):
    for row, path in (
        (information_request, "/requests/open/"),
        (invitation, "/apply/open/"),
    ):
        parts = urlsplit(links.address(row))
        assert (parts.path, parts.query) == (path, "")
        assert len(parts.fragment) > 40


def test_no_address_from_the_link_to_the_answer_has_the_key(
    client, information_request
):
    link = information_requests.address(information_request)
    key = key_of(link)
    path = open_link(client, link)
    text = client.get(path).content.decode()
    answer = client.post(f"{path}draft/", {"text": "Later."})
    answered = client.post(path, {"text": "Here."})
    assert [answer["Location"], answered["Location"]] == [path, path]
    assert path == f"/requests/{information_request.pk}/"
    thanks = client.get(path).content.decode()
    signature = key.partition(".")[0]
    for words in (text, thanks, client.cookies.output()):
        assert signature not in words


@pytest.mark.parametrize("form", ["{}", "  {}\n", "<{}>", "See {} please."])
def test_the_whole_link_can_be_pasted(client, information_request, form):
    link = information_requests.address(information_request)
    for text in (link, key_of(link), of_earlier_version(information_request)):
        answer = client.post("/requests/open/", {"link": form.format(text)})
        assert (answer.status_code, answer["Location"]) == (
            303,
            f"/requests/{information_request.pk}/",
        )


@pytest.mark.parametrize("text", ["", "x", "x.1", "1:x", "\0", "é" * 999, "9" * 5000])
def test_what_is_no_link_is_said_in_words(client, information_request, text):
    answer = client.post("/requests/open/", {"link": text})
    assert answer.status_code == 422
    assert "This link is not complete" in answer.content.decode()
    assert not client.cookies.keys() & {f"request-{information_request.pk}"}


def test_a_changed_key_opens_nothing(client, information_request):
    signature, _, number = key_of(
        information_requests.address(information_request)
    ).partition(".")
    flipped = ("A" if signature[0] != "A" else "B") + signature[1:]
    for key in (
        f"{flipped}.{number}",
        f"{signature}.{number}0",
        f"{signature[:-1]}.{number}",
    ):
        assert client.post("/requests/open/", {"link": key}).status_code == 422


def test_the_page_of_a_link_gives_no_cookie_before_the_key_is_sent(
    client, information_request
):
    for path in ("/requests/open/", of_earlier_version(information_request)):
        answer = client.get(path)
        assert answer.status_code == 200
        assert f"request-{information_request.pk}" not in client.cookies
        assert answer["Cache-Control"].count("no-store") == 1


def test_the_cookie_is_for_this_host_and_no_script(
    client, information_request, settings
):
    open_link(client, information_requests.address(information_request))
    settings.SESSION_COOKIE_SECURE = True
    open_link(client, information_requests.address(information_request))
    plain = client.cookies[f"request-{information_request.pk}"]
    secure = client.cookies[f"__Host-request-{information_request.pk}"]
    assert (plain["secure"], bool(secure["secure"])) == ("", True)
    for cookie in (plain, secure):
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        # With the browser it goes, too.
        assert (cookie["path"], cookie["domain"], cookie["max-age"]) == ("/", "", "")


def test_a_cookie_opens_one_request(client, information_request):
    path = open_link(client, information_requests.address(information_request))
    other = information_requests.create(
        information_request.case,
        actor=information_request.made_by,
        message="x",
        kinds=[EIN],
    )
    value = client.cookies[f"request-{information_request.pk}"].value
    stranger = Client()
    for name in (f"request-{other.pk}", f"apply-{information_request.pk}"):
        stranger.cookies[name] = value
    assert stranger.get(f"/requests/{other.pk}/").status_code == 403
    assert stranger.get(f"/apply/{information_request.pk}/").status_code == 403
    assert client.get(path).status_code == 200


def test_two_requests_are_open_side_by_side(client, information_request, invitation):
    first = open_link(client, information_requests.address(information_request))
    second = open_link(client, links.address(invitation))
    third = open_link(
        client,
        information_requests.address(
            information_requests.create(
                information_request.case,
                actor=information_request.made_by,
                message="Another.",
                kinds=[EIN],
            )
        ),
    )
    assert len({first, second, third}) == 3
    for path in (first, second, third):
        assert client.get(path).status_code == 200
    client.post(f"{first}draft/?part=text", {"text": "Of the first."})
    assert "Of the first." not in client.get(third).content.decode()
    assert "Of the first." in client.get(first).content.decode()


def test_an_answer_on_two_devices_loses_no_text_unseen(client, information_request):
    path = open_link(client, information_requests.address(information_request))
    known = {"shown": json.dumps({"text": ""})}
    first = {**known, "text": "Of the phone."}
    second = {**known, "text": "Of the laptop."}
    assert client.post(f"{path}draft/?part=text", first).status_code == 204
    answer = client.post(f"{path}draft/?part=text", second)
    assert answer.status_code == 409
    assert answer.json()["values"] == {"text": "Of the phone."}
    information_request.refresh_from_db()
    assert information_request.draft == "Of the phone."
    # Without a script the page shows both, and closing keeps it open.
    closed = client.post(f"{path}end/", second)
    assert closed.status_code == 409
    page = closed.content.decode()
    assert "the other device has “Of the phone.”" in page
    assert "Of the laptop.</textarea>" in page


@pytest.mark.parametrize("act", ["get", "draft"])
def test_a_cookie_ends_after_two_hours_without_an_act(client, information_request, act):
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        information_request.expires_at = information_request.expires_at + timedelta(
            days=3650
        )
        information_request.save()
        path = open_link(client, information_requests.address(information_request))
        for _ in range(3):
            clock.shift(IDLE_SECONDS - 1)
            if act == "get":
                assert client.get(path).status_code == 200
            else:
                typed = {"text": "More."}
                assert client.post(f"{path}draft/?part=text", typed).status_code == 204
        clock.shift(IDLE_SECONDS + 1)
        answer = client.get(path)
        assert answer.status_code == 403
        assert "Open the link of the e-mail again." in answer.content.decode()
        late = client.post(path, {"text": "Late."})
    assert late.status_code == 403
    information_request.refresh_from_db()
    assert information_request.status == "open"


def test_a_browser_without_the_link_does_not_learn_which_requests_there_are(
    information_request,
):
    def words(pk: int) -> str:
        answer = Client().get(f"/requests/{pk}/")
        assert answer.status_code == 403
        return answer.content.decode().split("<main")[1].split("csrfmiddlewaretoken")[0]

    assert words(information_request.pk) == words(information_request.pk + 1000)


def test_another_site_cannot_open_a_link_in_a_browser(information_request):
    """Its own, to have somebody send documents into the wrong case."""
    browser = Client(enforce_csrf_checks=True)
    key = key_of(information_requests.address(information_request))
    assert browser.post("/requests/open/", {"link": key}).status_code == 403
    page = browser.get("/requests/open/")
    token = browser.cookies["csrftoken"].value
    assert page.status_code == 200
    data = {"link": key, "csrfmiddlewaretoken": token}
    assert browser.post("/requests/open/", data).status_code == 303


@pytest.mark.parametrize("which", ["information_request", "invitation"])
def test_a_link_of_an_earlier_version_still_works(client, request, which):
    row = request.getfixturevalue(which)
    old = of_earlier_version(row)
    page = client.get(old)
    assert page.status_code == 200
    token = old.split("/")[2]
    assert f'value="{token}"' in page.content.decode()
    open_at = f"/{old.split('/')[1]}/open/"
    answer = client.post(open_at, {"link": token})
    assert answer.status_code == 303
    assert client.get(answer["Location"]).status_code == 200


def test_what_a_page_of_an_earlier_version_sends_arrives(client, information_request):
    old = of_earlier_version(information_request)
    saved = client.post(f"{old}draft/?part=text", {"text": "Kept."}, follow=True)
    assert saved.redirect_chain == [
        (f"/requests/{information_request.pk}/draft/?part=text", 307)
    ]
    assert saved.status_code == 204
    answer = client.post(old, {EIN: paper(), "text": "Here."})
    assert (answer.status_code, answer["Location"]) == (
        307,
        f"/requests/{information_request.pk}/",
    )
    # A browser sends the same again, as the status demands.
    again = client.post(
        answer["Location"], {EIN: paper(), "text": "Here."}, follow=True
    )
    assert "has arrived" in again.content.decode()
    information_request.refresh_from_db()
    assert (information_request.status, information_request.answer) == (
        "answered",
        "Here.",
    )
    assert information_request.documents.get().file_name == "ein.pdf"


def test_a_link_of_an_earlier_version_that_was_made_up_leads_nowhere(
    client, information_request
):
    number, _, signature = (
        of_earlier_version(information_request).split("/")[2].partition(":")
    )
    new_key = key_of(information_requests.address(information_request))
    for token in (
        "1:x",
        "x",
        f"{number}:{signature[:-1]}",
        f"{int(number) + 1}:{signature}",
    ):
        assert client.get(f"/requests/{token}/").status_code == 404
        assert client.post(f"/requests/{token}/", {"text": "a"}).status_code == 403
    # A key of this version opens nothing where it stands in a path.
    assert client.get(f"/requests/{new_key}/").status_code == 404
    assert client.post(f"/requests/{new_key}/", {"text": "a"}).status_code == 403


def test_each_use_is_in_the_trail_though_the_link_is_only_looked_at(
    client, information_request
):
    client.get("/requests/open/")
    client.get(of_earlier_version(information_request))
    lines = CaseEvent.objects.filter(what="request_link_used")
    assert not lines.exists()
    path = open_link(client, information_requests.address(information_request))
    client.get(path)
    client.get(path)
    assert lines.get().actor == CaseEvent.Actor.APPLICANT


@pytest.mark.parametrize("is_secure", [False, True])
@pytest.mark.parametrize("which", ["information_request", "invitation"])
def test_who_leaves_closes_the_page_and_what_was_typed_stays(
    request, client, settings, which, is_secure
):
    settings.SESSION_COOKIE_SECURE = is_secure
    row = request.getfixturevalue(which)
    path = open_link(client, links.address(row))
    page = client.get(path).content.decode()
    assert f'formaction="{path}end/"' in page
    name = path.strip("/").replace("/", "-").replace("requests", "request")
    if is_secure:
        name = f"__Host-{name}"
    typed = {"text": "Half a word", "business_name": "Half a name"}
    left = client.post(f"{path}end/", typed)
    assert left.status_code == 200
    assert "closed in this browser" in left.content.decode()
    assert left["Clear-Site-Data"] == '"cache", "storage"'
    cookie = left.cookies[name]
    assert (cookie.value, cookie["max-age"], cookie["path"]) == ("", 0, "/")
    # Browsers refuse to remove such a cookie by one that is weaker.
    assert bool(cookie["secure"]) == is_secure
    assert client.get(path).status_code == 403
    assert client.post(f"{path}draft/", {"text": "x"}).status_code == 403
    open_link(client, links.address(row))
    assert "Half a" in client.get(path).content.decode()


def test_who_leaves_leaves_one_request_and_no_other(
    client, information_request, invitation
):
    path = open_link(client, links.address(information_request))
    other = open_link(client, links.address(invitation))
    client.force_login(someone("analyst", "eva"))
    client.post(f"{path}end/")
    assert client.get(path).status_code == 403
    assert client.get(other).status_code == 200
    assert client.get("/").status_code == 200


def test_nobody_keeps_anything_by_leaving_without_the_link(client, information_request):
    left = client.post(f"/requests/{information_request.pk}/end/", {"text": "Stranger"})
    assert left.status_code == 200
    information_request.refresh_from_db()
    assert information_request.draft == ""
    assert client.get(f"/requests/{information_request.pk}/end/").status_code == 405
