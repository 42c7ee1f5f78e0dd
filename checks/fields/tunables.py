"""Thresholds for reading fields from the words of a document, each with its reason.

Lengths are counted in characters of the text. Weights are points: each applies within the table of
wordings that uses it.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

BEFORE = _declare(
    "before", 110, "What says what a date is of stands before it, within about a line."
)

# Kinds of documents.
TITLE = _declare("title", 500, "A wording in the beginning of a document is its title.")
TITLE_BONUS = _declare(
    "title_bonus", 4, "What a document calls itself says more than what it mentions."
)
KIND_HEAD = _declare(
    "kind_head", 4000, "Later pages quote the titles of other documents."
)
KIND_WEIGHT = _declare("kind_weight", 4, "With less, too little speaks for one kind.")
OF_LANGUAGES = _declare(
    "of_languages",
    4,
    "What a bill or a letter calls itself in its language is as good as an English title.",
)
OF_INVOICES = _declare(
    "of_invoices",
    3,
    "Bills for energy and telephones are called invoices, too, so other words count more.",
)
REGISTER_GROUPS = _declare(
    "register_groups",
    5,
    "Of seven kinds of words of a register: bills and letters have up to four of them.",
)
OF_GENERAL_WORDS = _declare(
    "of_general_words", 0.6, "Other papers about companies have such words, too."
)
OFFICE_WEIGHT = _declare(
    "office_weight",
    9,
    "A tax office beside the title of its document: more than words of a title.",
)
BEFORE_TAX_NUMBER = _declare(
    "before_tax_number", 80, "Characters in which a number is called one of taxes."
)

# Jurisdictions.
STRONG = _declare(
    "strong",
    5,
    "A wording that names a register, or the law by which a company was formed.",
)
FAIR = _declare(
    "fair",
    3,
    "A wording that names a state, its companies or its laws: forms quote them, too.",
)
HINT = _declare(
    "hint", 2, "A legal form of one country: a text may name a foreign partner."
)
JURISDICTION_WEIGHT = _declare(
    "jurisdiction_weight", 2, "With less, a place is named in passing only."
)
COUNTRY_HEAD = _declare(
    "country_head",
    260,
    "A government heads its papers with its name; later it ends addresses.",
)
JURISDICTION_HEAD = _declare(
    "jurisdiction_head", 8000, "Later pages name the places of other companies."
)
MAX_COUNTED = _declare(
    "max_counted", 3, "A footer that repeats a place must not outweigh the title."
)

LEAST_LETTERS_OF_STATE = _declare(
    "least_letters_of_state", 4, "Shorter names of states are words or short forms."
)
WEAK_SIGNS = _declare(
    "weak_signs",
    2,
    "A town, a currency or a domain alone may be that of a partner. So many kinds more than any other country has.",
)
OF_SEAT = _declare(
    "of_seat",
    0.8,
    "A town of the clause of the seat: another country may have one so called.",
)
SEAT_REACH = _declare(
    "seat_reach", 130, "From the word for the seat to the town: an address at most."
)

# Names of companies.
MAX_LENGTH = _declare("max_length", 120, "A longer match is a sentence, and no name.")
SHORTEST_IN_SMALL_LETTERS = _declare(
    "shortest_in_small_letters",
    4,
    "Shorter words without a capital letter are pieces of a reading, as “ee”.",
)
MAX_MATCHES = _declare(
    "max_matches", 4, "A limit of the work: matches of one rule in one document."
)

# Addresses.
REACH = _declare(
    "reach", 220, "An address before its postal code is not longer: five short lines."
)
MAX_LINES = _declare(
    "max_lines", 4, "Names and departments above the street of an addressee."
)

WINDOW_LINES = _declare(
    "window_lines", 4, "Lines between the name and the town in the window of a letter."
)
LARGER_PRINT = _declare(
    "larger_print",
    1.5,
    "Times: capitals are this much higher than small letters of one print.",
)
WINDOW_LENGTH = _declare(
    "window_length", 50, "Characters: a longer line does not fit into a window."
)
TOWN_WORDS = _declare(
    "town_words", 4, "More words on the line of a town are a sentence or a name."
)
NAME_LETTERS = _declare("name_letters", 3, "A line with fewer letters is no name.")

# Labels and the cells that hold their values. Lengths on a page are fractions of it.
LABEL_PAGES = _declare(
    "label_pages", 4, "Who and what is registered stands on the first pages."
)
CELL_GAP = _declare(
    "cell_gap",
    1.3,
    "Heights of letters: a wider gap parts the cells of a table, a narrower one words.",
)
HIGH_ROW = _declare(
    "high_row", 7.0, "Heights of letters: the heads beside may have five lines."
)
LABEL_WORDS = _declare("label_words", 9, "No label of the table has more words.")
SAME_COLUMN = _declare(
    "same_column", 0.015, "Cells of a column begin there, as far as OCR is off."
)
STEP_OF_LINES = _declare(
    "step_of_lines",
    1.25,
    "Sizes of print from a line to the next of one cell: lines had 0.9 to 1.2, rows have 1.3 and more.",
)
CENTRED = _declare(
    "centred",
    0.4,
    "Heights of a label: the middle of a centred value is no farther from that of its label.",
)
TOUCHED_ROW = _declare(
    "touched_row",
    0.3,
    "Of the height: a line with so much of another on its left belongs to that one.",
)
SHORT_ROW = _declare(
    "short_row",
    0.08,
    "Of the width: a shorter row says nothing of the slope of a page.",
)
ROWS_OF_PAGE = _declare(
    "rows_of_page", 6, "Short rows: of fewer the heights of letters decide the slope."
)
LONG_ROW = _declare(
    "long_row",
    0.25,
    "Of the page: in a shorter row the height of letters hides a slope.",
)
ROWS_OF_SLOPE = _declare(
    "rows_of_slope", 5, "With fewer long rows the slope of a page is not known."
)
NEAR_ROWS = _declare(
    "near_rows", 9, "The slope changes over a page that was seen at an angle."
)
HEADS_OF_TABLE = _declare(
    "heads_of_table", 5, "Cells in a row: two labels with values are four of them."
)
CELL_STEP = _declare(
    "cell_step", 3.0, "Heights of letters from a label to the value below, at most."
)
TALL = _declare(
    "tall", 0.7, "Of the size of the print: a capital letter, a digit, or an l."
)
LOW = _declare("low", 0.5, "Of the size of the print: an a or an x.")
BELOW_LINE = _declare(
    "below_line", 0.2, "Of the size of the print: what a p reaches below the line."
)
ABOVE_CAPITAL = _declare(
    "above_capital", 0.2, "Of the size of the print: an accent on a capital letter."
)
CAPTION_SIZE = _declare(
    "caption_size",
    0.85,
    "Of the height of the value: captions are set at .6 to .75 of it, and have letters that reach lower than digits.",
)
CAPTION_GAP = _declare(
    "caption_gap",
    0.8,
    "Of the gap to what stands below: a caption is nearer to its own value.",
)
NEXT_LINE = _declare(
    "next_line", 1.9, "Heights of letters to the second line of a label, at most."
)
LIKE_A_LABEL = _declare(
    "like_a_label", 90, "Of 100: one letter of ten is misread by OCR in a label."
)
LIKE_A_WORD = _declare(
    "like_a_word", 70, "Of 100: one letter of four is misread by OCR, not half a word."
)
LONG_LABEL = _declare(
    "long_label", 9, "A shorter label with a misread letter may be another word."
)
ADDRESS_LINES = _declare(
    "address_lines", 6, "An address in a cell of a table has at most so many lines."
)
NAME_LINES = _declare("name_lines", 2, "A name in a cell is wrapped once at most.")
NAME_WORDS = _declare("name_words", 14, "More words are a sentence, and no name.")
LETTERS_OF_PAIR = _declare(
    "letters_of_pair", 8, "Letters: two short words occur twice in one name."
)
LINES_OF_HOLDER = _declare(
    "lines_of_holder", 4, "A name, a flat, a street: the address begins by then."
)
LONG_WORD = _declare(
    "long_word", 4, "Letters: shorter words of labels are words of names, too."
)
REST_OF_QUOTATION = _declare(
    "rest_of_quotation",
    80,
    "Characters to the closing mark: a name in quotation marks is seldom longer.",
)
WORDS_OF_NAME = _declare(
    "words_of_name", 2, "One word alone may be any word of the paper."
)
PLACES_OF_NAME = _declare(
    "places_of_name", 2, "What a paper is about is named at a second place."
)
PAGE_SHAPE = _declare(
    "page_shape", 1.4, "The height of a page of A4 or letter by its width."
)
MAX_CELLS = _declare(
    "max_cells", 1200, "A limit of the work: four dense pages have half as many."
)
LABELLED = _declare(
    "labelled", 0.9, "A value behind its own label; sentences of registers say more."
)
LESS_IF_WEAK = _declare(
    "less_if_weak", 0.12, "A label of one word may be that of a person or a signatory."
)
LESS_IF_OF_TRADE = _declare(
    "less_if_of_trade",
    0.13,
    "A trade name may be a brand; the name of the company wins.",
)
LESS_IF_NOT_PARTED = _declare(
    "less_if_not_parted", 0.12, "Without a colon the label may be part of a sentence."
)
DATE_BESIDE = _declare(
    "date_beside",
    24,
    "Characters behind a number in which a day may begin: “12 September 2019” has 17.",
)
NUMBER_DIGITS = _declare(
    "number_digits", 4, "Numbers with fewer digits are those of rows and pages."
)
DATE_BEHIND_LABEL = _declare(
    "date_behind_label", 12, "Characters: more of them are another value."
)
CODE_LETTERS = _declare(
    "code_letters", 8, "“T0J 0Y0”: what is longer has the name of the town in it."
)
TOWN_LETTERS = _declare(
    "town_letters", 40, "What is longer behind a postal code is no name of a town."
)
ADDRESS_LETTERS = _declare(
    "address_letters", 6, "A value with fewer letters is a number, and no address."
)
ADDRESS_LENGTH = _declare(
    "address_length", 260, "A longer value is a paragraph, and no address."
)
LESS_IF_APART = _declare(
    "less_if_apart", 0.05, "The cell beside a label may be a note on how to fill it in."
)
ABOUT_A_PARTY = _declare(
    "about_a_party", 170, "Whose number it is stands in the same sentence, before it."
)
SENTENCE_WORDS = _declare(
    "sentence_words", 3, "So many words in small letters, beside particles: a sentence."
)
HEADING_LINES = _declare(
    "heading_lines", 3, "A block about somebody else has its heading so near above."
)
HEADING_LENGTH = _declare(
    "heading_length", 70, "Characters: a longer line is a sentence, and heads no block."
)
REST_OF_LINE = _declare(
    "rest_of_line",
    6,
    "Characters: the number of a house or a flat that a full line left for the next.",
)
SMALL_PRINT = _declare(
    "small_print",
    0.8,
    "Of the height of digits: heads and feet are set at .6 to .75 of the text, and labels and values of one size.",
)
LABEL_OF_REST = _declare(
    "label_of_rest",
    28,
    "Characters: the longest label of a number, where a full line goes on below.",
)
LINES_OF_PARTY = _declare(
    "lines_of_party", 4, "Lines from the name of a company to what is stated of it."
)
MONTHS = _declare("months", 12, "Of a year: a higher number in a date is its day.")
OF_ADDRESSEE = _declare(
    "of_addressee",
    4,
    "The points of a title, or of words such as “Bill to”, above a window.",
)
WHOLE_WORD = _declare(
    "whole_word", 4, "Letters: a shorter word of a label is a whole one, not a stem."
)
SAME_ROW = _declare(
    "same_row", 0.5, "Of the height: with less two cells are not on one row."
)
WORDS_OF_FORM = _declare(
    "words_of_form", 9, "No legal form, and no state of a company, has more words."
)
ONE_PERSON = _declare(
    "one_person",
    0.85,
    "Of screening: of names that are spelt alike, less are two names, such as Maria and Mario.",
)
SURELY_ONE_PERSON = _declare(
    "surely_one_person",
    0.95,
    "Of screening: two spellings of one name have more, such as Sergei and Sergey; less alike may be a slip, or a couple.",
)
MAYBE_PERSON = _declare(
    "maybe_person",
    0.7,
    "Of screening: in two scripts, less alike names are of two people, which no screening shows.",
)
SIMILAR_PERSON = _declare(
    "similar_person",
    85,
    "Of 100: less alike names of people differ in more than a misread letter or two.",
)
SIMILAR_COMPANY = _declare(
    "similar_company",
    88,
    "Of 100: less alike names of companies differ in more than a misread letter or two.",
)
SIMILAR_FURTHER_NAME = _declare(
    "similar_further_name", 75, "Of 100: a further name is spelt in many ways."
)
SAME_ADDRESS = _declare(
    "same_address", 90, "Of 100: a word of the street or the town is written otherwise."
)
SIMILAR_ADDRESS = _declare(
    "similar_address", 75, "Of 100: less is another street, or another town."
)
SAME_STREET = _declare(
    "same_street", 92, "Of 100: with another postal code, all other words must agree."
)
LONG_STREET_WORD = _declare(
    "long_street_word", 6, "Letters: in shorter words one other letter is another word."
)
SLIP_OF_STREET = _declare(
    "slip_of_street",
    88,
    "Of 100: one letter of a long word is left out, doubled or misread.",
)
CODE_OF_HUNGARY = _declare("code_of_hungary", 4, "Digits of its postal code.")
SHORT_CODE = _declare(
    "short_code",
    4,
    "Characters: a shorter beginning of a postal code is that of many places.",
)
FIRST_YEAR = _declare(
    "first_year", 1700, "No paper that is submitted is of an earlier year."
)
LAST_YEAR = _declare(
    "last_year", 2100, "No paper that is submitted is of a later year."
)
SHORT_BUDDHIST = _declare(
    "short_buddhist",
    60,
    "A Thai year of two digits from here on is Buddhist: 2560 was 2017. Below it may be of either era.",
)
