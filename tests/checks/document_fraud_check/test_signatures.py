"""Digital signatures: those that stand, those that are broken, and what came after them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from checks import samples
from checks.document_fraud_check.facts import SIGNATURE_ROOTS
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.readers.pdf import tunables
from checks.readers.pdf.signatures import _byte_ranges
from checks.samples.certificate import draw, invent
from checks.samples.editing import cover_and_retype
from checks.samples.signing import certificate_of, sign
from tests.checks.documents import evidence_of

SIGNED = samples.signed_certificate()
PLACE = (300.0, 560.0, 340.0, 572.0)


@cache
def payload_of(content: bytes, roots: str) -> dict[str, Any]:
    """What is found in a file. Most tests look at it from two sides."""
    arguments = {SIGNATURE_ROOTS: roots} if roots else {}
    evidence = Evidence(content, "document.pdf", arguments=arguments)
    payload: dict[str, Any] = DocumentFraud().run(evidence).payload
    return payload["fraud_verification_data"]


def indicators_of(content: bytes, roots: str = "") -> dict[str, dict[str, Any]]:
    rows = payload_of(content, roots)["verification_data"]
    return {item["indicator_id"]: item for item in rows}


def result(content: bytes, roots: str = "") -> str:
    text: str = payload_of(content, roots)["verification_result"]
    return text


def test_without_roots_the_signer_is_named_and_not_trusted():
    message = indicators_of(SIGNED.content)["signature_valid_untrusted"]

    assert message["type"] == "INFO"
    assert "Division of Corporations" in message["description"]
    [place] = message["boxes"]
    assert place["x0"] == pytest.approx(350 / 612, abs=1e-3)


def test_a_root_of_the_operator_makes_it_trusted(tmp_path: Path):
    (tmp_path / "register.crt").write_bytes(
        certificate_of("Division of Corporations", 5)
    )

    outcome = indicators_of(SIGNED.content, str(tmp_path))

    assert outcome["signature_valid_trusted"]["type"] == "TRUST"
    assert result(SIGNED.content, str(tmp_path)) == "TRUSTED"


def test_another_root_does_not(tmp_path: Path):
    (tmp_path / "other.crt").write_bytes(certificate_of("Somebody Else", 6))

    assert "signature_valid_trusted" not in indicators_of(SIGNED.content, str(tmp_path))


def test_a_changed_byte_breaks_it():
    at = SIGNED.content.index(b"/Title")
    content = SIGNED.content[:at] + b"/Titel" + SIGNED.content[at + 6 :]

    message = indicators_of(content)["signature_broken"]

    assert (message["type"], message["severity"]) == ("RISK", "high")
    assert result(content) == "HIGH_RISK"


def test_words_appended_after_signing_are_found():
    content = cover_and_retype(SIGNED.content, PLACE, "2001")

    outcome = indicators_of(content)

    assert outcome["changed_after_signature"]["severity"] == "medium"
    assert "2001" in outcome["changed_after_signature"]["description"]
    assert "signature_valid_untrusted" not in outcome
    assert result(content) == "WARNING"


def test_a_fact_that_was_changed_after_signing_is_a_strong_sign():
    year = draw(invent(5)).year

    outcome = indicators_of(cover_and_retype(SIGNED.content, year, "2001"))

    assert outcome["changed_after_signature"]["severity"] == "high"


def test_a_word_put_into_a_signed_line_is_a_strong_sign():
    _, y0, x1, y1 = draw(invent(5)).year
    beside = (x1 + 6, y0, x1 + 50, y1)

    outcome = indicators_of(cover_and_retype(SIGNED.content, beside, "void"))

    assert outcome["changed_after_signature"]["severity"] == "high"


def test_a_second_signature_over_a_change_leaves_a_weak_sign():
    changed = cover_and_retype(SIGNED.content, PLACE, "2001")
    content = sign(changed, signer="Owner", seed=9, field="Second")

    assert indicators_of(content)["changed_after_signature"]["severity"] == "medium"


def test_two_signatures_one_after_the_other_are_in_order():
    content = sign(SIGNED.content, signer="Second Officer", seed=8, field="Second")

    outcome = indicators_of(content)

    assert "changed_after_signature" not in outcome
    assert "Second Officer" in outcome["signature_valid_untrusted"]["description"]


def test_a_signature_that_no_field_leads_to_is_validated_too():
    at = SIGNED.content.index(b"/AcroForm")
    with pikepdf.open(io.BytesIO(SIGNED.content)) as pdf:
        assert "/AcroForm" in pdf.Root
    content = SIGNED.content[:at] + b"/AcroFrom" + SIGNED.content[at + 9 :]

    # The change is in the signed part, and is told of although nothing lists the signature.
    assert "signature_broken" in indicators_of(content)


def test_a_signature_that_no_field_leads_to_is_broken_by_saving_the_file_again():
    with pikepdf.open(io.BytesIO(SIGNED.content)) as pdf:
        del pdf.Root.AcroForm
        for page in pdf.pages:
            if "/Annots" in page:
                # The dictionary of the signature stays in the file, as some offices place it.
                page.obj["/Kept"] = page.Annots[0].V
                del page.Annots
        saved = io.BytesIO()
        pdf.save(saved)

    indicators = indicators_of(saved.getvalue())

    assert indicators["signature_broken"]["type"] == "RISK"
    assert not indicators["signature_broken"]["strong"]
    assert "signature_present" not in indicators
    assert result(saved.getvalue()) == "WARNING"


def without_record(content: bytes) -> bytes:
    """The field holds a signature, and nothing says which bytes were signed."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        del pdf.Root.AcroForm.Fields[0].V["/ByteRange"]
        pdf.save(out)
    return out.getvalue()


def with_empty_value(content: bytes) -> bytes:
    return re.sub(
        rb"(?<=/Contents <)[0-9a-f]+", lambda value: b"0" * len(value.group()), content
    )


@pytest.mark.parametrize("emptied", [without_record, with_empty_value])
def test_a_signature_that_was_emptied_is_for_a_person(
    emptied: Callable[[bytes], bytes],
):
    content = emptied(SIGNED.content)
    assert content != SIGNED.content

    indicators = indicators_of(content)

    assert indicators["signature_broken"]["type"] == "RISK"
    assert not indicators["signature_broken"]["strong"]
    assert "signature_present" not in indicators
    assert result(content) == "WARNING"


def test_a_file_without_signatures_says_nothing_of_them():
    evidence = evidence_of(samples.good_certificate().content)

    categories = {
        item["category"]
        for item in DocumentFraud()
        .run(evidence)
        .payload["fraud_verification_data"]["verification_data"]
    }
    assert "signature" not in categories


def test_a_signed_file_inside_another_does_not_speak_for_it(tmp_path: Path):
    (tmp_path / "register.crt").write_bytes(
        certificate_of("Division of Corporations", 5)
    )
    forged = draw(invent(4)).content
    copies = tunables.MAX_SIGNATURES
    content = forged + b"\n" * (copies * 100)
    [(_, length, second, rest)] = _byte_ranges(SIGNED.content)
    records = b""
    # As many records as are validated, each of a copy. Those that the copies bring come later.
    for _number in range(copies):
        start = len(content)
        records += f"/ByteRange [{start} {length} {start + second} {rest}]\n".encode()
        content += SIGNED.content
    content = content.replace(b"\n" * len(records), records, 1)

    outcome = indicators_of(content, str(tmp_path))

    assert "signature_valid_trusted" not in outcome
    assert "signature_valid_untrusted" not in outcome
    assert "not validated" in outcome["signature_present"]["description"]


def test_of_more_signatures_than_are_validated_none_is_trusted():
    content = SIGNED.content
    for number in range(tunables.MAX_SIGNATURES):
        content = sign(content, signer="Owner", seed=9, field=f"Field {number}")

    outcome = indicators_of(content)

    assert "signature_valid_untrusted" not in outcome
    assert "TooManySignaturesError" in outcome["signature_present"]["description"]
