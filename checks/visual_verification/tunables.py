"""Thresholds of the visual inspection, each with its reason.

Lengths are inches, unless a reason says otherwise. Shares are from 0 to 1, of the page or of what
the reason names. `checks.vision.tunables` has the thresholds for recognising a mark itself.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# The search on the pages.
DPI = _declare(
    "dpi", 150, "Dots per inch: a stroke of half a millimetre is then three dots wide."
)
FINE_DPI = _declare(
    "fine_dpi",
    300,
    "Dots per inch: of the smallest code, each module is then four dots wide.",
)
FIRST = _declare(
    "first", 8, "Seals and signatures stand on the first pages; each page takes time."
)
LAST = _declare("last", 4, "They stand on the last pages, too.")
HEAD = _declare("head", 0.22, "The part of a page in which letterheads stand.")
SCAN = _declare(
    "scan", 0.7, "A picture of more than this share of the page is what one sees of it."
)
SMALL_EMBLEM = _declare(
    "small_emblem", 0.4, "Radius: a smaller mark at the head of a page is no seal."
)
LARGE_EMBLEM = _declare(
    "large_emblem", 0.8, "Radius: a larger mark at the head of a page is no emblem."
)
ASIDE = _declare(
    "aside", 0.05, "Of the page: people sign a little beside the line, too."
)
BELOW = _declare("below", 0.03, "Of the page: so far may strokes stand below the line.")
ABOVE = _declare("above", 0.05, "Of the page: so far may strokes stand above the line.")
SAME_RING = _declare(
    "same_ring",
    0.7,
    "Of the area of both: a signature beside or over a seal shares less.",
)
SMALLEST_CODE = _declare(
    "smallest_code", 0.35, "A smaller picture is a bullet or an icon."
)
LARGEST_CODE = _declare(
    "largest_code",
    2.5,
    "Even the densest code of this size has two dots a module at the first look.",
)
NOT_SQUARE = _declare(
    "not_square",
    0.1,
    "Of the height: the white about a square code may differ by as much.",
)
SMALLEST_EMBLEM = _declare(
    "smallest_emblem", 0.25, "A smaller picture at the head of a page is an icon."
)
LARGEST_EMBLEM = _declare(
    "largest_emblem", 4.0, "A larger picture at the head of a page is a banner."
)
MAX_PICTURES = _declare(
    "max_pictures", 6, "A limit of the work: pictures of a page that are read finely."
)
CAPTION = _declare(
    "caption", 0.35, "The word by which a seal is named stands in the next two lines."
)
SAME_LINE = _declare(
    "same_line", 0.5, "Of their height: words that share as much stand on one line."
)
NEXT_WORD = _declare(
    "next_word", 2, "Heights of a word: the next one of its line is no farther away."
)
TOUCHING = _declare(
    "touching", 0.005, "Of the page: boxes of neighbours may overlap as much."
)
SAME_MARK = _declare(
    "same_mark", 0.5, "Of its area: a mark that lies so far within another is the same."
)

# The layout.
MAX_WORDS = _declare(
    "max_words",
    3000,
    "A limit of the work, in pairs: no page of 111 genuine files has over 800 words.",
)
MIN_OVERLAPS = _declare(
    "min_overlaps",
    3,
    "Measured: of 111 genuine files three have one word over another, none has two.",
)
MAX_BOXES = _declare("max_boxes", 20, "A person reads the first ones.")
SHARED = _declare(
    "shared", 0.5, "Of the smaller word: neighbours touch, and share far less."
)
LEGIBLE = _declare("legible", 2, "Letters and digits: fewer are a mark.")
LIKE_SIZE = _declare(
    "like_size", 2, "Times as high: a larger word over others is a watermark."
)
MIN_OFF = _declare(
    "min_off",
    3,
    "Measured: of 111 genuine files three have one or two words off a page.",
)
LAYOUT_HEAD = _declare("layout_head", 0.12, "Of the page: headers stand above.")
LAYOUT_FOOT = _declare("layout_foot", 0.88, "Of the page: footers stand below.")
SAME_EDGE = _declare(
    "same_edge", 0.012, "Of the width of the page: a tenth of an inch, as OCR is off."
)
MIN_LINES = _declare(
    "min_lines", 8, "Of fewer lines, some begin at one edge by chance."
)
MIN_REPEATED = _declare(
    "min_repeated", 3, "On fewer pages nothing repeats often enough to be a header."
)
SKEWED = _declare(
    "skewed",
    0.3,
    "Degrees: the search for it goes by tenths; less is not worth a note.",
)
MAX_NUMBERED = _declare(
    "max_numbered", 500, "Pages: a larger total was not read right."
)
MAX_MISSING = _declare("max_missing", 10, "A sentence names so many missing pages.")

# Codes, compared with the words of the document.
LIKE = _declare("like", 86, "Of 100: what OCR makes of the same words.")
MAX_PAIRS = _declare(
    "max_pairs",
    40,
    "Measured: each takes half a millisecond in a text of 20,000 words.",
)
SHORTEST_NAME = _declare(
    "shortest_name", 4, "Letters and digits: a shorter name is an abbreviation."
)
SHORTEST_NUMBER = _declare(
    "shortest_number", 5, "Letters and digits: a shorter one stands in texts by chance."
)
SHORTEST_CORE = _declare(
    "shortest_core", 6, "Digits without what a register puts around them: likewise."
)
