"""Fictional letters about the company of a certificate, from a tax office, a utility and a
secretary.
"""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from datetime import date, timedelta

from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from checks.samples.certificate import MONTHS, Certificate

WIDTH, HEIGHT = LETTER
MARGIN = 60
COLUMN = 340
# Prefixes of employer identification numbers that are assigned over the internet.
PREFIXES = ("20", "26", "27", "45", "46", "47", "81", "82", "83", "84", "85")
OWNERS = (
    "Marguerite Oyelaran",
    "Tobias Lindqvist",
    "Ines Caldeira",
    "Rowan Achterberg",
)


def ein_of(certificate: Certificate) -> str:
    pick = random.Random(certificate.seed + 1)  # noqa: S311 - variety, not secrecy
    return f"{pick.choice(PREFIXES)}-{pick.randint(1_000_000, 9_999_999)}"


def draw_ein_letter(certificate: Certificate) -> bytes:
    """Draw a notice CP 575 A, dated some days after the incorporation."""
    dated = certificate.incorporated + timedelta(days=12)
    number = ein_of(certificate)
    canvas, buffer = _letter(dated, "EIN notice", "EIN assistant")
    _lines(
        canvas,
        MARGIN,
        HEIGHT - 60,
        (
            "DEPARTMENT OF THE TREASURY",
            "INTERNAL REVENUE SERVICE",
            "CINCINNATI  OH   45999-0023",
        ),
    )
    _lines(
        canvas,
        COLUMN,
        HEIGHT - 120,
        (
            f"Date of this notice:  {dated:%m-%d-%Y}",
            "",
            "Employer Identification Number:",
            number,
            "",
            "Form:  SS-4",
            "",
            "Number of this notice:  CP 575 A",
        ),
    )
    _lines(
        canvas,
        MARGIN,
        HEIGHT - 230,
        (
            certificate.company.upper(),
            certificate.street.upper(),
            f"{certificate.city.upper()}, DE  {certificate.postal_code}",
        ),
    )
    _lines(
        canvas,
        COLUMN,
        HEIGHT - 246,
        ("For assistance you may call us at:", "1-800-555-0134"),
    )
    _lines(
        canvas,
        MARGIN,
        HEIGHT - 320,
        (
            "WE ASSIGNED YOU AN EMPLOYER IDENTIFICATION NUMBER",
            "",
            "Thank you for applying for an Employer Identification Number (EIN). We assigned",
            f"you EIN {number}. This EIN will identify you, your business accounts, tax",
            "returns, and documents, even if you have no employees. Please keep this notice",
            "in your permanent records.",
        ),
    )
    return _closed(canvas, buffer)


def draw_utility_bill(certificate: Certificate, *, dated: date) -> bytes:
    """Draw an electricity bill at the address of the company."""
    canvas, buffer = _letter(dated, "Billing statement", "Billing system")
    due = dated + timedelta(days=21)
    begun = dated - timedelta(days=30)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(MARGIN, HEIGHT - 64, "Brandywine Light & Power")
    _lines(canvas, MARGIN, HEIGHT - 84, ("Billing Statement", "Electricity account"))
    _lines(
        canvas,
        COLUMN,
        HEIGHT - 120,
        (
            f"Account number: {40_000_000 + certificate.seed * 917}",
            f"Statement date: {_sheet(dated)}",
            # In two lines: the page is too narrow for both days in one.
            f"Service period: {_sheet(begun)}",
            f"            to: {_sheet(dated)}",
            f"Due date: {_sheet(due)}",
        ),
    )
    _lines(
        canvas,
        MARGIN,
        HEIGHT - 190,
        (
            certificate.company,
            certificate.street,
            f"{certificate.city}, DE {certificate.postal_code}",
        ),
    )
    _lines(
        canvas,
        MARGIN,
        HEIGHT - 290,
        (
            "Service address: "
            f"{certificate.street}, {certificate.city}, DE {certificate.postal_code}",
            "Meter number: 5520318     Usage: 1,204 kWh",
            "Previous balance: $ 0.00",
            "Amount due: $ 187.42",
        ),
    )
    return _closed(canvas, buffer)


def draw_register_of_members(certificate: Certificate) -> bytes:
    """Draw a register of the shareholders: three people, and the total."""
    dated = certificate.certified + timedelta(days=40)
    canvas, buffer = _letter(dated, "Register of members", "Company secretary")
    canvas.setFont("Times-Bold", 16)
    canvas.drawString(
        MARGIN, HEIGHT - 80, f"Register of members of {certificate.company}"
    )
    rows = (
        ("Name of member", "Number of shares", "Percentage"),
        *(
            (name, f"{round(part * 100_000):,}", f"{part:g} %")
            for name, part in owners_of(certificate)
        ),
        ("Total", "10,000,000", "100 %"),
    )
    for index, row in enumerate(rows):
        for at, words in zip((MARGIN, 280, 420), row, strict=True):
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(at, HEIGHT - 120 - 20 * index, words)
    canvas.drawString(MARGIN, HEIGHT - 260, f"Dated {_sheet(dated)}")
    return _closed(canvas, buffer)


def owners_of(certificate: Certificate) -> list[tuple[str, float]]:
    pick = random.Random(certificate.seed + 2)  # noqa: S311 - variety, not secrecy
    return list(zip(pick.sample(OWNERS, 3), (52.0, 30.0, 18.0), strict=True))


def _letter(dated: date, title: str, creator: str) -> tuple[Canvas, io.BytesIO]:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=LETTER, invariant=1)
    canvas.setDateFormatter(lambda *_: f"D:{dated:%Y%m%d}081500Z")
    canvas.setTitle(title)
    canvas.setCreator(creator)
    return canvas, buffer


def _lines(canvas: Canvas, x: float, y: float, lines: Iterable[str]) -> None:
    canvas.setFont("Courier", 10)
    for row, line in enumerate(lines):
        canvas.drawString(x, y - 14 * row, line)


def _sheet(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def _closed(canvas: Canvas, buffer: io.BytesIO) -> bytes:
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()
