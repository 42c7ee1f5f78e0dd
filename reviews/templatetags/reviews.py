"""Marks of the case page: every state is a shape, a word and a colour."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from compliance.templatetags.shell import icon
from reviews.pages.case.viewer import differing
from reviews.pages.queue.queue_rows import due_in_words
from reviews.results import Indicator, label, pretty
from reviews.results.details import faces
from reviews.results.kinds import STATE_WORDS, Face, Finding, Segment
from reviews.results.reading import items
from reviews.results.sheets import Sheet

register = template.Library()

# So many alerts stand open: findings stand below them.
MOST_ALERTS = 12
# state: (icon, colour class); its word is in STATE_WORDS. States of checks, comparisons, sections and indicators.
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


def _mark(state: Any) -> tuple[str, str, str]:
    known = state if isinstance(state, str) and state in MARKS else "unknown"
    return (*MARKS[known], STATE_WORDS[known])


@register.simple_tag
def mark(state: Any) -> SafeString:
    """The shape of a state in its colour, with its word for those who do not see it."""
    return _drawn(state if isinstance(state, str) and state in MARKS else "unknown")


@lru_cache(maxsize=len(MARKS))
def _drawn(state: str) -> SafeString:
    name, color, word = _mark(state)
    spin = "spin" if state == "running" else ""
    return format_html(
        '<span class="st {}">{}<span class="sr">{}</span></span>', color, icon(name, spin), word
    )


@register.simple_tag
def mark_tag(state: Any, count: int | None = None) -> SafeString:
    """The state as a tag: shape and word, perhaps how many."""
    name, color, word = _mark(state)
    spin = "spin" if state == "running" else ""
    said = word.capitalize() if count is None else f"{count} {word}"
    return format_html('<span class="tag {}">{}{}</span>', color, icon(name, spin), said)


@register.simple_tag
def evidence(sheet: Sheet, prefix: str, address: str) -> SafeString:
    """The places of a page's findings as links in an SVG; `address`: the page that lists them.

    Written here because a template takes ten times as long, and a page may have hundreds.
    """
    links = []
    for mark in sheet.marks:
        boxes = [
            f'<rect class="b{box.look and " "}{box.look}" x="{box.x}" y="{box.y}"'
            f' width="{box.width}" height="{box.height}"></rect>'
            for box in mark.rectangles
        ]
        finding = mark.finding
        links.append(
            f'<a class="ev {finding.tone}" id="{prefix}{escape(mark.anchor)}"'
            f' href="{escape(address)}#{escape(finding.ref)}" data-ev="{escape(mark.lights)}"'
            f' aria-label="{escape(finding.name)}">{"".join(boxes)}</a>'
        )
    return SafeString("".join(links))


@register.simple_tag
def place(row: Finding) -> SafeString:
    """The attributes of a row that is tied to its boxes on the pages of a document."""
    ref = escape(row.ref)
    target = f'href="#box-{ref}"' if row.boxes else 'tabindex="-1"'
    return SafeString(f'id="{ref}" data-row data-ev="{ref}" {target}')


@register.simple_tag
def words(segments: Sequence[Segment]) -> str:
    return "".join(segment.text for segment in segments)


@register.simple_tag
def changed_words(segments: Sequence[Segment], tag: str, nothing: str) -> SafeString:
    """Runs of words, those in a tag ("del", "ins") that the other side does not have."""
    if not segments:
        return SafeString(f'<span class="mut">{nothing}</span>')
    runs = (
        f"<{tag}>{escape(segment.text)}</{tag}> " if segment.changed else f"{escape(segment.text)} "
        for segment in segments
    )
    return SafeString("".join(runs))


@register.simple_tag
def section_icon(key: str) -> SafeString:
    return icon(SECTION_ICONS.get(key, "scan-search"), "s")


@register.simple_tag
def dismissed(page: Any, row: Any) -> Any:
    """The dismissal of a finding, or None."""
    return page["situation"].dismissed.get(row)


@register.simple_tag
def dismissal_key(page: Any, row: Any) -> str:
    return str(page["situation"].dismissed.key(row))


@register.simple_tag
def told(page: Any, alerts: Any, of: str) -> tuple[list[str], list[str], list[str]]:
    """Alerts in three lists: those that stand alone, those that say what a finding below says, and
    those that stand alone beyond the first few.

    In the heading of a check, what a fraud indicator says stands open: it is far below.
    """
    rows = [row for part in page["shown"] for row in part.findings]
    if of == "check":
        rows = [row for row in rows if not isinstance(row, Indicator)]
    names = [row.name for row in rows] + [label(getattr(row, "key", "")) for row in rows]
    begins = tuple(f"{name.casefold()}:" for name in names if name)
    again = [alert for alert in alerts if alert.casefold().startswith(begins)]
    alone = [alert for alert in alerts if alert not in again]
    return alone[:MOST_ALERTS], again, alone[MOST_ALERTS:]


@register.simple_tag
def beside(page: Any, row: Any) -> Any:
    """What the document beside says of the same field, and its words; None where it does not."""
    pane = page["viewer"].beside
    other = pane.said_of(row) if pane else None
    return (other, differing(row, other)) if other else None


@register.simple_tag
def crop(page: Any, face: Face) -> Any:
    """The part of our picture of a document that shows a face, and where that is; None where the
    document is not drawn."""
    document = next((one for one in page["documents"] if one.pk.hex == face.document), None)
    drawn = document and document.pages.defer("words").filter(number=face.page).first()
    if drawn is None:
        return None
    here = (
        ""
        if document == page["document"]
        else page["address"](check=page["check"].id, doc=face.document)
    )
    return {"document": document, "crop": faces.crop(drawn, face), "href": here}


@register.filter
def word(state: Any) -> str:
    return _mark(state)[2]


@register.filter(name="pretty")
def pretty_json(value: Any) -> str:
    """The JSON as it came, for <pre>."""
    return pretty(value)


@register.filter
def each(value: Any) -> list[Any]:
    """The items of a list that a service sent; none where it sent something else."""
    return items(value)


@register.simple_tag
def due(moment: datetime) -> SafeString:
    """How long until then, as in the queue; the moment itself on hovering."""
    said, color = due_in_words(moment)
    name = icon("circle-alert" if color == "fail" else "timer", "s")
    exact = f"{moment:%Y-%m-%d %H:%M} UTC"
    return format_html('<span class="st row {}" title="{}">{}{}</span>', color, exact, name, said)
