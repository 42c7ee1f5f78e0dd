"""What is typed into the form of a case: judged field by field, and kept until it is submitted."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.utils.timezone import localdate, now

from reviews.intake import drafts
from reviews.models import Case, Draft
from tests import factories

pytestmark = pytest.mark.django_db
ID_DATA = "government_id_verification_data.id_data"


@pytest.fixture
def agents(db):
    result = factories.make_connection()
    return {kind: factories.make_agent(result, kind=kind) for kind in ("kyb", "kyc")}


def message_of(answer) -> str:
    assert answer.status_code == 200
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


@pytest.mark.parametrize(
    ("kind", "field", "value", "fault"),
    [
        ("kyb", "website", "ht tp:/", "Website must be an address such as https://example.com."),
        ("kyb", "website", "example.com", ""),
        ("kyb", "website", "", ""),
        ("kyb", "incorporation_date", "2999-01-01", "Incorporation date must not be after today or before 1600."),
        ("kyb", "incorporation_date", "nonsense", "Incorporation date must be a day such as 2023-03-28."),
        ("kyb", "address_of_operation.country_code", "XX", "Choose the country from the list."),
        ("kyb", "business_name", "", ""),
        ("kyc", "first_name", " ", "Enter the first name."),
        ("kyc", f"{ID_DATA}.vendor_data", "[1]", 'Vendor\'s data must be a JSON object such as {"score": 0.9}.'),
    ],
)  # fmt: skip
def test_a_field_is_judged_alone(ana, agents, kind, field, value, fault):
    answer = ana.post(f"/cases/new/check/?kind={kind}&field={field}", {field: value})
    assert message_of(answer) == fault


@pytest.mark.parametrize(
    "value",
    ["9" * 5000, '{"n": ' + "9" * 5000 + "}", '{"n": NaN}', '{"a":' * 70 + "1" + "}" * 70, "[" * 5000, r'{"t": "\u0000"}', '{"t": "\\ud800"}'],
    ids=["digits", "digits in an object", "NaN", "70 levels", "5,000 levels", "NUL", "surrogate"],
)  # fmt: skip
def test_what_cannot_be_stored_is_no_json_object(ana, agents, value):
    field = f"{ID_DATA}.vendor_data"
    answer = ana.post(f"/cases/new/check/?kind=kyc&field={field}", {field: value})
    assert message_of(answer).startswith("Vendor's data must be a JSON object")


@pytest.mark.parametrize(
    "field", ["", "unknown", "first_name", "ein_documents", "__class__"]
)
def test_what_is_no_field_of_the_form_is_not_judged(ana, agents, field):
    assert ana.post(f"/cases/new/check/?kind=kyb&field={field}", {}).status_code == 404


def test_what_was_typed_is_there_again(ana, agents):
    typed = {
        "first_name": 'An"na <b>', "date_of_birth": str(localdate()), "address.country_code": "NO",
        f"{ID_DATA}.vendor_data": '{"score": ', f"{ID_DATA}.mrz": "P<NOR\n123",
        f"{ID_DATA}.vendor_validated": "true", "agent": str(agents["kyc"].pk), "unknown": "x",
    }  # fmt: skip
    answer = ana.post(
        "/cases/new/draft/?kind=kyc", {**typed, "submission": str(uuid.uuid4())}
    )
    assert answer["Location"] == "/cases/new/?kind=kyc"
    html = ana.get(answer["Location"]).content.decode()
    assert 'value="An&quot;na &lt;b&gt;"' in html
    assert '<option value="NO" selected>' in html
    assert "{&quot;score&quot;: </textarea>" in html
    assert "P&lt;NOR\n123</textarea>" in html
    assert '<option value="true" selected>' in html
    assert "Draft kept" in html
    # Of the other kind there is none.
    assert "Draft kept" not in ana.get("/cases/new/").content.decode()


def test_a_draft_is_nobody_elses_and_cannot_be_read_in_the_database(
    ana, agents, client
):
    ana.post("/cases/new/draft/?kind=kyb", {"business_name": "Northwind"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT typed FROM reviews_draft")
        [(stored,)] = cursor.fetchall()
    assert "Northwind" not in stored
    client.force_login(factories.make_user("bo"))
    assert "Northwind" not in client.get("/cases/new/").content.decode()


def test_a_draft_goes_when_it_is_submitted_discarded_emptied_or_old(ana, agents):
    def keep(**typed: str) -> int:
        ana.post("/cases/new/draft/?kind=kyb", {"business_name": "Northwind", **typed})
        return Draft.objects.count()

    assert keep() == 1
    data = {"agent": agents["kyb"].pk, "business_name": "Northwind"}
    assert (
        ana.post("/cases/new/?kind=kyb", {**data, "website": "ht tp:/"}).status_code
        == 200
    )
    assert Draft.objects.count() == 1  # refused: it is still to be submitted
    assert ana.post("/cases/new/?kind=kyb", data).status_code == 303
    assert (Case.objects.count(), Draft.objects.count()) == (1, 0)
    keep()
    assert keep(drop="1") == 0
    keep()
    assert keep(business_name=" ") == 0
    keep()
    Draft.objects.update(updated_at=now() - drafts.LIFETIME - timedelta(minutes=1))
    assert "Northwind" not in ana.get("/cases/new/").content.decode()
    drafts.save(
        factories.make_user("bo"), kind="kyb", fields={"business_name": "Other"}
    )
    assert [row.user.username for row in Draft.objects.all()] == ["bo"]


def test_a_script_gets_the_words_alone(ana, agents):
    answer = ana.post(
        "/cases/new/draft/?kind=kyb",
        {"business_name": "Northwind"},
        headers={"HX-Request": "true"},
    )
    assert (
        message_of(answer) == f"Draft kept {Draft.objects.get().updated_at:%H:%M} UTC"
    )


def test_a_draft_is_not_endless(ana, agents):
    user = factories.make_user("bo")
    assert (
        drafts.save(user, kind="kyb", fields={"description": "x" * drafts.LONGEST})
        is None
    )
    assert not Draft.objects.exists()


@pytest.mark.parametrize("page", ["check/?field=website", "draft/"])
def test_who_may_not_submit_has_no_drafts(client, db, page):
    client.force_login(factories.make_user("eve", role="auditor"))
    assert client.post(f"/cases/new/{page}", {"website": "x"}).status_code == 403


def test_a_draft_that_comes_after_its_form_was_sent_is_not_kept(ana, agents):
    typed = {
        "business_name": "Northwind Logistics",
        "website": "https://example.com",
        "agent": str(agents["kyb"].pk),
        "submission": str(uuid.uuid4()),
    }
    # The page saves what was typed while the form is on its way, and that may be slower.
    answer = ana.post("/cases/new/?kind=kyb", typed)
    assert answer.status_code == 303
    ana.post("/cases/new/draft/?kind=kyb", typed)
    assert not Draft.objects.exists()
    assert "Northwind" not in ana.get("/cases/new/").content.decode()
    # The next form has another id.
    ana.post("/cases/new/draft/?kind=kyb", {**typed, "submission": str(uuid.uuid4())})
    assert Draft.objects.count() == 1
