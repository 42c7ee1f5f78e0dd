"""Thresholds of the fraud indicators, each with its reason.

Shares are from 0 to 1, of the page or of what the reason names. The similarity of two texts is from
0 to 100. The docstring of an indicator says how often genuine documents show it.
"""

from __future__ import annotations

from datetime import timedelta

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# The verdict, and the contents of a finding.
WEAK_SIGNS = _declare(
    "weak_signs",
    2,
    "One weak sign alone has innocent explanations: each indicator names them.",
)
MAX_BOXES = _declare(
    "max_boxes", 20, "A person looks at no more places of one finding."
)
MAX_RAW = _declare(
    "max_raw", 500, "Characters of what the file states: payloads must stay small."
)
MAX_CHANGES = _declare(
    "max_changes", 20, "A person reads no more changes of one finding."
)
LONGEST_QUOTE = _declare(
    "longest_quote", 60, "Characters: a sentence with a longer quotation is not read."
)
MOST_QUOTED = _declare(
    "most_quoted", 3, "A description quotes so many changes; the finding holds all."
)
MOST_EDITS = _declare(
    "most_edits", 3, "The sentence over a document names so many edits, and counts all."
)

# Limits of what is examined.
MAX_PAGES = _declare(
    "max_pages", 6, "Later pages are mostly terms; drawing each of them takes seconds."
)
MAX_PICTURES = _declare(
    "max_pictures", 3, "Each picture is compared with itself, letter by letter."
)
SCAN = _declare(
    "scan", 0.5, "A picture of this share of the page is what one sees of it."
)
MAX_WORDS = _declare(
    "max_words", 4_000, "A limit of the work: words of a page are compared in pairs."
)
OCR_PAGES = _declare("ocr_pages", 3, "Each of them is read with OCR, which takes long.")
MAX_MISMATCHES = _declare(
    "max_mismatches", 20, "A layer with as many mismatches is not looked at further."
)
MAX_TEXT = _declare(
    "max_text", 40_000, "Letters: the search for a similar name takes longer with each."
)

# Changes from one version of a file to the next.
CHANGES_COMPARED = _declare(
    "changes_compared",
    12,
    "A version may differ in every line; a person reads the first.",
)
SAME_PAGE = _declare(
    "same_page", 0.5, "Pages that share so many words are two versions of one page."
)
SURE_READING = _declare(
    "sure_reading", 0.7, "OCR must be so sure of both readings that differ."
)
PART_OF_WORD = _declare(
    "part_of_word", 0.3, "A region with so much of a changed word differs for the word."
)
SAME_ROW = _declare(
    "same_row", 0.5, "Of their height: words that share as much stand on one line."
)
ROW_HEIGHTS = _declare(
    "row_heights",
    3.0,
    "Of the lower word: words of one row are not so unlike in height.",
)
NEAR_VALUE = _declare(
    "near_value", 2.0, "Heights of a word: the next word of a value is no farther away."
)

# Which change alters a fact.
LABEL_WORDS = _declare(
    "label_words", 8, "A longer text is a sentence, whatever its words are."
)
PAGE_EDGE = _declare(
    "page_edge", 0.07, "The strip at the head and the foot of a page with its number."
)
LEGIBLE = _declare(
    "legible", 2, "Fewer letters and digits are a bracket or a mark, and no fact."
)
SHORTEST_PART = _declare(
    "shortest_part", 2, "One letter that is left of a label may be left of any word."
)
SHORTEST_CUT_LABEL = _declare(
    "shortest_cut_label", 4, "Shorter labels begin or end too many other words."
)

# Words over words, and pictures over pictures.
WITHIN = _declare(
    "within", 0.95, "Of a picture: its edges are rounded, and need not lie within."
)
MIN_OVERLAPPING = _declare(
    "min_overlapping", 3, "Letters: one sign over another is no finding."
)
SHARED = _declare(
    "shared", 0.5, "Of their place: letters of neighbours touch, and share less."
)
LINE = _declare(
    "line",
    30,
    "Points: what replaces words of a line is no higher; stamps and logos are.",
)
GROUND_WIDTH = _declare(
    "ground_width",
    0.9,
    "Of the page: who replaces a fact covers its line, not the page.",
)
GROUND_HEIGHT = _declare(
    "ground_height", 0.3, "Of the page: more than the lines of one field or address."
)
READ = _declare("read", 0.5, "OCR must be so sure of a word on a picture.")
ALIKE = _declare(
    "alike", 60, "Of 100: two readings of one paragraph, each with its errors."
)

SAME_SNIPPET = _declare(
    "same_snippet",
    95,
    "Of 100: two readings of one word; a changed digit of a date of ten signs leaves 90.",
)

# The text of a page and its drawing.
LINES_READ = _declare(
    "lines_read",
    8,
    "A limit of the work: lines of a document that OCR reads, ten milliseconds each.",
)
LARGER = _declare(
    "larger", 1.5, "Times the size: OCR seldom misreads a word in two sizes alike."
)
LARGEST = _declare(
    "largest", 2.25, "Times the size: a third one, before a single letter counts."
)
SHORTEST_SHOWN = _declare(
    "shortest_shown", 4, "Letters: OCR misreads half of a shorter word too easily."
)
TOO_SMALL = _declare(
    "too_small", 2.5, "Points: the smallest print of contracts is twice as high."
)
TABLE_GAP = _declare(
    "table_gap", 0.03, "Of the width of the page: a wider gap parts two cells."
)

# Fonts.
FONT_PAGES = _declare(
    "font_pages", 6, "The fonts of later pages are those of the first ones."
)
MIN_LETTERS = _declare(
    "min_letters", 150, "Of a shorter text, no font can be told to be the usual one."
)
USUAL = _declare("usual", 0.12, "Of all letters: a font of the document has so many.")
RARE = _declare("rare", 0.02, "Of all letters: a font that stands out has fewer.")
FEW_LETTERS = _declare(
    "few_letters", 25, "In a short document a word or two exceed the share above."
)
OF_VALUE = _declare(
    "of_value", 0.5, "Of its letters and digits: a value has as many digits."
)
BESIDE = _declare(
    "beside", 1.5, "Heights of a word: neighbours stand no farther from each other."
)
MAX_TRIED = _declare(
    "max_tried",
    100,
    "A limit of the work: words of a page in rare fonts, each compared with all others.",
)
NEAR_LINES = _declare(
    "near_lines", 4.0, "Heights of a word: lines above and below a value of a column."
)
STRANGERS_QUOTED = _declare(
    "strangers_quoted", 3, "Words in a strange font that a description quotes."
)

# Text behind a scan.
SURE = _declare(
    "sure", 0.88, "OCR must be so sure of a word before the layer is doubted for it."
)
DIGITS = _declare(
    "digits", 3, "Fewer digits stand somewhere in the text of nearly every page."
)
SAME_PLACE = _declare(
    "same_place", 0.3, "Of the smaller: words that share as much stand in one place."
)
WELL_READ = _declare(
    "well_read", 0.9, "Of the words to be read: a layer that was read well has them."
)
BADLY_READ = _declare(
    "badly_read", 0.75, "With fewer of the words, the layer was read badly."
)
UNKNOWN = _declare("unknown", 0.8, "What is assumed of a page with few words.")
MIN_WORDS = _declare("min_words", 10, "Of fewer words neither can be told.")
SHORTEST_WORD = _declare(
    "shortest_word", 4, "Letters: OCR reads shorter words wrong too often."
)
MIN_FONTS = _declare(
    "min_fonts", 2, "A document that was written has several; OCR writes in one font."
)

# Content, and what it agrees with.
SAME_NAME = _declare(
    "same_name", 85, "Of 100: the same name with LTD for LIMITED, or cut short."
)
MIN_DIGITS = _declare("min_digits", 5, "Fewer digits are a year, a house or an amount.")
SHORTEST_NAME = _declare(
    "shortest_name", 6, "A shorter value under a name is an abbreviation."
)
SHORTEST_NUMBER = _declare(
    "shortest_number", 6, "A shorter number is similar to too many others."
)
SLIPS = _declare(
    "slips", 2, "A code of another number differs in most places, not in two."
)
WORDS_OF_PROSE = _declare(
    "words_of_prose", 7, "A line with more is a sentence, which may speak of samples."
)
PLACES_OF_WORDS = _declare(
    "places_of_words",
    200,
    "A limit of the work: places of one word that are looked at.",
)
MIN_PLACEHOLDERS = _declare(
    "min_placeholders", 3, "So many placeholders together are a template."
)
CENT = _declare(
    "cent", 0.011, "A cent, and a little for the way floating-point numbers are stored."
)
ROUNDED_TO = _declare(
    "rounded_to",
    ("0.05", "0.10", "1.00"),
    "Coins: Switzerland rounds to 5, New Zealand to 10, Scandinavia to 100, often without a line that says so.",
)
HOLDING_BALANCES = _declare(
    "holding_balances",
    5,
    "Balances that follow beside one that does not: fewer may follow by chance.",
)
THOUSANDS_GAP = _declare(
    "thousands_gap",
    1.5,
    "Letters: a space is narrower than one, and the gap between two columns is wider than two.",
)
MIN_READ = _declare("min_read", 5, "Fewer words make no document of letters.")
OFFICER_NEAR = _declare(
    "officer_near", 120, "Characters from a name to its office, in one signature block."
)
OFFICERS_AS_OF = _declare(
    "officers_as_of", 2025, "The year of the table: later officers are not known."
)
OFFICE_HEAD = _declare(
    "office_head",
    6000,
    "Characters of a page in which it names its office; later ones name others.",
)
AGREEING_ANCHORS = _declare(
    "agreeing_anchors",
    2,
    "Of an issuer's name, title and phrase: many a text has one of them alone.",
)
SHORTEST_ANCHOR = _declare(
    "shortest_anchor", 10, "Letters: shorter words are like too many others."
)
MISREAD_ANCHOR = _declare(
    "misread_anchor", 88, "Of 100: one letter in eight may be misread by OCR."
)
SHORTEST_ANCHOR_WORD = _declare(
    "shortest_anchor_word", 4, "Letters: of and the tell no office from another."
)
MISREAD_ANCHOR_WORD = _declare(
    "misread_anchor_word", 75, "Of 100: two letters of a word of eight may be misread."
)

# Dates.
LATER = _declare(
    "later",
    timedelta(days=30),
    "Measured: of 20 genuine files 12 were written within four days, 8 after 33 and more.",
)
CLOCKS = _declare(
    "clocks", timedelta(days=1), "Clocks of two zones are up to a day apart."
)
APART = _declare(
    "apart",
    timedelta(hours=26),
    "Zones are up to 26 hours apart, and some programs leave the zone out.",
)

WORKING_SHARE = _declare(
    "working_share",
    0.6,
    "Of the days from Monday to Friday, so many are working days at least: of two weeks about the New Year six.",
)
BESIDE_DATE = _declare(
    "beside_date",
    28,
    "Characters from a date to what must agree with it: a longer text is another sentence.",
)

# The same document in another case.
FINGERPRINT_PAGES = _declare(
    "fingerprint_pages", 1, "Many documents share the terms on their later pages."
)
FINGERPRINT_WORDS = _declare(
    "fingerprint_words", 40, "A page with fewer words is a cover, or was hardly read."
)
MAX_FINGERPRINTS = _declare(
    "max_fingerprints", 8, "Each is a row of the register, and one question to it."
)
# The same form in another case.
FORM_WORDS = _declare(
    "form_words", 25, "Of fewer different words, two other pages may share most."
)
FORM_LETTERS = _declare(
    "form_letters", 4, "Letters of a word: shorter ones are on every page."
)
FORM_MARKS = _declare(
    "form_marks", 32, "Each is a row of the register; with fewer, chance decides more."
)
FORM_ROWS = _declare(
    "form_rows", 2, "Words in a mark: with one, each mark has too many other pages."
)
FORM_PRIME = _declare(
    "form_prime",
    (1 << 61) - 1,
    "A prime, so that each order of the digests has every digest once.",
)
FORM_OF_ISSUER = _declare(
    "form_of_issuer",
    6,
    "Other subjects: a register sends its form to many, and each case would repeat it.",
)
FORM_SHARED = _declare(
    "form_shared",
    6,
    "Of the marks: measured, 95 % of pairs of a form share as many, 1 of 59,000 others.",
)
MOST_CASES = _declare(
    "most_cases", 3, "Of a document that came many times, the newest cases are told."
)
MAX_ROWS = _declare("max_rows", 8, "Rows of the register that the finding holds.")
