"""Pictures of fictional passports. The state Utopia is that of the examples in ICAO 9303."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from datetime import date, timedelta

from reportlab.pdfgen.canvas import Canvas

from checks.samples.scanning import scan
from checks.subject_data.mrz import digit_of
from checks.wire import Wire

SIZE = (354.0, 249.0)  # 125 x 88 mm, in points
# The term of a passport. The scan is dated on the day of issue, which is this long before expiry.
TERM = timedelta(days=3650)
GIVEN = ("MARGUERITE", "TOBIAS", "INES", "ROWAN", "AMARA", "LEOPOLD")
SURNAMES = ("OYELARAN", "LINDQVIST", "CALDEIRA", "ACHTERBERG", "VASQUEZ", "HALVORSEN")


def zone(
    person: Wire, number: str, expires: date, *, state: str = "UTO"
) -> tuple[str, str]:
    """Return the two lines of a passport (TD3).

    `state`: three letters of the issuing state, which is also the nationality of the holder.
    """
    born = date.fromisoformat(person["date_of_birth"])
    name = f"{person['last_name']}<<{person['first_name']}"
    names = name.upper().replace(" ", "<")
    first = f"P<{state}{names}".ljust(44, "<")[:44]
    number = _with_digit(number.ljust(9, "<"))
    birth = _with_digit(f"{born:%y%m%d}")
    expiry = _with_digit(f"{expires:%y%m%d}")
    optional = _with_digit("<" * 14)
    end = digit_of(number + birth + expiry + optional)
    return first, f"{number}{state}{birth}F{expiry}{optional}{end}"


def _with_digit(part: str) -> str:
    """Return the part with its check digit."""
    return part + digit_of(part)


def draw_passport(
    seed: int, *, expires: date, tamper: bool = False
) -> tuple[bytes, Wire]:
    """Return a scan of the page with the zone, and the data that its holder attests.

    `tamper`: one digit of the date of birth is changed, but not its check digit.
    """
    pick = random.Random(seed)  # noqa: S311
    person = {
        "first_name": pick.choice(GIVEN).title(),
        "last_name": pick.choice(SURNAMES).title(),
        "date_of_birth": (
            date(1960, 1, 1) + timedelta(days=pick.randrange(14_000))
        ).isoformat(),
    }
    number = f"L{pick.randrange(10**7):07d}"
    first, second = zone(person, number, expires)
    if tamper:
        other_digit = (int(second[14]) + 4) % 10
        second = f"{second[:14]}{other_digit}{second[15:]}"
    attested = person | {
        "government_id_verification_data": {
            "id_data": {
                "document_number": number,
                "expiration_date": expires.isoformat(),
                "issuing_country": "UTO",
            }
        }
    }
    picture = _page(person, number, expires, (first, second))
    return scan(picture, seed=seed, created=expires - TERM), attested


def _page(person: Wire, number: str, expires: date, lines: tuple[str, str]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=SIZE, invariant=1)
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawString(20, 222, "UTOPIA  PASSPORT")
    canvas.setFillGray(0.8)
    canvas.rect(20, 90, 84, 110, fill=1, stroke=0)
    canvas.setFillGray(0)
    canvas.setFont("Helvetica", 9)
    rows = (
        f"Surname  {person['last_name']}",
        f"Given names  {person['first_name']}",
        f"Date of birth  {person['date_of_birth']}",
        f"Passport No  {number}",
        f"Date of expiry  {expires.isoformat()}",
    )
    for row, text in enumerate(rows):
        canvas.drawString(120, 190 - 20 * row, text)
    canvas.setFont("Courier-Bold", 12)
    for row, line in enumerate(lines):
        canvas.drawString(18.5, 46 - 20 * row, line)
    canvas.showPage()
    canvas.save()
    return out.getvalue()
