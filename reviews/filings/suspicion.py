"""Suspicious activity reports: drafted, proposed, approved by a second person, and filed.

The audit trail names the report, but not the case: people who read the trail of a case, including
the subject, must not learn about the report (tipping off).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.languages import number
from compliance.pages.phrases import in_sentence
from reviews.access import roles
from reviews.audit import trail
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.filings import days, goaml, kept_files
from reviews.filings.fincen import batch, facts, institution
from reviews.filings.fincen.facts import Facts
from reviews.filings.narrative import CaseEvidence
from reviews.filings.stored_sentences import Sentence, sentences
from reviews.findings import related_cases
from reviews.findings.review_state import ReviewState
from reviews.inbox import notifications
from reviews.models import Case, Notification, SuspicionReport

Kind = Notification.Kind
Status = SuspicionReport.Status
MOST_SENTENCES = 60
LONGEST = 1_000  # characters of a sentence
LONGEST_NOTE = 2_000
LONGEST_RECEIPT = 100


def visible(user: User) -> QuerySet[SuspicionReport]:
    """The reports about cases that the user sees. Empty for roles that may not know of reports."""
    if not user.has_perm(roles.SEE_SUSPICIONS):
        return SuspicionReport.objects.none()
    rows = SuspicionReport.objects.select_related(
        "case", "made_by", "proposed_by", "second_by", "filed_by"
    )
    return roles.only_visible(user, rows, "case__connection")


def earlier(case: Case, user: User) -> list[SuspicionReport]:
    """Filed reports about this case and about related cases, which share its subject or a file."""
    # Only cases that the user may see.
    related, _ = related_cases.related(case, user)
    ids = [case.pk, *(entry.case.pk for entry in related)]
    return list(visible(user).filter(case__in=ids, status=Status.FILED))


def evidence(case: Case, user: User) -> CaseEvidence:
    return CaseEvidence(case, ReviewState.of(case), earlier(case, user))


@transaction.atomic
def begin(case: Case, *, actor: User, noticed_on: date) -> SuspicionReport:
    """Create a draft from the content of the case. `noticed_on` starts the legal deadline. It is
    a day of the person's time zone, like that of every deadline.

    Raises PermissionDenied, and RefusedError, e.g. if another report about the case is open.
    """
    roles.require(actor, roles.SUSPECT, case)
    if case.erased_at:
        raise RefusedError(_("The personal data of this case were erased."))
    if not days.has_come(noticed_on):
        raise RefusedError(_("That day has not come yet."))
    # The draft has only sentences with evidence; the author adds the rest.
    drafted = evidence(case, actor).draft()
    # A unique constraint allows one open report per case.
    try:
        with transaction.atomic():
            report = SuspicionReport.objects.create(
                case=case,
                noticed_on=noticed_on,
                due_on=noticed_on + timedelta(days=settings.SUSPICION_DAYS),
                sentences=[sentence.to_json() for sentence in drafted],
                made_by=actor,
            )
    except IntegrityError as exc:
        raise RefusedError(_("A report about this case is open already.")) from exc
    _record(report, "begun", actor)
    return report


@transaction.atomic
def save(
    report: SuspicionReport,
    rows: Sequence[Sentence],
    *,
    actor: User,
    revision: str,
    stated: Facts | None = None,
) -> SuspicionReport:
    """Store the sentences of a draft. `stated`: facts for FinCEN's form, or None to leave them
    unchanged.

    Raises PermissionDenied; RefusedError with all faults; StaleError if the report has changed.
    """
    # The permission is checked before the lock, so that nobody else can block the row.
    roles.require(actor, roles.SUSPECT, report.case)
    report = _lock(report, revision)
    if report.status != Status.DRAFT:
        raise StaleError(_("It is no draft any more."))
    all_evidence = evidence(report.case, actor).all
    rows_with_text = [row for row in rows if row.text.strip()]
    faults = _faults(rows_with_text, all_evidence)
    if stated is not None:
        faults += facts.faults(stated, all_evidence)
    if faults:
        raise RefusedError(*dict.fromkeys(faults))
    report.sentences = [
        Sentence(row.text.strip(), row.evidence).to_json() for row in rows_with_text
    ]
    if stated is not None:
        report.fincen = stated.to_json()
    report.save(update_fields=["sentences", "fincen", "updated_at"])
    _record(report, "changed", actor)
    return report


def _faults(rows: Sequence[Sentence], all_evidence: Collection[str]) -> list[str]:
    """What is wrong with the sentences, as sentences for the page."""
    faults = []
    if len(rows) > MOST_SENTENCES:
        faults.append(_("At most %(most)d sentences.") % {"most": MOST_SENTENCES})
    if any(len(row.text) > LONGEST for row in rows):
        faults.append(
            _("A sentence has at most %(most)s characters.") % {"most": number(LONGEST)}
        )
    if any(row.evidence and row.evidence not in all_evidence for row in rows):
        faults.append(_("The case has no such evidence."))
    return faults


@transaction.atomic
def propose(report: SuspicionReport, *, actor: User, revision: str) -> None:
    """Submit the draft to a second person and notify those who may approve it.

    Raises PermissionDenied, RefusedError and StaleError.
    """
    roles.require(actor, roles.SUSPECT, report.case)
    report = _lock(report, revision)
    # Collect all faults, so that the author can correct them together.
    rows = sentences(report)
    faults = []
    if not rows:
        faults.append(_("Write what is suspicious."))
    if any(not row.evidence for row in rows):
        faults.append(_("Each sentence names its evidence."))
    most = longest_narrative()
    if sum(len(row.text) + 1 for row in rows) > most:
        words = _("At most %(most)s characters together.")
        faults.append(words % {"most": number(most)})
    # All facts must be complete now, because the approved report cannot be changed before filing.
    if institution.current() is not None:
        names = facts.missing(facts.of(report))
        if names:
            words = _("FinCEN's form needs: %(names)s.")
            faults.append(words % {"names": "; ".join(names)})
    if faults:
        raise RefusedError(*faults)
    changes = {"proposed_by": actor, "proposed_at": now()}
    changes |= {"second_by": None, "second_at": None}
    _move(report, Status.PROPOSED, **changes)
    _record(report, "proposed", actor)
    people = _approvers(report.case)
    notifications.notify(report.case, people, Kind.REPORT, by=actor)


def longest_narrative() -> int:
    """Characters that all sentences together may have: the limit of the form that is in use."""
    if institution.current() is None:
        return goaml.LONGEST_NARRATIVE
    return batch.LONGEST_NARRATIVE


@transaction.atomic
def second(
    report: SuspicionReport, *, actor: User, agrees: bool, note: str, revision: str
) -> None:
    """Record the second person's decision: approve the report, or send it back with a note. An
    approved report can be sent back until it is filed.

    Raises PermissionDenied, RefusedError and StaleError.
    """
    roles.require(actor, roles.APPROVE, report.case)
    # APPROVE alone is not enough: the role must also know of reports.
    _require_sight(actor)
    report = _lock(report, revision)
    note = note.strip()[:LONGEST_NOTE]
    if report.proposed_by_id == actor.pk:
        raise RefusedError(
            _("You proposed this report: somebody else must look at it.")
        )
    if not agrees and not note:
        raise RefusedError(_("Say what is to be done before it is proposed again."))
    deactivation = roles.deactivation_of(report.proposed_by)
    if agrees and deactivation:
        raise RefusedError(deactivation)
    # A returned report becomes a draft again, and its files are made anew.
    to = Status.APPROVED if agrees else Status.DRAFT
    changes = {"second_by": actor, "second_at": now(), "second_note": note}
    _move(report, to, **changes, files={})
    if agrees:
        _keep_files(report, kept_files.all_of(report))
    _record(report, "approved" if agrees else "sent_back", actor)
    notifications.mark_done(report.case, Kind.REPORT)
    notifications.mark_done(report.case, Kind.REPORT_OK)
    kind = Kind.REPORT_OK if agrees else Kind.REPORT_BACK
    notifications.notify(report.case, [report.proposed_by], kind, by=actor)


def _keep_files(report: SuspicionReport, contents: dict[str, str]) -> None:
    report.files = contents
    # Not "updated_at": the revision that people have seen stays.
    report.save(update_fields=["files"])


def _approvers(case: Case) -> list[User]:
    """Users who may approve a report about this case and may know of reports."""
    seers = set(roles.colleagues(case, roles.SEE_SUSPICIONS))
    approvers: list[User] = []
    for user in roles.colleagues(case, roles.APPROVE):
        if user in seers:
            approvers.append(user)
    return approvers


@transaction.atomic
def file(report: SuspicionReport, *, actor: User, receipt: str, revision: str) -> None:
    """Record that the report was filed, with the number of the authority's receipt.

    Raises PermissionDenied, RefusedError and StaleError.
    """
    roles.require(actor, roles.SUSPECT, report.case)
    report = _lock(report, revision)
    receipt = " ".join(receipt.split())
    if not receipt or len(receipt) > LONGEST_RECEIPT:
        raise RefusedError(
            _("Enter the number of the receipt, at most %(most)d characters.")
            % {"most": LONGEST_RECEIPT}
        )
    _move(report, Status.FILED, filed_by=actor, filed_at=now(), receipt=receipt)
    _record(report, "filed", actor)
    notifications.mark_done(report.case, Kind.REPORT_OK)


@transaction.atomic
def withdraw(report: SuspicionReport, *, actor: User, revision: str) -> None:
    """Withdraw a draft. It stays on record. Raises PermissionDenied and StaleError."""
    roles.require(actor, roles.SUSPECT, report.case)
    report = _lock(report, revision)
    _move(report, Status.WITHDRAWN)
    _record(report, "withdrawn", actor)
    notifications.mark_done(report.case, Kind.REPORT_BACK)


def goaml_file(report: SuspicionReport, *, actor: User) -> bytes:
    """The file for goAML. The download is recorded in the audit trail. Raises RefusedError."""
    return _take(report, kept_files.GOAML, actor)


def fincen_file(report: SuspicionReport, *, actor: User) -> bytes:
    """The file for FinCEN. The download is recorded in the audit trail. Raises RefusedError."""
    return _take(report, kept_files.FINCEN, actor)


@transaction.atomic
def _take(report: SuspicionReport, form: str, actor: User) -> bytes:
    """The file of an approved report. A file that could not be made at the approval, for example
    because a setting was missing, is made and kept now.
    """
    report = _locked(report)
    # Refusals raise here, so that only a real download is recorded.
    content = kept_files.content(report, form)
    if report.files.get(form) != content:
        _keep_files(report, {**report.files, form: content})
    data = {"report": report.pk, "form": form}
    trail.record(None, "suspicion_taken", data, user=actor, about=[report])
    return content.encode()


def _require_sight(actor: User) -> None:
    if not actor.has_perm(roles.SEE_SUSPICIONS):
        raise PermissionDenied(_("Your role does not see suspicious activity reports."))


def _lock(report: SuspicionReport, revision: str) -> SuspicionReport:
    """The current row, locked until the end of the transaction.

    Raises StaleError if it has changed since the actor saw it.
    """
    current = _locked(report)
    if current.revision != revision:
        raise StaleError(_("The report has changed since you saw it."))
    return current


def _locked(report: SuspicionReport) -> SuspicionReport:
    rows = SuspicionReport.objects.select_for_update(of=("self",))
    return rows.select_related("case").get(pk=report.pk)


def _move(report: SuspicionReport, to: str, **changes: object) -> None:
    if not report.move(to, **changes):
        raise StaleError(
            _("It is %(status)s now.")
            % {"status": in_sentence(report.get_status_display())}
        )


def _record(report: SuspicionReport, what: str, actor: User) -> None:
    row = SuspicionReport.objects.get(pk=report.pk)
    data = {"report": row.pk, "status": row.status}
    trail.record(None, f"suspicion_{what}", data, user=actor, about=[row])
