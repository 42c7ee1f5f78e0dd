"""An installation that files with FinCEN, and reports with all that its form asks."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.filings import suspicion
from reviews.filings.fincen.facts import Facts
from reviews.filings.stored_sentences import Sentence, sentences
from reviews.models import Case, ReportingInstitution, SuspicionReport

FILER = {
    "name": "Fjord Bank N.A.",
    "kind": "2",
    "regulator": "4",
    "tin": "123456789",
    "tin_type": "2",
    "street": "1 Main Street",
    "city": "Albany",
    "state": "NY",
    "postal_code": "12207",
    "country": "US",
    "office": "BSA office",
    "office_phone": "5185550100",
    "transmitter": "Fjord Bank N.A.",
    "transmitter_code": "PBSA1234",
    "transmitter_tin": "123456789",
    "transmitter_contact": "BSA officer",
    "transmitter_phone": "5185550101",
    "transmitter_street": "1 Main Street",
    "transmitter_city": "Albany",
    "transmitter_state": "NY",
    "transmitter_postal_code": "12207",
    "transmitter_country": "US",
}
FACTS: dict[str, Any] = {
    "kind": "initial",
    "activities": [403, 905],
    "activity_evidence": "data",
    "first_day": "2026-01-05",
    "last_day": "2026-02-01",
    "amount": "known",
    "dollars": "12500",
    "amount_evidence": "data",
    "relationship": "customer",
    "relationship_evidence": "data",
}


def one_filer(**values: str) -> ReportingInstitution:
    return ReportingInstitution.objects.create(**{**FILER, **values})


def approved(
    case: Case, ana: User, sven: User, *texts: str, **facts: object
) -> SuspicionReport:
    """A report about the case that two people stand behind. `texts`: instead of what is drafted."""
    report = suspicion.begin(case, actor=ana, noticed_on=now().date())
    return agreed(report, ana, sven, *texts, **facts)


def agreed(
    report: SuspicionReport, ana: User, sven: User, *texts: str, **facts: object
) -> SuspicionReport:
    """A draft, completed and approved."""
    rows = [Sentence(text, "data") for text in texts] or sentences(report)
    stated = Facts.of({**FACTS, **facts})
    report = suspicion.save(
        report, rows, actor=ana, revision=report.revision, stated=stated
    )
    suspicion.propose(report, actor=ana, revision=report.revision)
    report.refresh_from_db()
    suspicion.second(report, actor=sven, agrees=True, note="", revision=report.revision)
    report.refresh_from_db()
    return report
