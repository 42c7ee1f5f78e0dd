"""The printed report of a case: the decisions and their reasons, the findings and their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from PIL import Image as Raster
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.platypus.flowables import (
    CondPageBreak,
    Flowable,
    HRFlowable,
    KeepTogether,
    Spacer,
)
from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table

from compliance.languages import english
from compliance.storage.stored_files import StoredError
from papers.writing import report
from papers.writing.report import BODY, DIGEST, INK, SMALL, STRONG, TONES, WIDTH, style
from reviews import results
from reviews.audit import signing
from reviews.documents import page_images
from reviews.findings.review_state import ReviewState
from reviews.models import Case, Chain, CheckReview, Decision, Document, Page
from reviews.periodic.view import ReviewView
from reviews.procedures.checklists import Checklist
from reviews.records import report_content
from reviews.results.parts import EXPECTED
from reviews.risk.view import RatingView

MAX_PAGES = 24  # pages of all documents; the originals are in the evidence pack
# The second number is in points.
PAGES_IN_A_ROW, TALLEST_PAGE = 2, 340
BOXES = (
    f"{report.MISSING} stands for a letter that this file cannot print. The report of the case on its"
    " page, and case.json of the evidence pack, have it."
)
# In points: a heading, the head of a table, and a row of three lines.
WITH_HEADING = 105
# Arabic letters reach deeper than Latin ones.
TITLE = style(17, leading=25, bold=True)
HEADING = style(11, leading=14, bold=True, spaceBefore=15)
SUBHEADING = style(9, leading=12.5, bold=True, spaceBefore=7, spaceAfter=2)
FOOT = style(7, leading=9, color=report.FAINT)
# Cells are aligned with the left edge of the text.
AT_LEFT = [("LEFTPADDING", (0, 0), (-1, -1), 0)]
SEAL = ParagraphStyle("", DIGEST, fontSize=5.6, leading=8)


@english()
def pdf(case: Case, *, by: User, at: datetime, head: Chain) -> bytes:
    """The report as a PDF, made for `by` at `at`, when the audit trail ended at `head`."""
    report.register_fonts(settings.VENDORED_DIR)
    time = f"{at:%Y-%m-%d %H:%M} UTC"
    origin = f"{case.reference} · made {time} for {report_content.name(by)}"
    seal = f"Audit trail to line {head.seq}, {head.hash}"
    return report.build(
        list(_story(case, ReviewState.of(case), by)),
        title=f"Case report: {case.subject}",
        author="Compliance desk",
        subject=case.reference,
        foot=[_p(origin, FOOT), _p(seal, SEAL)],
    )


def _story(case: Case, review_state: ReviewState, by: User) -> Iterator[Flowable]:
    decisions = list(case.decisions.select_related("made_by", "second_by"))
    yield _p(f"Case report: {case.subject}", TITLE)
    opened = f"{case.reference} · {case.get_kind_display()} · opened {case.created_at:%Y-%m-%d}"
    yield _p(f"{opened} · {case.status_word}", SMALL)
    for words in report_content.erasures(case):
        yield _p(words, STRONG)
    about = [case.subject, *dict(report_content.attested(case)).values()]
    if any(map(report.lacks_letters, about)):
        yield _p(BOXES, SMALL)
    yield Spacer(1, 8)
    yield _facts(case, decisions)
    for words in report_content.agent_reasons(review_state):
        yield _p(f"Agent: {words}", SMALL)
    for decision in decisions:
        yield from _decision(decision)
    yield from _attested(case)
    yield from _procedure(case)
    yield from _risk(case, by)
    yield from _checks(review_state)
    titles = {}
    for document in review_state.documents:
        titles[document.pk.hex] = document.file_name
    for part in review_state.parts:
        yield from _part(part, titles, review_state)
    yield from _documents(review_state)
    yield from _trail(case)


def _facts(case: Case, decisions: Sequence[Decision]) -> Table:
    cells = report_content.facts(case, decisions)
    rows = [
        [_p(name, SMALL) for name in cells],
        [_p(value, STRONG) for value in cells.values()],
    ]
    return Table(rows, colWidths=[WIDTH / len(cells)] * len(cells), style=AT_LEFT)


def _decision(decision: Decision) -> Iterator[Flowable]:
    yield from headed(f"Decision: {report_content.outcome(decision)}")
    at = f"{decision.made_at:%Y-%m-%d %H:%M} UTC"
    yield _p(f"{decision.maker}, {at}", SMALL)
    yield _p(report_content.reasons(decision), SMALL)
    yield _p(decision.rationale)
    for words in report_content.later(decision):
        yield _p(words)


def _attested(case: Case) -> Iterator[Flowable]:
    """Whom the report is about: without documents nothing else says more than the name."""
    pairs = report_content.attested(case)
    if pairs:
        yield from headed("Self-attested")
        yield _table([["Field", "Value"], *pairs], (0.4, 0.6))


def _procedure(case: Case) -> Iterator[Flowable]:
    """The checklist, and the fields that the desk has added."""
    own_checklist = Checklist.of(case)
    items = list(report_content.checklist(own_checklist))
    if items:
        if own_checklist.procedure:
            version = own_checklist.procedure.number
        else:
            version = 0
        yield from headed(f"Checklist, version {version}")
        yield _table([["Item", "State"], *items], (0.5, 0.5))
    values = list(report_content.custom_fields(case, own_checklist))
    if values:
        yield from headed("Our own fields")
        yield _table([["Field", "Value"], *values], (0.4, 0.6))


def _risk(case: Case, by: User) -> Iterator[Flowable]:
    """The contributions to the rating, and the periodic reviews."""
    rating = RatingView.of(case, by)
    if rating is not None:
        yield from headed(f"Risk: {report_content.risk(case)}")
        for words in report_content.rating(rating):
            yield _p(words)
        rows = [["Factor", "What counts", "Points"]]
        for row in rating.contributions:
            rows.append([row["title"], row["words"], str(row["amount"])])
        if len(rows) > 1:
            yield _table(rows, (0.27, 0.63, 0.1))
    sentences = list(report_content.review(ReviewView.read(case, by)))
    if sentences:
        yield from headed("Periodic review")
    for words in sentences:
        yield _p(words)


def _checks(review_state: ReviewState) -> Iterator[Flowable]:
    yield from headed("Checks")
    rows = [["Check", "Verdict", "What it said", "What people said"]]
    tones = []
    for check in review_state.checks:
        verdict = report_content.state_word(check.verdict)
        words = check.error or check.explanation or "-"
        review = review_state.reviews.get(check.id)
        rows.append([check.label, verdict, words, _review_words(review)])
        tone = report_content.TONES.get(check.verdict, "")
        tones.append(tone)
    yield _table(rows, (0.2, 0.14, 0.39, 0.27), tones=tones)


def _review_words(review: CheckReview | None) -> str:
    if review is None:
        return "-"
    name = report_content.name(review.by)
    words = f"{review.get_kind_display()} by {name}"
    if review.reason:
        words = f"{words}: {review.reason}"
    return words


def _part(
    part: results.Part, titles: dict[str, str], review_state: ReviewState
) -> Iterator[Flowable]:
    if not part.findings:
        return
    # As on the page of the case. Other parts are named for their members.
    title = EXPECTED.get(part.key, part.title)
    about = titles.get(part.document, "")
    if about:
        title = f"{title}: {about}"
    yield from headed(title)
    if isinstance(part.findings[0], results.Comparison):
        yield _comparisons(part, review_state)
    else:
        yield _findings(part, review_state)


def _comparisons(part: results.Part, review_state: ReviewState) -> Table:
    rows = [["Field", "Attested", "Document", "Result", "Page"]]
    tones = []
    for finding in part.findings:
        if not isinstance(finding, results.Comparison):
            continue
        rows.append(
            [
                finding.label,
                finding.attested or "-",
                report_content.of_document(finding, review_state) or "-",
                report_content.state_word(finding.state),
                str(finding.page or ""),
            ]
        )
        tones.append(finding.tone)
    return _table(rows, (0.2, 0.27, 0.29, 0.16, 0.08), tones=tones, tone_column=3)


def _findings(part: results.Part, review_state: ReviewState) -> Table:
    rows = [["", "Finding", "Page"]]
    tones = []
    for finding in part.findings:
        words = report_content.words(finding)
        dismissal = review_state.dismissed.get(finding)
        if dismissal:
            name = report_content.name(dismissal.by)
            words = f"{words} Dismissed by {name}: {dismissal.reason}"
        words += _of_hit(finding, review_state)
        word = report_content.word(finding)
        page = str(finding.page or "")
        rows.append([word, words, page])
        tones.append(finding.tone)
    return _table(rows, (0.14, 0.78, 0.08), tones=tones, tone_column=0)


def _of_hit(finding: results.Finding, review_state: ReviewState) -> str:
    """A note on a hit: confirmed by a person, or below the threshold and so not reviewed."""
    label = review_state.confirmed.get(finding)
    if label is not None:
        return f" Confirmed as a match by {report_content.name(label.by)}."
    version = review_state.dismissed.folded_by(finding)
    if version:
        return f" Below the threshold of screening policy {version}: nobody was asked."
    return ""


def _documents(review_state: ReviewState) -> Iterator[Flowable]:
    if not review_state.documents:
        return
    head: list[Flowable] = [_heading("Documents and evidence")]
    room = MAX_PAGES
    for document in review_state.documents:
        head.append(_p(document.file_name, SUBHEADING))
        kind = document.get_kind_display()
        size = f"{document.size:,} bytes"
        head.append(_p(f"{kind} · {size} · sha256 {document.sha256}", DIGEST))
        pages = list(document.pages.defer("words")[:room])
        room -= len(pages)
        findings = _findings_in(review_state.parts, document)
        pictures = []
        for page in pages:
            pictures.append(_picture(page, findings))
        rows = list(_rows_of_pictures(pictures))
        # The titles stand on the page of the first pictures.
        yield KeepTogether([*head, *rows[:1]])
        yield from rows[1:]
        head = []
    if not room:
        yield _p("Further pages are in the documents themselves.", SMALL)


def _rows_of_pictures(pictures: Sequence[report.PagePicture]) -> Iterator[Table]:
    for first in range(0, len(pictures), PAGES_IN_A_ROW):
        end = first + PAGES_IN_A_ROW
        row = list(pictures[first:end])
        yield Table([row], hAlign="LEFT", style=AT_LEFT)


def _findings_in(
    parts: Sequence[results.Part], document: Document
) -> list[results.Finding]:
    findings: list[results.Finding] = []
    for part in parts:
        if part.document == document.pk.hex:
            findings += part.findings
    return findings


def _picture(page: Page, findings: Sequence[results.Finding]) -> report.PagePicture:
    """One page image of the desk, with the boxes of the findings on it."""
    width = int(WIDTH / PAGES_IN_A_ROW - 6)
    height = width * page.height // max(1, page.width)
    height = min(height, TALLEST_PAGE)
    boxes = []
    for finding in findings:
        for box in finding.boxes:
            if box.page != page.number:
                continue
            corners = (box.x0, box.y0, box.x1, box.y1)
            boxes.append((finding.tone, corners))
    image = _image(page)
    return report.PagePicture(image, (width, height), boxes)


def _image(page: Page) -> ImageReader | None:
    """The image; None if it is lost. Raises StoredError while the store is away."""
    try:
        with (
            page_images.image(page) as file,
            Raster.open(file, formats=("WEBP",)) as raster,
        ):
            raster.thumbnail((700, 1000))
            return ImageReader(raster.convert("RGB"))
    except StoredError as exc:
        # A record that is kept must not lack its pages because the store was away for a moment.
        if exc.is_temporary:
            raise
    except OSError:
        pass
    # The page image is missing or was changed. The original is in the evidence pack.
    return None


def _trail(case: Case) -> Iterator[Flowable]:
    yield from headed("Audit trail")
    events = case.events.select_related("seal").order_by("id")
    rows = [["Line", "Time (UTC)", "Who", "What"]]
    for event in events:
        seal = getattr(event, "seal", None)
        line = "-"  # not sealed yet
        if seal:
            line = str(seal.seq)
        at = f"{event.at:%Y-%m-%d %H:%M:%S}"
        who = report_content.who(event)
        what = report_content.what(event)
        rows.append([line, at, who, what])
    # The time fits one line whatever its digits are.
    yield _table(rows, (0.08, 0.22, 0.14, 0.56))
    yield Spacer(1, 6)
    key = signing.current()
    yield _p(f"The key {key.id} (Ed25519) signs evidence packs: {key.public}", SMALL)


def headed(words: str) -> Iterator[Flowable]:
    # At the foot of a page a heading goes with the first rows of what follows.
    yield CondPageBreak(WITH_HEADING)
    yield _heading(words)


def _heading(words: str) -> Flowable:
    rule = HRFlowable(
        width="100%", thickness=0.8, color=INK, spaceBefore=3, spaceAfter=3
    )
    return KeepTogether([_p(words, HEADING), rule])


def _table(
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    *,
    tones: Sequence[str] = (),
    tone_column: int = 1,
) -> Table:
    """A table. The first row is the head. The tone of each other row colours one of its cells."""
    columns = [WIDTH * share for share in widths]
    head, *body = rows
    cells = [[_p(words, STRONG) for words in head]]
    for index, row in enumerate(body):
        styles = [BODY] * len(row)
        if tones:
            color = TONES.get(tones[index], INK)
            styles[tone_column] = style(9, leading=12.5, color=color)
        paragraphs = map(report.cell, row, styles, columns)
        cells.append(list(paragraphs))
    return report.table(cells, columns, head=1)


def _p(words: str, style: ParagraphStyle = BODY) -> Paragraph:
    return report.paragraph(words, style, breaks=True)
