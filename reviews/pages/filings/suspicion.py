"""Pages of suspicious activity reports: open reports, reports of a case, one report, its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Protocol

from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from reviews.access import masking, reads, roles
from reviews.access.decorators import person_of, readers_only
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.filings import kept_files, stored_sentences, suspicion
from reviews.filings.fincen import batch, facts, institution, unfit
from reviews.filings.fincen.facts import Facts
from reviews.filings.narrative import Evidence
from reviews.filings.stored_sentences import Sentence
from reviews.models import Read, SuspicionReport
from reviews.pages.case.decide import seen_case
from reviews.pages.filings.fincen_form import FactsForm, words_of

Status = SuspicionReport.Status
MOST_ROWS = 200
SPARE = 1  # empty sentences at the end of a draft

seers_only = permission_required(roles.SEE_SUSPICIONS, raise_exception=True)


@readers_only
@seers_only
@never_cache
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Open reports by deadline, and the newest closed ones."""
    rows = suspicion.visible(person_of(request))
    context = {
        "nav": "suspicion",
        "waiting": rows.filter(status__in=SuspicionReport.OPEN).order_by(
            "due_on", "id"
        ),
        "done": rows.exclude(status__in=SuspicionReport.OPEN)[:MOST_ROWS],
        "today": localdate(),
    }
    return render(request, "reviews/suspicions.html", context)


@readers_only
@seers_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_case(request: HttpRequest, pk: int) -> HttpResponse:
    """The reports about a case and its subject; POST drafts a new one."""
    case = seen_case(request, pk)
    user = person_of(request)
    faults: tuple[str, ...] = ()
    if request.method == "POST":
        try:
            noticed_on = _day(request.POST.get("noticed_on", ""))
            report = suspicion.begin(case, actor=user, noticed_on=noticed_on)
        except RefusedError as exc:
            faults = exc.faults
        else:
            return _to(report)
    rows = suspicion.visible(user).filter(case=case)
    # Reports about related cases are shown, too.
    earlier = suspicion.earlier(case, user)
    is_open = rows.filter(status__in=SuspicionReport.OPEN).exists()
    context = {
        "nav": "suspicion",
        "case": case,
        "rows": rows,
        "earlier": [row for row in earlier if row.case_id != case.pk],
        "may_begin": user.has_perm(roles.SUSPECT) and not is_open,
        "today": localdate(),
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    return render(request, "reviews/suspicions_of_case.html", context, status=status)


def _day(text: str) -> date:
    """The submitted date. Raises RefusedError."""
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise RefusedError(_("Choose the day on which it was noticed.")) from exc


@readers_only
@seers_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One report; POST stores the sentences of a draft, and may propose it."""
    user = person_of(request)
    report = _report(user, pk)
    if request.method != "POST":
        return _page(request, report)
    sent = _sentences(request)
    form = FactsForm.posted(request.POST)
    revision = request.POST.get("revision", "")
    try:
        # Saved in any case; "propose" then acts on the saved revision.
        report = suspicion.save(
            report,
            sent,
            actor=user,
            revision=revision,
            stated=form.facts() if form else None,
        )
        if request.POST.get("act") == "propose":
            suspicion.propose(report, actor=user, revision=report.revision)
    except RefusedError as exc:
        report = _report(user, pk)
        return _page(request, report, sent=sent, form=form, faults=exc.faults)
    except StaleError as exc:
        faults = (str(exc),)
        report = _report(user, pk)
        unsaved = [row.text for row in sent]
        if form:
            unsaved += _in_words(form.facts())
        return _page(request, report, faults=faults, is_stale=True, unsaved=unsaved)
    return _to(report)


def _sentences(request: HttpRequest) -> list[Sentence]:
    texts = request.POST.getlist("text")
    keys = request.POST.getlist("evidence")
    sentences: list[Sentence] = []
    for text, key in zip(texts, keys, strict=False):
        sentences.append(Sentence(text, key))
    return sentences


def _page(
    request: HttpRequest,
    report: SuspicionReport,
    *,
    sent: list[Sentence] | None = None,
    form: FactsForm | None = None,
    faults: tuple[str, ...] = (),
    is_stale: bool = False,
    unsaved: Sequence[str] = (),
) -> HttpResponse:
    """`sent` replaces the stored sentences after a refusal. `unsaved` are shown beside them: the
    sentences and facts of somebody who wrote at the same time as another person.
    """
    user = person_of(request)
    item = f"{report.case_id}/suspicion/{report.pk}"
    reads.shown(request, Read.Kind.REPORT, item)
    evidence = suspicion.evidence(report.case, user).all
    if sent is None:
        rows = stored_sentences.sentences(report)
    else:
        rows = sent
    stored = {"", *(row.text for row in rows), *_in_words(facts.of(report))}
    is_draft = report.status == Status.DRAFT
    may_edit = is_draft and user.has_perm(roles.SUSPECT)
    if may_edit and sent is None:
        rows = [*rows, *[Sentence("")] * SPARE]
    is_approved = report.status in {Status.APPROVED, Status.FILED}
    is_open = report.status in SuspicionReport.OPEN
    is_proposed = report.status == Status.PROPOSED
    # Nobody approves a report that they proposed.
    may_approve = user.has_perm(roles.APPROVE) and user.pk != report.proposed_by_id
    # Without an institution, this installation does not file with FinCEN.
    has_fincen = institution.current() is not None
    stated = facts.of(report)
    fincen_missing = batch.missing(report) if has_fincen else []
    can_make_fincen_file = has_fincen and not fincen_missing
    has_fincen_file = False
    if report.status == Status.FILED or can_make_fincen_file:
        has_fincen_file = kept_files.has(report, kept_files.FINCEN)
    if form is None and has_fincen and may_edit:
        form = FactsForm.of(stated)
    context = {
        "nav": "suspicion",
        "report": report,
        "has_fincen": has_fincen,
        "fincen_form": form if may_edit else None,
        "fincen_missing": fincen_missing,
        **_outside(report, rows, has_fincen=has_fincen),
        "fincen_lines": _lines(stated, evidence) if has_fincen else [],
        "lines": [(row, evidence.get(row.evidence)) for row in rows],
        "evidence": evidence.values(),
        "unsaved": [text for text in unsaved if text.strip() not in stored],
        # What was typed beside the buttons is kept after a refusal.
        "note": request.POST.get("note", ""),
        "receipt": request.POST.get("receipt", ""),
        "longest": suspicion.LONGEST,
        "may_edit": may_edit,
        "may_second": is_proposed and may_approve,
        "may_return": report.status == Status.APPROVED and may_approve,
        "may_file": report.status == Status.APPROVED and user.has_perm(roles.SUSPECT),
        "is_overdue": is_open and report.due_on < localdate(),
        "is_approved": is_approved,
        "has_goaml": kept_files.has(report, kept_files.GOAML),
        "has_fincen_file": has_fincen_file,
        # The files are not compared with masked names.
        "is_outdated": masking.sees_names(user) and kept_files.differs(report),
        "faults": faults,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    if is_stale:
        status = HTTPStatus.CONFLICT
    return render(request, "reviews/suspicion.html", context, status=status)


def _outside(
    report: SuspicionReport, rows: Sequence[Sentence], *, has_fincen: bool
) -> dict[str, object]:
    """Attested values that are neither in FinCEN's file nor in the sentences, until it is filed."""
    if not has_fincen or report.status not in SuspicionReport.OPEN:
        return {}
    narrative_text = " ".join(row.text for row in rows)
    cut, left_out = [], []
    for label, value in unfit.outside(report.case, facts.of(report), narrative_text):
        if label:
            left_out.append((label, value))
        else:
            cut.append(value)
    return {"fincen_cut": cut, "fincen_unfit": left_out}


def _in_words(stated: Facts) -> list[str]:
    """Each group of facts on a line."""
    lines = []
    for label, values, _key in words_of(stated):
        if values:
            lines.append(f"{label}: {'; '.join(values)}")
    return lines


@dataclass(frozen=True)
class Line:
    """A fact of FinCEN's form with its evidence, for reading."""

    label: str
    values: list[str]
    source: Evidence | None = None


def _lines(stated: Facts, evidence: Mapping[str, Evidence]) -> list[Line]:
    """The entered facts, group by group."""
    lines = []
    for label, values, key in words_of(stated):
        if values:
            lines.append(Line(label, values, evidence.get(key)))
    return lines


@readers_only
@seers_only
@never_cache
@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve or return as the second person, record the receipt, or withdraw a draft."""
    user = person_of(request)
    report = _report(user, pk)
    revision = request.POST.get("revision", "")
    name = request.POST.get("act", "")
    try:
        if name in {"agree", "return"}:
            suspicion.second(
                report,
                actor=user,
                agrees=name == "agree",
                note=request.POST.get("note", ""),
                revision=revision,
            )
        elif name == "file":
            receipt = request.POST.get("receipt", "")
            suspicion.file(report, actor=user, receipt=receipt, revision=revision)
        elif name == "withdraw":
            suspicion.withdraw(report, actor=user, revision=revision)
        else:
            raise Http404
    except RefusedError as exc:
        return _page(request, _report(user, pk), faults=exc.faults)
    except StaleError as exc:
        return _page(request, _report(user, pk), faults=(str(exc),), is_stale=True)
    return _to(report)


@readers_only
@seers_only
@never_cache
@require_GET
def file(request: HttpRequest, pk: int) -> HttpResponse:
    """The XML for goAML."""
    return _file(request, pk, "SR", suspicion.goaml_file)


@readers_only
@seers_only
@never_cache
@require_GET
def fincen_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The XML for FinCEN."""
    return _file(request, pk, "SARX", suspicion.fincen_file)


class _MakeFile(Protocol):
    """Makes the file of a report. Raises RefusedError."""

    def __call__(self, report: SuspicionReport, *, actor: User) -> bytes: ...


def _file(request: HttpRequest, pk: int, name: str, make: _MakeFile) -> HttpResponse:
    """The file as a download. Its name does not reveal the subject."""
    user = person_of(request)
    report = _report(user, pk)
    # The file contains names, so a masked role must not get it.
    if not masking.sees_names(user):
        raise Http404
    try:
        content = make(report, actor=user)
    except RefusedError as exc:
        return _page(request, report, faults=exc.faults)
    response = HttpResponse(content, content_type="application/xml")
    response["Content-Disposition"] = f'attachment; filename="{name}-{report.pk}.xml"'
    return response


def _report(user: User, pk: int) -> SuspicionReport:
    return get_object_or_404(suspicion.visible(user), pk=pk)


def _to(report: SuspicionReport) -> HttpResponse:
    page = reverse("suspicion", args=[report.pk])
    return HttpResponseRedirect(page, status=HTTPStatus.SEE_OTHER)
