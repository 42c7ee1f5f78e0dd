"""The page of one case: its checks, the pages of its documents, and what was found on them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import now
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from compliance import files
from reviews import cases, confirmation, identifiers, results, roles, runs
from reviews.countries import NAMES
from reviews.models import (
    PAUSED,
    Case,
    CheckResult,
    CheckReview,
    Document,
    InformationRequest,
    Job,
    Kind,
    Outcome,
    Pause,
)
from reviews.results.parts import EXPECTED
from reviews.situation import Situation
from reviews.views.access import person_of, readers_only
from reviews.views.activity import Event
from reviews.views.panel import Panel
from reviews.views.payloads import Webhook, webhooks_of
from reviews.views.queue_lines import IS_PAUSED, KIND_ICONS, STATUSES
from reviews.views.runs import Comparing
from reviews.views.viewer import Viewer

TABS = ("findings", "activity", "runs", "related", "payload")
STOP_POLLING = 286  # htmx: swap this answer in, and do not ask again
MAX_FACTS = 200


class CasePage:
    """All that one case shows. Rows are read once, and results only as far as they are asked for."""

    def __init__(self, request: HttpRequest, pk: int) -> None:
        self.user = request.user
        self.asked = request.GET
        self.tab = self.asked.get("tab") if self.asked.get("tab") in TABS else TABS[0]
        self.jobs = runs.of(request.user, pk)
        if self.jobs:
            self.case = self.jobs[0].case
        else:
            found = roles.visible(request.user).select_related(*runs.SHOWN_OF_CASE)
            self.case = get_object_or_404(found, pk=pk)

    @property
    def job(self) -> Job | None:
        return self.jobs[0] if self.jobs else None

    @cached_property
    def documents(self) -> list[Document]:
        # Said again: an aggregate drops the order of the model.
        rows = self.case.documents.annotate(page_count=Count("pages"))
        return list(rows.order_by("created_at", "id"))

    @cached_property
    def standing(self) -> runs.Standing:
        return runs.Standing.after(self.jobs)

    @property
    def rows(self) -> Sequence[CheckResult]:
        return self.standing.rows

    @cached_property
    def situation(self) -> Situation:
        return Situation.read(self.case, self.job, self.documents, self.standing)

    @property
    def parts(self) -> Sequence[results.Part]:
        return self.situation.parts

    @property
    def checks(self) -> Sequence[results.Check]:
        return self.situation.checks

    @property
    def job_is_running(self) -> bool:
        return self.job is not None and self.job.is_under_way

    @property
    def pause(self) -> Pause | None:
        """That the service refuses the key, where the job has to ask it for something."""
        is_due = self.job is not None and self.job.due_at is not None
        return self.case.connection.standing_pause if is_due else None

    @property
    def may_stop(self) -> bool:
        """Whether the job has been under way for so long that a person may stop to wait for it."""
        if self.job is None or not self.job_is_running:
            return False
        since = self.job.started_at or self.job.created_at
        return now() - since > cases.LONG and self.user.has_perm(roles.RUN_AGAIN)

    @property
    def is_long(self) -> bool:
        """Whether the service has said for long that the job runs."""
        job = self.job
        if job is None or job.status != Job.Status.RUNNING:
            return False
        return now() - (job.started_at or job.created_at) > cases.LONG

    @property
    def is_live(self) -> bool:
        """Whether the page changes by itself, so that it is worth asking again."""
        pending = any(d.status == Document.Status.PENDING for d in self.documents)
        return self.case.status == Case.Status.CHECKING or pending

    @cached_property
    def check(self) -> results.Check | None:
        """The check asked for, else the one to look at first, else one of the document shown."""
        if self._wanted or self.document is None:
            return self._wanted or next(iter(self.checks), None)
        key = self.document.pk.hex
        return next((c for c in self.checks if key in c.documents), None)

    @cached_property
    def _wanted(self) -> results.Check | None:
        """The check asked for; where neither it nor a document was, the worst that is open."""
        asked = self.asked.get("check")
        if found := next((c for c in self.checks if c.id == asked), None) if asked else None:
            return found
        if self.asked.get("doc"):
            return None
        is_open = [check for check in self.checks if check.verdict in results.OPEN]
        return min(is_open, key=lambda c: results.SEVERITY.index(c.verdict), default=None)

    @cached_property
    def document(self) -> Document | None:
        by_key = {document.pk.hex: document for document in self.documents}
        asked = by_key.get(self.asked.get("doc", "").replace("-", "").lower())
        if asked:
            return asked
        wanted = self._wanted.documents if self._wanted else ()
        named = [by_key[key] for key in wanted if key in by_key]
        return next(iter([*named, *self.documents]), None)

    @cached_property
    def shown(self) -> list[results.Part]:
        """The parts in the panel: the check's, of the document if it is about any."""
        if self.check is None:
            return []
        if not self.check.documents:
            return list(self.check.parts)
        key = self.document.pk.hex if self.document else ""
        # Of another document than the check's, all that is known is shown.
        found = self.check.parts if key in self.check.documents else self.parts
        own = [part for part in found if key in part.documents]
        order = list(EXPECTED)
        return sorted(own, key=lambda p: order.index(p.key) if p.key in order else len(order))

    @cached_property
    def missing(self) -> list[tuple[str, str]]:
        """What an examination of this document would bring and did not, or not yet."""
        if self.check is None or not self.check.documents or not self.job:
            return []
        there = {part.key for part in self.shown}
        if any(part.origin == self.check.id and part.from_tool for part in self.shown):
            return []  # one tool is all of it
        return [words for key, words in EXPECTED.items() if key not in there]

    @cached_property
    def viewer(self) -> Viewer:
        return Viewer(
            self.documents, self.document, self.parts, self.checks, self.here, self.address
        )

    @property
    def checklist(self) -> list[dict[str, Any]]:
        by_key = {document.pk.hex: document for document in self.documents}
        listed = []
        for check in self.checks:
            if self.shows_open and check not in self.situation.open and check is not self.check:
                continue
            own = [by_key[key] for key in check.documents if key in by_key]
            asked = {"doc": own[0].pk.hex} if own else {}
            rows = [row for part in check.parts for row in part.findings]
            listed.append(
                {
                    "check": check,
                    "review": self.situation.reviews.get(check.id),
                    "href": self.address(check=check.id, **asked),
                    "is_current": check is self.check,
                    "documents": own,
                    "bad": len(check.against),
                    "doubtful": sum(row.tone == "warn" for row in rows) if own else 0,
                }
            )
        return listed

    def address(self, **changes: str) -> str:
        """This page with another document, check or tab; what is not named keeps its default, but
        for the choice between all checks and the open ones."""
        if self.shows_open:
            changes = {"checks": "open", **changes}
        query = urlencode({name: value for name, value in changes.items() if value})
        return f"{self.case.get_absolute_url()}?{query}" if query else self.case.get_absolute_url()

    @property
    def shows_open(self) -> bool:
        """Whether the list of checks is that of those that nobody has settled."""
        return self.asked.get("checks") == "open"

    @property
    def lists(self) -> list[tuple[str, str, bool]]:
        """The lists of checks: words, address, whether it is shown."""
        number = len(self.situation.open)
        return [
            ("All", self.address(**{**self.here, "checks": ""}), not self.shows_open),
            (f"Open {number}", self.address(**{**self.here, "checks": "open"}), self.shows_open),
        ]

    @property
    def here(self) -> dict[str, str]:
        """What was asked for explicitly, so that a fragment shows the same."""
        names = ("doc", "check", "beside", "checks")
        return {name: self.asked[name] for name in names if self.asked.get(name)}

    @property
    def shown_now(self) -> dict[str, str]:
        """What the page shows, whether it was asked for or not: a result that comes later changes
        what a page shows by default, and must not change the page that somebody reads."""
        check = {"check": self._wanted.id} if self._wanted else {}
        document = {"doc": self.document.pk.hex} if self.document else {}
        return {**document, **check, **self.here}

    @cached_property
    def panel(self) -> Panel:
        assert isinstance(self.user, User)  # noqa: S101 - readers_only, for the type checker
        asked = self.asked.get("decide") or self.asked.get("outcome") or ""
        asked = asked if asked in Outcome.values else ""
        here = self.address(**self.here)
        return Panel(
            self.case, self.situation, self.user, here, asked, self.asked, waiting=self.waiting
        )

    def address_of_tab(self, tab: str) -> str:
        return self.address(**self.here, tab="" if tab == TABS[0] else tab)

    @property
    def notice(self) -> str:
        """How a webhook says that the job ended, where the service has not confirmed it."""
        said = self.job.notice if self.job and isinstance(self.job.notice, dict) else {}
        return confirmation.words(said)

    @property
    def alarm(self) -> list[str]:
        """Why a person must look at the case again."""
        return self.case.alarm.splitlines()

    @property
    def sleeps(self) -> bool:
        return self.case.snoozed_until is not None and self.case.snoozed_until > now()

    @property
    def done(self) -> int:
        return sum(check.verdict not in {"running", "unknown"} for check in self.checks)

    @cached_property
    def is_adopted(self) -> bool:
        """Whether it came with a job that was started elsewhere."""
        job: Any = self.job
        return bool(self.case.submitted_by is None and job and job.is_of_adopted)

    @cached_property
    def waiting(self) -> InformationRequest | None:
        return runs.asked_of_applicant(self.case, self.job)

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
        return [
            (
                name,
                f"{NAMES[value]} ({value})"
                if "country" in name.casefold() and value in NAMES
                else value,
            )
            for name, value in found
            if value
        ]

    @property
    def review(self) -> CheckReview | None:
        """What a person said of the check in the panel."""
        return self.situation.reviews.get(self.check.id) if self.check else None

    @property
    def may_run_check(self) -> bool:
        """Whether the service knows the check in the panel by its id, and it is at rest."""
        return self.check is not None and self.standing.has(self.check.id)

    @cached_property
    def comparing(self) -> Comparing:
        return Comparing(self.case, self.jobs, self.documents, self.asked)

    @cached_property
    def related(self) -> tuple[list[identifiers.Related], bool]:
        return identifiers.related(self.case, self.user)

    @property
    def may_see_payloads(self) -> bool:
        return self.user.has_perm(roles.PAYLOAD)

    @cached_property
    def webhooks(self) -> list[Webhook]:
        """What the service sent about the jobs of this case, newest first."""
        return webhooks_of(self.jobs)

    @property
    def events(self) -> list[Event]:
        """The audit trail, newest first."""
        return [
            Event.of(event) for event in self.case.events.select_related("user").order_by("-id")
        ]

    @cached_property
    def etag(self) -> str:
        """Changes whenever what the fragment shows does."""
        known = self.__dict__.get("standing") or runs.Standing.after(self.jobs, bodies=False)
        seen = [
            (self.case.updated_at, self.case.status, self.case.recommendation),
            [(job.pk, job.updated_at, job.status, job.error, job.tries) for job in self.jobs],
            self.pause and (self.pause.updated_at, self.pause.due_at),
            sorted((mark.pk, mark.at) for mark in known.reviews.values()),
            [(d.pk, d.status, d.reason, d.fault, d.page_count) for d in self.documents],  # type: ignore[attr-defined]
            [(row.pk, row.status, row.subject, row.confirmation) for row in known.rows],
        ]
        return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}"'

    def context(self) -> dict[str, Any]:
        is_paused = self.case.status_word == PAUSED
        icon, color = IS_PAUSED if is_paused else STATUSES[Case.Status(self.case.status)]
        query = urlencode({**self.shown_now, "drawn": self.viewer.drawn})
        return {
            "nav": "queue",
            "page": self,
            "panel": self.panel,
            "case": self.case,
            "job": self.job,
            "document": self.document,
            "check": self.check,
            "kind_icon": KIND_ICONS[Kind(self.case.kind)],
            "country": NAMES.get(self.case.country, self.case.country),
            "status_icon": icon,
            "status_color": color,
            "panels": [
                (tab, self.address_of_tab(tab), tab == self.tab)
                for tab in TABS
                if tab != "payload" or self.may_see_payloads
            ],
            "condition": json.dumps({"If-None-Match": self.etag}),
            "max_bytes": settings.MAX_DOCUMENT_BYTES,
            "types": files.ACCEPTED,
            "extensions": files.EXTENSIONS,
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
    """What may have changed on the page of a case that runs, or whose decision sheet is open; 286
    where nothing will change any more by itself."""
    page = CasePage(request, pk)
    if request.headers.get("If-None-Match") == page.etag:
        return HttpResponseNotModified(headers={"ETag": page.etag})
    # The viewer is replaced only where it shows another document, or one was drawn meanwhile.
    redraw = page.document is not None and request.GET.get("drawn") != page.viewer.drawn
    response = render(
        request,
        "reviews/_case_live.html",
        page.context() | {"oob": True, "redraw": redraw},
        status=HTTPStatus.OK if page.is_live or page.panel.asked else STOP_POLLING,
    )
    response["ETag"] = page.etag
    return response


@readers_only
@require_POST
def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    case = get_object_or_404(roles.visible(person), pk=pk)
    try:
        made = cases.run_again(case, actor=person, check_id=request.POST.get("check", ""))
    except LookupError as exc:
        raise Http404 from exc
    if made is None:
        messages.info(request, "A job of this case is still under way.")
    return HttpResponseRedirect(case.get_absolute_url(), status=HTTPStatus.SEE_OTHER)


@readers_only
@require_POST
def stop_waiting(request: HttpRequest, pk: int) -> HttpResponse:
    person = person_of(request)
    case = get_object_or_404(roles.visible(person), pk=pk)
    if cases.stop_waiting(case, actor=person) is None:
        messages.info(request, "No job of this case is under way.")
    return HttpResponseRedirect(case.get_absolute_url(), status=HTTPStatus.SEE_OTHER)
