"""Thresholds for reading a PDF, each with its reason.

Lengths are points (72 an inch), unless a reason says otherwise. Shares are from 0 to 1, grey values
from 0 (black) to 255 (white). A limit of the work protects against files that are made to be slow
or to fill the memory; no document of the samples reaches one.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# Limits for the expansion of a file.
MAX_PAGES = _declare(
    "max_pages", 5_000, "A limit of the work: opening more pages takes seconds."
)
MAX_CONTENT = _declare(
    "max_content", 64 << 20, "Bytes: a few of them may inflate to gigabytes."
)
INFLATED_AT_ONCE = _declare(
    "inflated_at_once",
    1 << 16,
    "Bytes of a stream: in the last of them a damaged one is followed byte by byte.",
)
MAX_DRAWN = _declare(
    "max_drawn", 50_000, "A limit of the work: forms that draw forms multiply."
)
MAX_DOTS = _declare(
    "max_dots",
    300_000_000,
    "Of one picture, unpacked as a whole; A0 at 400 dots per inch has 250 million.",
)
MAX_DEPTH = _declare(
    "max_depth",
    40,
    "Forms within forms. PDFium draws none that lies deeper, so no real page needs them.",
)
MAX_FIELD_DEPTH = _declare(
    "max_field_depth", 16, "A limit of the work: fields of forms within fields."
)
LONGEST_KIND = _declare(
    "longest_kind",
    40,
    "A limit of what is quoted: letters of the kind of an annotation, which the file may invent.",
)
MAX_STRUCTURE_OBJECTS = _declare(
    "max_structure_objects",
    20_000,
    "A limit of the work: objects that are looked through.",
)
MAX_SIGNATURES = _declare(
    "max_signatures",
    16,
    "A limit of the work: validating one takes tenths of a second.",
)
MAX_XML = _declare("max_xml", 4 << 20, "Bytes: a limit of the work, for XFA data.")
MAX_VALUES = _declare(
    "max_values", 500, "A limit of the work: values of an XFA form that are read."
)
MAX_LENGTH = _declare(
    "max_length", 400, "Characters of one value of a form: more are an essay."
)
MAX_PARTS = _declare(
    "max_parts", 40, "Programs write names and streams in turn, about twenty packets."
)

# Earlier versions in the file.
OLDEST = _declare(
    "oldest", 2, "The first versions: saving often must not push an edit out of sight."
)
NEWEST = _declare("newest", 4, "The last versions, before the file as it is.")
VERSION_PAGES = _declare(
    "version_pages", 12, "A limit of the work: pages of each earlier version."
)

# The objects of a page.
MAX_OBJECTS = _declare(
    "max_objects", 20_000, "With more, nothing is said to be covered: the order is cut."
)
MAX_COVERS = _declare(
    "max_covers", 400, "A limit of the work: each is compared with each letter."
)
MAX_SIDE = _declare(
    "max_side", 20_000.0, "PDF allows 14,400: what is larger has no place on a page."
)
PAPER = _declare(
    "paper", 200, "A rectangle that is darker than paper hides nothing unseen."
)
OPAQUE = _declare(
    "opaque", 250, "Of 255: what lets less through hides what is beneath."
)
UPRIGHT = _declare(
    "upright",
    1.0,
    "Points: the sides of a rectangle that a program draws are straight.",
)
MAX_SEGMENTS = _declare(
    "max_segments",
    6,
    "A rectangle has four or five; other shapes cover a part of theirs.",
)

# Which pictures are the ground of a page.
WHOLE = _declare(
    "whole", 0.5, "One picture of this share of the page is what one sees of it."
)
STRIPS = _declare(
    "strips", 0.8, "Strips must cover more: a page of words may hold many pictures."
)
TILE = _declare("tile", 0.01, "Of the page: a smaller picture is a patch or a stamp.")
APART = _declare(
    "apart", 0.3, "What lies so far on another picture is no tile of the ground."
)
CELLS = _declare(
    "cells", 100, "Of a grid on which pictures are counted: one for each percent."
)
MAX_TILES = _declare(
    "max_tiles", 400, "A limit of the work: each is compared with each other."
)

# Text that cannot be seen.
MAX_HIDDEN_OBJECTS = _declare(
    "max_hidden_objects",
    6_000,
    "A limit of the work: of more, no text is said to be hidden.",
)
MAX_SUSPECTS = _declare(
    "max_suspects", 300, "A limit of the work: with more the page is a drawing."
)
MAX_SINGLE = _declare(
    "max_single", 24, "A limit of the work: the page is drawn once more for each."
)
MAX_PIXELS = _declare(
    "max_pixels", 2_000_000, "A limit of the work: dots of a page that is drawn often."
)
DPI = _declare(
    "dpi", 100, "Dots per inch: print of 8 points is then 11 dots high, and told apart."
)
PALE = _declare(
    "pale", 225, "Paper, and what is printed in its colour, cannot be seen anyway."
)
TRANSPARENT = _declare(
    "transparent", 64, "Of 255: what is drawn with less alpha is as good as not drawn."
)
INK_BELOW_PALE = _declare(
    "ink_below_pale", 65, "Ink is so much darker: its soft edges are not counted."
)
COVERED = _declare(
    "covered", 0.5, "Of a drawing: with less over it, the rest of it can be read."
)
CELL = _declare(
    "cell", 8, "Points: texts at one place begin in one cell, or in neighbours."
)
MAX_NEAR = _declare(
    "max_near",
    60,
    "A limit of the work: of more texts in nine cells, none is compared.",
)
# Words on a patch of their own.
REPLACED_DIGITS = _declare(
    "replaced_digits",
    2,
    "One digit is a note, a bullet or the edge of a number that begins beside the place.",
)
MAX_COMPARED = _declare(
    "max_compared",
    200_000,
    "A limit of the work: pairs of texts on a row; a dense page has some 50,000.",
)
MOST_OF_LETTER = _declare(
    "most_of_letter",
    0.8,
    "Of a text of one letter: its neighbours overlap it by less.",
)
PATCH_TEXTS = _declare(
    "patch_texts", 10, "Of a page with fewer texts, the order of drawing tells nothing."
)
LOWEST_PATCH = _declare("lowest_patch", 4.0, "A lower one is a line.")
HIGHEST_PATCH = _declare(
    "highest_patch", 40.0, "A higher one is the ground of a paragraph or of a stamp."
)
LARGEST_PATCH = _declare(
    "largest_patch", 0.05, "Of the page: a larger one is the ground of a paragraph."
)
PATCH_FILLED = _declare(
    "patch_filled", 0.2, "Of the patch: one that was made for its words fits them."
)
EDGE = _declare(
    "edge",
    3.0,
    "Points: a program lays a patch by one or two more than the words on each side.",
)
MOST_SHAPES = _declare(
    "most_shapes", 200, "A limit of the work: each is compared with all drawings."
)
MOST_PATCHES = _declare(
    "most_patches",
    3,
    "Who edits a page changes few places; a program that lays grounds, many.",
)
INK_BENEATH = _declare(
    "ink_beneath",
    0.02,
    "Of the place of a patch: a word covers more of its frame, specks of dirt less.",
)
VISIBLE = _declare(
    "visible", 24, "Grey values: a smaller difference is the smoothing of edges."
)
DARK = _declare("dark", 110, "A place with a darker median is ink, not paper.")
THICK = _declare(
    "thick", 4.0, "A line as thick as a word is high hides it, as a box does."
)
UNCHANGED = _declare(
    "unchanged",
    0.004,
    "Of a place: a dot or two at the edge of a hidden text may change.",
)
REDACTED = _declare(
    "redacted", 0.8, "With more dark dots, a place is a black bar that everybody sees."
)
ERASED = _declare(
    "erased", 0.4, "Of the ink of a word: a mark of a pen takes less of it away."
)
LONGEST_TEXT = _declare(
    "longest_text", 200, "Characters of a hidden text that a finding quotes."
)
SPACE = _declare(
    "space", 0.004, "Of the width of the page: between two letters there is less."
)
NEAR = _declare("near", 0.02, "Of the width of the page: words are no farther apart.")

# Changes of a page between two versions.
CHANGE_DPI = _declare(
    "change_dpi",
    60,
    "Dots per inch: enough to see that a word changed, not to read it.",
)
CHANGE_PIXELS = _declare(
    "change_pixels", 1_200_000, "A limit of the work: dots of each of the two drawings."
)
DIFFERENT = _declare(
    "different", 48, "Grey values: a smaller difference is another smoothing of edges."
)
MIN_PIXELS = _declare("min_pixels", 12, "Dots: what changed less is no letter.")
SAME_CHANGE = _declare(
    "same_change", 9, "Dots: specks as near as this are those of one change."
)
INK = _declare("ink", 150, "What was darker was ink.")
MAX_REGIONS = _declare(
    "max_regions",
    12,
    "With more regions the whole page was changed, and none says much.",
)
READ_DPI = _declare(
    "read_dpi", 200, "Dots per inch: as many as OCR is given of a page."
)
MAX_READ = _declare(
    "max_read", 6, "A limit of the work: regions of a page that are read."
)
MAX_READ_SHARE = _declare(
    "max_read_share",
    0.05,
    "Of the page: a word or a few lines; more is no edit of a value.",
)
ROOM = _declare("room", 0.012, "Of the page: OCR wants a little paper about a word.")

# Letters that a file draws behind their line.
STRAY_LETTERS = _declare(
    "stray_letters", 3, "Letters of another font in a row: more are a word."
)
NO_BLANK = _declare(
    "no_blank", 0.5, "Of the blanks of the line: a narrower gap is one between letters."
)
BLANK_OF_A = _declare(
    "blank_of_a",
    0.15,
    "Of the height of two letters A: with a blank between them it is .2 to .25, and without one nothing.",
)
BLANK_BY_HEIGHT = _declare(
    "blank_by_height",
    0.4,
    "A blank of a line of one word, by the height of its letters.",
)

# What the program that wrote a file left in it.
MIN_DRAWING = _declare(
    "min_drawing",
    300,
    "Packed bytes: a smaller drawing holds a picture or a blank page.",
)
MIN_PACKED = _declare(
    "min_packed", 2, "Parts of fonts: one alone may come from another file."
)
MAX_SHOWN = _declare(
    "max_shown",
    4 << 20,
    "A limit of the work, in bytes of drawings: parsing so many takes a second.",
)
MAX_FORMS = _declare(
    "max_forms", 8, "Forms within forms: programs that write text need two or three."
)
MIN_SHOWN = _declare(
    "min_shown", 12, "Letters of a font: with fewer, too few are there to be exact."
)
MIN_NUMBERED = _declare(
    "min_numbered",
    20,
    "Letters in the order of their numbers: fewer may be so by chance.",
)
FEW_UNSHOWN = _declare(
    "few_unshown", 2, "Letters: with more that no text shows, pages were taken out."
)
FEW_OUT_OF_TURN = _declare(
    "few_out_of_turn", 4, "Letters: two that were replaced by two others move four."
)
