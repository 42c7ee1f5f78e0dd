"""The data provider over HTTP, over a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from agenthub.enrichment import vendor as enrichment_vendor
from tests import fakeservice
from tests.fakeservice import FakeService, Step

ANA = {
    "full_name": " Ana Reyes ",
    "email": "ana@example.com",
    "company": "",
    "mood": "good",
}


@pytest.fixture
def vendor(settings) -> Iterator[FakeService]:
    with fakeservice.running() as service:
        settings.ENRICHMENT_PROVIDER = "agenthub.enrichment.vendor.HttpVendor"
        settings.ENRICHMENT_URL = service.url
        settings.ENRICHMENT_KEY = "key-of-the-vendor"
        yield service


def step(said: object, status: int = 200) -> Step:
    return Step(status=status, body=json.dumps(said).encode())


def test_the_vendor_is_told_the_facts_and_its_data_come_back(caller, vendor):
    vendor.plan = [step({"employer": "Northwind", "status": "retired"})]
    body = caller.post("enrichPerson", ANA).json()
    assert body == {
        "status": "success",
        "data": {"employer": "Northwind", "status": "retired"},
        "error": "",
        "source": "127.0.0.1",
    }
    data = {"full_name": "Ana Reyes", "email": "ana@example.com"}
    assert vendor.asked == [("POST", "person", data)]
    [headers] = vendor.headers
    assert headers["Authorization"] == "Bearer key-of-the-vendor"
    vendor.plan = [
        step({"status": "success", "data": {"founded": 1990}, "source": "A register"})
    ]
    body = caller.post("enrichCompany", {"name": "Northwind"}).json()
    assert (body["data"], body["source"]) == ({"founded": 1990}, "A register")
    assert vendor.asked[1] == ("POST", "company", {"name": "Northwind"})


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (step({}, 404), "not_found", ""),
        (Step(status=204, body=b""), "not_found", ""),
        (step({}), "not_found", ""),
        (step({"status": "not_found", "data": None}), "not_found", ""),
        (
            step({"status": "error", "error": "Out of credit."}),
            "error",
            "Out of credit.",
        ),
        (step({"status": "error", "data": {}}), "error", "could not answer"),
        (step([1]), "error", "not a JSON object"),
        (Step(body=b"<html>"), "error", "not a JSON object"),
        (Step(body=b"[" * 100_000), "error", "not a JSON object"),
        # The hub could not write them again.
        (Step(body=b'{"a": NaN}'), "error", "not a JSON object"),
        (Step(body=b'{"a": "\\ud800"}'), "error", "not a JSON object"),
        (
            Step(body=b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}"),
            "error",
            "not a JSON object",
        ),
        (step({"message": "no"}, 401), "error", "HTTP 401"),
        (step({}, 500), "error", "HTTP 500"),
        (Step(status=302, body=b"", headers={"Location": "/x"}), "error", "HTTP 302"),
        (Step(reset=True), "error", "no answer"),
        (Step(body=b'{"a": "' + b"x" * (2 << 20) + b'"}'), "error", "too large"),
    ],
)
def test_whatever_the_vendor_does_is_said(caller, vendor, answer, status, words):
    vendor.plan = [answer]
    body = caller.post("enrichCompany", {"name": "Northwind"}).json()
    assert body["status"] == status
    assert words in body["error"]
    assert bool(body["error"]) == (status == "error")
    assert body["data"] == {}
    assert "key-of-the-vendor" not in str(body)


@pytest.mark.parametrize("status", [["success"], {"code": 1}, 200, None])
def test_a_status_of_another_type_is_data_of_the_vendor(caller, vendor, status):
    vendor.plan = [step({"status": status, "employer": "Northwind"})]
    body = caller.post("enrichCompany", {"name": "Northwind"}).json()
    assert body["status"] == "success"
    assert body["data"] == {"status": status, "employer": "Northwind"}


def test_a_number_beyond_64_bits_is_passed_on(caller, vendor):
    vendor.plan = [Step(body=b'{"shares": 123456789012345678901234567890}')]
    body = caller.post("enrichCompany", {"name": "Northwind"}).json()
    assert body["data"]["shares"] == pytest.approx(1.2345e29, rel=0.001)


def test_a_vendor_that_hangs_is_left(caller, vendor, monkeypatch):
    monkeypatch.setattr(enrichment_vendor, "TIMEOUT", 0.2)
    vendor.plan = [Step(hang=0.6, body=b"{}")]
    assert (
        caller.post("enrichCompany", {"name": "Northwind"}).json()["status"] == "error"
    )
