"""What other cases say of the customer of a case: a case that is clean by itself may be of a
customer whom people rejected or reported the week before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.models import (
    Case,
    CaseParty,
    Decision,
    HitLabel,
    LegalHold,
    Outcome,
    Party,
    PartyStatement,
    RiskBand,
    Severity,
    SuspicionReport,
)
from reviews.models.parties import Source
from reviews.parties import profile, structure, visibility
from reviews.parties.merges.duplicates import DAYS
from reviews.parties.sanctioned import listed
from reviews.parties.visibility import Person

# Everybody together. For what no page shows: who does not see a case must not learn of it.
ALL = roles.Audience(None)
Status = Case.Status
_SUBJECT = CaseParty.Role.SUBJECT
# Cases with a confirmed hit whose results are read.
MOST_CASES = 60
# Cases with an equal name of which the days are compared.
MOST_NAMESAKES = 200


def objections(case: Case, viewer: Person) -> list[str]:
    """Why a person has to look at the case because of other cases, in words.

    Merged parties are one customer. Only cases that the viewer sees are read.
    """
    links = _links(case, viewer)
    customer = set(links.filter(role=_SUBJECT).values_list("case", flat=True))
    naming = set(links.values_list("case", flat=True)) - customer
    faults = []
    if _are_rejected(customer):
        faults.append(_("Another case of this customer was rejected."))
    if _ask_for_a_person(customer):
        faults.append(_("Another case of this customer asks for a person."))
    if _are_rejected(naming):
        faults.append(_("A case that names this customer was rejected."))
    if _ask_for_a_person(naming):
        faults.append(_("A case that names this customer asks for a person."))
    others = customer | naming
    if set(_namesakes(case, viewer, _rejections())) - others:
        faults.append(_("A case of somebody with the same name was rejected."))
    asking = Case.objects.filter(_asks_for_a_person())
    same_day = _namesakes(case, viewer, asking)
    if any(same_day[key] for key in same_day.keys() - others):
        faults.append(
            _("A case of somebody with the same name and day asks for a person.")
        )
    if _has_unexamined(case, viewer):
        faults.append(
            _("People recorded an owner or another party whom no check has examined.")
        )
    return faults + _of_named_parties(case, viewer)


def waiting(case: Case) -> set[int]:
    """The keys of other cases that wait for a person and name a party of this one."""
    cases = _links_of_all(case, ALL).filter(case__status=Status.TO_REVIEW)
    return set(cases.values_list("case", flat=True))


def is_watched(case: Case) -> bool:
    """Whether the customer, or somebody whom the case names, was reported for suspicion or is held.

    Not everybody may know of it: no sentence may name it.
    """
    keys = _cases_around(case)
    # A report that was filed says no less of the customer than one that is being written.
    reports = SuspicionReport.objects.exclude(status=SuspicionReport.Status.WITHDRAWN)
    if reports.filter(case__in=keys).exists():
        return True
    if _namesakes(case, ALL, reports):
        return True
    return holds(case).exists()


def holds(case: Case) -> QuerySet[LegalHold]:
    """The holds in force for this case and for those around it."""
    keys = _cases_around(case)
    references = Case.objects.filter(pk__in=keys).values("reference")
    of_case = Q(case__in=keys) | Q(reference__in=references)
    return LegalHold.standing().filter(of_case)


def _cases_around(case: Case) -> set[int]:
    """This case, those that the customer has a part in, and those about somebody whom it names."""
    of_customer = _links(case, ALL).values_list("case", flat=True)
    return {case.pk, *of_customer, *_about_named(case, ALL)}


def _links(case: Case, viewer: Person) -> QuerySet[CaseParty]:
    """The links of the customer of this case to other cases, in whatever role."""
    head = visibility.subject_of(case)
    if head is None:
        return CaseParty.objects.none()
    return visibility.links(viewer, [head.pk]).exclude(case=case)


def _asks_for_a_person() -> Q:
    waits = Q(status__in=(Status.ATTENTION, Status.ESCALATED, Status.SECOND))
    has_findings = ~Q(status=Status.DECIDED) & ~Q(severity=Severity.NONE)
    is_risky = Q(risk_band__in=(RiskBand.PROHIBITED, RiskBand.HIGH))
    # The results of that case do not show the hit, which may be of the customer or of somebody else.
    looked_up = HitLabel.objects.filter(
        case=OuterRef("pk"),
        kind=HitLabel.Kind.CONFIRMED,
        source=HitLabel.Source.LOOK_UP,
        taken_back_at=None,
    )
    has_news = Q(alarm_at__isnull=False) | Q(Exists(looked_up))
    return waits | has_findings | is_risky | has_news


def _ask_for_a_person(cases: Collection[int]) -> bool:
    return Case.objects.filter(_asks_for_a_person(), pk__in=cases).exists()


def _rejections() -> QuerySet[Decision]:
    return Decision.objects.filter(
        status=Decision.Status.STANDING, outcome=Outcome.REJECT
    )


def _are_rejected(cases: Collection[int]) -> bool:
    return _rejections().filter(case__in=cases).exists()


def _links_of_all(case: Case, viewer: Person) -> QuerySet[CaseParty]:
    """The links of all parties of this case to other cases."""
    parties = CaseParty.objects.filter(case=case)
    heads = set()
    for head, party in parties.values_list("party__head", "party"):
        heads.add(head or party)
    return visibility.links(viewer, heads).exclude(case=case)


def _of_named_parties(case: Case, viewer: Person) -> list[str]:
    """What other cases say of the customer, and of the others whom this case names."""
    head = visibility.subject_of(case)
    links = _links_of_all(case, viewer)
    faults = []
    on_lists = _on_lists(links)
    if head is not None and head.pk in on_lists:
        faults.append(_("People found this customer on a list, in another case."))
        on_lists -= {head.pk}
    if on_lists:
        faults.append(
            _("People found somebody whom it names on a list, in another case.")
        )
    about_named = _about_named(case, viewer)
    if _are_rejected(about_named):
        faults.append(_("A case of somebody whom it names was rejected."))
    if _ask_for_a_person(about_named):
        faults.append(_("A case of somebody whom it names asks for a person."))
    return faults


def _has_unexamined(case: Case, viewer: Person) -> bool:
    """Whether people recorded somebody with the customer, or above it, whom the data of this case do
    not name: its checks have screened only those that are named there.
    """
    head = visibility.subject_of(case)
    if head is None:
        return False
    attested = CaseParty.objects.filter(case=case)
    attested = attested.exclude(place__startswith=visibility.ADDED)
    named = _heads_of(attested)
    for edge in structure.above(viewer, head).edges:
        is_recorded = any(row.source != Source.ATTESTED for row in edge.rows)
        if is_recorded and edge.holder not in named:
            return True
    return False


def _heads_of(links: QuerySet[CaseParty]) -> set[int]:
    parties = Party.objects.filter(pk__in=links.values("party"))
    return {party.head_id_or_own for party in parties}


def _about_named(case: Case, viewer: Person) -> set[int]:
    """Other cases whose subject this case names, but for those of its own customer."""
    links = _links_of_all(case, viewer).filter(role=_SUBJECT)
    head = visibility.subject_of(case)
    if head is not None:
        links = links.exclude(Q(party=head.pk) | Q(party__head=head.pk))
    return set(links.values_list("case", flat=True))


def _on_lists(links: QuerySet[CaseParty]) -> set[int]:
    """The heads of these links of which people have confirmed a hit."""
    confirmed = HitLabel.objects.filter(
        kind=HitLabel.Kind.CONFIRMED, taken_back_at=None
    )
    rows = links.filter(case__in=confirmed.values("case"))
    of_confirmed = list(rows.select_related("party", "case"))
    if not of_confirmed:
        return set()
    names = profile.names_by_link(profile.stated_names(of_confirmed))
    heads = set()
    hits = listed.hits(of_confirmed, names, most=MOST_CASES)
    for head, of_party in hits.items():
        if any(hit.is_confirmed and not hit.is_dismissed for hit in of_party):
            heads.add(head)
    return heads


def _namesakes(
    case: Case,
    viewer: Person,
    rows: QuerySet[Case] | QuerySet[Decision] | QuerySet[SuspicionReport],
) -> dict[int, bool]:
    """The cases of the rows whose subject has an equal name, and was not born or founded on another day.
    The value says whether both state one day.

    Nobody has merged them, and no number makes them one: who comes again may leave the number out.
    """
    key = "pk" if rows.model is Case else "case"
    own = list(_of_subjects().filter(case_party__case=case))
    names = {row.digest for row in own if row.kind == PartyStatement.Kind.NAME}
    equal = visibility.statements(viewer).filter(
        kind=PartyStatement.Kind.NAME,
        digest__in=names - {""},
        case_party__role=_SUBJECT,
        case_party__case__in=rows.values_list(key, flat=True),
    )
    links = set(equal.values_list("case_party", flat=True)[:MOST_NAMESAKES])
    theirs: dict[int, list[PartyStatement]] = {}
    for row in _of_subjects().filter(case_party__in=links):
        theirs.setdefault(row.case_party.case_id, []).append(row)
    theirs.pop(case.pk, None)
    answers = {}
    for other, stated in theirs.items():
        has_same_day = _has_same_day(own, stated)
        if has_same_day is not False:
            answers[other] = bool(has_same_day)
    return answers


def _of_subjects() -> QuerySet[PartyStatement]:
    """What cases state of the names and days of their subjects."""
    rows = PartyStatement.objects.filter(
        Q(kind=PartyStatement.Kind.NAME) | Q(label__in=DAYS),
        case_party__role=_SUBJECT,
        replaced_at=None,
    )
    return rows.select_related("case_party__case")


def _has_same_day(
    own: Iterable[PartyStatement], theirs: Iterable[PartyStatement]
) -> bool | None:
    """Whether both were born or founded on one day; None: one of them states none."""
    answer = None
    for label in DAYS:
        days = {row.value for row in own if row.label == label}
        others = {row.value for row in theirs if row.label == label}
        if days and others:
            if days.isdisjoint(others):
                return False
            answer = True
    return answer
