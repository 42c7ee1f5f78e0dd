"""A hit of the hub's matcher is confirmed at the desk, a threshold loses it, and new jobs are read by it."""

from __future__ import annotations

import re

import pytest

from agenthub.screening import catalogue, loading, sample_lists
from compliance.approvals.models import Proposal
from reviews.access import roles
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.models import Case, HitLabel, LookUp
from tests.agenthub.screening.test_checks import SANCTIONS
from tests.factories import make_connection, make_hub, make_user
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import one_person, someone

pytestmark = pytest.mark.django_db(transaction=True)
ALIKE = {"first_name": "Marisol", "last_name": "Quintero"}


@pytest.fixture
def hub(served, tmp_path):
    one_person()
    path = tmp_path / "sdn"
    path.write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), path)
    hub = make_hub(make_connection(base_url=f"{served}/api/v1"))
    hub["kyc"].checks = [{"check_id": SANCTIONS}]
    hub["kyc"].save()
    return hub


def submitted(hub, actor, work_off, attested=ALIKE) -> Case:
    name = f"{attested['first_name']} {attested['last_name']}"
    case = cases.submit(
        actor=actor, agent=hub["desk_kyc"], subject=name, data=attested, documents=(),
        reference=f"P-{Case.objects.count()}",
    )  # fmt: skip
    work_off()
    case.refresh_from_db()
    return case


def confirm(client, case) -> HitLabel:
    page = client.get(f"/cases/{case.pk}/").content.decode()
    form = page[page.index("confirm-hit/") :]
    [key] = re.findall(r'name="key" value="(\w+)"', form)[:1]
    answer = client.post(f"/cases/{case.pk}/confirm-hit/", {"key": key})
    assert answer.status_code == 303
    return HitLabel.objects.latest("pk")


def test_a_threshold_from_the_hit_to_the_next_job(hub, client, work_off):
    ana = someone("analyst")
    client.force_login(ana)
    case = submitted(hub, ana, work_off)
    label = confirm(client, case)
    assert (label.list_slug, label.script, label.is_certain) == (
        "ofac_sdn", "latin", False,
    )  # fmt: skip
    assert label.asked == "Marisol Quintero"
    assert label.score is not None
    least = min(1.0, label.score + 0.001)
    client.force_login(make_user("olga", role=roles.RULE_OWNER))
    data = {"note": "Try.", "rule-1.list": "ofac_sdn", "rule-1.script": "latin",
            "rule-1.threshold": f"{least:.3f}"}  # fmt: skip
    assert client.post("/screening-quality/new/", data).status_code == 303
    assert client.post("/screening-quality/1/live/").status_code == 422
    reason = {"reason": "Tried in a test installation."}
    client.post(f"/screening-quality/1/lost/{label.pk}/", reason)
    assert client.post("/screening-quality/1/live/").status_code == 303
    client.force_login(make_user("otto", role=roles.RULE_OWNER))
    client.post(f"/approvals/{Proposal.objects.latest('pk').pk}/approve/")
    client.force_login(ana)
    # One whom the same threshold folds, and who was not confirmed.
    later = submitted(
        hub, ana, work_off, {"first_name": "Marisol", "last_name": "Quinteros"}
    )
    assert "below the threshold of version 1" in words(client, f"/cases/{later.pk}/")
    assert not ReviewState.of(later).open
    # The match that a person confirmed still asks in its own case.
    assert ReviewState.of(case).open


def test_a_look_up_finds_whom_the_screening_missed(hub, client, work_off):
    """A partial name is no hit for the screening, by design."""
    ana = someone("analyst")
    client.force_login(ana)
    case = submitted(hub, ana, work_off, {"first_name": "Teo", "last_name": "Novak"})
    party = case.case_parties.get(place="subject").party
    data = {
        "name": "Korbutsky", "party": party.pk, "connection": case.connection_id,
    }  # fmt: skip
    client.post("/look-ups/", data)
    row = LookUp.objects.get()
    page = client.get(f"/look-ups/{row.pk}/").content.decode()
    assert "Confirm as a match of the case" in page
    [ref] = re.findall(r'name="ref"\s+value="([\w-]+)"', page)[:1]
    client.post(f"/look-ups/{row.pk}/confirm/", {"ref": ref})
    label = HitLabel.objects.get()
    assert (label.kind, label.source, label.case) == ("confirmed", "look_up", case)
    again = client.post(f"/look-ups/{row.pk}/confirm/", {"ref": ref}, follow=True)
    assert "Somebody has confirmed it already." in again.content.decode()
    wrong = client.post(f"/look-ups/{row.pk}/confirm/", {"ref": "x"}, follow=True)
    assert "The look-up has no such hit." in wrong.content.decode()
    client.force_login(someone("senior"))
    text = words(client, "/screening-quality/")
    assert "only by a look-up" in text
    assert "0.0 %" in text


def test_a_look_up_of_what_the_screening_shows_is_confirmed_there(
    hub, client, work_off
):
    ana = someone("analyst")
    client.force_login(ana)
    case = submitted(hub, ana, work_off)
    party = case.case_parties.get(place="subject").party
    data = {
        "name": "Marisol Quintero",
        "party": party.pk,
        "connection": case.connection_id,
    }
    client.post("/look-ups/", data)
    row = LookUp.objects.get()
    page = client.get(f"/look-ups/{row.pk}/").content.decode()
    [ref] = re.findall(r'name="ref"\s+value="([\w-]+)"', page)[:1]
    answer = client.post(f"/look-ups/{row.pk}/confirm/", {"ref": ref}, follow=True)
    assert "confirm it there" in answer.content.decode()
    assert not HitLabel.objects.exists()
