"""Decides which check and document the case page shows, and builds addresses that choose others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compliance.pages.phrases import and_more
from reviews import results
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckReview, Document, Job
from reviews.pages.case.viewer import Viewer
from reviews.queue.filters import SEALED
from reviews.queue.highlights import Highlighter
from reviews.results.kinds import STATE_WORDS
from reviews.results.parts import EXPECTED
from reviews.results.sentences import in_words
from reviews.results.words import translated

TABS = ("findings", "checklist", "risk", "activity", "runs", "related", "payload")
_PLACES = {name: place for place, name in enumerate(EXPECTED)}


class Address:
    """Builds addresses of the case page with a document, a check or a tab."""

    def __init__(self, case: Case, params: Mapping[str, str]) -> None:
        names = ("doc", "check", "beside", "checks", SEALED)
        self.path = case.get_absolute_url()
        # Only explicit parameters, so that a partial update of the page shows the same.
        self.params = {name: params[name] for name in names if params.get(name)}

    def __call__(self, **changes: str) -> str:
        # These two are kept whatever else is chosen: the filter on open checks, and the search that
        # led here.
        members = {}
        if SEALED in self.params:
            members[SEALED] = self.params[SEALED]
        if self.shows_open:
            members["checks"] = "open"
        params = {**members, **changes}
        not_empty = {}
        for name, value in params.items():
            if value:
                not_empty[name] = value
        if not not_empty:
            return self.path
        return f"{self.path}?{urlencode(not_empty)}"

    @property
    def shows_open(self) -> bool:
        """Whether the list shows only the checks that nobody has reviewed yet."""
        return self.params.get("checks") == "open"

    def here(self, **changes: str) -> str:
        return self(**{**self.params, **changes})

    def of_tab(self, tab: str) -> str:
        # The first tab is the default, so its address has no parameter.
        if tab == TABS[0]:
            name = ""
        else:
            name = tab
        return self.here(tab=name)


def selected(
    params: QueryDict, review_state: ReviewState, address: Address, query: str
) -> dict[str, object]:
    """The check and document to show, and the context that belongs to them.

    `query`: the words of the search that led here, to be marked in the page.
    """
    checks, documents = review_state.checks, review_state.documents
    # The order matters: the check may decide the document, and the document the check.
    first_check = _first_check(params, checks)
    document = _document(params, documents, first_check)
    check = _check(first_check, document, checks)
    viewer = Viewer(
        documents,
        document,
        review_state.parts,
        checks,
        address.params,
        address,
        words=Highlighter.of(query),
    )
    # A new result may change the default selection. That must not change the page that a user is
    # reading, so its polling names what it shows, even if that was the default.
    selection = {"doc": document.pk.hex} if document else {}
    if first_check:
        selection["check"] = first_check.id
    parts = _parts(check, document, review_state.parts)
    return {
        "check": check,
        "document": document,
        "viewer": viewer,
        "words": viewer.words,
        "here_inputs": _inputs(address.params),
        "selection_inputs": _inputs(_params_of_selection(document, viewer, address)),
        "parts": parts,
        "missing": _missing(check, parts, review_state.job),
        "review": review_state.reviews.get(check.id) if check else None,
        "may_run_check": check is not None and review_state.effective.has(check.id),
        "selection": {**selection, **address.params, "drawn": viewer.drawn},
        "shows_open": address.shows_open,
        **_checklists(review_state, check, address),
        "dismiss_link": _link_to_form(address, selection, "dismiss"),
        "dismissing": params.get("dismiss", ""),
        "correct_link": _link_to_form(address, selection, "correct"),
        "correcting": params.get("correct", ""),
        "lists": _lists_of_checks(review_state, address),
        "done": sum(row.verdict not in {"running", "unknown"} for row in checks),
    }


def _params_of_selection(
    document: Document | None, viewer: Viewer, address: Address
) -> dict[str, str]:
    """The selected documents, explicit or default, and the filter of the list of checks."""
    params = {"doc": document.pk.hex} if document else {}
    if address.shows_open:
        params["checks"] = "open"
    if viewer.beside:
        params["beside"] = viewer.beside.document.pk.hex
    return params


def _first_check(
    params: QueryDict, checks: Sequence[results.Check]
) -> results.Check | None:
    """The requested check. If neither a check nor a document is requested: the worst open one."""
    if name := params.get("check"):
        for check in checks:
            if check.id == name:
                return check
    if params.get("doc"):
        return None
    open_checks = [check for check in checks if check.verdict in results.OPEN]
    if not open_checks:
        return None
    return min(open_checks, key=lambda check: results.SEVERITY.index(check.verdict))


def _document(
    params: QueryDict, documents: Sequence[Document], check: results.Check | None
) -> Document | None:
    """The requested document; otherwise the first of the check; otherwise the first of the case."""
    by_key = {document.pk.hex: document for document in documents}
    chosen = params.get("doc", "")
    # The id may be written with or without hyphens.
    document = by_key.get(chosen.replace("-", "").lower())
    if document:
        return document
    for key in check.documents if check else ():
        if key in by_key:
            return by_key[key]
    return documents[0] if documents else None


def _check(
    first_check: results.Check | None,
    document: Document | None,
    checks: Sequence[results.Check],
) -> results.Check | None:
    """`first_check`; otherwise the first check of the document; None if it has none."""
    if first_check:
        return first_check
    if document is None:
        # The page folds the checks that do not apply, so the first one that applies is chosen.
        for check in checks:
            if check.verdict != "not_applicable":
                return check
        return checks[0] if checks else None
    for check in checks:
        if document.pk.hex in check.documents:
            return check
    return None


def _parts(
    check: results.Check | None,
    document: Document | None,
    parts: Sequence[results.Part],
) -> list[results.Part]:
    """The parts of the check to show in the panel, limited to the document if the check has
    documents.
    """
    if check is None:
        return []
    # The check is about the case as a whole.
    if not check.documents:
        return list(check.parts)
    key = document.pk.hex if document else ""
    # If the document does not belong to the check, everything known about it is shown.
    if key in check.documents:
        candidates = check.parts
    else:
        candidates = parts
    parts_of_document = []
    for part in candidates:
        if key in part.documents:
            parts_of_document.append(part)
    return sorted(parts_of_document, key=_order_of_part)


def _order_of_part(part: results.Part) -> tuple[int, int]:
    """Sort key: parts against the case first, then in the usual order."""
    ranks = []
    for row in part.findings:
        ranks.append(results.urgency(row))
    # Unknown parts come last.
    place = _PLACES.get(part.key, len(_PLACES))
    return min(ranks, default=results.LEAST_URGENT), place


def _missing(
    check: results.Check | None, parts: Sequence[results.Part], job: Job | None
) -> list[str]:
    """The titles of parts that an examination of this document normally has, but that are missing so far."""
    if check is None or not check.documents or not job:
        return []
    for part in parts:
        if part.origin == check.id and part.from_tool:
            return []  # a tool has only its own part
    keys = {part.key for part in parts}
    return [title for key, title in EXPECTED.items() if key not in keys]


@dataclass(frozen=True)
class ChecklistItem:
    """A check in the list of the case, with its texts in the language of the request."""

    slug: str
    group: str
    label: str
    verdict: str
    about: str
    review: CheckReview | None
    mark: str  # value of the button that sets or removes the mark
    mark_label: str  # of that button; empty if the check has none
    is_open: bool
    question: str
    href: str
    is_current: bool
    bad: int
    doubtful: int


def _checklists(
    review_state: ReviewState, current: results.Check | None, address: Address
) -> dict[str, object]:
    """The checks that apply, and those that do not, which the page folds."""
    items = _checklist(review_state, current, address)
    applicable: list[ChecklistItem] = []
    folded: list[ChecklistItem] = []
    for item in items:
        # A check that somebody has marked stays visible.
        if item.verdict == "not_applicable" and not item.review:
            folded.append(item)
        else:
            applicable.append(item)
    return {
        "checklist": applicable,
        "folded": folded,
        "is_unfolded": any(item.is_current for item in folded),
    }


def _link_to_form(address: Address, selection: Mapping[str, str], name: str) -> str:
    """The address of the page with a form for one finding. The template appends the key."""
    page = address.here(**selection)
    separator = "&" if "?" in page else "?"
    return f"{page}{separator}{name}="


def _checklist(
    review_state: ReviewState, current: results.Check | None, address: Address
) -> list[ChecklistItem]:
    """The rows of the list of checks; if the filter is set, only of open checks."""
    by_key = {}
    for document in review_state.documents:
        by_key[document.pk.hex] = document
    open_ids = {check.id for check in review_state.open}
    items = []
    for check in review_state.checks:
        is_current = check is current
        # The selected check stays in the list, even if it is not open.
        if address.shows_open and check.id not in open_ids and not is_current:
            continue
        documents = []
        for key in check.documents:
            if key in by_key:
                documents.append(by_key[key])
        # Counts of findings, shown beside the check.
        tones = []
        for part in check.parts:
            tones += [row.tone for row in part.findings]
        if documents:
            first_document = documents[0].pk.hex
        else:
            first_document = ""
        review = review_state.reviews.get(check.id)
        # The same button removes a mark. The id comes last, because it may contain spaces.
        kind = "none" if review else CheckReview.Kind.REVIEWED
        label = translated(check.label)
        # A check that does not apply has a button only if it is selected or has a mark.
        is_bare = check.verdict == "not_applicable" and not (is_current or review)
        has_button = check.verdict != "running" and not is_bare
        item = ChecklistItem(
            slug=slugify(check.id),
            group=translated(check.group),
            label=label,
            verdict=check.verdict,
            about=_about(check, documents),
            review=review,
            mark=f"{kind} {check.verdict} {check.id}",
            mark_label=_("%(label)s reviewed") % {"label": label} if has_button else "",
            is_open=check.id in open_ids,
            question=_question(check) if is_current else "",
            href=address(check=check.id, doc=first_document),
            is_current=is_current,
            bad=tones.count("fail"),
            doubtful=tones.count("warn") if documents else 0,
        )
        items.append(item)
    return items


def _about(check: results.Check, documents: Sequence[Document]) -> str:
    """The line below the label of a check: its documents, otherwise its explanation."""
    if not documents:
        words = in_words(check.error or check.explanation)
        return words or str(STATE_WORDS[check.verdict])
    first = documents[0]
    name = first.file_name
    # documents_of() annotates it.
    page_count = getattr(first, "page_count", 0)
    if page_count:
        sentence = ngettext(
            "%(name)s · %(count)d page", "%(name)s · %(count)d pages", page_count
        )
        name = sentence % {"name": name, "count": page_count}
    return and_more(name, len(documents) - 1)


def _question(check: results.Check) -> str:
    """The question before a failed check is marked as reviewed by a keyboard shortcut."""
    if check.verdict not in {"fail", "error"}:
        return ""
    return _("%(check)s: %(verdict)s. Mark it as reviewed?") % {
        "check": translated(check.label),
        "verdict": STATE_WORDS[check.verdict],
    }


def _inputs(params: Mapping[str, str]) -> SafeString:
    """Hidden fields that bring a form back to the current selection."""
    field = '<input type="hidden" name="{}" value="{}">'
    return format_html_join("", field, params.items())


def _lists_of_checks(
    review_state: ReviewState, address: Address
) -> list[tuple[str, str, bool]]:
    """The filters of the list of checks: label, address, whether it is active."""
    number = len(review_state.open)
    return [
        (_("All"), address.here(checks=""), not address.shows_open),
        (
            _("Open %(number)s") % {"number": number},
            address.here(checks="open"),
            address.shows_open,
        ),
    ]
