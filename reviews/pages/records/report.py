"""The report of a case as a page to be printed, alone or with those of others; and as a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from reviews import results
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Chain, Decision, Document, Page
from reviews.pages.case.decide import seen_case
from reviews.pages.records.evidence import plain_name
from reviews.records import evidence_pack, report_content
from reviews.results import sheets

MOST_CASES = 20  # on one page
MOST_PAGES = 24  # of one case; the originals are in its evidence pack


@dataclass(frozen=True)
class Record:
    """All that the report of one case says."""

    case: Case
    situation: ReviewState

    @cached_property
    def decisions(self) -> Sequence[Decision]:
        return list(self.case.decisions.select_related("made_by", "second_by"))

    @property
    def facts(self) -> dict[str, str]:
        return report_content.facts(self.case, self.decisions)

    @property
    def agent_reasons(self) -> list[str]:
        return report_content.agent_reasons(self.situation)

    @property
    def checks(self) -> list[dict[str, Any]]:
        reviews = self.situation.reviews
        return [
            {"check": c, "review": reviews.get(c.id)} for c in self.situation.checks
        ]

    @property
    def parts(self) -> list[dict[str, Any]]:
        names = {
            document.pk.hex: document.file_name for document in self.situation.documents
        }
        return [
            {
                "part": part,
                "about": names.get(part.document, ""),
                "compared": isinstance(part.findings[0], results.Comparison),
                "rows": [self._row(row) for row in part.findings],
            }
            for part in self.situation.parts
            if part.findings
        ]

    def _row(self, row: results.Finding) -> dict[str, Any]:
        return {
            "row": row,
            "word": report_content.word(row),
            "said": report_content.said(row),
            "dismissed": self.situation.dismissed.get(row),
        }

    @cached_property
    def documents(self) -> list[dict[str, Any]]:
        pages = Prefetch("pages", Page.objects.defer("words"))
        left, found = MOST_PAGES, []
        for document in self.case.documents.prefetch_related(pages).order_by(
            "created_at", "id"
        ):
            shown = list(document.pages.all())[:left]
            left -= len(shown)
            found.append(
                {"document": document, "sheets": self._sheets(document, shown)}
            )
        return found

    def _sheets(
        self, document: Document, pages: Sequence[Page]
    ) -> list[dict[str, Any]]:
        key = document.pk.hex
        rows = [row for part in self.situation.parts for row in part.places_on(key)]
        return [
            {"page": p, "units": sheets.units(p), "marks": sheets.marks_on(p, rows)}
            for p in pages
        ]

    @property
    def is_cut(self) -> bool:
        return sum(len(one["sheets"]) for one in self.documents) >= MOST_PAGES

    @property
    def trail(self) -> list[dict[str, Any]]:
        events = self.case.events.select_related("seal").order_by("id")
        return [
            {"event": e, "seal": getattr(e, "seal", None), "who": report_content.who(e), "what": report_content.what(e)}
            for e in events
        ]  # fmt: skip


def _shown(request: HttpRequest, cases: Sequence[Case], *, chosen: int) -> HttpResponse:
    context = {
        "nav": "queue",
        "records": [Record(case, ReviewState.of(case)) for case in cases],
        "left_out": chosen - len(cases),
        "at": now(),
        "head": Chain.objects.filter(pk=1).first(),
        "may_export": person_of(request).has_perm(roles.EXPORT),
    }
    return render(request, "reviews/report.html", context)


@readers_only
@never_cache
@require_safe
def report(request: HttpRequest, pk: int) -> HttpResponse:
    return _shown(request, [seen_case(request, pk)], chosen=1)


@readers_only
@never_cache
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """Of several cases, each on a new sheet of paper, in the order in which they are named."""
    asked = [pk[:18] for pk in request.GET.getlist("case")]
    wanted = list(
        dict.fromkeys(int(pk) for pk in asked if pk.isascii() and pk.isdigit())
    )
    found = roles.visible(request.user).in_bulk(wanted[:MOST_CASES])
    if not found:
        raise Http404
    return _shown(
        request, [found[pk] for pk in wanted if pk in found], chosen=len(wanted)
    )


@readers_only
@never_cache
@require_GET
def pdf(request: HttpRequest, pk: int) -> HttpResponse:
    case = seen_case(request, pk)
    made = evidence_pack.report_of(case, actor=person_of(request))
    name = f"report-{plain_name(case)}.pdf"
    said = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(made, content_type="application/pdf", headers=said)
