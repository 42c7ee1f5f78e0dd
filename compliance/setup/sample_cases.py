"""Sample cases with invented data, for people who have no cases yet."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.core.files.base import ContentFile

from checks import samples
from reviews.intake import cases
from reviews.models import Agent, Document, Kind

# The reference distinguishes them from real cases.
REFERENCE = "SAMPLE-{number}"
_PERSON: Mapping[str, object] = {
    "first_name": "Marguerite",
    "last_name": "Oyelaran",
    "date_of_birth": "1984-02-17",
    "country_of_nationality": "GB",
    "country_of_residence": "GB",
}


def submit(actor: User, agents: Mapping[Kind, Agent]) -> None:
    """Submit two businesses, of which one has an edited certificate, and a person."""
    certificates = (samples.good_certificate(), samples.edited_certificate())
    for number, sample in enumerate(certificates, start=1):
        file = ContentFile(sample.content, name=sample.file_name)
        cases.submit(
            actor=actor,
            agent=agents[Kind.KYB],
            reference=REFERENCE.format(number=number),
            subject=cases.subject_of(sample.attested),
            country=sample.attested["address_of_incorporation"]["country_code"],
            data=sample.attested,
            documents=[(Document.Kind.INCORPORATION, file)],
        )
    cases.submit(
        actor=actor,
        agent=agents[Kind.KYC],
        reference=REFERENCE.format(number=len(certificates) + 1),
        subject=cases.subject_of(_PERSON),
        country="GB",
        data=_PERSON,
        documents=[],
    )
