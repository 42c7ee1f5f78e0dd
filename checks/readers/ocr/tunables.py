"""Thresholds of OCR, each with its reason.

Dots are those of the page as OCR gets it, at 200 dots per inch, unless a reason says otherwise.
Confidence is from 0 to 1.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# The first look, by Tesseract.
DPI = _declare(
    "dpi", 200, "Dots per inch: print of 8 points is then some 20 dots high."
)
DOUBTFUL = _declare(
    "doubtful", 0.7, "With a lower mean, the page may lie on its side or upside down."
)
FEW_WORDS = _declare(
    "few_words", 8, "Of fewer words, some are read with certainty by chance."
)
MIN_CONFIDENCE = _declare(
    "min_confidence", 0.15, "What is read with less certainty is noise."
)
INK_EDGE = _declare(
    "ink_edge", 1.15, "Of the lightest ink: the soft edges of letters are lighter."
)
ALONE = _declare(
    "alone", 0.7, "A word that stands alone has no line that speaks for it."
)
SHORTEST_ALONE = _declare(
    "shortest_alone", 2, "A single letter that stands alone is a mark."
)
MAX_SKEW = _declare(
    "max_skew", 10.0, "Degrees: a page that was put down by hand leans no more."
)
COARSE = _declare("coarse", 0.5, "Degrees from one try to the next, at first.")
FINE = _declare("fine", 0.1, "Degrees from one try to the next, about the best.")
LEVEL = _declare(
    "level", 0.15, "Degrees: a page that leans less is not turned, which blurs it."
)
SKEW_DOTS = _declare(
    "skew_dots", 800, "Dots of the longer side, for the search: lines show well enough."
)

# The sheet on a photograph.
SHEET_SIDE = _declare(
    "sheet_side", 2340, "Dots of its longer side: A4 at 200 dots per inch."
)
ENLARGED_SIDE = _declare(
    "enlarged_side", 1700, "Dots of the longer side: with more, no more is read."
)
MOST_ENLARGED = _declare(
    "most_enlarged", 3.0, "Times: what is smaller has no letters that could be read."
)
OUTLINE_DOTS = _declare(
    "outline_dots", 600, "Dots of the longer side, for the search of the outline."
)
OUTLINE_LIMITS = _declare(
    "outline_limits",
    (40, 16),
    "Steps of grey at an edge: on a dark and on a light desk.",
)
OUTLINE_SCORE = _declare(
    "outline_score", 0.6, "With less, what has four sides may be a table or a picture."
)
HULL_FILLED = _declare(
    "hull_filled", 0.9, "Of an area without dents: four sides leave little of it out."
)
SHEET_SHARE = _declare(
    "sheet_share",
    (0.2, 0.97),
    "Of the picture: less is a thing on a page, more is a scan.",
)
UNEVEN_SIDES = _declare(
    "uneven_sides", 0.4, "Of the longer of two opposite sides: no camera was held so."
)
SIDE_STEP = _declare(
    "side_step", 14.0, "Steps of grey: paper against what it lies on; grain has fewer."
)
SIDE_REACH = _declare(
    "side_reach", 6.0, "Dots of the search to either side of an edge, beyond its blur."
)
FREE_SIDES = _declare(
    "free_sides",
    2,
    "Sides with a desk beside them: a coloured column of a scan lies beside one.",
)
AGAIN_SCALES = _declare(
    "again_scales",
    (1.5, 2.0),
    "Sizes in which a line is read again: a doubtful letter is then often another one.",
)
AGAIN_MARGIN = _declare(
    "again_margin",
    0.25,
    "Of the height of a line, around it: more would show the next line.",
)
EVEN = _declare(
    "even", 0.8, "Darkest by lightest paper: a scanner lights more evenly than that."
)
PAPER_PERCENTILES = _declare(
    "paper_percentiles", (5, 95), "Of all places: the rest are pictures and edges."
)
PAPER_DOTS = _declare(
    "paper_dots", 800, "Dots of the longer side, for the brightness of the paper."
)
PAPER_KERNEL = _declare(
    "paper_kernel", 15, "Dots: wider than the strokes of a heading, at that size."
)

# The second look, by RapidOCR.
UNSURE = _declare(
    "unsure",
    0.8,
    "With a higher mean the first reading stands: a second one takes long.",
)
SMALL = _declare(
    "small", 1500, "Dots of the longer side: smaller pictures are cards and receipts."
)
SOUGHT_IN = _declare(
    "sought_in", 1280, "Dots in which lines are sought: they decide on the memory."
)
READ_FROM = _declare(
    "read_from", 2000, "Dots of the picture that the lines are then cut out of."
)
MAX_LINES = _declare(
    "max_lines", 300, "A limit of the work: a full page has about a hundred lines."
)
MAX_WIDTHS = _declare(
    "max_widths",
    5000,
    "A limit of the work: widths of all lines in their heights; a full page has 3,000.",
)
MIN_SECOND_CONFIDENCE = _declare(
    "min_second_confidence", 0.5, "The second engine is sure of words, or wrong."
)

# A small place of a page.
SNIPPET_DPI = _declare(
    "snippet_dpi", 250, "Dots per inch: a place of a few words is read from more dots."
)
BLANK = _declare(
    "blank", 10.0, "Spread of grey values: paper, with the grain of a scanner at most."
)
TURNED = _declare(
    "turned",
    1.5,
    "Times its width: a place that is so high may hold text that is turned.",
)
SMALLEST = _declare("smallest", 8, "Dots: a lower place holds no letter.")
FRAME = _declare("frame", 12, "Dots: Tesseract wants room about a line.")

# Print that the first reading missed.
LOWEST = _declare("lowest", 9, "Dots: what is lower is a speck, and no letter.")
HIGHEST = _declare("highest", 80, "Dots: what is higher is a drawing.")
WIDEST = _declare("widest", 160, "Dots: what is wider is a drawing or a rule.")
MARGIN = _declare("margin", 3, "Dots about a word that was read: its soft edges.")
FEWEST = _declare("fewest", 6, "Fewer letters are stray marks.")

# Dot leaders: rows of dots across a page.
LARGEST_DOT = _declare("largest_dot", 8, "Dots: a full stop is no larger.")
WIDEST_STEP = _declare(
    "widest_step", 30, "Dots: the next full stop of a row is no farther away."
)
FEWEST_DOTS = _declare("fewest_dots", 6, "Fewer full stops are an ellipsis.")
UNEVEN = _declare(
    "uneven", 0.35, "Of the usual step: a row that was printed is no less even."
)
MAX_SPECKS = _declare(
    "max_specks", 30_000, "Noise has more specks; nothing is then said of rows."
)

# Machine-readable zones.
ZONE_WIDTH = _declare(
    "zone_width",
    1000,
    "Dots from edge to edge of the page: its 44 characters are some twenty dots wide.",
)
MIN_WIDTH = _declare(
    "min_width", 0.5, "Of the page: a zone goes from edge to edge of the card."
)
MIN_RATIO = _declare(
    "min_ratio", 3.5, "Width by height: three lines of thirty characters are flatter."
)
LINE_RATIO = _declare(
    "line_ratio",
    14,
    "Width by height: two lines of 44 characters are 12 times as wide as high.",
)
AROUND_LINE = _declare(
    "around_line", 2.4, "Heights about one line alone: two further lines of the zone."
)
AROUND_ZONE = _declare(
    "around_zone", 0.75, "Heights about a block: half of it, and a part of a line."
)
EDGE = _declare("edge", 8, "Dots for the blur at the edges of a block.")
STEEPEST = _declare(
    "steepest", 20, "Degrees: a block that leans more is no line of text."
)
MAX_BLOCKS = _declare(
    "max_blocks", 3, "A limit of the work: each is read up to thrice."
)
FOOT = _declare("foot", 0.6, "Of the page: a zone stands below, seen or not.")
ENLARGED = _declare(
    "enlarged", (1.6, 2.2), "Which of the two sizes is read better differs by picture."
)

# The reader of the typeface of machine-readable zones.
MIN_ZONE = _declare(
    "min_zone", 0.25, "Of the page: a card on a photograph is a part of the picture."
)
MAX_ZONE_BLOCKS = _declare(
    "max_zone_blocks", 6, "A limit of the work: each costs some hundredths of a second."
)
STRIP_WIDTH = _declare(
    "strip_width", 1300, "Dots: 44 cells of nearly twice the width that is looked at."
)
SHRUNK = _declare(
    "shrunk", 0.6, "Times: below, dots between the lines of dots get lost."
)
LOWEST_LINE = _declare("lowest_line", 8, "Dots: what is lower is a rule.")
HIGHEST_LINE = _declare(
    "highest_line", 90, "Dots of a strip: 30 cells of it are less than 50 high."
)
NARROWEST_CELL = _declare(
    "narrowest_cell",
    0.55,
    "Width of a cell by the height of its letter; OCR-B has 1.05.",
)
WIDEST_CELL = _declare(
    "widest_cell", 2.0, "As above, of lines whose height is taken for less."
)
STEEPEST_LINE = _declare(
    "steepest_line", 0.04, "Slope against the block: more is another print's doing."
)
LEAST_FIT = _declare(
    "least_fit", 3.5, "Of 6: other print fits with up to 4, zones with 5.5 and more."
)
STRAIN = _declare(
    "strain", 0.12, "For a dot squared: a row with uneven cells is no print of a zone."
)
