"""Whoever needs no names sees none: over REST, on pages, in files."""

from __future__ import annotations

import io

import pytest
from django.contrib import admin
from django.core.files.base import ContentFile
from django.test import Client, RequestFactory
from PIL import Image

from compliance.security.data_map import hiding
from reviews.access import masking
from reviews.api import description
from reviews.audit import verification
from reviews.documents import store
from reviews.models import Case, CheckResult, SavedView, Team
from reviews.people import notes
from tests.factories import make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_pages
from tests.reviews.risk.rows import add_screening, hit
from tests.reviews.rows import open_case, with_every_role

pytestmark = pytest.mark.django_db

NAME = "Zquorvax"


@pytest.fixture
def case(settings):
    settings.MASKED_ROLES = frozenset({"integrator"})
    case = open_case()
    case.subject = f"{NAME} Ltd"
    case.self_attested_data = {"business_name": case.subject, "country": NAME}
    case.alarm = f"{NAME} has changed"
    case.save()
    file = ContentFile(b"%PDF-1.7 whatever")
    store.add(case, kind="ein_documents", file=file, file_name=f"{NAME}.pdf")
    notes.add(case, actor=with_every_role("maker"), text=f"{NAME} called.")
    job = case.jobs.get()
    CheckResult.objects.create(
        job=job,
        source="check",
        check_id="kyb.x",
        body={"result": {"explanation": NAME}},
    )
    return case


def addresses(case) -> list[str]:
    """Every address of the interface that reads something of a case."""
    keys = {
        "cases": case.pk,
        "jobs": case.jobs.get().pk,
        "documents": case.documents.first().pk,
    }
    rows = []
    for one in description.endpoints():
        noun = one.path.split("/")[1]
        is_read = one.method == "get" and noun in keys
        if is_read and "agents" not in one.path:
            rows.append(one.path.replace("{pk}", str(keys[noun])))
    return rows


def test_no_answer_of_the_interface_has_a_name(case):
    masked = Caller(make_user("bot", role="integrator"))
    caller = Caller(make_user("sen", role="senior"))
    with_name = 0
    refused: list[str] = []
    for address in addresses(case):
        answer = masked.get(address)
        if answer.status_code == 403:
            refused.append(address.rpartition("/")[2])
            continue
        open_answer = caller.get(address)
        with_name += NAME in open_answer.content.decode(errors="replace")
        assert NAME not in answer.content.decode(), address
    assert with_name > 4
    assert {"content", "evidence", "report"} <= set(refused)
    body = masked.get(f"/cases/{case.pk}").json()
    assert body["subject"] == masking.MASK
    assert (body["reference"], body["status"]) == (case.reference, case.status)


def test_pages_are_shown_with_masks_and_files_are_refused(case, client):
    client.force_login(make_user("bot", role="integrator"))
    document = case.documents.first()
    for address in (
        "/",
        f"/cases/{case.pk}/",
        f"/cases/{case.pk}/?tab=activity",
        f"/cases/{case.pk}/peek/",
        f"/cases/{case.pk}/report/",
        "/queue/rows/",
        "/documents/",
        "/jobs/",
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert NAME not in answer.content.decode(), address
        assert case.reference in answer.content.decode(), address
    for address in (
        f"/documents/{document.pk}/original/",
        f"/documents/{document.pk}/copy/",
    ):
        assert client.get(address).status_code == 403, address
    assert client.get("/cases/new/").status_code == 200


def test_how_strong_a_hit_is_stays_true_behind_a_mask(case, client):
    job = case.jobs.get()
    CheckResult.objects.filter(job=job).delete()
    add_screening(job, hit("strong", NAME), verdict="fail")
    address = f"/cases/{case.pk}/?check=kyb.sanctions_screening_check_v2"
    senior = Client()
    senior.force_login(make_user("sen", role="senior"))
    assert "strong match" in senior.get(address).content.decode()
    client.force_login(make_user("bot", role="integrator"))
    page = client.get(address).content.decode()
    assert "strong match" in page
    assert "Your role sees no names" in page
    assert NAME not in page


def test_a_page_of_a_document_is_blank(case, client):
    document = case.documents.first()
    add_pages(document, 1, words=[[NAME, 0.1, 0.1, 0.4, 0.2]])
    page = document.pages.get()
    client.force_login(make_user("bot", role="integrator"))
    at = f"/documents/{page.document_id}/pages/{page.number}"
    answer = client.get(f"{at}.webp")
    assert answer.status_code == 200
    result = Image.open(io.BytesIO(answer.content)).convert("L")
    assert len(set(result.tobytes())) <= 3
    assert NAME not in client.get(f"{at}/text/").content.decode()
    assert client.get(f"{at}/text/?layer").status_code == 200


def test_a_search_tells_nobody_whose_case_it_is(case, client):
    masked, senior = Client(), client
    masked.force_login(make_user("bot", role="integrator"))
    senior.force_login(make_user("sen", role="senior"))
    link = f"/cases/{case.pk}/"
    for address in ("/queue/search/", "/queue/find/"):

        def result(person, text, address=address):
            params = {"view": "all", "q": text}
            return person.post(address, params, follow=True).content.decode()

        assert link in result(senior, NAME.lower())
        assert link not in result(masked, NAME.lower())
        assert link not in result(masked, NAME[:2].lower())
        outcome = result(masked, case.reference)
        assert link in outcome
        assert NAME not in outcome
    api = Caller(make_user("bot2", role="integrator"))
    assert api.post("/cases/search", {"q": NAME}).json()["items"] == []
    [row] = api.post("/cases/search", {"q": case.reference}).json()["items"]
    assert NAME not in str(row)


def test_a_tag_tells_nobody_whose_case_it_is(case, client):
    """Tags are words of people, and may be a name: a filter by one would answer a guess."""
    notes.tag(case, NAME, actor=with_every_role("maker2"))
    masked, senior = Client(), client
    masked.force_login(make_user("bot", role="integrator"))
    senior.force_login(make_user("sen", role="senior"))
    link, params = f"/cases/{case.pk}/", {"view": "all", "tag": NAME}
    assert link in senior.post("/queue/search/", params, follow=True).content.decode()
    answer = masked.post("/queue/search/", params, follow=True).content.decode()
    assert link not in answer
    api = Caller(make_user("bot2", role="integrator"))
    assert api.post("/cases/search", {"tag": NAME}).json()["items"] == []


def test_a_view_that_a_colleague_saved_for_the_team_names_nobody(case, client):
    """Its name and its search are words that a colleague typed who sees names."""
    team = Team.objects.create(name="A team")
    bot = make_user("bot", role="integrator")
    colleague = make_user("sen", role="senior")
    for person in (bot, colleague):
        person.teams.add(team)
    SavedView.objects.create(team=team, name=f"Is {NAME}", query=f"?view=all&q={NAME}")
    SavedView.objects.create(owner=bot, name="My own", query="?view=all")
    client.force_login(colleague)
    assert f"Is {NAME}" in client.get("/", {"view": "all"}).content.decode()
    client.force_login(bot)
    page = client.get("/", {"view": "all"}).content.decode()
    assert "My own" in page
    assert NAME not in page


def test_nobody_takes_the_case_of_a_name(case, client, settings):
    settings.MASKED_ROLES = frozenset({"analyst"})
    client.force_login(make_user("ana", role="analyst"))
    answer = client.post("/queue/search/", {"view": "all", "q": NAME})
    client.post("/queue/next/", {"back": answer["Location"]})
    case.refresh_from_db()
    assert case.analyst is None


def test_a_masked_person_decides_and_nothing_is_stored_masked(case, client, settings):
    settings.MASKED_ROLES = frozenset({"analyst"})
    client.force_login(make_user("ana", role="analyst"))
    faults = list(verification.faults())
    answer = client.post(f"/cases/{case.pk}/notes/", {"text": "Looks right."})
    assert answer.status_code in {302, 303}
    assert (
        client.post(f"/cases/{case.pk}/notes/", {"text": masking.MASK}).status_code
        == 400
    )
    case.refresh_from_db()
    assert case.subject == f"{NAME} Ltd"
    assert "Looks right." in [note.text for note in case.notes.all()]
    assert list(verification.faults()) == faults


def test_the_answer_of_an_act_is_not_shown_as_a_page(case, client, settings):
    settings.MASKED_ROLES = frozenset({"analyst"})
    client.force_login(make_user("ana", role="analyst"))
    answer = client.post(f"/cases/{case.pk}/decide/", {"outcome": "approve"})
    assert answer.status_code >= 400
    assert NAME not in answer.content.decode()


def test_who_has_another_role_sees_names(case, client):
    user = make_user("bot", role="integrator")
    user.groups.add(make_user("sen", role="senior").groups.get())
    client.force_login(user)
    assert NAME in client.get(f"/cases/{case.pk}/").content.decode()


ORACLES = (
    "q={}",
    "search_texts__name__startswith={}",
    "search_texts__text__contains={}",
)


@pytest.mark.parametrize("query", ORACLES)
def test_the_administration_tells_nobody_whose_case_it_is(
    case, client, settings, query
):
    settings.MASKED_ROLES = frozenset({"auditor"})
    client.force_login(make_user("aud", role="auditor", is_staff=True))
    link = f"/admin/reviews/case/{case.pk}/change/"
    for word in (NAME.lower(), "not-a-name"):
        answer = client.get(f"/admin/reviews/case/?{query.format(word)}")
        assert link not in answer.content.decode(), word
    response = client.get(f"/admin/reviews/case/?q={case.reference}")
    assert link in response.content.decode()


def test_no_table_of_the_administration_is_searched_by_names():
    request = RequestFactory().get("/")
    for model, page in admin.site._registry.items():
        for name in page.get_search_fields(request):
            assert not hiding.names_hidden(model, name.lstrip("^=@")), model
    assert hiding.names_hidden(Case, "search_texts__name__startswith")
    assert hiding.names_hidden(Case, "documents__file_name")
    assert not hiding.names_hidden(Case, "reference__startswith")


def test_the_administration_is_searched_by_no_name_whoever_asks(case, client, settings):
    """Its searches stand in addresses."""
    settings.MASKED_ROLES = frozenset()
    client.force_login(make_user("aud", role="auditor", is_staff=True))
    link = f"/admin/reviews/case/{case.pk}/change/"
    answer = client.get(f"/admin/reviews/case/?q={NAME.lower()}")
    assert link not in answer.content.decode()
    answer = client.get(f"/admin/reviews/case/?q={case.reference}")
    assert link in answer.content.decode()
