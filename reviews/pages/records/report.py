"""The report of one or several cases as a page to print, and of one case as a PDF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from compliance.http import numbers
from reviews import results
from reviews.access import reads, roles
from reviews.access.decorators import person_of, readers_only
from reviews.audit import trail
from reviews.findings.review_state import ReviewState
from reviews.models import (
    Case,
    CaseEvent,
    Chain,
    CheckReview,
    Decision,
    Dismissal,
    Document,
    Page,
    Read,
    Seal,
)
from reviews.pages.case.decide import seen_case
from reviews.pages.records.evidence import plain_name
from reviews.periodic.view import ReviewView
from reviews.procedures.checklists import Checklist
from reviews.records import evidence_pack, report_content
from reviews.results import sheets
from reviews.risk.view import RatingView

MAX_CASES = 20  # on one page
MAX_PAGES = 24  # page images per case; the evidence pack contains the originals


@dataclass(frozen=True)
class CheckRow:
    check: results.Check
    review: CheckReview | None


@dataclass(frozen=True)
class FindingRow:
    finding: results.Finding
    word: str
    words: str
    dismissal: Dismissal | None
    extracted: str  # of a comparison: what the document states


@dataclass(frozen=True)
class PartRow:
    part: results.Part
    about: str  # name of the document, "" if the part is about no document
    is_comparison: bool
    rows: Sequence[FindingRow]


@dataclass(frozen=True)
class SheetRow:
    page: Page
    units: int
    marks: Sequence[sheets.Mark]


@dataclass(frozen=True)
class DocumentRow:
    document: Document
    sheets: Sequence[SheetRow]


@dataclass(frozen=True)
class TrailLine:
    event: CaseEvent
    seal: Seal | None  # None: not sealed yet
    who: str
    what: str


@dataclass(frozen=True)
class Record:
    """The content of the report of one case."""

    case: Case
    review_state: ReviewState
    person: User

    @cached_property
    def rating(self) -> RatingView | None:
        return RatingView.of(self.case, self.person)

    @property
    def rating_words(self) -> list[str]:
        if self.rating:
            return list(report_content.rating(self.rating))
        return []

    @property
    def review_words(self) -> list[str]:
        view = ReviewView.read(self.case, self.person)
        return list(report_content.review(view))

    @property
    def attested(self) -> list[tuple[str, str]]:
        return report_content.attested(self.case)

    @cached_property
    def own(self) -> Checklist:
        return Checklist.of(self.case)

    @property
    def checklist(self) -> list[tuple[str, str]]:
        return list(report_content.checklist(self.own))

    @property
    def custom_fields(self) -> list[tuple[str, str]]:
        return list(report_content.custom_fields(self.case, self.own))

    @cached_property
    def decisions(self) -> Sequence[Decision]:
        return list(self.case.decisions.select_related("made_by", "second_by"))

    @property
    def facts(self) -> dict[str, str]:
        return report_content.facts(self.case, self.decisions)

    @property
    def agent_reasons(self) -> list[str]:
        return report_content.agent_reasons(self.review_state)

    @property
    def checks(self) -> list[CheckRow]:
        rows = []
        for check in self.review_state.checks:
            review = self.review_state.reviews.get(check.id)
            rows.append(CheckRow(check, review))
        return rows

    @property
    def parts(self) -> list[PartRow]:
        names = {row.pk.hex: row.file_name for row in self.review_state.documents}
        rows = []
        for part in self.review_state.parts:
            # A part without findings adds nothing to a printed report.
            if not part.findings:
                continue
            row = PartRow(
                part=part,
                about=names.get(part.document, ""),
                is_comparison=isinstance(part.findings[0], results.Comparison),
                rows=[self._row(finding) for finding in part.findings],
            )
            rows.append(row)
        return rows

    def _row(self, finding: results.Finding) -> FindingRow:
        return FindingRow(
            finding=finding,
            word=report_content.word(finding),
            words=report_content.words(finding),
            dismissal=self.review_state.dismissed.get(finding),
            extracted=report_content.of_document(finding, self.review_state),
        )

    @cached_property
    def documents(self) -> list[DocumentRow]:
        pages = Prefetch("pages", Page.objects.defer("words"))
        documents = self.case.documents.prefetch_related(pages)
        # The limit of page images applies to the whole case.
        room = MAX_PAGES
        rows = []
        for document in documents.order_by("created_at", "id"):
            # Slice the list, not the queryset: a sliced queryset would ignore the prefetch and
            # query again.
            document_pages = list(document.pages.all())
            document_sheets = self._sheets(document, document_pages[:room])
            room -= len(document_sheets)
            row = DocumentRow(document, document_sheets)
            rows.append(row)
        return rows

    def _sheets(self, document: Document, pages: Iterable[Page]) -> list[SheetRow]:
        findings: list[results.Finding] = []
        for part in self.review_state.parts:
            findings += part.places_on(document.pk.hex)
        rows = []
        for page in pages:
            marks = sheets.marks_on(page, findings)
            rows.append(SheetRow(page, sheets.units(page), marks))
        return rows

    @property
    def is_cut(self) -> bool:
        count = 0
        for row in self.documents:
            count += len(row.sheets)
        return count >= MAX_PAGES

    @property
    def risk(self) -> str:
        return report_content.risk(self.case)

    @property
    def trail(self) -> list[TrailLine]:
        events = self.case.events.select_related("seal")
        lines = []
        for event in events.order_by("id"):
            line = TrailLine(
                event=event,
                seal=getattr(event, "seal", None),
                who=report_content.who(event),
                what=report_content.what(event),
            )
            lines.append(line)
        return lines


def _page(
    request: HttpRequest, cases: Sequence[Case], *, left_out: int
) -> HttpResponse:
    person = person_of(request)
    context = {
        "nav": "queue",
        "records": [Record(case, ReviewState.of(case), person) for case in cases],
        "left_out": left_out,
        "at": now(),
        "head": Chain.objects.filter(pk=1).first(),
        "may_export": person.has_perm(roles.EXPORT),
    }
    return render(request, "reviews/report.html", context)


@readers_only
@never_cache
@require_safe
def report(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, [seen_case(request, pk)], left_out=0)


@readers_only
@never_cache
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """Reports of several cases in the given order, each starting on a new sheet of paper."""
    person = person_of(request)
    roles.require(person, roles.EXPORT)
    ids = _case_ids(request)
    visible = roles.visible(request.user)
    # Cases that the user must not see are left out, and counted in `left_out`.
    case_by_pk = visible.in_bulk(ids[:MAX_CASES])
    cases = []
    for pk in ids:
        if pk in case_by_pk:
            cases.append(case_by_pk[pk])
    if not cases:
        raise Http404
    pks = [case.pk for case in cases]
    trail.record(None, "cases_exported", {"cases": pks}, user=person)
    for pk in pks:
        reads.shown(request, Read.Kind.REPORT, str(pk))
    left_out = len(ids) - len(cases)
    return _page(request, cases, left_out=left_out)


def _case_ids(request: HttpRequest) -> list[int]:
    """The case ids in the address, each once."""
    ids = numbers.parse_all(request.GET.getlist("case"))
    return list(dict.fromkeys(ids))


@readers_only
@never_cache
@require_GET
def pdf(request: HttpRequest, pk: int) -> HttpResponse:
    case = seen_case(request, pk)
    content = evidence_pack.report_of(case, actor=person_of(request))
    response = HttpResponse(content, content_type="application/pdf")
    name = f"report-{plain_name(case)}.pdf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
