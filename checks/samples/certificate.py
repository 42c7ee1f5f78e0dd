"""A fictional certificate of incorporation: facts from a seed, and a page from the facts."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from datetime import date, timedelta

from reportlab.lib.colors import Color, black
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from checks.samples.drawing import draw_frame, draw_seal, draw_signature
from papers.geometry import Rectangle

WIDTH, HEIGHT = LETTER
MIDDLE = WIDTH / 2
INK = Color(0.11, 0.16, 0.31)
FIRST = (
    "Halcyon",
    "Bramblewood",
    "Northlight",
    "Saltmarsh",
    "Quillfeather",
    "Copperfield",
    "Larkspur",
)
SECOND = (
    "Robotics",
    "Analytics",
    "Instruments",
    "Logistics",
    "Foods",
    "Biologics",
    "Energy",
)
FORMS = (", Inc.", " Corporation", " Company")
PURPOSES = (
    "design and sell autonomous handling equipment for warehouses",
    "develop software for the planning of goods transport by rail",
    "manufacture laboratory instruments for the testing of water",
)
STREETS = ("Larch Hollow Road", "Old Foundry Lane", "Kestrel Street", "Millrace Avenue")
CITIES = (("Wilmington", "19801"), ("Dover", "19901"), ("Newark", "19711"))
OFFICERS = ("Marian T. Ellsworth", "Odell R. Fairweather", "Cordelia M. Vance")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DAYS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first "
    "twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth"
)


@dataclass(frozen=True, slots=True)
class Certificate:
    company: str
    file_number: str
    incorporated: date
    certified: date
    street: str
    city: str
    postal_code: str
    purpose: str
    officer: str
    seed: int

    @property
    def short_name(self) -> str:
        """The name without its legal form, as people use it."""
        return " ".join(self.company.replace(",", "").split()[:2])

    @property
    def year(self) -> int:
        return self.incorporated.year


@dataclass(frozen=True, slots=True)
class Drawing:
    """The file, and the place of the year of incorporation, in points from the lower left
    corner.
    """

    content: bytes
    year: Rectangle


def invent(seed: int) -> Certificate:
    pick = random.Random(seed)  # noqa: S311 - variety, not secrecy
    incorporated = date(
        pick.randint(2015, 2023), pick.randint(1, 12), pick.randint(1, 28)
    )
    city, postal_code = pick.choice(CITIES)
    return Certificate(
        company=f"{pick.choice(FIRST)} {pick.choice(SECOND)}{pick.choice(FORMS)}",
        file_number=str(pick.randint(5_200_000, 7_900_000)),
        incorporated=incorporated,
        certified=incorporated + timedelta(days=pick.randint(1, 3)),
        street=f"{pick.randint(11, 980)} {pick.choice(STREETS)}",
        city=city,
        postal_code=postal_code,
        purpose=pick.choice(PURPOSES),
        officer=pick.choice(OFFICERS),
        seed=seed,
    )


def draw(certificate: Certificate) -> Drawing:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=LETTER, invariant=1)
    created = f"D:{certificate.certified:%Y%m%d}101500Z"
    canvas.setDateFormatter(lambda *_: created)
    canvas.setTitle("Certificate of Incorporation")
    canvas.setCreator("Division of Corporations document service")
    draw_frame(canvas, WIDTH, HEIGHT)
    _heading(canvas, certificate)
    year = _statement(canvas, certificate)
    _particulars(canvas, certificate)
    _attestation(canvas, certificate)
    canvas.showPage()
    canvas.save()
    return Drawing(buffer.getvalue(), year)


def _heading(canvas: Canvas, certificate: Certificate) -> None:
    canvas.setFillColor(INK)
    canvas.setFont("Times-Bold", 15)
    canvas.drawCentredString(MIDDLE, HEIGHT - 96, "STATE OF DELAWARE", charSpace=3)
    canvas.setFont("Times-Roman", 10)
    canvas.drawCentredString(MIDDLE, HEIGHT - 114, "Office of the Secretary of State")
    canvas.drawCentredString(MIDDLE, HEIGHT - 128, "Division of Corporations")
    canvas.setFont("Times-Bold", 27)
    canvas.drawCentredString(MIDDLE, HEIGHT - 184, "Certificate of Incorporation")
    canvas.setFillColor(black)
    canvas.setFont("Times-Roman", 10.5)
    canvas.drawCentredString(
        MIDDLE, HEIGHT - 206, f"File Number: {certificate.file_number}"
    )


def _statement(canvas: Canvas, certificate: Certificate) -> Rectangle:
    lines = (
        (
            f"I, {certificate.officer}, Secretary of State of the State of Delaware,",
            "Times-Roman",
            12,
            248,
        ),
        ("do hereby certify that", "Times-Roman", 12, 266),
        (certificate.company, "Times-Bold", 20, 302),
        (
            "is duly incorporated under the laws of the State of Delaware, its certificate",
            "Times-Roman",
            12,
            336,
        ),
        (
            "of incorporation having been filed in this office on the",
            "Times-Roman",
            12,
            354,
        ),
    )
    for words, font, size, down in lines:
        canvas.setFont(font, size)
        canvas.drawCentredString(MIDDLE, HEIGHT - down, words)
    return _date_line(canvas, certificate, HEIGHT - 380)


def _date_line(canvas: Canvas, certificate: Certificate, baseline: float) -> Rectangle:
    """Draw the date in words, with the year as a separate text, and return the place of
    the year.
    """
    font, size = "Times-Bold", 14
    before = f"{_day_and_month(certificate.incorporated)}, A.D. "
    year = str(certificate.year)
    left = MIDDLE - stringWidth(before + year, font, size) / 2
    start = left + stringWidth(before, font, size)
    canvas.setFont(font, size)
    canvas.drawString(left, baseline, before)
    canvas.drawString(start, baseline, year)
    return start, baseline, start + stringWidth(year, font, size), baseline + size * 0.7


def _day_and_month(day: date) -> str:
    return f"{DAYS.split()[day.day - 1]} day of {MONTHS[day.month - 1]}"


def _particulars(canvas: Canvas, certificate: Certificate) -> None:
    rows = (
        ("Name of the corporation:", certificate.company),
        (
            "Registered office:",
            f"{certificate.street}, {certificate.city}, DE {certificate.postal_code}",
        ),
        ("Nature of business:", certificate.purpose.capitalize()),
        ("Authorized shares:", "10,000,000 of common stock, par value $0.0001"),
    )
    top = HEIGHT - 424
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.6)
    canvas.line(96, top + 18, WIDTH - 96, top + 18)
    for index, (label, value) in enumerate(rows):
        canvas.setFont("Times-Bold", 10.5)
        canvas.drawString(104, top - 17 * index, label)
        canvas.setFont("Times-Roman", 10.5)
        canvas.drawString(232, top - 17 * index, value)
    below = top - 17 * len(rows) + 8
    canvas.line(96, below, WIDTH - 96, below)


def _attestation(canvas: Canvas, certificate: Certificate) -> None:
    certified = certificate.certified
    canvas.setFont("Times-Italic", 11)
    canvas.drawCentredString(
        MIDDLE,
        HEIGHT - 528,
        "In witness whereof I have hereunto set my hand and affixed the seal of this office",
    )
    canvas.drawCentredString(
        MIDDLE,
        HEIGHT - 543,
        f"on {MONTHS[certified.month - 1]} {certified.day}, {certified.year}.",
    )
    draw_seal(canvas, 176, 158, "SECRETARY OF STATE  *  STATE OF DELAWARE  *  ", INK)
    draw_signature(canvas, 356, 158, certificate.seed)
    canvas.setStrokeColor(black)
    canvas.setLineWidth(0.7)
    canvas.line(340, 148, 520, 148)
    canvas.setFont("Times-Roman", 10)
    canvas.drawCentredString(430, 134, certificate.officer)
    canvas.drawCentredString(430, 121, "Secretary of State")
    canvas.setFont("Times-Roman", 8)
    canvas.drawCentredString(
        MIDDLE,
        66,
        f"Authentication: {900_000_000 - int(certificate.file_number)}.  "
        "This certificate may be verified at the Division of Corporations.",
    )
