"""Genuine files that were signed, and what happens to them afterwards."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import pikepdf

from checks.samples.signing import sign
from tests.checks.document_fraud_check.editing import (
    DIGITS,
    appended,
    drawn,
    plain,
    words_of,
)
from tests.checks.document_fraud_check.genuine_kinds.notes import (
    filed,
    numbered,
    with_remark,
)
from tests.checks.document_fraud_check.genuine_kinds.saves import optimised, page_put_in
from tests.checks.document_fraud_check.genuine_kinds.scans import scanned, turned


def signed(content: bytes) -> bytes:
    return sign(plain(content), signer="Register of Companies", seed=11)


def corrected_then_signed(content: bytes) -> bytes:
    """The issuer corrected a number, saved, and signed the whole."""
    old = next(w.text for w in words_of(content) if DIGITS.search(w.text))
    digits = DIGITS.search(old)
    number = digits[0] if digits else ""

    def correct(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.contents_coalesce()
        data = page.obj.Contents.read_bytes()
        page.obj.Contents = pdf.make_stream(
            data.replace(number.encode(), number[::-1].encode(), 1)
        )

    return signed_only(appended(plain(content), correct))


def redrawn_then_signed(content: bytes) -> bytes:
    """A ministry's own saving draws every page of its form anew, a little elsewhere, and signs."""

    def redraw(pdf: pikepdf.Pdf) -> None:
        drawn(b"")(pdf)
        pdf.pages[0].contents_add(
            pikepdf.Stream(pdf, b"1 0 0 1 0 -2.5 cm\n"), prepend=True
        )

    return signed_only(appended(plain(content), redraw))


def signed_only(content: bytes) -> bytes:
    return sign(content, signer="Register of Companies", seed=11)


def signed_by_two(content: bytes) -> bytes:
    return sign(signed(content), signer="Director", seed=12, field="Second")


def signed_then_turned(content: bytes) -> bytes:
    return turned(90, append=True)(signed(content))


def signed_then_filed(content: bytes) -> bytes:
    return filed(signed(content))


def signed_then_numbered(content: bytes) -> bytes:
    return numbered(signed(content))


def signed_then_faxed(content: bytes) -> bytes:
    return page_put_in(signed(content))


def signed_then_noted(content: bytes) -> bytes:
    return with_remark(signed(content))


def signed_then_optimised(content: bytes) -> bytes:
    return optimised(signed(content))


def signed_then_printed(content: bytes) -> bytes:
    return scanned(signed(content))
