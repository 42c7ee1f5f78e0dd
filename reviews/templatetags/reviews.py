"""Template tags of the case page. Every state is shown as a shape, a word and a colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from html import escape
from typing import NamedTuple, TypedDict

from django import template
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import get_language

from compliance.pages.phrases import in_sentence
from compliance.templatetags.shell import icon
from reviews.documents import scans
from reviews.findings.review_state import ReviewState
from reviews.models import Attachment, Dismissal, Document, HitLabel, ValueChoice
from reviews.pages.case.selection import Address
from reviews.pages.case.viewer import Viewer, differing
from reviews.pages.queue.queue_rows import due_in_words
from reviews.results import Indicator, check_label, label, pretty, urgency
from reviews.results.details import faces
from reviews.results.details.faces import Crop
from reviews.results.kinds import (
    STATE_WORDS,
    Check,
    Comparison,
    Extraction,
    Face,
    Finding,
    Part,
)
from reviews.results.reading import items, obj, text
from reviews.results.sentences import in_words, pieces
from reviews.results.sheets import Rectangle, Sheet
from reviews.results.word_diff import Segment
from reviews.results.words import (
    ANSWERS,
    country_name,
    fact_value,
    script_name,
    translated,
    value_in_words,
)

register = template.Library()

# Further alerts are folded, so that the findings below stay in view.
MOST_ALERTS = 12
# A longer explanation is folded on the page of a case (_case_findings.html).
LONGEST_OPEN_EXPLANATION = 1200
# State of a check, comparison, section or indicator → icon and colour class. STATE_WORDS has the
# words.
MARKS = {
    "pass": ("circle-check", "pass"),
    "review": ("triangle-alert", "warn"),
    "fail": ("circle-x", "fail"),
    "inconclusive": ("circle-minus", "warn"),
    "not_applicable": ("minus", ""),
    "error": ("circle-alert", "fail"),
    "running": ("loader-circle", "run"),
    "unknown": ("circle-dashed", ""),
    "not_checked": ("circle-minus", ""),
    "equal": ("equal", "pass"),
    "close": ("circle-dot", "warn"),
    "differs": ("equal-not", "fail"),
    "altered": ("triangle-alert", "fail"),
    "not_attested": ("plus", "info"),
    "cannot_compare": ("minus", ""),
    "RISK": ("triangle-alert", "fail"),
    "INFO": ("info", "info"),
    "TRUST": ("shield-check", "pass"),
}
SECTION_ICONS = {
    "document_analysis_and_classification": "file-text",
    "seal_verification": "stamp",
    "signature_verification": "signature",
    "document_layout_and_content_verification": "layout-template",
    "authenticity_verification": "shield-check",
    "cross_referencing_and_consistency_check": "git-compare",
}


def _state(value: object) -> str:
    """The value if it is a known state, else "unknown"."""
    if isinstance(value, str) and value in MARKS:
        return value
    return "unknown"


@register.simple_tag
def mark(state: object) -> SafeString:
    """The icon of a state in its colour, with its word for screen readers."""
    return _mark(_state(state), get_language())


# Cached per language, because the word is translated.
@lru_cache(maxsize=8 * len(MARKS))
def _mark(state: str, language: str | None) -> SafeString:
    _, color = MARKS[state]
    return format_html(
        '<span class="state {}">{}<span class="visually-hidden">{}</span></span>',
        color,
        _icon(state),
        STATE_WORDS[state],
    )


def _icon(state: str) -> SafeString:
    name, _ = MARKS[state]
    return icon(name, "spin" if state == "running" else "")


@register.simple_tag
def mark_tag(state: object, count: int | None = None) -> SafeString:
    """The state as a tag: icon and word, with a count if there is one."""
    state = _state(state)
    _, color = MARKS[state]
    words = str(STATE_WORDS[state])
    if count is None:
        words = capfirst(words)
    else:
        words = f"{count} {words}"
    return format_html('<span class="tag {}">{}{}</span>', color, _icon(state), words)


@register.simple_tag
def evidence(sheet: Sheet, prefix: str, address: str) -> SafeString:
    """The boxes of a page as links in an SVG. `address` is the page that lists the findings.

    Built by hand: a template takes ten times as long, and a page may have hundreds of boxes.
    """
    links = []
    for mark in sheet.marks:
        finding = mark.finding
        # All text is escaped here, because no template does it.
        boxes = "".join(map(_rectangle, mark.rectangles))
        links.append(
            f'<a class="evidence {finding.tone}" id="{prefix}{escape(mark.anchor)}"'
            f' href="{escape(address)}#{escape(finding.ref)}" data-evidence="{escape(mark.highlights)}"'
            f' aria-label="{escape(in_words(finding.name))}">{boxes}</a>'
        )
    return SafeString("".join(links))


def _rectangle(box: Rectangle) -> str:
    if box.look:
        look = f" {box.look}"
    else:
        look = ""
    return (
        f'<rect class="box{look}" x="{box.x}" y="{box.y}"'
        f' width="{box.width}" height="{box.height}"></rect>'
    )


@register.simple_tag
def place(row: Finding) -> SafeString:
    """The HTML attributes that connect the row of a finding to its boxes on the document."""
    ref = escape(row.ref)
    target = f'href="#box-{ref}"' if row.boxes else 'tabindex="-1"'
    return SafeString(f'id="{ref}" data-row data-evidence="{ref}" {target}')


register.filter("translated", translated)
register.filter("in_sentence", in_sentence)


@register.filter
def check_name(check_id: str) -> str:
    """The name of a check or a tool for its id, in the reader's language; "" stays empty."""
    return translated(check_label(check_id)) if check_id else ""


register.filter("in_words", in_words)
register.filter("country_name", country_name)
register.filter("fact_value", fact_value)
register.filter("script_name", script_name)


# Rows of tables whose value is words of the check. The value of any other row is data.
ROWS_OF_WORDS = frozenset({"Answer", "Encryption"})


@register.simple_tag
def cell(row: object) -> str:
    """The value of a row of a table; words of the check are in the reader's language."""
    members = obj(row)
    value = text(members.get("value"))
    # An answer of a check to a question in the label, in every row.
    if value in ANSWERS or text(members.get("label")) in ROWS_OF_WORDS:
        return in_words(value)
    return value


@register.simple_tag
def country(code: str) -> SafeString:
    """A code of a country where there is no room for its name, which is read aloud and shown beside the mouse."""
    return _country(code, get_language())


@lru_cache(maxsize=1024)
def _country(code: str, _language: str | None) -> SafeString:
    name = country_name(code)
    return format_html(
        '<span class="code" title="{}"><span aria-hidden="true">{}</span><span class="visually-hidden">{}</span></span>',
        name,
        code,
        name,
    )


@register.filter
def value_read(row: Comparison) -> str:
    """The value that was read. A code of a kind of document is shown in words."""
    return value_in_words(row.label, row.extracted)


@register.filter
def sentences(text: object) -> SafeString:
    """A text of a result in the user's language. Parts that stay English are marked for screen
    readers.
    """
    runs: list[str] = []
    for piece in pieces(str(text)):
        if piece.is_foreign:
            runs.append(format_html('<span lang="en" dir="ltr">{}</span>', piece.text))
        else:
            runs.append(escape(piece.text))
    return SafeString(" ".join(runs))


@register.filter
def worst_first(rows: Sequence[Finding]) -> list[Finding]:
    """The findings that speak against the case first. Equal ones keep their order."""
    return sorted(rows, key=urgency)


@register.simple_tag
def changed_words(segments: Sequence[Segment], tag: str, nothing: str) -> SafeString:
    """Runs of words. Changed runs are wrapped in `tag` ("del" or "ins"). `nothing` is shown if
    there are none.
    """
    if not segments:
        return SafeString(f'<span class="muted">{nothing}</span>')
    runs = []
    for segment in segments:
        run = escape(segment.text)
        if segment.changed:
            run = f"<{tag}>{run}</{tag}>"
        runs.append(f"{run} ")
    return SafeString("".join(runs))


@register.simple_tag
def section_icon(key: str) -> SafeString:
    return icon(SECTION_ICONS.get(key, "scan-search"), "small")


class CasePage(TypedDict):
    """The part of the case page's context (`case_context`) that these tags read."""

    address: Address
    check: Check
    document: Document | None
    documents: Sequence[Document]
    parts: Sequence[Part]
    review_state: ReviewState
    viewer: Viewer


@register.simple_tag
def dismissed(page: CasePage, row: Finding) -> Dismissal | None:
    """The dismissal of a finding, or None."""
    return page["review_state"].dismissed.get(row)


@register.simple_tag
def dismissed_alone(page: CasePage, row: Finding) -> Dismissal | None:
    """The dismissal of a hit on its own list, whatever happened to joined hits on other lists;
    or None.
    """
    return page["review_state"].dismissed.get_alone(row)


@register.simple_tag
def folded_by(page: CasePage, row: Finding) -> int:
    """Number of the screening policy version that folds this hit, so that nobody is asked; 0 if
    none.
    """
    return int(page["review_state"].dismissed.folded_by(row))


@register.simple_tag
def confirmed(page: CasePage, row: Finding) -> HitLabel | None:
    """The label of a hit that a user confirmed as a true match, or None."""
    return page["review_state"].confirmed.get(row)


@register.simple_tag
def hit_key(page: CasePage, row: Finding) -> str:
    return str(page["review_state"].confirmed.key(row))


@register.simple_tag
def value_choice(page: CasePage, row: Finding) -> ValueChoice | None:
    """The value that a person chose for a field, or None."""
    return page["review_state"].values.get(row)


@register.simple_tag
def unsure_left(page: CasePage, view: Extraction) -> int:
    """How many unsure fields of a document have no choice of a person yet."""
    values = page["review_state"].values
    return sum(1 for row in view.unsure if values.get(row) is None)


@register.simple_tag
def chosen_state(page: CasePage, row: Comparison) -> str:
    """How the chosen value compares with what was attested; empty without a choice."""
    return page["review_state"].values.state(row) or ""


@register.simple_tag
def settled_by_choice(page: CasePage, row: Finding) -> bool:
    return page["review_state"].values.settles(row)


@register.simple_tag
def beside_address(document: Document, row: Indicator) -> str:
    """The address that shows the document beside those of the cases that a finding names."""
    page = reverse("document-beside-choose", args=[document.pk])
    return f"{page}?{urlencode({'case': row.other_cases}, doseq=True)}"


@register.simple_tag
def field_key(page: CasePage, row: Finding) -> str:
    return page["review_state"].values.key(row)


@register.simple_tag
def dismissal_key(page: CasePage, row: Finding) -> str:
    return str(page["review_state"].dismissed.key(row))


class Alerts(NamedTuple):
    """Alerts of a check or a part, grouped by how the page shows them."""

    first: list[str]
    more: list[str]  # folded
    repeated: list[str]  # folded: each begins with the name of a finding below


@register.simple_tag
def split_alerts(page: CasePage, alerts: Sequence[str], of: str, above: str) -> Alerts:
    """Group alerts for the page. Alerts that repeat a finding below are folded.

    In the heading of a check (`of` is "check"), an alert that repeats a fraud indicator stays open,
    because that indicator is far below. An alert that the text beside it says is left out: `above`,
    the explanation of the check or the summary of the part.
    """
    if len(above) > LONGEST_OPEN_EXPLANATION:
        above = ""
    beginnings = _beginnings(page, of)
    alone = []
    repeated = []
    # Several documents may cause the same sentence: it is shown once.
    for alert in dict.fromkeys(alerts):
        if _says(above, alert):
            continue
        if alert.casefold().startswith(beginnings):
            repeated.append(alert)
        else:
            alone.append(alert)
    return Alerts(alone[:MOST_ALERTS], alone[MOST_ALERTS:], repeated)


def _says(explanation: str, alert: str) -> bool:
    """Whether the alert is a whole sentence of the explanation, up to its end or a colon."""
    words = re.escape(alert.rstrip("."))
    return bool(re.search(rf"(?:^|[.:;!?]\s+){words}(?:$|[.:;])", explanation))


def _beginnings(page: CasePage, of: str) -> tuple[str, ...]:
    """The words with which alerts begin that repeat a finding, as in "Name: …"."""
    beginnings = []
    for part in page["parts"]:
        for row in part.findings:
            if of == "check" and isinstance(row, Indicator):
                continue
            for name in (row.name, label(getattr(row, "key", ""))):
                if name:
                    beginnings.append(f"{name.casefold()}:")
    return tuple(beginnings)


class Counterpart(NamedTuple):
    """The same field in the document of the other pane."""

    row: Comparison
    words: Sequence[Segment]


@register.simple_tag
def counterpart(page: CasePage, row: Comparison) -> Counterpart | None:
    pane = page["viewer"].beside
    if pane is None:
        return None
    other = pane.counterpart_of(row)
    if other is None:
        return None
    return Counterpart(other, differing(row, other))


class FaceImage(NamedTuple):
    """The section of a page image that shows a face. `href` leads to its document."""

    document: Document
    crop: Crop
    href: str


@register.simple_tag
def crop(page: CasePage, face: Face) -> FaceImage | None:
    """The image of a face. None if the page has no image."""
    # The face may be on a document that does not belong to this case.
    for document in page["documents"]:
        if document.pk.hex == face.document:
            break
    else:
        return None
    image = document.pages.defer("words").filter(number=face.page or 0).first()
    if image is None:
        return None
    href = ""
    if document != page["document"]:
        href = page["address"](check=page["check"].id, doc=face.document)
    return FaceImage(document, faces.crop(image, face), href)


@register.filter
def word(state: object) -> str:
    return str(STATE_WORDS[_state(state)])


@register.filter(name="pretty")
def pretty_json(value: object) -> str:
    """The JSON as it was sent, for a <pre> element."""
    return pretty(value)


@register.filter
def each(value: object) -> list[object]:
    """The items if a service sent a list; otherwise none."""
    return items(value)


@register.simple_tag
def due(moment: datetime) -> SafeString:
    """The time left until `moment`, as in the queue, with the exact time as a tooltip."""
    words, color = due_in_words(moment)
    name = "circle-alert" if color == "fail" else "timer"
    exact = date_format(localtime(moment), "MOMENT")
    return format_html(
        '<span class="state row {}" title="{}">{}{}</span>',
        color,
        exact,
        icon(name, "small"),
        words,
    )


@register.filter
def scan_words(row: Document | Attachment) -> str:
    """The result of the malware scan as a phrase."""
    return scans.words(row)


@register.filter
def is_waiting_for_scan(row: Document | Attachment) -> bool:
    return bool(row.file) and scans.is_waiting(row)


@register.filter
def is_in_quarantine(row: Document | Attachment) -> bool:
    scan = scans.of(row)
    return scan is not None and scan.is_in_quarantine
