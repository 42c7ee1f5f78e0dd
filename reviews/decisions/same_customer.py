"""What other cases say of the customer of a case: a case that is clean by itself may be of a
customer whom people rejected or reported the week before.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.models import (
    Case,
    CaseParty,
    Decision,
    HitLabel,
    LegalHold,
    Outcome,
    RiskBand,
    Severity,
    SuspicionReport,
)
from reviews.parties import profile, visibility
from reviews.parties.sanctioned import listed
from reviews.parties.visibility import Person

# Everybody together. For what no page shows: who does not see a case must not learn of it.
ALL = roles.Audience(None)
Status = Case.Status


def objections(case: Case, viewer: Person) -> list[str]:
    """Why a person has to look at the case because of other cases of its customer, in words.

    Merged parties are one customer. Only cases that the viewer sees are read.
    """
    cases = _others(case, viewer).filter(case_parties__role=CaseParty.Role.SUBJECT)
    keys = set(cases.values_list("pk", flat=True))
    faults = []
    rejections = Decision.objects.filter(
        case__in=keys, status=Decision.Status.STANDING, outcome=Outcome.REJECT
    )
    if keys and rejections.exists():
        faults.append(_("Another case of this customer was rejected."))
    if keys and Case.objects.filter(_asks_for_a_person(), pk__in=keys).exists():
        faults.append(_("Another case of this customer asks for a person."))
    if _is_on_a_list(case, viewer):
        faults.append(_("People found this customer on a list, in another case."))
    return faults


def is_watched(case: Case) -> bool:
    """Whether the customer was reported for suspicion or is held, in this case or another.

    Not everybody may know of it: no sentence may name it.
    """
    keys = {case.pk, *_others(case, ALL).values_list("pk", flat=True)}
    reports = SuspicionReport.objects.filter(case__in=keys)
    # A report that was filed says no less of the customer than one that is being written.
    if reports.exclude(status=SuspicionReport.Status.WITHDRAWN).exists():
        return True
    references = Case.objects.filter(pk__in=keys).values("reference")
    of_case = Q(case__in=keys) | Q(reference__in=references)
    return LegalHold.standing().filter(of_case).exists()


def _others(case: Case, viewer: Person) -> QuerySet[Case]:
    """The other cases that name the customer of this case, in whatever role."""
    links = _links(case, viewer)
    return Case.objects.filter(case_parties__in=links).distinct()


def _links(case: Case, viewer: Person) -> QuerySet[CaseParty]:
    head = visibility.subject_of(case)
    if head is None:
        return CaseParty.objects.none()
    return visibility.links(viewer, [head.pk]).exclude(case=case)


def _asks_for_a_person() -> Q:
    waits = Q(status__in=(Status.ATTENTION, Status.ESCALATED, Status.SECOND))
    has_findings = ~Q(status=Status.DECIDED) & ~Q(severity=Severity.NONE)
    is_risky = Q(risk_band__in=(RiskBand.PROHIBITED, RiskBand.HIGH))
    return waits | has_findings | is_risky | Q(alarm_at__isnull=False)


def _is_on_a_list(case: Case, viewer: Person) -> bool:
    confirmed = HitLabel.objects.filter(
        kind=HitLabel.Kind.CONFIRMED, taken_back_at=None
    )
    rows = _links(case, viewer).filter(case__in=confirmed.values("case"))
    links = list(rows.select_related("party", "case"))
    if not links:
        return False
    names = profile.names_by_link(profile.stated_names(links))
    for of_party in listed.hits(links, names).values():
        if any(hit.is_confirmed and not hit.is_dismissed for hit in of_party):
            return True
    return False
