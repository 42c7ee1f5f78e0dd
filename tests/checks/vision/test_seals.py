"""Seals: rings with lettering, toothed disks, worn rings that words name, and what is none."""

from __future__ import annotations

import io
import math

import pytest
from reportlab.lib.colors import Color, black, white
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from checks.evidence import Evidence
from checks.samples.certificate import invent
from checks.samples.marking import GREY, Marks, Scan, draw_marked_certificate, scan_page
from checks.visual_verification.page_scan import VisualScan, look
from tests.checks.vision.lookalikes import ROUND, draw_lookalike

pytestmark = pytest.mark.sweep

RED, GOLD = Color(0.65, 0.05, 0.08), Color(0.72, 0.52, 0.04)
LIGHT_RED = Color(0.9, 0.35, 0.35)
CAPTION = "THE OFFICIAL SEAL OF THE REGISTRAR"


def page(draw) -> VisualScan:
    return look(Evidence(letter(draw), "a.pdf"))


def letter(draw) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(
        100, 650, "This is to certify that Northwind Traders Limited is accredited."
    )
    canvas.drawString(
        100, 630, "Given under the hand of the registrar in the month of June 2019."
    )
    draw(canvas)
    canvas.save()
    return out.getvalue()


def disk(canvas, *, colour, teeth, depth, inch=0.8):
    """A disk about (300, 250) whose edge goes in and out so many times."""
    path = canvas.beginPath()
    for step in range(2 * teeth + 1):
        radius = 72 * inch * (1 - depth * (step % 2))
        turn = math.pi * step / teeth
        place = (300 + radius * math.cos(turn), 250 + radius * math.sin(turn))
        (path.lineTo if step else path.moveTo)(*place)
    canvas.setFillColor(colour)
    canvas.drawPath(path, stroke=0, fill=1)


@pytest.mark.parametrize("teeth", [24, 48])
@pytest.mark.parametrize("colour", [RED, GOLD, black])
def test_a_disk_with_a_toothed_edge_is_a_seal(teeth, colour):
    [seal] = page(
        lambda canvas: disk(canvas, colour=colour, teeth=teeth, depth=0.08)
    ).seals
    assert seal.x0 < 300 / 612 < seal.x1
    assert seal.y0 < 1 - 250 / 792 < seal.y1


@pytest.mark.parametrize(
    ("teeth", "depth", "inch"),
    [(180, 0.0, 0.8), (5, 0.5, 0.8), (8, 0.2, 0.8), (24, 0.08, 0.15)],
    ids=["smooth", "star", "flower", "small"],
)
def test_other_disks_are_none(teeth, depth, inch):
    looked = page(
        lambda canvas: disk(canvas, colour=RED, teeth=teeth, depth=depth, inch=inch)
    )
    assert looked.seals == []


def worn(canvas, caption: str) -> None:
    """A small ring about a dark middle, its lettering gone, and words below it."""
    canvas.circle(300, 250, 14)
    canvas.circle(300, 250, 9, stroke=0, fill=1)
    canvas.setFillColor(white)
    canvas.setFont("Helvetica-Bold", 8)
    canvas.drawCentredString(300, 247, "CH")
    canvas.setFillColor(black)
    canvas.setFont("Helvetica-Bold", 6)
    canvas.drawCentredString(300, 226, caption)


def test_a_worn_ring_is_a_seal_where_the_words_below_it_say_so():
    assert len(page(lambda canvas: worn(canvas, CAPTION)).seals) == 1


@pytest.mark.parametrize(
    "caption",
    [
        "SELLO OFICIAL",
        "SCEAU OFFICIEL",
        "DIENSTSIEGEL DES NOTARS",
        "TIMBRO UFFICIALE",
        "OFFICIEEL ZEGEL",
        "SELO NOTARIAL",
        "OFFISIELT SEGL",
    ],
)
def test_words_of_other_languages_name_a_worn_seal(caption):
    assert page(lambda canvas: worn(canvas, caption)).seals


@pytest.mark.parametrize(
    "caption",
    [
        "REGISTRAR OF COMPANIES",
        "SEALED AND DELIVERED",
        "SEAL",
        "SEAL OFFICIAL",
        "SELLO",
        "BESIEGELT AMTLICHES",
        # The words of two languages.
        "AMTLICHES SELLO",
        "CAPITAL SOCIAL",
    ],
)
def test_and_none_where_they_do_not(caption):
    assert page(lambda canvas: worn(canvas, caption)).seals == []


def test_a_pale_seal_on_a_scan_is_seen():
    result = draw_marked_certificate(invent(73), Marks(ink=GREY))
    assert len(look(Evidence(scan_page(result, 73, Scan(askew=2.5)))).seals) == 1
    bare = draw_marked_certificate(invent(73), Marks(seal=False))
    assert look(Evidence(scan_page(bare, 73, Scan(askew=2.5)))).seals == []


@pytest.mark.parametrize("scanned", [False, True])
@pytest.mark.parametrize("ink", [RED, LIGHT_RED])
@pytest.mark.parametrize("oval", [0.92, 1.0, 1.08])
def test_the_small_seal_of_a_register_is_seen_although_it_is_a_little_oval(
    oval, ink, scanned
):
    result = draw_marked_certificate(invent(74), Marks(small=True, oval=oval, ink=ink))
    [seal] = look(Evidence(scan_page(result, 74, Scan()) if scanned else result)).seals
    assert seal.x0 < 190 / 612 < seal.x1
    assert seal.y0 < 1 - 220 / 792 < seal.y1


@pytest.mark.parametrize("scanned", [False, True])
@pytest.mark.parametrize("kind", ROUND)
def test_round_things_without_lettering_are_none(kind, scanned):
    result = draw_lookalike(invent(75), kind)
    assert (
        look(Evidence(scan_page(result, 75, Scan()) if scanned else result)).seals == []
    )


@pytest.mark.parametrize("lettered", [True, False])
def test_words_about_beads_make_a_seal_and_beads_alone_do_not(lettered):
    """As on the seal of the registrar of companies for England and Wales: no line runs about it."""

    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(Color(0, 0, 0))
        for bead in range(44):
            turn = 2 * math.pi * bead / 44
            canvas.circle(
                430 + 20 * math.cos(turn),
                200 + 20 * math.sin(turn),
                1.0,
                fill=1,
                stroke=0,
            )
        canvas.circle(430, 200, 17, fill=1, stroke=0)
        canvas.setFillColor(Color(1, 1, 1))
        canvas.rect(426, 190, 3, 20, fill=1, stroke=0)
        canvas.setFillColor(Color(0, 0, 0))
        canvas.setFont("Times-Roman", 7)
        for words, first, step in (
            ("REGISTRAR OF ENTERPRISES", 165, -6.6),
            ("FOR ALBION AND MERCIA", 195, 7.5),
        ):
            for number, letter in enumerate(words if lettered else ""):
                turn = math.radians(first + step * number)
                canvas.saveState()
                canvas.translate(430 + 32 * math.cos(turn), 200 + 32 * math.sin(turn))
                canvas.rotate(math.degrees(turn) + (-90 if step < 0 else 90))
                canvas.drawCentredString(0, -3, letter)
                canvas.restoreState()

    content = letter(draw)
    result = look(Evidence(scan_page(content, 5, Scan())))
    assert bool(result.seals) is lettered
