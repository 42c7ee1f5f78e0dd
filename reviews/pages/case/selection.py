"""Which check and which document the page of a case shows, and the addresses that choose others."""

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

TABS = ("findings", "checklist", "risk", "activity", "runs", "related", "payload")
_PLACES = {name: place for place, name in enumerate(EXPECTED)}


class Address:
    """The page of a case with a document, a check or a tab; what is not named keeps its default."""

    def __init__(self, case: Case, params: Mapping[str, str]) -> None:
        names = ("doc", "check", "beside", "checks", SEALED)
        self.path = case.get_absolute_url()
        # What was asked for explicitly, so that a part of the page shows the same.
        self.params = {name: params[name] for name in names if params.get(name)}

    def __call__(self, **changes: str) -> str:
        # These stay, whatever else is chosen: the choice between all checks and the open ones, and
        # the search that led here.
        kept = {}
        if SEALED in self.params:
            kept[SEALED] = self.params[SEALED]
        if self.shows_open:
            kept["checks"] = "open"
        params = {**kept, **changes}
        not_empty = {}
        for name, value in params.items():
            if value:
                not_empty[name] = value
        if not not_empty:
            return self.path
        return f"{self.path}?{urlencode(not_empty)}"

    @property
    def shows_open(self) -> bool:
        """Whether the list of checks is that of those that nobody has settled."""
        return self.params.get("checks") == "open"

    def here(self, **changes: str) -> str:
        return self(**{**self.params, **changes})

    def of_tab(self, tab: str) -> str:
        # The first tab has the plain address.
        if tab == TABS[0]:
            name = ""
        else:
            name = tab
        return self.here(tab=name)


def selected(
    params: QueryDict, review_state: ReviewState, address: Address, query: str
) -> dict[str, object]:
    """The check and the document that are shown, and all that belongs to them.

    `query`: the words of the search that led here; they are marked.
    """
    checks, documents = review_state.checks, review_state.documents
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
    # A result that comes later changes what a page shows by default, and must not change the page
    # that somebody reads: it asks for what it shows, whether that was asked for or not.
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
        "dismiss_link": _dismiss_link(address, selection),
        "dismissing": params.get("dismiss", ""),
        "lists": _lists_of_checks(review_state, address),
        "done": sum(each.verdict not in {"running", "unknown"} for each in checks),
    }


def _params_of_selection(
    document: Document | None, viewer: Viewer, address: Address
) -> dict[str, str]:
    """The documents that are shown, whether they were asked for or not, and the list of checks."""
    params = {"doc": document.pk.hex} if document else {}
    if address.shows_open:
        params["checks"] = "open"
    if viewer.beside:
        params["beside"] = viewer.beside.document.pk.hex
    return params


def _first_check(
    params: QueryDict, checks: Sequence[results.Check]
) -> results.Check | None:
    """The check asked for; where neither it nor a document was, the worst that is open."""
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
    """The document asked for, else the first of the check's, else the first."""
    by_key = {document.pk.hex: document for document in documents}
    chosen = params.get("doc", "")
    # An id may be written with hyphens or without.
    key_asked = chosen.replace("-", "").lower()
    document = by_key.get(key_asked)
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
    """The first check, else the first of the document, where there is one."""
    if first_check:
        return first_check
    if document is None:
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
    """The parts in the panel: the check's, of the document if it is about any."""
    if check is None:
        return []
    if not check.documents:
        return list(check.parts)
    key = document.pk.hex if document else ""
    # Of another document than the check's, all that is known is shown.
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
    """What speaks against the case comes first; of equals, in the order in which one expects them."""
    ranks = []
    for row in part.findings:
        ranks.append(results.urgency(row))
    # Parts that nobody expected come last.
    place = _PLACES.get(part.key, len(_PLACES))
    return min(ranks, default=results.LEAST_URGENT), place


def _missing(
    check: results.Check | None, parts: Sequence[results.Part], job: Job | None
) -> list[tuple[str, str]]:
    """What an examination of this document would bring and did not, or not yet."""
    if check is None or not check.documents or not job:
        return []
    for part in parts:
        if part.origin == check.id and part.from_tool:
            return []  # one tool is all of it
    keys = {part.key for part in parts}
    return [words for key, words in EXPECTED.items() if key not in keys]


@dataclass(frozen=True)
class ChecklistItem:
    """A check in the list of a case, with what stands beside it."""

    id: str
    slug: str
    group: str
    label: str
    verdict: str
    about: str
    review: CheckReview | None
    mark: str  # what the button sends that sets a mark or takes it back
    is_open: bool
    is_bare: bool  # without a mark
    question: str
    href: str
    is_current: bool
    bad: int
    doubtful: int


def _checklists(
    review_state: ReviewState, current: results.Check | None, address: Address
) -> dict[str, object]:
    """The checks that apply, and those that had nothing to look at, which the page folds."""
    items = _checklist(review_state, current, address)
    applicable: list[ChecklistItem] = []
    folded: list[ChecklistItem] = []
    for item in items:
        # A mark of a person stays in sight.
        is_folded = item.verdict == "not_applicable" and not item.review
        (folded if is_folded else applicable).append(item)
    return {
        "checklist": applicable,
        "folded": folded,
        "is_unfolded": any(item.is_current for item in folded),
    }


def _dismiss_link(address: Address, selection: Mapping[str, str]) -> str:
    """The page with the form that dismisses a finding: the key of the finding is to be added."""
    page = address.here(**selection)
    return f"{page}{'&' if '?' in page else '?'}dismiss="


def _checklist(
    review_state: ReviewState, current: results.Check | None, address: Address
) -> list[ChecklistItem]:
    """The checks, or those of them that are open, each with what stands beside it."""
    by_key = {}
    for document in review_state.documents:
        by_key[document.pk.hex] = document
    open_ids = {check.id for check in review_state.open}
    items = []
    for check in review_state.checks:
        is_current = check is current
        if address.shows_open and check.id not in open_ids and not is_current:
            continue
        documents = []
        for key in check.documents:
            if key in by_key:
                documents.append(by_key[key])
        tones = []
        for part in check.parts:
            tones += [row.tone for row in part.findings]
        if documents:
            first_document = documents[0].pk.hex
        else:
            first_document = ""
        review = review_state.reviews.get(check.id)
        # A mark is taken back by the same button. The id comes last: it may hold blanks.
        kind = "none" if review else CheckReview.Kind.REVIEWED
        item = ChecklistItem(
            id=check.id,
            slug=slugify(check.id),
            group=check.group,
            label=check.label,
            verdict=check.verdict,
            about=_about(check, documents),
            review=review,
            mark=f"{kind} {check.verdict} {check.id}",
            is_open=check.id in open_ids,
            # What nobody has to look at has a mark only where it is looked at.
            is_bare=check.verdict == "not_applicable" and not (is_current or review),
            question=_question(check) if is_current else "",
            href=address(check=check.id, doc=first_document),
            is_current=is_current,
            bad=tones.count("fail"),
            doubtful=tones.count("warn") if documents else 0,
        )
        items.append(item)
    return items


def _about(check: results.Check, documents: Sequence[Document]) -> str:
    """The line below the name of a check: its documents, else what it says."""
    if not documents:
        words = in_words(check.error or check.explanation)
        return words or str(STATE_WORDS[check.verdict])
    first = documents[0]
    name = first.file_name
    # Annotated by documents_of.
    page_count = getattr(first, "page_count", 0)
    if page_count:
        sentence = ngettext(
            "%(name)s · %(count)d page", "%(name)s · %(count)d pages", page_count
        )
        name = sentence % {"name": name, "count": page_count}
    return and_more(name, len(documents) - 1)


def _question(check: results.Check) -> str:
    """What is asked before a check that did not pass is marked as reviewed by a key."""
    if check.verdict not in {"fail", "error"}:
        return ""
    return _("%(check)s: %(verdict)s. Mark it as reviewed?") % {
        "check": check.label,
        "verdict": STATE_WORDS[check.verdict],
    }


def _inputs(params: Mapping[str, str]) -> SafeString:
    """Hidden fields, so that a form comes back to what is shown."""
    field = '<input type="hidden" name="{}" value="{}">'
    return format_html_join("", field, params.items())


def _lists_of_checks(
    review_state: ReviewState, address: Address
) -> list[tuple[str, str, bool]]:
    """The lists of checks: words, address, whether it is shown."""
    number = len(review_state.open)
    return [
        (_("All"), address.here(checks=""), not address.shows_open),
        (
            _("Open %(number)s") % {"number": number},
            address.here(checks="open"),
            address.shows_open,
        ),
    ]
