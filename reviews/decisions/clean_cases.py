"""Clean cases: cases that may be approved in bulk or automatically, without a look of their
own.

The conditions are stricter than those of a single decision. If a person reviewed a check,
dismissed a finding or overrode a check, the case was in doubt once, and a person decides it
alone.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from compliance.languages import english
from compliance.pages.phrases import and_more
from reviews.access import roles
from reviews.decisions import decisions, obstacles, policy, same_customer
from reviews.decisions.decisions import DecisionRequest, RefusedError, StaleError
from reviews.findings.recommendation_sentence import passed_in_words
from reviews.findings.recommendations import AGREES, shown
from reviews.findings.review_state import ReviewState
from reviews.models import (
    BulkApproval,
    BulkApprovalCase,
    Case,
    Decision,
    HitLabel,
    Outcome,
    PeriodicReview,
    RatingState,
    RiskBand,
    RiskPolicy,
    Severity,
    ValueChoice,
)
from reviews.people.assignment import awake
from reviews.periodic import expiries
from reviews.risk import attested, overrides
from reviews.risk.ownership import factor
from reviews.service import received_webhooks

STALE = gettext_lazy("It has changed since the sample was drawn.")
DRAWN = gettext_lazy("It was drawn for a full look: decide it by itself.")
UNREAD = gettext_lazy("A webhook that may be about it is not applied yet.")
# Days after which the results of a case no longer approve it automatically: documents expire, and
# a list that was loaded so long ago is stale (`load_list --max-age-days`).
MOST_DAYS = 8
# Labels of checks that one sentence names; the rest is counted ("and 2 more").
MOST_LABELS = 3


def candidates(cases: QuerySet[Case], actor: User) -> QuerySet[Case]:
    """The cases that may be clean, judged by their columns only.

    This is a cheap filter in the database: it drops most other cases. `objections` decides.
    """
    is_free = Q(analyst=None) | Q(analyst=actor)
    return cases.filter(
        is_free,
        awake(now()),
        status=Case.Status.TO_REVIEW,
        severity=Severity.NONE,
        risk=0,
        risk_band=RiskBand.LOW,
        alarm="",
        alarm_at=None,
    )


def objections(case: Case, actor: User | None) -> list[str]:
    """The reasons, in words, why the case cannot be approved in bulk; an empty list: it is
    clean.

    `actor` is the person who approves it in bulk. None stands for automatic approval, where
    nobody owns the case.
    """
    faults = _of_the_row(case, actor)
    if faults:
        # Reading the results is slow, so it happens only if the columns give no reason.
        return faults
    state = ReviewState.of(case)
    faults = of_the_results(state)
    faults += _of_alerts(state)
    faults += _of_days(state)
    if attested.exposure(case):
        # No list may have the office, or the person close to it.
        faults.append(_("Its data state that somebody is politically exposed."))
    if actor is None and _is_old(state):
        faults.append(
            _("Its checks ran more than %(days)d days ago.") % {"days": MOST_DAYS}
        )
    faults += same_customer.objections(case, actor or same_customer.ALL)
    faults += obstacles.of(case, state, Outcome.APPROVE, actor=actor)
    second = policy.reasons_for_second_person(case, state, Outcome.APPROVE)
    for reason in second:
        faults.append(_("A second person must agree: %(reason)s.") % {"reason": reason})
    return faults


def _of_the_row(case: Case, actor: User | None) -> list[str]:
    # Reasons from the row of the case and from rows that are cheap to read.
    if case.erased_at:
        return [_("Its personal data were erased.")]
    if case.status != Case.Status.TO_REVIEW:
        return [_("Its status is: %(status)s.") % {"status": case.status_word}]
    faults = _of_people(case, actor)
    if actor is None:
        faults += of_reviews(case)
        if case.notes.exists():
            faults.append(_("A person has written a note about it."))
    if case.alarm:
        faults.append(_("An alarm asks for a person."))
    if received_webhooks.has_unread(case):
        faults.append(str(UNREAD))
    faults += of_the_agent(case, case.recommendation)
    return faults + _of_the_rating(case)


def of_the_agent(case: Case, recommendation: str) -> list[str]:
    """The reasons against an approval that come from the agent: another recommendation, or reasons."""
    faults = []
    if recommendation.strip().lower() not in AGREES[Outcome.APPROVE]:
        faults.append(_recommended(recommendation))
    if case.recommendation_reasons:
        faults.append(_("The agent says what is missing."))
    return faults


def _recommended(recommendation: str) -> str:
    words = shown(recommendation)
    if not words:
        return _("The agent recommends: nothing.")
    return _("The agent recommends: %(recommendation)s.") % {"recommendation": words}


def of_reviews(case: Case) -> list[str]:
    """A review renews what is known of a customer: unchanged data that pass again do not."""
    if PeriodicReview.objects.filter(opened_case=case).exists():
        return [_("It is a periodic review.")]
    return []


def _of_people(case: Case, actor: User | None) -> list[str]:
    """Reasons from the work of people: another analyst, a snooze, a decision, a sample."""
    faults = []
    owners: set[int | None] = {None}
    if actor is not None:
        owners.add(actor.pk)
    if case.analyst_id not in owners:
        faults.append(_("It is somebody else's."))
    if case.snoozed_until and case.snoozed_until > now():
        faults.append(_("It is snoozed."))
    if case.decisions.exists():
        faults.append(_("Somebody has decided about it before."))
    if case.bulk_approvals.filter(is_sample=True).exists():
        faults.append(str(DRAWN))
    # It may contradict what a check has passed.
    if ValueChoice.objects.filter(case=case, ended_at=None).exists():
        faults.append(_("Somebody has chosen or corrected a value."))
    # The results of the case do not show a hit of a look-up.
    matches = HitLabel.objects.filter(kind=HitLabel.Kind.CONFIRMED, taken_back_at=None)
    if matches.filter(case=case).exists():
        faults.append(_("Somebody has confirmed a match with a list."))
    return faults


def _of_the_rating(case: Case) -> list[str]:
    # Reasons from the risk: not low, or the rating is out of date and waits for a worker.
    if case.risk_band != RiskBand.LOW:
        band = RiskBand(case.risk_band)
        return [_("Its risk: %(band)s.") % {"band": band.label}]
    states = RatingState.objects.filter(
        case=case, due_at=None, policy__status=RiskPolicy.Status.LIVE
    )
    state = states.select_related("rating").first()
    if state is None:
        return [_("Its risk is computed again.")]
    if overrides.current(case):
        return [_("Somebody has rated its risk otherwise.")]
    # No result of the case shows its owners' hits, and a policy may give them no points.
    if state.rating and factor.label_of(state.rating) in factor.OF_LISTED:
        return [_("Listed owners hold the customer, or may hold it.")]
    return []


def of_the_results(state: ReviewState) -> list[str]:
    """The reasons against an approval that come from the results of the checks and the findings."""
    faults = []
    doubts = []
    for check in (*state.failed, *state.doubtful):
        doubts.append(check.label)
    if doubts:
        faults.append(_("Not passed: %(names)s.") % {"names": _some(doubts)})
    if not state.passed:
        faults.append(_("No check has passed."))
    overridden = [check.label for check in state.overridden]
    if overridden:
        faults.append(_("Overridden: %(names)s.") % {"names": _some(overridden)})
    against = 0
    for part in state.parts:
        against += sum(finding.is_against for finding in part.findings)
    if against:
        sentence = ngettext(
            "%(count)d finding against it.", "%(count)d findings against it.", against
        )
        faults.append(sentence % {"count": against})
    return faults


def _of_alerts(state: ReviewState) -> list[str]:
    """A check may pass and say that something of it was not read or agrees only in part."""
    labels = [check.label for check in state.passed if check.alerts]
    if not labels:
        return []
    return [_("Passed with an alert: %(names)s.") % {"names": _some(labels)}]


def _of_days(state: ReviewState) -> list[str]:
    """A document may have expired since the check of it passed."""
    for day in expiries.of(state.case, state.effective):
        if day < now().date():
            return [_("A document expired on %(day)s.") % {"day": day.isoformat()}]
    if words := expiries.unread(state.case):
        return [_("“%(words)s” is no day that can be compared.") % {"words": words}]
    return []


def _is_old(state: ReviewState) -> bool:
    oldest = now() - timedelta(days=MOST_DAYS)
    return any(row.received_at < oldest for row in state.effective.rows)


def _some(labels: list[str]) -> str:
    more = len(labels) - MOST_LABELS
    words = ", ".join(labels[:MOST_LABELS])
    return and_more(words, more)


def approve(line: BulkApprovalCase, *, actor: User) -> Decision:
    """Approve one case of a bulk approval, if it is unchanged since the sample was drawn.

    Raises PermissionDenied, StaleError and RefusedError.
    """
    roles.require(actor, roles.DECIDE, line.case)
    with transaction.atomic():
        # The lock keeps the case as it is from these questions to the decision.
        case = Case.objects.select_for_update().get(pk=line.case_id)
        if case.revision != line.revision:
            raise StaleError(str(STALE))
        faults = objections(case, actor)
        if line.is_sample:
            faults.append(str(DRAWN))
        if faults:
            raise RefusedError(*faults)
        # `decide` checks permission, revision and rules again, as for any decision.
        state = ReviewState.of(case)
        request = DecisionRequest(
            outcome=Outcome.APPROVE,
            reasons=line.approval.reasons,
            rationale=_rationale(line.approval, state),
            bulk=line.approval,
        )
        decision = decisions.decide(
            case, actor=actor, request=request, revision=line.revision
        )
        if decision.needs_second:
            # A rule was added at this moment. The error rolls the decision back.
            raise RefusedError(_("A second person must agree."))
    return decision


@english()
def _rationale(approval: BulkApproval, state: ReviewState) -> str:
    """The rationale that is stored with each decision of the bulk approval, in English."""
    fitting = approval.cases.count()
    samples = approval.cases.filter(is_sample=True).count()
    passed = passed_in_words(state)
    return (
        f"{approval}: {fitting} clean cases were approved together, but for {samples} that were"
        f" drawn at random for a full look before. {passed}, no finding speaks against"
        " the case, and its risk is low."
    )
