"""How many fields were unsure, and how people settled them: counted by kind of document."""

from __future__ import annotations

import pytest

from reviews.decisions import value_choices
from reviews.findings.values import figures
from reviews.jobs import completion
from reviews.models import CheckResult, FieldReading, Team
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import add_document, reviewed_case, wire, words
from tests.reviews.pages.case.test_value_choices import key_of
from tests.reviews.pages.case.unsure_rows import unsure_case, unsure_data
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


def arrive(job, document, data) -> None:
    """A result of the extraction arrives by webhook."""
    body = payloads.tool_results("extraction_data", data, document=wire(document))
    row = CheckResult(
        job=job, source="tool", check_id=payloads.EXTRACTION, subject="a", body=body
    )
    completion.apply_webhooks(job, [row])


def test_each_field_is_counted_when_its_result_arrives():
    case, job = reviewed_case()
    document = add_document(case)
    arrive(job, document, unsure_data())
    rows = dict(FieldReading.objects.values_list("field", "candidates"))
    assert rows == {"business_name": 2, "jurisdiction": 0}
    # A later reading of the document counts instead.
    arrive(job, document, unsure_data(unsure=[], evidence={}, jurisdiction="Nevada"))
    rows = dict(FieldReading.objects.values_list("field", "candidates"))
    assert rows["jurisdiction"] == 0
    assert len(rows) == 2


def test_what_people_chose_is_counted_by_kind_and_field(client):
    case, document = unsure_case()
    FieldReading.objects.create(document=document, field="business_name", candidates=2)
    FieldReading.objects.create(document=document, field="jurisdiction", candidates=0)
    FieldReading.objects.create(document=document, field="date", candidates=0)
    analyst = someone("analyst")
    name = key_of(case)
    value_choices.choose(case, name, actor=analyst, candidate=2)
    place = key_of(case, "jurisdiction")
    value_choices.choose(case, place, actor=analyst, value="Nevada")
    owner = someone("rule owner")
    of_name, of_place = figures.visible(owner)
    assert (of_name.field, of_name.unsure, of_name.given) == ("business_name", 1, 0)
    assert (of_name.first, of_name.other, of_name.none) == (0, 1, 0)
    assert (of_place.field, of_place.given, of_place.corrected) == (
        "jurisdiction",
        1,
        1,
    )
    client.force_login(owner)
    text = words(client, "/second-looks/rates/")
    assert "Business name 1 0 1 0 0 0 0" in text
    assert "Jurisdiction 0 0 0 0 0 1 1" in text
    # Only the choice that stands counts.
    value_choices.choose(case, name, actor=analyst, candidate=1)
    assert figures.visible(owner)[0].settled == {"first": 1}


def test_another_team_sees_no_figures():
    case, document = unsure_case()
    FieldReading.objects.create(document=document, field="business_name", candidates=2)
    stranger = someone("analyst", "stranger")
    team = Team.objects.create(name="Theirs")
    team.connections.add(case.connection)
    assert figures.visible(stranger) == []
