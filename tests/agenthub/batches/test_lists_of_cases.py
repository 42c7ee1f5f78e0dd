"""Cases as a list (enqueueKybSchemas), and what the columns of a file mean (mapCsvColumns)."""

from __future__ import annotations

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from agenthub.batches.column_names import FIELDS
from agenthub.models import AgentJob, JobBatch
from agenthub.schemas.cases import BusinessData, IndividualData, Shape
from tests.agenthub.conftest import details

pytestmark = pytest.mark.usefixtures("every_check")


def case(number: int, **data: object) -> dict[str, object]:
    attested = {"business_name": f"Northwind {number} Ltd", **data}
    return {"id": f"case-{number}", "self_attested_data": attested}


def test_each_good_case_is_started_and_each_wrong_one_told(caller):
    schemas = [
        case(1),
        case(2, incorporation_date="31.01.2020"),
        "no case",
        {"id": "case-4", "self_attested_data": {}},
        case(5, more={"kept": True}),
    ]
    answer = caller.post(
        "enqueueKybSchemas",
        {
            "agent_key": caller.kyb.key,
            "kyb_schemas": schemas,
            "batch_name": "March",
            "webhook_url": "https://example.com/hook",
            "check_ids": ["kyb.tax_number"],
        },
    ).json()
    assert (answer["accepted"], answer["rejected"], answer["read_rows"]) == (2, 3, 5)
    assert [job["case_id"] for job in answer["jobs"]] == ["case-1", "case-5"]
    assert [row["line"] for row in answer["errors"]] == [2, 3, 4]
    assert all(row["reason"] for row in answer["errors"])
    first, last = AgentJob.objects.order_by("id")
    assert first.webhook_url == "https://example.com/hook"
    assert first.check_ids == ["kyb.tax_number"]
    assert last.schema == schemas[-1]
    assert first.due_at is not None
    listed = caller.get("getBatchJobs", batch_id=answer["batch_id"]).json()
    assert listed["jobs_by_status"]["pending"] == 2
    assert caller.get("getBatchJobs", batch_id=answer["batch_id"], status="rejected").json()["count"] == 3  # fmt: skip


def test_a_batch_id_makes_it_safe_to_repeat(caller):
    body = {
        "agent_key": caller.kyb.key,
        "kyb_schemas": [case(1)],
        "batch_id": str(uuid.uuid4()),
    }
    assert caller.post("enqueueKybSchemas", body).status_code == 200
    again = caller.post("enqueueKybSchemas", body)
    assert (again.status_code, again.json()["batch_id"]) == (409, body["batch_id"])
    assert again.json()["same_rows"] is True
    other = caller.post("enqueueKybSchemas", {**body, "kyb_schemas": [case(2)]})
    assert (other.status_code, other.json()["same_rows"]) == (409, False)
    assert AgentJob.objects.count() == 1


@pytest.mark.parametrize("schemas", [[], {}, "x", None, [{"id": "c"}] * 1001])
def test_a_list_has_between_one_and_a_thousand_cases(caller, schemas):
    body = {"agent_key": caller.kyb.key, "kyb_schemas": schemas}
    assert ("kyb_schemas",) in details(caller.post("enqueueKybSchemas", body))
    assert JobBatch.objects.count() == 0


def test_a_list_of_businesses_is_for_an_agent_of_businesses(caller):
    body = {"agent_key": caller.kyc.key, "kyb_schemas": [case(1)]}
    assert details(caller.post("enqueueKybSchemas", body)) == {
        ("agent_key",): "wrong_kind"
    }


def members(shape: type[Shape], before: str = "") -> set[str]:
    """The members that a schema knows, those of objects behind a dot."""
    names: set[str] = set()
    for name, one in shape().get_fields().items():
        if isinstance(one, Shape):
            names |= members(type(one), f"{before}{name}.")
        elif name != "type":
            names.add(before + name)
    return names


@pytest.mark.parametrize(
    ("kind", "shape"), [("kyb", BusinessData), ("kyc", IndividualData)]
)
def test_columns_are_mapped_to_members_that_requests_know(kind, shape):
    assert {*FIELDS[kind]} - {"id"} <= members(shape)


@pytest.mark.parametrize("kind", ["kyb", "kyc"])
def test_every_member_is_found_by_its_own_name(caller, kind):
    for spelled in (str, str.upper, lambda name: name.replace("_", " ").title()):
        columns = [spelled(field) for field in FIELDS[kind]]
        answer = caller.post(
            "mapCsvColumns", {"case_type": kind, "columns": columns}
        ).json()
        assert answer["mapping"] == dict(zip(columns, FIELDS[kind], strict=True))
        assert (answer["unmapped"], answer["missing"]) == ([], [])


def test_what_is_not_certain_is_left_to_a_person(caller):
    columns = [
        "Company Name",
        "companyName",
        "Country",
        "EIN",
        "Shoe size",
        "Registered City",
        "",
    ]
    body = {"agent_key": caller.kyb.key, "columns": columns}
    answer = caller.post("mapCsvColumns", body).json()
    assert answer["mapping"] == {
        "Company Name": "business_name",
        "EIN": "tin_number",
        "Registered City": "address_of_incorporation.city",
    }
    match = {one["column"]: one["match"] for one in answer["columns"]}
    assert match == {
        "Company Name": "synonym", "companyName": "duplicate", "Country": "ambiguous",
        "EIN": "synonym", "Shoe size": "unknown", "Registered City": "synonym", "": "unknown",
    }  # fmt: skip
    [country] = [one for one in answer["columns"] if one["column"] == "Country"]
    assert len(country["candidates"]) == 2


def test_a_file_without_a_name_says_what_is_missing(caller):
    file = SimpleUploadedFile(
        "people.csv", b"Surname,Date of Birth\nReyes,1988-04-12\n"
    )
    answer = caller.send("mapCsvColumns", {"case_type": "kyc", "file": file}).json()
    assert answer["mapping"] == {
        "Surname": "last_name",
        "Date of Birth": "date_of_birth",
    }
    assert answer["missing"] == [["first_name"]]


def test_the_header_of_a_file_must_be_readable(caller):
    for content in (b"\xff\xfe\x00", b"\n", b"," * 300):
        file = SimpleUploadedFile("cases.csv", content)
        answer = caller.send("mapCsvColumns", {"case_type": "kyb", "file": file})
        assert details(answer) == {("file",): "unreadable_file"}


def test_the_mapping_starts_the_file_it_was_proposed_for(caller):
    text = "Company Name,Shoe size,Registered City\nNorthwind Ltd,46,Dover\n"
    proposal = caller.post("mapCsvColumns", {"case_type": "kyb", "csv": text}).json()
    mapping = {**proposal["mapping"], "Shoe size": None}
    body = {"agent_key": caller.kyb.key, "csv": text, "column_mapping": mapping}
    answer = caller.post("enqueueFromCSV", body).json()
    assert (answer["accepted"], answer["rejected"]) == (1, 0)
    assert AgentJob.objects.get().schema["self_attested_data"] == {
        "business_name": "Northwind Ltd",
        "address_of_incorporation": {"city": "Dover"},
    }
    form = {
        "agent_key": caller.kyb.key,
        "file": SimpleUploadedFile("cases.csv", text.encode()),
        "column_mapping": json.dumps(mapping),
    }
    assert caller.send("enqueueFromCSV", form).json()["accepted"] == 1


@pytest.mark.parametrize(
    "mapping",
    [{"No such column": "business_name"}, {"a": "business_name", "b": "business_name"}],
)
def test_a_mapping_that_does_not_fit_the_file_is_refused(caller, mapping):
    body = {"agent_key": caller.kyb.key, "csv": "a,b\n1,2\n", "column_mapping": mapping}
    assert details(caller.post("enqueueFromCSV", body)) == {
        ("file",): "unreadable_file"
    }
    assert JobBatch.objects.count() == 0
