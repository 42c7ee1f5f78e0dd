"""Thresholds for finding traces of editing in a picture, each with its reason.

Lengths are dots of the picture, grey values are from 0 (black) to 255 (white).
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# Which pictures are looked at.
MAX_PIXELS = _declare(
    "max_pixels", 9_000_000, "A limit of the work: larger pictures take too long."
)
MIN_PIXELS = _declare(
    "min_pixels", 120_000, "In smaller pictures letters are too small to be told apart."
)
ALONE = _declare(
    "alone", 0.5, "Of the largest picture: with another that large, none is the page."
)
MAX_OPENED = _declare(
    "max_opened", 90_000_000, "A limit of the memory: three bytes for each dot."
)
MAX_SCANNED = _declare(
    "max_scanned", 4 << 20, "Bytes that are searched for metadata: it stands in front."
)

# Letters that were copied.
ALIKE = _declare(
    "alike", 2.2, "Grey values, the mean: a copy of a letter differs by less from it."
)
MAX_OF_ONE_SIZE = _declare(
    "max_of_one_size", 300, "A limit of the work: letters of a size, compared in pairs."
)
ONE_RUN = _declare(
    "one_run", 0.6, "Of all alike: what was copied lies at one distance from its copy."
)
MIN_COMPARED = _declare(
    "min_compared", 50, "With fewer pairs, nothing is known of the grain of the scan."
)
NEAR = _declare(
    "near", 5.0, "Measured: 97 % of the letters of a scan differ more from all others."
)
MOST_NEAR = _declare(
    "most_near",
    0.1,
    "Measured: of letters that a computer drew, a fifth has a near one.",
)
# Places that were copied to the dot.
WINDOW = _declare(
    "window", 6, "Dots: a few of them, each with its grain, are never equal by chance."
)
PRINT = _declare(
    "print", 60, "Grey values between ink and paper: plain paper may be equal anywhere."
)
HEAVIEST = _declare(
    "heaviest", 1 << 36, "A weight: the sums of a window stay exact, and apart."
)
WEIGHTS_SEED = _declare(
    "weights_seed",
    20_240_517,
    "Any other one would do: equal windows have equal sums, and others hardly ever.",
)
LEAST_WINDOWS = _declare(
    "least_windows", 2_000, "With less print, nothing is known of the page."
)
MOST_EQUAL = _declare(
    "most_equal",
    0.02,
    "Of the windows with print: of a page that a program drew, far more are equal.",
)
LEAST_COPIED = _declare(
    "least_copied", 24, "Windows at one distance: half a digit at 150 dpi."
)
FEW_COPIES = _declare("few_copies", 4, "Who changes a number copies a few digits.")
OF_COPIES = _declare(
    "of_copies",
    0.8,
    "Of all equal windows: the others are chance, or the page was drawn.",
)
LIGHTER_HALF = _declare(
    "lighter_half", 50, "Of 100: the lighter dots of a place with print are its paper."
)
PLAIN_PAPER = _declare(
    "plain_paper", 0.5, "Of the dots: paper of one value covers most of a page."
)
NEAR_PAPER = _declare(
    "near_paper", 6, "Grey values: the grain of paper spreads over at least as many."
)
PLAIN_GRAIN = _declare(
    "plain_grain",
    0.005,
    "Of the dots: measured, .0002 to .0023 of drawn pages and .09 to .6 of scans.",
)
SHORTEST_LETTER = _declare(
    "shortest_letter",
    9,
    "A lower shape is a dot or a hyphen, which are alike by nature.",
)
HIGHEST_LETTER = _declare("highest_letter", 70, "A higher shape is a drawing.")
NARROWEST_LETTER = _declare("narrowest_letter", 5, "A narrower shape is a stroke.")
WIDEST_LETTER = _declare("widest_letter", 60, "A wider shape is a drawing.")
LEAST_LETTER = _declare("least_letter", 20, "Dots of ink: fewer are a speck.")

# A region that was compressed before with another quality.
MIN_TEXTURED = _declare(
    "min_textured", 60, "Blocks: of fewer no curve of losses can be told."
)
TEXTURED = _declare(
    "textured",
    12,
    "Spread of grey values: a smoother block loses nothing at any quality.",
)
GHOST = _declare(
    "ghost", 150.0, "Blocks times deviation: an island scores more, noise scores less."
)
DIP = _declare("dip", 0.004, "Of the loss: a shallower dip of the curve is noise.")
OUTSTANDING = _declare(
    "outstanding", 4, "Standard deviations by which a block departs from the rest."
)
SMALLEST_ISLAND = _declare("smallest_island", 2, "Blocks: a single one is noise.")
LARGEST_ISLAND = _declare(
    "largest_island", 120, "Blocks: a larger region is a part of the picture itself."
)

# A page that a program drew.
DRAWN_LETTERS = _declare(
    "drawn_letters", 100, "Letters that are compared: fewer say nothing."
)
DRAWN_GREYS = _declare(
    "drawn_greys",
    0.002,
    "Of all dots: with fewer greys between ink and paper, scans have no grain either.",
)
DRAWN_DARK = _declare("drawn_dark", 30, "Grey values: darker is ink.")
DRAWN_LIGHT = _declare("drawn_light", 225, "Grey values: lighter is paper.")
DRAWN_ALIKE = _declare(
    "drawn_alike",
    0.03,
    "Of the letters that are alike to the grain: measured, scans have at most .017.",
)
DRAWN_LEAST = _declare(
    "drawn_least", 16, "Letters that are alike: fewer may be chance on a clean scan."
)

# A patch of paper without grain.
LIGHT_SHARE = _declare(
    "light_share", 70, "Percent of the dots: paper is lighter than most of a page."
)
BELOW_PAPER = _declare(
    "below_paper", 60, "Grey values: what is darker than paper by more is ink."
)
NEAR_INK = _declare("near_ink", 5, "The edge of a letter is neither ink nor paper.")
ECHO_OF_INK = _declare(
    "echo_of_ink", 15, "Compression spreads an edge over one square of 8 dots."
)
LEAST_PAPER = _declare(
    "least_paper", 20_000, "With less paper, its grain cannot be measured."
)
GRAIN = _declare(
    "grain", 4, "The median within three dots: less has paper that was cleaned."
)
SMOOTH = _declare("smooth", 1, "Within three dots: painted paper has one value.")
MOST_SMOOTH = _declare(
    "most_smooth", 0.02, "Of the paper: with more smooth dots, a patch is no exception."
)
LEAST_PATCH = _declare(
    "least_patch", 150, "Dots: fewer do not cover a word of a page at 150 dpi."
)
PATCH_ALONE = _declare(
    "patch_alone",
    6,
    "Times the next largest: on genuine pictures the two are closer, or not filled.",
)
PATCH_FILLED = _declare(
    "patch_filled",
    0.5,
    "Of the paper in its frame: clipped light of a photograph reached 0.36.",
)
FAR_DOTS = _declare("far_dots", 40, "Fewer dots far from ink say nothing.")
EDGE = _declare(
    "edge", 3, "Margins that a program adds at the edge of a page are smooth."
)

# Places that were not there at an earlier save.
LEAST_WAVES = _declare(
    "least_waves", 4, "Measured: no picture that was saved once shows a step in one."
)
LEAST_STRENGTHS = _declare(
    "least_strengths",
    40,
    "Strengths of nine squares: of fewer, some lack steps by chance.",
)
LEAST_SQUARES = _declare(
    "least_squares",
    300,
    "Squares with print: with fewer, a rest of the page is not known.",
)
LACKS_TRACES = _declare(
    "lacks_traces", 0.5, "Of the nearness of the page: what was added later has 0."
)
LACKS_ALL = _declare(
    "lacks_all", 0.3, "The middle of a place; its edge is half of squares from before."
)
DEPARTS = _declare(
    "departs", 6, "Deviations: the squares around a place depart by so many."
)
DEPARTS_FAR = _declare(
    "departs_far",
    20,
    "Deviations: measured, innocent pictures reached 18, edits 23 to 118.",
)
LEAST_DEVIATION = _declare(
    "least_deviation",
    0.2,
    "With less, what rounding leaves in a square departs as far.",
)
MOST_LACKING = _declare(
    "most_lacking", 0.05, "Of the squares: with more, the traces are weak everywhere."
)
HAS_TRACES = _declare(
    "has_traces", 0.6, "Of the nearness of the page: nearly all squares must have more."
)
MOST_PLACES = _declare("most_places", 4, "A forger changes few places; noise has many.")
OF_LAST_STEP = _declare(
    "of_last_step", 0.6, "Of a step of the last save: what is weaker was saved as 0."
)
WEAKEST = _declare("weakest", 1.6, "Grey values: a weaker wave is rounding.")
LEAST_OF_WAVE = _declare(
    "least_of_wave", 150, "Strengths: from fewer, no step can be told."
)
SAMPLE = _declare("sample", 4_000, "Strengths of a wave: more show no other step.")
COARSER = _declare(
    "coarser", 1.5, "Times a step of the last save: finer steps are hidden by it."
)
NEAR_STEPS = _declare(
    "near_steps", 0.3, "The mean, from -1 to 1: saved once, strengths are below 0."
)
AS_GOOD = _declare("as_good", 0.92, "Of the best step: a wider one is as good.")
WAVES = _declare(
    "waves", 7, "Waves in each direction: finer ones hold little else than zeros."
)
WIDEST_STEP = _declare(
    "widest_step",
    64,
    "Steps of a wave that are tried: no usual quality has wider ones.",
)
MIDDLE_THIRDS = _declare(
    "middle_thirds",
    (16, 84),
    "Percent: between these lie two thirds of values that stray by chance, a deviation to each side.",
)
WHITEST = _declare(
    "whitest",
    254,
    "A colour at its upper limit, but for the rounding of the last save.",
)
BLACKEST = _declare(
    "blackest", 1, "A colour at its lower limit, but for the rounding of the last save."
)
