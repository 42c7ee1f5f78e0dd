"""Fictional documents, drawn from a seed, for the demonstration and for tests.

Every company, person and number is invented. The same seed gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from checks.samples.certificate import Certificate, draw, invent
from checks.samples.editing import cover_and_retype
from checks.samples.scanning import scan

__all__ = ["Sample", "edited_certificate", "good_certificate", "scanned_certificate"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A document, and the self-attested data of the case that it belongs to."""

    name: str
    file_name: str
    content: bytes
    attested: dict[str, Any]


def good_certificate(seed: int = 1) -> Sample:
    """A certificate of incorporation that agrees with what is attested."""
    certificate = invent(seed)
    content = draw(certificate).content
    return Sample("good", _file_name(certificate, ""), content, _attested(certificate))


def edited_certificate(seed: int = 2) -> Sample:
    """A certificate whose year was painted over and retyped, as its owner now attests it."""
    certificate = invent(seed)
    drawing = draw(certificate)
    earlier = certificate.year - 6
    content = cover_and_retype(drawing.content, drawing.year, str(earlier))
    attested = _attested(certificate) | {
        "incorporation_date": certificate.incorporated.replace(year=earlier).isoformat()
    }
    return Sample("edited", _file_name(certificate, "_copy"), content, attested)


def scanned_certificate(seed: int = 3) -> Sample:
    """A certificate that was printed and scanned: a picture, a little askew, without text."""
    certificate = invent(seed)
    content = scan(draw(certificate).content, seed=seed)
    return Sample("scanned", _file_name(certificate, "_scan"), content, _attested(certificate))


def _file_name(certificate: Certificate, ending: str) -> str:
    return f"{certificate.short_name.lower().replace(' ', '_')}_certificate{ending}.pdf"


def _attested(certificate: Certificate) -> dict[str, Any]:
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
