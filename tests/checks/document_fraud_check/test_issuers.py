"""What registers and tax offices publish, and copies of it that are something else."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
import re
from functools import cache
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageFilter
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks.data import table
from checks.document_fraud_check.file import issuers
from checks.document_fraud_check.file.profiles import issued_by, profiles
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.fields.document_types import TYPES
from checks.fields.tax_offices import plain as without_accents
from checks.readers.pictures.forensics import is_drawn, read_pictures
from checks.samples.signing import sign
from checks.samples.tampering import as_pictures
from tests.checks.document_fraud_check.editing import (
    appended,
    drawn,
    picture_of,
    plain,
    rewritten,
)
from tests.checks.document_fraud_check.genuine_kinds.scans import ocr_layer

# Words of the forms that these offices publish, with invented companies.
INDIA = """
Government of India
Ministry of Corporate Affairs
Central Registration Centre
Certificate of Incorporation
I hereby certify that NORTHWIND TRADERS PRIVATE LIMITED is incorporated on this
fourteenth day of March two thousand nineteen under the Companies Act, 2013
and that the company is limited by shares.
The Corporate Identity Number of the company is U74900TN2019PTC102389.
Given under my hand at Manesar this fourteenth day of March two thousand nineteen.
Registrar of Companies, Central Registration Centre
Disclaimer: this certificate only evidences incorporation of the company on the basis
of documents and declarations of the applicants. It is neither a license nor permission
to conduct business or solicit deposits or funds from the public.
"""
BRITAIN = """
CERTIFICATE OF INCORPORATION
OF A PRIVATE LIMITED COMPANY
Company Number 9327424
The Registrar of Companies for England and Wales, hereby certifies that
NORTHWIND LANTERNS LIMITED
is this day incorporated under the Companies Act 2006 as a private company, that the
company is limited by shares, and the situation of its registered office is in
England and Wales.
Given at Companies House, Cardiff, on 27th July 2020.
The above information was communicated by electronic means and authenticated by the
Registrar of Companies under section 1115 of the Companies Act 2006
"""
FRANCE = """
Greffe du Tribunal de Commerce de Nîmes
N° de gestion 2007B01401
Extrait Kbis
EXTRAIT D'IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIETES
à jour au 22 avril 2022
Code de vérification : Kw3rTnq8Za
IDENTIFICATION DE LA PERSONNE MORALE
Immatriculation au RCS, numéro 732 829 320 R.C.S. Nîmes
Dénomination ou raison sociale LANTERNES DU NORD
Forme juridique Société à responsabilité limitée
Adresse du siège 12 rue des Forges 30000 Nîmes
Le Greffier
"""
NETHERLANDS = """
Uittreksel Handelsregister Kamer van Koophandel
KVK-nummer 69599084
Rechtspersoon
Statutaire naam Noorderlicht Lantaarns B.V.
Statutaire zetel Utrecht
Datum akte van oprichting 14-03-2019
Dit uittreksel is gewaarmerkt met een digitale handtekening en is een officieel bewijs
van inschrijving in het Handelsregister.
"""
BANK = """
Statement of account
Northwind Bank
Statement period 1 March 2024 to 31 March 2024
Account holder NORTHWIND LANTERNS LIMITED
Opening balance 1,204.50
Deposits 300.00
Withdrawals 104.50
Closing balance 1,400.00
Sort code 20-00-00 Current account
"""
RECORDS = {
    INDIA: "iText® 5.5.13 ©2000-2018 iText Group NV (AGPL-version)",
    BRITAIN: "dvips + GPL Ghostscript 8.70",
    FRANCE: "Apache FOP Version 2.3",
    BANK: "StreamServe Communication Server 5.6",
}


MARK_OF_QPDF, MARK_OF_GHOSTSCRIPT = b"%\xbf\xf7\xa2\xfe", b"%\xc7\xec\x8f\xa2"


@cache
def issued(words: str, program: str = "") -> bytes:
    """A page with these words, written by a program that names itself."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    for row, line in enumerate(words.strip().splitlines()):
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(60, 780 - 24 * row, line)
    canvas.showPage()
    canvas.save()

    def name(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/Producer"] = program
        pdf.docinfo["/Creator"] = ""

    written = plain(rewritten(out.getvalue(), name))
    # The program that names itself wrote the file, and not the library of this test.
    return written.replace(MARK_OF_QPDF, MARK_OF_GHOSTSCRIPT, 1)


def of(rule: Any, file: bytes) -> Any:
    return rule(Evidence(file))


def verified(file: bytes) -> tuple[str, dict[str, str]]:
    """The result, and the type of each indicator."""
    outcome = DocumentFraud().run(Evidence(file, "document.pdf"))
    payload = outcome.payload["fraud_verification_data"]
    types = {}
    for item in payload["verification_data"]:
        types[item["indicator_id"]] = item["type"]
    return payload["verification_result"], types


def scan_of_print(file: bytes, seed: int, *, producer: str = "") -> bytes:
    """What a scanner makes of the printed page: askew, soft, and with a grain."""
    pick = random.Random(seed)  # noqa: S311 - the same scans in each run
    dpi = pick.choice((150, 200))
    page = picture_of(file, dpi=dpi).convert("L")
    angle = pick.choice((-1, 1)) * pick.uniform(0.1, 1.2)
    page = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    page = page.filter(ImageFilter.GaussianBlur(pick.uniform(0.4, 0.9)))
    dots = np.asarray(page, dtype=np.float32) * 0.95
    dots += np.random.default_rng(seed).normal(0, pick.uniform(2, 7), dots.shape)
    if pick.random() < 0.5:
        dots = (dots - 20) * 255 / 205
    picture = Image.fromarray(np.clip(dots, 0, 255).astype(np.uint8)).convert("RGB")
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=dpi, quality=90, producer=producer)
    return out.getvalue()


def test_each_row_of_the_table_is_whole():
    kinds = {kind.code for kind in TYPES}
    for row in table("issuers"):
        what = f"{row['country']} {row['issuer']}"
        assert re.fullmatch(r"[A-Z]{2}(?:-[A-Z]{2,3})?", row["country"]), what
        assert row["kinds"], what
        assert set(row["kinds"].split()) <= kinds, what
        assert row["form"] in {"", "text", "text or paper"}, what
        assert row["signature"] in {"", "always", "stated"}, what
        assert row["qr"] in {"", "always", "or"}, what
        assert row["confidence"] in {"high", "medium"}, what
        assert len(row["source"]) > 20, what
        for column in ("names", "titles", "phrases", "code"):
            words = row[column]
            assert words or column == "code", what
            assert words == without_accents(words), (what, words)
            assert all(part.strip() == part for part in words.split("|")), what
        # What a scanner names is no sign of an issuer.
        for pattern in (row["programs"], row["text_programs"]):
            for scanner in ("Canon iR-ADV C3525", "KONICA MINOLTA bizhub", "PDFium"):
                assert not pattern or not re.search(pattern, scanner, re.IGNORECASE)


@pytest.mark.parametrize(
    ("words", "issuer"),
    [
        (INDIA, "the Ministry of Corporate Affairs of India"),
        (BRITAIN, "Companies House (UK)"),
        (FRANCE, "the commercial courts of France (Infogreffe)"),
        (NETHERLANDS, "the Chamber of Commerce of the Netherlands (KVK)"),
    ],
)
def test_an_issuer_is_known_by_the_words_of_its_page(words, issuer):
    result = issued_by(Evidence(issued(words)))

    assert result
    assert result.profile.issuer == issuer


def test_the_name_of_an_issuer_alone_makes_no_document_of_it():
    words = (
        "Certificate of Good Standing\nThis is to certify that the company told the"
        "\nMinistry of Corporate Affairs of its new seat and is duly formed."
    )

    assert issued_by(Evidence(issued(words))) is None


def test_two_offices_that_differ_in_one_word_are_not_taken_for_one_another():
    (illinois,) = (row for row in profiles() if "Illinois" in row.issuer)
    words = "office of the secretary of state of the state of california good standing"

    assert illinois.agreeing(words, by_ocr=True) == 0
    misread = words.replace("california", "illin0is").replace("secretary", "secretery")
    assert illinois.agreeing(misread, by_ocr=True) == 2
    assert illinois.agreeing(misread, by_ocr=False) == 0


def test_a_document_of_before_a_row_is_not_measured_by_it():
    old = FRANCE.replace("22 avril 2022", "22 avril 2008").replace("Code de", "")

    assert issued_by(Evidence(issued(FRANCE)))
    assert issued_by(Evidence(issued(old))) is None


def test_the_program_of_an_issuer_is_known_by_its_own_file():
    assert of(issuers.issuer_producer_known, issued(BRITAIN, RECORDS[BRITAIN]))
    assert (
        of(issuers.issuer_producer_unexpected, issued(BRITAIN, "Word")).type == "INFO"
    )


def test_a_file_that_a_library_saved_again_is_not_trusted_for_the_name_of_its_program():
    with pikepdf.open(io.BytesIO(issued(BRITAIN, RECORDS[BRITAIN]))) as pdf:
        saved = io.BytesIO()
        pdf.save(saved)

    result, types = verified(saved.getvalue())

    assert types["writer_rewritten"] == "INFO"
    assert "issuer_producer_known" not in types
    assert result == "NORMAL"


def test_a_picture_of_a_document_tells_nothing_of_its_issuers_program():
    file = ocr_layer(issued(INDIA, RECORDS[INDIA]))

    assert of(issuers.issuer_producer_known, file) is None
    missing = of(issuers.issuer_signature_missing, file)
    assert missing.type == "INFO"
    assert (
        "The Ministry of Corporate Affairs of India signs its files"
        in missing.description
    )


def test_a_file_that_lost_its_issuers_signature_goes_to_a_person():
    result, types = verified(issued(INDIA, RECORDS[INDIA]))

    assert result == "WARNING"
    assert types["issuer_signature_removed"] == "RISK"
    assert "issuer_producer_known" not in types


def test_a_record_of_a_signature_alone_is_no_signature():
    """Anybody can write the record into a comment."""
    record = b"%% /ByteRange [0 20 40 20]\n%%EOF\n"

    result, types = verified(issued(INDIA, RECORDS[INDIA]) + record)

    assert result == "WARNING"
    assert types["issuer_signature_removed"] == "RISK"
    assert types["issuer_signature_missing"] == "INFO"
    assert "issuer_producer_known" not in types


def test_a_signature_in_the_name_of_the_issuer_that_anybody_can_make_is_not_its_own():
    name = "DS MINISTRY OF CORPORATE AFFAIRS"
    file = sign(issued(INDIA, RECORDS[INDIA]), signer=name, seed=3)

    result, types = verified(file)

    assert result == "WARNING"
    assert types["signature_valid_untrusted"] == "INFO"
    removed = of(issuers.issuer_signature_removed, file)
    assert "made by its signer" in removed.description


def test_a_signature_that_a_save_broke_is_not_said_to_be_missing():
    """Another finding names who signed it."""
    signed = sign(issued(INDIA, RECORDS[INDIA]), signer="DS MINISTRY", seed=3)
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(signed)) as pdf:
        pdf.save(saved, object_stream_mode=pikepdf.ObjectStreamMode.generate)

    for rule in (issuers.issuer_signature_missing, issuers.issuer_signature_removed):
        assert "its signature fits this file no longer" in (
            of(rule, saved.getvalue()).description
        )


def test_a_reprint_without_the_signature_is_no_risk():
    result, types = verified(issued(INDIA, "Microsoft: Print To PDF"))

    assert result == "NORMAL"
    assert types["issuer_signature_missing"] == "INFO"
    assert "RISK" not in types.values()


def test_an_issuer_that_does_not_sign_lacks_no_signature():
    assert of(issuers.issuer_signature_missing, issued(BRITAIN)) is None


def test_a_page_that_calls_itself_signed_lacks_its_signature():
    missing = of(issuers.issuer_signature_missing, issued(NETHERLANDS))
    unsigned = NETHERLANDS.replace("met een digitale handtekening", "door de KVK")

    assert missing.type == "INFO"
    assert missing.raw == "digitale handtekening"
    assert of(issuers.issuer_signature_missing, issued(unsigned)) is None


@pytest.mark.sweep
@pytest.mark.parametrize("words", [INDIA, BRITAIN, FRANCE, BANK])
@pytest.mark.parametrize(("resolution", "quality"), [(110, 60), (200, 85), (150, 0)])
def test_pictures_with_the_record_of_the_original_go_to_a_person(
    words, resolution, quality
):
    file = issued(words, RECORDS[words])
    copy = as_pictures(file, resolution=resolution, quality=quality, keep_record=True)

    result, types = verified(copy)

    assert result == "WARNING"
    assert types["issuer_record_without_text"] == "RISK"
    assert "TRUST" not in {
        kind for sign, kind in types.items() if sign.startswith("issuer_")
    }
    assert "issuer_record_without_text" not in verified(file)[1]


def test_of_a_page_without_readable_words_nothing_is_said():
    def shapes(pdf: pikepdf.Pdf) -> None:
        boxes = b" ".join(b"%d 700 4 9 re f" % (60 + 6 * at) for at in range(60))
        pdf.pages[0].Contents = pdf.make_stream(boxes)

    bare = rewritten(issued(BANK, RECORDS[BANK]), shapes)

    assert of(issuers.issuer_record_without_text, bare) is None


def test_pictures_without_a_record_go_to_a_person_where_a_program_drew_them():
    file = issued(INDIA, RECORDS[INDIA])
    copy = as_pictures(file, resolution=200, quality=85, keep_record=False)

    result, types = verified(copy)

    assert result == "WARNING"
    assert types["issuer_page_redrawn"] == "RISK"
    assert types["issuer_text_missing"] == "INFO"


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("words", [INDIA, BRITAIN])
def test_a_scan_of_a_print_is_no_risk(words, seed):
    scan = scan_of_print(
        issued(words), seed, producer=("", "KONICA MINOLTA bizhub C364e")[seed % 2]
    )

    result, types = verified(scan)

    assert result == "NORMAL"
    assert types["issuer_text_missing"] == "INFO"
    assert "RISK" not in types.values()
    assert "issuer_producer_known" not in types


def test_a_scan_that_was_pasted_into_a_text_is_no_risk():
    file = issued(BRITAIN, "Microsoft® Word 2016")
    scan = scan_of_print(file, 5, producer="Microsoft® Word 2016")

    assert of(issuers.issuer_record_without_text, scan) is None


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(12))
def test_a_scan_is_not_taken_for_a_drawing(seed):
    (picture,) = read_pictures(scan_of_print(issued(INDIA), seed), "pdf", pages=1)

    assert not is_drawn(picture)


@pytest.mark.parametrize(("resolution", "quality"), [(200, 85), (200, 0), (300, 85)])
def test_a_drawing_is_told_by_its_letters(resolution, quality):
    copy = as_pictures(
        issued(INDIA), resolution=resolution, quality=quality, keep_record=False
    )
    (picture,) = read_pictures(copy, "pdf", pages=1)

    assert is_drawn(picture)


def test_a_picture_in_black_and_white_is_not_called_drawn():
    copy = picture_of(issued(INDIA), dpi=200).convert("1").convert("L").convert("RGB")
    out = io.BytesIO()
    copy.save(out, "PNG")
    (picture,) = read_pictures(out.getvalue(), "png", pages=1)

    assert not is_drawn(picture)


def test_a_file_without_its_code_of_verification_is_told():
    bare = FRANCE.replace("Code de vérification : Kw3rTnq8Za\n", "")

    assert of(issuers.issuer_code_missing, issued(FRANCE)) is None
    missing = of(issuers.issuer_code_missing, issued(bare))
    assert missing.type == "INFO"
    # On paper the office prints extracts without a code, too.
    scan = scan_of_print(issued(bare), 3)
    assert of(issuers.issuer_code_missing, scan) is None


def test_an_edit_of_the_text_is_told_by_other_indicators():
    file = issued(BRITAIN, RECORDS[BRITAIN])
    edited = appended(file, drawn(b"BT 0 g /Typed 9 Tf 60 300 Td (Typed) Tj ET"))

    assert of(issuers.issuer_record_without_text, edited) is None
    assert of(issuers.issuer_page_redrawn, edited) is None
