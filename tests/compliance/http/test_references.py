"""What may name a case, and what is never signed because of it."""

from __future__ import annotations

import json
import re

import pytest

from compliance.http import references, signatures

GOOD = [
    "case-001",
    "C-10428",
    "0b9f2b5e-4f0e-4b57-9d4f-0f6d1f0c7a11",
    "ana.reyes+kyc@example.com",
    "urn:example:case:7",
    "https://crm.example/cases/7?x=1#y",
    "Łódź 2026/11, Žižka",
    "事例-7",
    "नमस्ते",
    "123",
    "-1.5e3",
    "<!channel> & co",
    "a" * 255,
    "nullify",
]
FORGED = json.dumps({"id": "1", "status": "complete"})
BAD = [
    FORGED,
    " " + FORGED,
    "\ufeff" + FORGED,
    "[1]",
    '"text"',
    "a\\u007b",
    "a\nb",
    "a\x00",
    "a\x85",
    "a\u2028b",
    "null",
    " true ",
    "a" * 256,
]


@pytest.mark.parametrize("name", GOOD)
def test_what_services_and_people_use_fits(name):
    assert references.fits(name)
    assert re.search(references.PATTERN, name)
    assert set(signatures.headers(b"{}", "s", case_id=name)) == {
        signatures.FULL_HEADER, signatures.COMPACT_HEADER,
    }  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_could_be_a_body_is_never_signed_as_a_name(name):
    assert not references.fits(name)
    assert len(name) > references.LONGEST or not re.search(references.PATTERN, name)
    assert set(signatures.headers(b"{}", "s", case_id=name)) == {signatures.FULL_HEADER}


def test_half_a_character_has_no_bytes_to_sign():
    assert not references.fits("a\ud800")


def test_no_name_that_fits_is_an_object():
    for name in GOOD:
        try:
            assert not isinstance(json.loads(name), dict)
        except json.JSONDecodeError:
            continue
