"""The words of all checks, and of the hub: short, true, and the same for the same thing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checks import registry
from checks.base import Outcome
from checks.data_check import DataCheck
from checks.document_fraud_check.catalogue import EVERY
from checks.evidence import Evidence
from checks.lookups import Lookups
from tests.checks.documents import TODAY
from tests.docs.pages import ROOT

# Sentences that claim too much, that only their author understands, or that name one act twice.
FORBIDDEN = (
    r"\bnumber holds\b",
    r"\baddress holds\b",
    r"\bdigits? holds?\b",
    r"\bdate is possible\b",
    r"\bmade as addresses\b",
    r"\bwas attested that would be\b",
    r"\bstands? for (?:a category|no name)\b",
    r"\b[Nn]obody of that name\b",
    r"\bat hand\b",
    r"\bis no (?:date|address|number|telephone|document|list|spreadsheet|entity)\b",
    r"\bit is no\b",
    r"\bNo rule found\b",
    r"\bmay pass for\b",
    r"\bowns itself\b",
    r"\bknows the business as\b",
    r"\bseems to be of\b",
    r"\bto their end\b",
    r"\bwas good until\b",
    r"\blies in the future\b",
    r"\bwords do not show\b",
    r"\bdoes not contradict itself\b",
    r"\bcalled like\b",
    r"\bgiven out\b",
    r"\bthrow-away\b",
    r"\b[Tt]ake back\b",
    r"\bby the second\b(?! (?:person|reviewer))",
    r"\bin the case of somebody else\b",
    r"\brefreshs\b",
    r"\blooks like a name\b",
    r"\bagree to [{\d]",
    r"^The document is valid\.$",
    r"^The shares add up\.$",
)
# The desk's catalogue repeats what checks write, which is looked at where they write it.
NOT_OURS = {"samples", "migrations", "sentences"}
FOLDERS = ("checks", "agenthub", "reviews", "webhooks")
OWN_WORDS = re.compile(
    r"(?<![\d,.])1 (?:days|years|months|entries|hits|documents|pages|cases|parties)\b"
)
BAD = re.compile("|".join(f"(?:{one})" for one in FORBIDDEN))


def sentences_of(path: Path) -> Iterator[str]:
    """The strings of a module that are not docstrings; what is filled in stands as braces."""
    tree = ast.parse(path.read_text())
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}"
                for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            yield node.value


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_sentence_of_the_code_uses_the_old_words(folder):
    paths = [
        path
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not NOT_OURS.intersection(path.parts)
    ]
    sentences = {(path, text) for path in paths for text in sentences_of(path)}
    assert len(sentences) > 100
    assert [(path.name, text) for path, text in sentences if BAD.search(text)] == []


def test_no_page_uses_the_old_words():
    pages = sorted((ROOT / "templates").rglob("*.html"))
    assert len(pages) > 20
    assert [page.name for page in pages if BAD.search(page.read_text())] == []


def test_no_title_of_an_indicator_uses_the_old_words():
    titles = [rule.title for rule in EVERY]
    assert len(titles) > 20
    assert [title for title in titles if BAD.search(title)] == []


def test_no_model_has_a_plural_that_is_no_word():
    from django.apps import apps

    wrong = re.compile(r"(?:sh|ch|x|ss|[^aeiou]y)s$")
    plurals = [
        str(model._meta.verbose_name_plural)
        for model in apps.get_models()
        if model._meta.app_label in {"agenthub", "reviews", "webhooks"}
    ]
    assert len(plurals) > 40
    assert [plural for plural in plurals if wrong.search(plural)] == []


US = {
    "type": "Address", "street_1": "12 Mill Lane", "city": "Albany", "state": "NY",
    "postal_code": "12207", "country_code": "US",
}  # fmt: skip
PLACES: list[Any] = [
    None, US, US | {"city": "", "street_1": "", "postal_code": ""}, US | {"postal_code": "99999"},
    US | {"country_code": "", "state": ""}, US | {"street_1": "PO Box 12"},
    {"street_1": "1 High Street", "city": "Leeds", "postal_code": "LS1 1AA", "country_code": "GB"},
]  # fmt: skip
MRZ = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"
ID = {
    "first_name": "Ada", "last_name": "Marsh", "document_type": "identity card",
    "issuing_country": "PL", "document_number": "44051401359", "date_of_birth": "1944-05-14",
    "expiration_date": "2030-01-01", "issue_date": "2020-01-01", "vendor_name": "Vendor",
    "vendor_validated": True,
    "mrz": MRZ,
}  # fmt: skip
# Of each member, values that are right, wrong, odd, and missing.
VALUES: dict[str, list[Any]] = {
    "business_name": ["Quillfeather Ltd", "", "Quillfeather GmbH"],
    "registered_business_name": [None, "Quillfeather Inc", "Others Company"],
    "first_name": ["Ada", "", "test", "A1"],
    "last_name": ["Marsh", "", "test", "Marsh Ltd"],
    "tin_number": [None, "83-1234567", "12-3456789", "07-1", "x"],
    "business_registration_number": [None, "1234567", "x", ["1234567", "y"]],
    "lei": [None, "5493001KJTIIGC8Y1R12", "x"],
    "incorporation_date": [None, "x", "1600-01-01",
        *((TODAY + timedelta(days=days)).isoformat() for days in (-1, 1, -40, -400, -1100, 0))],
    "email": [None, "ada@example.org", "x", "ada@gmail.com", "info@mailinator.com"],
    "contact_email_address": [None, "info@example.org", "ada@gmail.com"],
    "website": [None, "https://example.org", "1.2.3.4", "x y"],
    "phone": [None, "+14155552671", "x", "+1 000", "+442079460000"],
    "contact_phone_number": [None, "+14155552671", "x"],
    "address": PLACES,
    "address_of_incorporation": PLACES,
    "address_of_operation": list(reversed(PLACES)),
    "industry": [None, "Bakery", "online casino"],
    "owners": [None, [{"name": "A", "percentage": 80}], [{"name": "A", "percentage": 120}],
        [{"name": "A", "percentage": 10}],
        [{"business_name": "Quillfeather Ltd", "percentage": 100}]],
    "country_of_residence": [None, "US", "IR", "x"],
    "date_of_birth": [None, "1988-04-17", "x", "2090-01-01", "1944-05-14"],
    "sex": [None, "M", "F"],
    "government_id_verification_data": [None, {"id_data": ID},
        {"id_data": ID | {"document_number": "1", "expiration_date": "2001-01-01",
                          "mrz": MRZ.replace("740812", "740813")}},
        {"id_data": {"expiration_date": "x", "mrz": "x"}}],
}  # fmt: skip


def cases() -> Iterator[dict[str, Any]]:
    """One case for each value of each member, beside the first values of the others."""
    plain = {key: values[0] for key, values in VALUES.items()}
    full = {key: next((v for v in values if v), None) for key, values in VALUES.items()}
    for key, values in VALUES.items():
        for value in values:
            yield plain | {key: value}
            yield full | {key: value}


@cache
def outcomes_of(check: DataCheck) -> list[Outcome]:
    evidence = Evidence(b"", today=TODAY, lookups=Lookups())
    return [check.look(replace(evidence, attested=case)) for case in cases()]


DATA_CHECKS = [
    check for check in registry.all_checks().values() if isinstance(check, DataCheck)
]


@pytest.mark.parametrize("check", DATA_CHECKS, ids=lambda check: check.id)
def test_what_a_check_says_is_short_and_follows_from_its_rows(check):
    outcomes = outcomes_of(check)
    for outcome in outcomes:
        rows = outcome.payload.get(check.payload_key, {}).get("rows", [])
        texts = [
            outcome.explanation,
            *outcome.alerts,
            *(str(row["how"]) for row in rows),
        ]
        for text in texts:
            assert not BAD.search(text), text
            assert not OWN_WORDS.search(text), text
            assert "  " not in text, text
            assert "None" not in text, text
        assert re.match(r"[A-Z0-9“]", outcome.explanation), outcome.explanation
        assert outcome.explanation.endswith("."), outcome.explanation
        sentences = re.split(r"(?<=\.) (?=[A-Z“])", outcome.explanation)
        assert len(sentences) == len(set(sentences)), outcome.explanation
        if outcome.verdict == "pass":
            assert not {row["state"] for row in rows} & {"fail", "review", "unknown"}


def test_every_data_check_is_looked_at():
    assert len(DATA_CHECKS) > 15
    verdicts = {
        outcome.verdict for check in DATA_CHECKS for outcome in outcomes_of(check)
    }
    assert verdicts == {"pass", "review", "fail", "inconclusive", "not_applicable"}
