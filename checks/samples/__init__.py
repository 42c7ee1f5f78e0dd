"""Fictional documents, generated from a seed, for the demonstration and for tests.

Every company, person and number is invented. The same seed gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from checks.samples.certificate import Certificate, draw, invent
from checks.samples.editing import cover_and_retype
from checks.samples.hostile import HOSTILE
from checks.samples.letters import (
    draw_ein_letter,
    draw_register_of_members,
    draw_utility_bill,
    ein_of,
    owners_of,
)
from checks.samples.scanning import scan
from checks.samples.signing import sign
from checks.samples.tampering import WAYS, Target
from checks.wire import Wire
from papers import writing  # noqa: F401 - its settings of reportlab hold for the samples, too

__all__ = [
    "Sample",
    "edited_certificate",
    "ein_letter",
    "good_certificate",
    "hostile_documents",
    "register_of_members",
    "scanned_certificate",
    "signed_certificate",
    "tampered_certificates",
    "utility_bill",
]


@dataclass(frozen=True, slots=True)
class Sample:
    """A document, and the self-attested data of its case."""

    name: str
    file_name: str
    content: bytes
    attested: Wire


def good_certificate(seed: int = 1) -> Sample:
    """Return a certificate of incorporation that agrees with the attested data."""
    certificate = invent(seed)
    content = draw(certificate).content
    return Sample("good", _file_name(certificate, ""), content, _attested(certificate))


def edited_certificate(seed: int = 2) -> Sample:
    """Return a certificate whose year was painted over and retyped; the new year is attested."""
    certificate = invent(seed)
    drawing = draw(certificate)
    earlier = certificate.year - 6
    content = cover_and_retype(drawing.content, drawing.year, str(earlier))
    attested = _attested(certificate) | {
        "incorporation_date": certificate.incorporated.replace(year=earlier).isoformat()
    }
    return Sample("edited", _file_name(certificate, "_copy"), content, attested)


def scanned_certificate(seed: int = 3) -> Sample:
    """Return a certificate that was printed and scanned: a picture, slightly skewed,
    without text.
    """
    certificate = invent(seed)
    created = certificate.certified + timedelta(days=9)
    content = scan(draw(certificate).content, seed=seed, created=created)
    return Sample(
        "scanned", _file_name(certificate, "_scan"), content, _attested(certificate)
    )


def ein_letter(seed: int = 4) -> Sample:
    """Return the notice in which the tax office assigned its number to the company."""
    certificate = invent(seed)
    attested = _attested(certificate) | {"tin_number": ein_of(certificate)}
    return Sample("ein letter", "cp_575_a.pdf", draw_ein_letter(certificate), attested)


def utility_bill(seed: int = 5, *, dated: date) -> Sample:
    """Return an electricity bill at the address of the company, with the given date."""
    certificate = invent(seed)
    attested = _attested(certificate)
    attested["address_of_operation"] = attested["address_of_incorporation"]
    content = draw_utility_bill(certificate, dated=dated)
    return Sample("utility bill", f"electricity_{dated:%Y_%m}.pdf", content, attested)


def register_of_members(seed: int = 6) -> Sample:
    """Return a register of members whose owners are the attested ones."""
    certificate = invent(seed)
    partners = [
        {"name": name, "percentage": part} for name, part in owners_of(certificate)
    ]
    attested = _attested(certificate) | {"partners": partners}
    content = draw_register_of_members(certificate)
    return Sample("register of members", "register_of_members.pdf", content, attested)


def _file_name(certificate: Certificate, ending: str) -> str:
    return f"{certificate.short_name.lower().replace(' ', '_')}_certificate{ending}.pdf"


def _attested(certificate: Certificate) -> dict[str, object]:
    return {
        "business_name": certificate.short_name,
        "registered_business_name": certificate.company,
        "incorporation_date": certificate.incorporated.isoformat(),
        "business_registration_number": certificate.file_number,
        "address_of_incorporation": {
            "type": "Address",
            "street_1": certificate.street,
            "street_2": None,
            "city": certificate.city,
            "state": "DE",
            "country_code": "US",
            "postal_code": certificate.postal_code,
        },
        "business_purpose": certificate.purpose.capitalize(),
    }


def tampered_certificates(seed: int = 4) -> dict[str, Sample]:
    """Return the same certificate edited in every way of `tampering.WAYS`, by the name of
    the way.
    """
    certificate = invent(seed)
    drawing = draw(certificate)
    earlier = str(certificate.year - 6)
    target = Target(drawing.content, drawing.year, str(certificate.year), earlier)
    attested = _attested(certificate) | {
        "incorporation_date": certificate.incorporated.replace(
            year=int(earlier)
        ).isoformat()
    }
    return {
        way: Sample(way, _file_name(certificate, f"_{way}"), edit(target), attested)
        for way, (edit, _) in WAYS.items()
    }


def signed_certificate(seed: int = 5) -> Sample:
    """Return a certificate with an intact digital signature of its register."""
    certificate = invent(seed)
    content = sign(
        draw(certificate).content, signer="Division of Corporations", seed=seed
    )
    return Sample(
        "signed", _file_name(certificate, "_signed"), content, _attested(certificate)
    )


def hostile_documents() -> dict[str, bytes]:
    """Return files that attack their reader, or cannot be read, by name."""
    return {name: make() for name, make in HOSTILE.items()}
