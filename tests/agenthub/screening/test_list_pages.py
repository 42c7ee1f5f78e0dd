"""The pages that say how the lists stand, and the refresh that they switch on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from django.utils.timezone import now

from agenthub import tasks
from agenthub.models.lists import (
    ListRefresh,
    ListReindex,
    ListSource,
    ListVersion,
)
from agenthub.screening import catalogue, loading, sample_lists
from agenthub.screening.formats import ListError
from tests import factories, fakeservice
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import words

pytestmark = pytest.mark.django_db
WHOLE = sample_lists.ofac_sdn_xml()
LIST = "/hub/lists/ofac_sdn/"


@pytest.fixture
def boss(client):
    client.force_login(factories.make_user("ada", role="hub administrator"))
    return client


@pytest.fixture
def load(tmp_path):
    def load(content: bytes = WHOLE):
        (tmp_path / "SDN.XML").write_bytes(content)
        return loading.load(catalogue.source("ofac_sdn"), tmp_path / "SDN.XML")

    return load


@pytest.fixture
def publisher(settings):
    with fakeservice.running() as service:
        host, _, port = (
            service.url.removeprefix("http://").partition("/")[0].partition(":")
        )
        settings.OUTBOUND_ALLOW = django_settings.OUTBOUND_ALLOW | {(host, int(port))}
        yield service


def test_only_administrators_see_them(client, load):
    load()
    client.force_login(factories.make_user("sven", role="senior"))
    pages = [reverse("hub-lists"), LIST]
    assert {client.get(page).status_code for page in pages} == {403}
    assert client.post(LIST, {"url": "https://x.example/"}).status_code == 403


def test_without_lists_it_says_how_to_load_one(boss):
    assert "nobody can be screened" in words(boss, "/hub/lists/")


def test_the_first_list_is_added_on_the_page(boss):
    """The set-up page offers them once. Afterwards nobody had to go to a terminal for them."""
    offer = '<option value="un">'
    assert offer in boss.get("/hub/lists/").content.decode()
    refused = boss.post("/hub/lists/", {"slug": "nobody_knows"})
    assert refused.status_code == 422
    assert not ListSource.objects.exists()
    answer = boss.post("/hub/lists/", {"slug": "un"})
    assert answer["Location"] == "/hub/lists/un/"
    refresh = ListRefresh.objects.get()
    assert (refresh.source.slug, refresh.status) == ("un", "on")
    assert refresh.due_at is not None
    assert offer not in boss.get("/hub/lists/").content.decode()
    assert boss.post("/hub/lists/", {"slug": "un"}).status_code == 422


def test_it_says_version_counts_hash_and_state(boss, load):
    version = load()
    version.refresh_from_db()
    text = words(boss, "/hub/lists/")
    assert f"Active sanction {version.published_at}" in text
    assert version.sha256[:12] in text
    assert f"{version.entity_count} {version.name_count}" in text
    ListVersion.objects.update(loaded_at=now() - timedelta(days=30))
    assert "Stale" in words(boss, "/hub/lists/")


def test_a_list_of_an_earlier_engine_says_how_far_its_new_index_is(boss, load):
    version = load()
    ListVersion.objects.update(engine_version="1")
    for page in ("/hub/lists/", LIST):
        assert "Indexed by engine 1" in words(boss, page)
        assert "waits to be indexed again" in words(boss, page)
    ListReindex.objects.update(version=version, reached=7)
    assert "7 of 13 entries read" in words(boss, LIST)
    ListReindex.objects.update(version=None)
    tasks.reindex_lists()
    assert "the index was of engine 1" in words(boss, LIST)


def test_a_refused_load_is_told_with_why_and_the_active_version_stays(boss, load):
    load()
    with pytest.raises(ListError):
        load(WHOLE[:-200])
    text = words(boss, "/hub/lists/")
    assert "Active" in text
    assert "Refused: " in text
    page = words(boss, LIST)
    assert ListVersion.objects.filter(status="rejected").get().note in page
    assert "1 case raised" not in page


def test_it_is_off_until_switched_on_and_then_fetched(boss, publisher, work_off):
    catalogue.source("ofac_sdn")
    assert "State Off" in words(boss, LIST)
    work_off()
    assert not publisher.asked
    publisher.plan = [
        Step(status=302, headers={"Location": "/files/SDN.XML"}),
        Step(body=WHOLE),
    ]
    url = f"{publisher.url}/SDN.XML?token=kept-away"
    assert boss.post(LIST, {"url": url, "on": "on"}).status_code == 303
    work_off()
    assert publisher.paths() == ["GET SDN.XML", "GET /files/SDN.XML"]
    assert ListVersion.objects.get().status == "active"
    page = boss.get(LIST).content.decode()
    assert "127.0.0.1" in page
    assert "kept-away" not in page
    row = ListRefresh.objects.get()
    assert row.due_at is not None
    assert row.due_at > now() + timedelta(hours=23)


def test_a_redirect_to_what_is_no_url_is_told(boss, publisher, load, work_off):
    load()
    publisher.plan = [Step(status=302, headers={"Location": "http://[bad"})]
    boss.post(LIST, {"url": f"{publisher.url}/SDN.XML", "on": "on"})
    work_off()
    assert "the server answered 302" in ListRefresh.objects.get().error


def test_what_cannot_be_fetched_is_told_and_tried_again(
    boss, publisher, load, work_off
):
    load()
    publisher.plan = [Step(status=503), Step(body=WHOLE[:500])]
    boss.post(LIST, {"url": f"{publisher.url}/SDN.XML", "on": "on"})
    work_off()
    assert "the server answered 503" in words(boss, LIST)
    assert boss.post(LIST + "fetch/").status_code == 303
    work_off()
    assert ListRefresh.objects.get().error
    assert ListVersion.objects.filter(status="active").count() == 1
    boss.post(LIST, {"url": ""})
    assert ListRefresh.objects.get().due_at is None
    assert "is off" in boss.post(LIST + "fetch/", follow=True).content.decode()
    assert ListSource.objects.get().url.endswith("/SDN.XML")


def test_a_redirect_to_no_url_is_told(boss, publisher, load, work_off):
    load()
    publisher.plan = [Step(status=302, headers={"Location": "http://[broken"})]
    boss.post(LIST, {"url": f"{publisher.url}/SDN.XML", "on": "on"})
    work_off()
    assert "the server answered 302" in words(boss, LIST)


def test_it_cannot_be_switched_on_without_an_address(boss):
    source = catalogue.source("own", format="generic_csv")
    text = boss.post(f"/hub/lists/{source.slug}/", {"on": "on"}).content.decode()
    assert "Say where the list is fetched from." in text
    assert not ListRefresh.objects.filter(status="on").exists()


def test_a_private_address_is_not_fetched(boss, work_off, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    catalogue.source("ofac_sdn")
    boss.post(LIST, {"url": "http://169.254.169.254/latest", "on": "on"})
    work_off()
    assert "could not be fetched" in ListRefresh.objects.get().error
