"""What could be opened safely, over all documents of a case."""

from __future__ import annotations

from typing import Any

import pytest

from checks import engine, registry
from checks.base import Examined, alerts_of
from checks.samples import good_certificate, hostile
from tests.checks.documents import make_pdf

CHECK = "document_safety_check"


def examined(content: bytes, name: str = "a.pdf") -> Examined:
    outcomes = dict(
        engine.examine(CHECK, file=content, file_name=name, attested={}, document={})
    )
    return Examined({}, outcomes)


LAUNCHING = make_pdf("A certificate").replace(
    b"/Type /Catalog", b"/Type /Catalog /OpenAction << /S /Launch /F (a.exe) >>"
)
LOCKED = "locked.pdf"


def rows(one: Examined) -> list[dict[str, Any]]:
    value: list[dict[str, Any]] = one.outcomes[CHECK]["payload"]["document_safety"][
        "rows"
    ]
    return value


def test_a_good_document_passes_and_says_what_it_is():
    good = examined(good_certificate().content)
    assert [(row["label"], row["state"]) for row in rows(good)] == [("Opened", "pass")]
    assert rows(good)[0]["value"].startswith("PDF, 1 page, ")
    concluded = engine.conclude(CHECK, [good], {})
    assert (concluded["verdict"], concluded["passed"]) == ("pass", True)


@pytest.mark.parametrize("name", sorted(set(hostile.HOSTILE) - {"huge_page.pdf"}))
def test_what_cannot_be_opened_is_inconclusive_with_the_reason(name):
    bad = examined(hostile.HOSTILE[name](), name)
    [row] = rows(bad)
    assert (row["label"], row["value"], row["state"]) == ("Opened", "no", "fail")
    concluded = engine.conclude(CHECK, [examined(good_certificate().content), bad], {})
    assert (concluded["verdict"], concluded["passed"]) == ("inconclusive", False)
    assert alerts_of(concluded) == [f"{name}: {row['how']}"]


def test_actions_other_than_those_of_forms_are_for_a_person():
    result = examined(LAUNCHING)
    assert result.outcomes[CHECK]["verdict"] == "review"
    assert [(row["label"], row["state"]) for row in rows(result)][1:] == [
        ("Actions", "review")
    ]
    assert "Launch" in rows(result)[1]["how"]
    assert engine.conclude(CHECK, [result], {})["verdict"] == "review"


def test_it_examines_each_document_of_every_kind_once():
    one, other = {"url": "https://a.example/1.pdf"}, {"b64_document": "JVBERg=="}
    attested = {
        "incorporation_documents": [one, other],
        "promo_marketing_documents": [one],
        "ein_documents": None,
        "business_name": "Northwind Ltd",
        "government_id_verification_data": {
            "id_data": {
                "front_image_url": "https://a.example/2",
                "face_match_image_url": "https://a.example/3",
            }
        },
    }
    result = registry.get(CHECK).documents_of(attested)
    assert [document.get("url") for document in result] == [
        one["url"], None, "https://a.example/2", "https://a.example/3",
    ]  # fmt: skip


def test_without_documents_it_does_not_apply_and_of_one_that_is_missing_it_cannot_tell():
    assert engine.conclude(CHECK, [], {})["verdict"] == "not_applicable"
    missing = Examined(
        {"file_name": "b.pdf"}, {}, error="The document could not be examined: gone."
    )
    concluded = engine.conclude(CHECK, [missing], {})
    assert concluded["verdict"] == "inconclusive"
    assert alerts_of(concluded) == ["b.pdf: The document could not be examined: gone."]


def test_the_explanation_tells_each_trouble_from_the_others():
    name = "locked.pdf"
    files = [make_pdf("A certificate"), LAUNCHING, hostile.HOSTILE[LOCKED]()]
    results = [examined(content, name) for content in files]
    late = registry.get(CHECK).tools[0].broken_off("time ran out", {"file_name": name})
    assert late is not None
    results.append(Examined({}, {CHECK: late.to_wire()}))
    assert engine.conclude(CHECK, results, {})["explanation"] == (
        "1 of 4 documents could not be opened safely. 1 of 4 documents carry out actions."
        " 1 of 4 documents could not be examined."
    )


def test_it_is_a_check_of_businesses_and_of_people():
    for kind in ("kyb", "kyc"):
        assert CHECK in [check.id for check in registry.select((), kind)]
