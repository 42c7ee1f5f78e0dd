from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from django.test import RequestFactory
from django.test.utils import override_script_prefix
from django.views import defaults

from tests import factories
from tests.reviews.rows import open_case


def test_login_explains_what_is_wrong(client, analyst):
    wrong = client.post("/login/", {"login": "ana", "password": "no"}).content.decode()
    assert "do not belong together" in wrong
    assert 'value="ana"' in wrong
    assert (
        "Enter your user name and your password."
        in client.post("/login/", {}).content.decode()
    )


def test_login_leads_to_where_one_wanted_to_go(client, analyst):
    form = client.get("/login/", {"next": "/?view=all"}).content.decode()
    assert 'name="next" value="/?view=all"' in form
    data = {"login": "ana", "password": "correct horse"}
    response = client.post("/login/", {**data, "next": "/?view=all"})
    assert response["Location"] == "/?view=all"
    client.logout()
    assert (
        client.post("/login/", {**data, "next": "//evil.example/"})["Location"] == "/"
    )


def test_logging_out_needs_a_form(ana):
    assert ana.get("/logout/").status_code == 405
    assert ana.post("/logout/")["Location"] == "/login/"
    assert ana.get("/").status_code == 302


@pytest.mark.django_db
def test_the_address_of_a_form_has_a_page_for_who_opens_it(ana):
    page = ana.get("/logout/", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 405
    assert "This address has no page" in page.content.decode()
    # A program gets no page, and a form no other answer than before.
    assert ana.get("/logout/", headers={"Accept": "*/*"}).content == b""
    assert ana.put("/logout/", headers={"Accept": "text/html"}).content == b""


def test_the_shell_offers_only_what_its_user_may_do(ana, analyst):
    text = ana.get("/").content.decode()
    assert 'href="/admin/"' not in text
    analyst.is_staff = True
    analyst.save()
    assert 'href="/admin/"' in ana.get("/").content.decode()


def test_pages_have_one_heading_and_no_inline_code(ana):
    for address in ("/", "/cases/new/", "/cases/new/?kind=kyc"):
        text = ana.get(address).content.decode()
        assert text.count("<h1") == 1
        assert " style=" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"\son\w+=", text)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (lambda request: defaults.bad_request(request, SuspiciousOperation()), "cannot be answered"),
        (lambda request: defaults.permission_denied(request, Exception()), "You may not do this"),
        (lambda request: defaults.page_not_found(request, Http404()), "There is nothing here"),
        (defaults.server_error, "Something went wrong"),
    ],
)  # fmt: skip
def test_error_pages_say_what_to_do(view, message):
    text = view(RequestFactory().get("/")).content.decode()
    assert message in text
    assert 'href="/"' in text


def test_a_stale_form_says_so(db):
    from django.test import Client

    factories.make_user("ana")
    response = Client(enforce_csrf_checks=True).post("/login/", {"login": "ana"})
    assert response.status_code == 403
    assert "This page was open too long" in response.content.decode()


def test_each_link_of_the_rail_has_an_icon_of_its_own(client, db):
    # An administrator of everything, who owns the rules: this rail has most of the links.
    user = factories.make_user("ada", role="administrator")
    user.groups.set(Group.objects.all())
    user.is_staff = True
    user.save()
    client.force_login(user)
    rail = client.get("/").content.decode().split("<nav", 1)[1].split("</nav>", 1)[0]
    icons = re.findall(r"icons[^#\"]*#([a-z0-9-]+)", rail)
    assert "user-cog" in icons
    assert sorted(set(icons)) == sorted(icons)


def settings_menu(client):
    page = client.get("/").content.decode()
    if 'id="settings"' not in page:
        return []
    menu = page.split('id="settings"', 1)[1].split('id="me"', 1)[0]
    return re.findall(r'<a href="([^"]*)"', menu)


def test_the_menu_of_settings_has_what_a_person_may_open(client, db):
    client.force_login(factories.make_user("ana"))
    assert settings_menu(client) == ["/tokens/"]
    owner = factories.make_user("runa", role="rule owner")
    client.force_login(owner)
    assert "/risk/" in settings_menu(client)
    assert "/people/" not in settings_menu(client)
    administrator = factories.make_user("ada", role="administrator")
    client.force_login(administrator)
    links = settings_menu(client)
    assert "/people/" in links
    assert "/admin/" not in links
    for link in links:
        assert client.get(link).status_code == 200, link
    administrator.is_staff = True
    administrator.save()
    assert settings_menu(client) == [*links, "/admin/"]


def test_the_page_of_settings_that_is_open_is_marked(client, db):
    client.force_login(factories.make_user("ada", role="administrator"))
    page = client.get("/people/").content.decode()
    button = page.split('popovertarget="settings"', 1)[1].split(">", 1)[0]
    assert 'aria-current="true"' in button
    link = page.split('<a href="/people/" data-keys="g e"', 1)[1].split(">", 1)[0]
    assert 'aria-current="page"' in link


def test_a_queue_without_cases_has_no_number_in_the_rail(client, db):
    client.force_login(factories.make_user("ana"))
    page = client.get("/").content.decode()
    badge = page.split('id="queue-count"', 1)[1].split(">", 1)[0]
    assert " hidden" in badge
    open_case()
    page = client.get("/").content.decode()
    badge = page.split('id="queue-count"', 1)[1].split("</span>", 1)[0]
    assert badge == ' aria-hidden="true">1'


def test_constant_addresses_follow_the_place_where_the_installation_is_served(ana):
    """They are written once a place, and a second place must not have those of the first."""
    link = '<a href="{}parties/" data-keys="g p"'
    for place in ("/", "/desk/", "/"):
        with override_script_prefix(place):
            served = ana.get("/").content.decode()
        assert link.format(place) in served


def links_of(client, address: str) -> set[str]:
    """The addresses of our own that a page leads to, without those of its rows."""
    text = client.get(address).content.decode()
    menu = text.split("<main", 1)[0]
    return set(re.findall(r'href="(/[^"?]*)"', menu)) - {"/login/"}


@pytest.mark.django_db
def test_an_administrator_of_the_hub_starts_at_the_hub(client):
    user = factories.make_user("hana", role="hub administrator")
    user.set_password("correct horse")
    user.save()
    data = {"login": "hana", "password": "correct horse"}
    response = client.post("/login/", data, follow=True)
    assert response.status_code == 200
    assert response.redirect_chain[-1][0] == "/hub/"
    # No link of the menu leads to a page that is refused.
    links = links_of(client, "/hub/")
    assert "/queues/" in links
    pages = [link for link in links if not link.startswith("/static/")]
    refused = [link for link in pages if client.get(link).status_code == 403]
    assert refused == []
    assert "Find a case" not in response.content.decode()


@pytest.mark.django_db
def test_who_has_no_role_yet_can_log_out(client):
    user = factories.make_user("new")
    user.groups.clear()
    client.force_login(user)
    response = client.get("/")
    assert response.status_code == 403
    assert 'href="/account/email/"' in response.content.decode()
    account = client.get("/account/email/").content.decode()
    assert 'action="/logout/"' in account
    assert "/inbox/" not in links_of(client, "/account/email/")
