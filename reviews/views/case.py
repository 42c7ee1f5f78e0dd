"""The page of one case: its checks, the pages of its documents, and what was found on them."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from http import HTTPStatus
from typing import IO, Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe
from PIL import Image

from reviews import cases, results
from reviews.countries import NAMES
from reviews.models import Case, CaseEvent, CheckResult, Document, Job, Kind, Page
from reviews.results import sheets
from reviews.views.access import readers_only
from reviews.views.queue import KIND_ICONS, STATUSES

TABS = ("findings", "activity", "payload")
THUMB = (116, 480)  # at most, in pixels: shown at half of that
STOP_POLLING = 286  # htmx: swap this answer in, and do not ask again
MAX_FACTS = 200
UNDER_WAY = (Job.Status.QUEUED, Job.Status.RUNNING)
# The parts that an examination of a document brings, by the interface, and how each is awaited.
EXPECTED = {
    "extraction_data": ("Attested against document", "text extraction"),
    "visual_inspection": ("Visual inspection", "visual inspection"),
    "fraud_verification_data": ("Fraud indicators", "fraud detection"),
}


# What happened: (icon, words after the name of who did it). Anything else is shown as it is named.
EVENTS = {
    "submitted": ("send", "submitted the case"),
    "run_again": ("rotate-cw", "had the checks run again"),
    "adopted": ("download", "started a job elsewhere, and the desk adopted it"),
    "late_result": ("clock", "sent a result after the decision"),
    "job_complete": ("check", "finished the job"),
    "job_failed": ("circle-alert", "could not run the job to its end"),
}


@dataclass(frozen=True)
class Tab:
    """One document in the viewer's row of tabs."""

    document: Document
    verdict: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class Event:
    """One line of the audit trail in words."""

    at: datetime
    actor: str
    user: User | None
    icon: str
    said: str
    details: list[tuple[str, str]]

    @classmethod
    def of(cls, event: CaseEvent) -> Event:
        icon, said = EVENTS.get(event.what, ("info", results.label(event.what).lower()))
        data = event.data if isinstance(event.data, dict) else {"data": event.data}
        details = [(results.label(str(name)), results.text(value)) for name, value in data.items()]
        return cls(
            at=event.at,
            actor=event.actor,
            user=event.user,
            icon=icon,
            said=said,
            details=[(name, value) for name, value in details if value],
        )


class CasePage:
    """All that one case shows. Rows are read once, and results only as far as they are asked for."""

    def __init__(self, request: HttpRequest, pk: int) -> None:
        found = Case.objects.select_related("connection", "agent", "submitted_by")
        self.case = get_object_or_404(found, pk=pk)
        self.asked = request.GET
        self.tab = self.asked.get("tab") if self.asked.get("tab") in TABS else TABS[0]

    @cached_property
    def jobs(self) -> list[Job]:
        return list(self.case.jobs.all())

    @property
    def job(self) -> Job | None:
        return self.jobs[0] if self.jobs else None

    @cached_property
    def documents(self) -> list[Document]:
        # Said again: an aggregate drops the order of the model.
        rows = self.case.documents.annotate(page_count=Count("pages"))
        return list(rows.order_by("created_at", "id"))

    @cached_property
    def rows(self) -> list[CheckResult]:
        return list(self.job.check_results.all()[: results.MAX_RESULTS]) if self.job else []

    @cached_property
    def parts(self) -> list[results.Part]:
        return results.parts(self.rows, self.documents, self.case.self_attested_data)

    @cached_property
    def checks(self) -> list[results.Check]:
        return results.checks(self.rows, self.documents, self.parts, awaited=self.job_is_running)

    @property
    def job_is_running(self) -> bool:
        return self.job is not None and self.job.status in UNDER_WAY

    @property
    def is_live(self) -> bool:
        """Whether the page changes by itself, so that it is worth asking again."""
        pending = any(d.status == Document.Status.PENDING for d in self.documents)
        return self.case.status == Case.Status.CHECKING or pending

    @cached_property
    def check(self) -> results.Check | None:
        """The check asked for, else the first one of the document shown, else the first."""
        asked = self.asked.get("check")
        chosen = next((c for c in self.checks if c.id == asked), None) if asked else None
        if chosen or self.document is None:
            return chosen or next(iter(self.checks), None)
        key = self.document.pk.hex
        return next((c for c in self.checks if key in c.documents), None)

    @cached_property
    def document(self) -> Document | None:
        by_key = {document.pk.hex: document for document in self.documents}
        asked = by_key.get(self.asked.get("doc", "").replace("-", "").lower())
        if asked:
            return asked
        wanted = next((c for c in self.checks if c.id == self.asked.get("check")), None)
        named = [by_key[key] for key in wanted.documents if key in by_key] if wanted else []
        return next(iter([*named, *self.documents]), None)

    @cached_property
    def shown(self) -> list[results.Part]:
        """The parts in the panel: those of the document, or of a check about none."""
        if self.check is None:
            return []
        if not self.check.documents:
            return list(self.check.parts)
        key = self.document.pk.hex if self.document else ""
        own = [part for part in self.parts if part.document == key]
        order = list(EXPECTED)
        return sorted(own, key=lambda p: order.index(p.key) if p.key in order else len(order))

    @cached_property
    def missing(self) -> list[tuple[str, str]]:
        """What an examination of this document would bring and did not, or not yet."""
        if self.check is None or not self.check.documents or not self.job:
            return []
        there = {part.key for part in self.shown}
        return [words for key, words in EXPECTED.items() if key not in there]

    @cached_property
    def findings(self) -> list[results.Finding]:
        """Those of the document that is on the desk, whatever the panel shows."""
        key = self.document.pk.hex if self.document else ""
        return [row for part in self.parts if part.document == key for row in part.findings]

    @cached_property
    def pages(self) -> list[Page]:
        drawn = self.document and self.document.status == Document.Status.DRAWN
        return list(self.document.pages.all()) if self.document and drawn else []

    @cached_property
    def sheets(self) -> list[sheets.Sheet]:
        return sheets.sheets(self.pages, self.findings)

    @property
    def tabs(self) -> list[Tab]:
        return [
            Tab(
                document=document,
                verdict=self._verdict(document),
                href=self.address(doc=document.pk.hex),
                is_current=document == self.document,
            )
            for document in self.documents
        ]

    def _verdict(self, document: Document) -> str:
        key = document.pk.hex
        verdicts = [check.verdict for check in self.checks if key in check.documents]
        return results.worst(verdicts)

    @property
    def checklist(self) -> list[dict[str, Any]]:
        by_key = {document.pk.hex: document for document in self.documents}
        listed = []
        for check in self.checks:
            own = [by_key[key] for key in check.documents if key in by_key]
            asked = {"doc": own[0].pk.hex} if own else {}
            rows = [r for p in self.parts if p.document in check.documents for r in p.findings]
            listed.append(
                {
                    "check": check,
                    "href": self.address(check=check.id, **asked),
                    "is_current": check is self.check,
                    "documents": own,
                    "bad": sum(row.tone == "fail" for row in rows) if own else 0,
                    "doubtful": sum(row.tone == "warn" for row in rows) if own else 0,
                }
            )
        return listed

    def address(self, **changes: str) -> str:
        """This page with another document, check or tab; what is not named keeps its default."""
        query = urlencode({name: value for name, value in changes.items() if value})
        return f"{self.case.get_absolute_url()}?{query}" if query else self.case.get_absolute_url()

    @property
    def here(self) -> dict[str, str]:
        """What was asked for explicitly, so that a fragment shows the same."""
        return {name: self.asked[name] for name in ("doc", "check") if self.asked.get(name)}

    def address_of_tab(self, tab: str) -> str:
        return self.address(**self.here, tab="" if tab == TABS[0] else tab)

    @property
    def done(self) -> int:
        return sum(check.verdict not in {"running", "unknown"} for check in self.checks)

    @cached_property
    def is_adopted(self) -> bool:
        if self.case.submitted_by is not None:
            return False
        return self.case.events.filter(what="adopted").exists()

    @property
    def tax_number(self) -> str:
        """Masked in the heading, which is on the screen all the time; whole among the facts."""
        data = self.case.self_attested_data
        sent = results.text(data.get("tin_number"), 40) if isinstance(data, dict) else ""
        return f"{sent[:2]}•••{sent[-2:]}" if len(sent) > 6 else ""

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The self-attested data in words."""
        data = self.case.self_attested_data
        pairs = list(data.items())[:MAX_FACTS] if isinstance(data, dict) else [("data", data)]
        found = [(results.label(str(name)), results.text(value)) for name, value in pairs]
        return [(name, value) for name, value in found if value]

    @property
    def events(self) -> list[Event]:
        """The audit trail, newest first."""
        return [
            Event.of(event) for event in self.case.events.select_related("user").order_by("-id")
        ]

    @cached_property
    def etag(self) -> str:
        """Changes whenever what the fragment shows does."""
        seen = [
            (self.case.updated_at, self.case.status, self.case.recommendation),
            [(job.pk, job.updated_at, job.status, job.error, job.tries) for job in self.jobs],
            [(d.pk, d.status, d.reason, d.page_count) for d in self.documents],  # type: ignore[attr-defined]
            list(self.job.check_results.values_list("pk", "status", "subject")) if self.job else [],
        ]
        return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}"'

    def context(self) -> dict[str, Any]:
        icon, color = STATUSES[Case.Status(self.case.status)]
        query = urlencode({**self.here, "drawn": self.document.status if self.document else ""})
        return {
            "nav": "queue",
            "page": self,
            "case": self.case,
            "job": self.job,
            "document": self.document,
            "check": self.check,
            "kind_icon": KIND_ICONS[Kind(self.case.kind)],
            "country": NAMES.get(self.case.country, self.case.country),
            "status_icon": icon,
            "status_color": color,
            "panels": [(tab, self.address_of_tab(tab), tab == self.tab) for tab in TABS],
            "condition": json.dumps({"If-None-Match": self.etag}),
            "activity_url": self.address_of_tab("activity"),
            "live_url": f"{reverse('case-live', args=[self.case.pk])}?{query}",
        }


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def case_detail(request: HttpRequest, pk: int) -> HttpResponse:
    page = CasePage(request, pk)
    return render(request, "reviews/case_detail.html", page.context())


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def case_live(request: HttpRequest, pk: int) -> HttpResponse:
    """What may have changed on the page of a case that runs; 286 where nothing will any more."""
    page = CasePage(request, pk)
    if page.is_live and request.headers.get("If-None-Match") == page.etag:
        return HttpResponseNotModified(headers={"ETag": page.etag})
    # The viewer is replaced only where its document has been drawn meanwhile.
    redraw = page.document is not None and request.GET.get("drawn") != page.document.status
    response = render(
        request,
        "reviews/_case_live.html",
        page.context() | {"oob": True, "redraw": redraw},
        status=HTTPStatus.OK if page.is_live else STOP_POLLING,
    )
    response["ETag"] = page.etag
    return response


@readers_only
@permission_required("reviews.change_case", raise_exception=True)
@require_POST
def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - readers_only, for the type checker
    case = get_object_or_404(Case, pk=pk)
    if cases.run_again(case, actor=request.user) is None:
        messages.info(request, "A job of this case is still under way.")
    return HttpResponseRedirect(case.get_absolute_url(), status=HTTPStatus.SEE_OTHER)


@readers_only
@require_safe
def page_image(request: HttpRequest, document_id: UUID, number: int) -> HttpResponseBase:
    """The image that we drew of a page; `?thumb` gives it small."""
    page = get_object_or_404(Page, document_id=document_id, number=number)
    name = f"{page.image.name}{'?thumb' if 'thumb' in request.GET else ''}"
    headers = {
        "ETag": f'"{hashlib.sha256(name.encode()).hexdigest()[:32]}"',
        "Cache-Control": "private, max-age=3600",
        "X-Content-Type-Options": "nosniff",
    }
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return HttpResponseNotModified(headers=headers)
    try:
        file = page.image.open("rb")
    except FileNotFoundError as exc:
        raise Http404 from exc
    if "thumb" not in request.GET:
        return FileResponse(file, content_type="image/webp", headers=headers)
    with file:
        return HttpResponse(_thumb(file), content_type="image/webp", headers=headers)


def _thumb(file: IO[bytes]) -> bytes:
    buffer = io.BytesIO()
    with Image.open(file, formats=("WEBP",)) as image:
        image.thumbnail(THUMB)
        image.save(buffer, "WEBP", quality=70)
    return buffer.getvalue()


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def page_text(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    """The words of a page, to be read, or with `?layer` as lines for the viewer's text layer."""
    found = Page.objects.select_related("document__case")
    page = get_object_or_404(found, document_id=document_id, number=number)
    lines = sheets.lines(page)
    if "layer" in request.GET:
        return JsonResponse([list(line) for line in lines], safe=False)
    context = {"nav": "queue", "page": page, "lines": lines, "case": page.document.case}
    return render(request, "reviews/case_page_text.html", context)
