"""Whoever needs no names sees none: over REST, on pages, in files."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile

from reviews.access import masking
from reviews.api import description
from reviews.documents import store
from reviews.models import CheckResult
from reviews.people import notes
from tests.factories import make_user
from tests.reviews.api.calling import Caller
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
    found = []
    for one in description.endpoints():
        noun = one.path.split("/")[1]
        is_read = one.method == "get" and noun in keys
        if is_read and "agents" not in one.path:
            found.append(one.path.replace("{pk}", str(keys[noun])))
    return found


def test_no_answer_of_the_interface_has_a_name(case):
    masked = Caller(make_user("bot", role="integrator"))
    seen = Caller(make_user("sen", role="senior"))
    with_name = 0
    refused: list[str] = []
    for address in addresses(case):
        answer = masked.get(address)
        if answer.status_code == 403:
            refused.append(address.rpartition("/")[2])
            continue
        open_answer = seen.get(address)
        with_name += NAME in open_answer.content.decode(errors="replace")
        assert NAME not in answer.content.decode(), address
    assert with_name > 4
    assert {"content", "evidence", "report"} <= set(refused)
    told = masked.get(f"/cases/{case.pk}").json()
    assert told["subject"] == masking.MASK
    assert (told["reference"], told["status"]) == (case.reference, case.status)


def test_pages_and_files_with_names_are_refused(case, client):
    client.force_login(make_user("bot", role="integrator"))
    document = case.documents.first()
    for address in (
        "/",
        f"/cases/{case.pk}/",
        f"/cases/{case.pk}/peek/",
        "/queue/rows/",
        "/documents/",
        "/jobs/",
        f"/documents/{document.pk}/original/",
    ):
        assert client.get(address).status_code == 403, address
    assert client.get("/cases/new/").status_code == 200


def test_who_has_another_role_sees_names(case, client):
    user = make_user("bot", role="integrator")
    user.groups.add(make_user("sen", role="senior").groups.get())
    client.force_login(user)
    assert NAME in client.get(f"/cases/{case.pk}/").content.decode()
