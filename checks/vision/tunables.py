"""The numbers by which marks on a page are recognised, each with its reason.

Lengths are inches, unless a reason says otherwise; shares are from 0 to 1, grey values from 0
(black) to 255 (white). A limit between a mark and something else was set on the samples of
`checks.samples` and on the marked pages of docs/inspecting.md; a limit of the work keeps a page
that was made to be slow from taking long.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# The page as grey values, and its ink.
SURE_WORD = _declare(
    "sure_word",
    0.62,
    "What OCR doubts more may be a signature, or the lettering of a seal.",
)
FAINTEST = _declare(
    "faintest", 40, "With a smaller span from ink to paper there is only noise."
)
FAINT = _declare(
    "faint", 165, "A page with a larger span needs no more contrast: it stays as it is."
)
STRETCHED_SPAN = _declare(
    "stretched_span",
    235,
    "The span that a faint page is given; the grain of its paper then turns white.",
)
DARKEST = _declare(
    "darkest", 0.003, "This share of the dots is ink even on a page with little on it."
)
BRIGHTER = _declare(
    "brighter", 0.8, "This share of the dots is darker than the brighter paper."
)
DARKER = _declare(
    "darker", 14, "Ink is darker than the paper about it by more than its grain is."
)
INK_WINDOW = _declare(
    "ink_window",
    0.27,
    "The paper about a dot: wider than a letter, so that paper is the most of it.",
)
SHORTEST_RULE = _declare(
    "shortest_rule", 0.9, "A shorter line may be a stroke of a letter or a signature."
)
ENOUGH_WORDS = _declare(
    "enough_words", 6, "The median height of fewer words says little of the page."
)
USUAL_HEIGHT = _declare(
    "usual_height", 0.13, "The height of print, for a page with too few words."
)
HEIGHT_WORD = _declare(
    "height_word", 0.7, "Only words that are read surely count for the usual height."
)
HEIGHT_LETTERS = _declare(
    "height_letters", 2, "Words with no more letters are often marks, of any height."
)
TALL_GLYPH = _declare(
    "tall_glyph",
    3.5,
    "Fonts hold signatures, too: one glyph, so many times as high as the words.",
)
LETTERS_OF_GLYPH = _declare(
    "letters_of_glyph",
    2,
    "A tall word with more letters is a heading, not a signature.",
)
LETTERS_OF_WORD = _declare(
    "letters_of_word", 2, "A single letter that OCR reads may be a stroke of a pen."
)
TALL_READ = _declare(
    "tall_read",
    2.6,
    "What OCR reads as a word that is so much higher may be a drawing.",
)
NARROW = _declare(
    "narrow", 0.2, "In a word set around a circle, letters are narrow for its box."
)
SOME_LETTERS = _declare(
    "some_letters", 4, "With fewer letters, the form of the box says nothing."
)
SMALL_WORD = _declare(
    "small_word", 0.5, "Words of half the usual height stand in seals, or in footnotes."
)
TALL_WORD = _declare(
    "tall_word", 1.8, "A box this tall may be one around letters that go about a seal."
)

# Round marks: the first search, at a low resolution.
SEAL_DPI = _declare(
    "seal_dpi", 100, "Dots per inch: the smallest circle still has 20 dots of radius."
)
ANGLES = _declare(
    "angles", 120, "Every three degrees; 120 can be cut into eighths and sixths."
)
MAX_CENTRES = _declare(
    "max_centres", 60, "A limit of the work: each place takes about a millisecond."
)
MAX_EDGES = _declare(
    "max_edges", 80_000, "A limit of the work: of more edges, a sample votes."
)
MIN_EDGES = _declare(
    "min_edges", 80, "Fewer edges make no circle: a page of words only."
)
EDGE_BLUR = _declare(
    "edge_blur", 1.0, "In dots: it takes away the grain of a scan, and leaves the line."
)
NOISE_SHARE = _declare(
    "noise_share", 60, "In percent: more than half of a page is paper."
)
ABOVE_NOISE = _declare(
    "above_noise", 2.5, "An edge is so many times as strong as the grain of the paper."
)
MIN_FLOOR = _declare(
    "min_floor", 28.0, "What an edge must have at least, on a clean page."
)
MAX_FLOOR = _declare(
    "max_floor", 60.0, "What is enough for an edge, on the noisiest page."
)
MIN_VOTES = _declare(
    "min_votes", 0.6, "The share of a circle whose edges must point to its centre."
)
MAX_PEAKS = _declare(
    "max_peaks", 4, "A limit of the work: places with circles of one size, at most."
)
PEAK_REACH = _declare(
    "peak_reach", 0.3, "Of the radius: votes as near as this are for the same circle."
)
MIN_RING = _declare(
    "min_ring", 0.8, "A circle that is drawn less than this is not measured further."
)
DRAWN = _declare(
    "drawn",
    0.85,
    "A line counts as one of the circles where so much of it has an edge.",
)
FACING = _declare(
    "facing",
    0.82,
    "Of its strength: an edge counts where it faces the centre within 35 degrees.",
)
NEAR_FLOOR = _declare(
    "near_floor", 0.85, "Along a circle, an edge may be a little weaker than elsewhere."
)
SAME_CIRCLE = _declare(
    "same_circle", 3, "In dots: one line is found at a few radii that follow closely."
)
INNERMOST_CIRCLE = _declare(
    "innermost_circle", 0.35, "Of the radius: rings within are searched from here."
)
OUTERMOST_CIRCLE = _declare(
    "outermost_circle", 1.5, "Of the radius: the ring may lie about the circle found."
)
SHORTEST_CIRCLE = _declare(
    "shortest_circle", 8, "In dots: a smaller circle is drawn by too few of them."
)
OFF_PAGE = _declare(
    "off_page", 6, "In dots: so far a circle may go beyond the edge of the page."
)
MIN_CONTRAST = _declare(
    "min_contrast", 24, "Less between the ink and the paper is the grain of the paper."
)
LETTERS_FROM = _declare(
    "letters_from", 0.66, "Of the radius: letters stand between here and the ring."
)
LETTERS_TO = _declare(
    "letters_to", 0.95, "Of the radius: farther out, the line of the ring begins."
)
DISK = _declare(
    "disk", 0.92, "Of the radius: what lies within, without the line of the ring."
)
PAPER_BELOW = _declare(
    "paper_below", 80, "In percent of the page: its brighter dots are the paper."
)
DISK_INK = _declare(
    "disk_ink", 40, "Ink in the disk is darker than the paper of the page by so much."
)
APART = _declare(
    "apart", 0.8, "Of the larger radius: nearer centres are those of one mark."
)

# Which round marks are seals.
LEAST_INK = _declare(
    "least_ink", 0.05, "With less ink in it, a ring is empty: a letter or a loop."
)
MOST_INK = _declare("most_ink", 0.97, "With more ink in it, a disk is a solid dot.")
ROUND_RING = _declare(
    "round_ring", 0.96, "The circle of an emblem or of beads is drawn nearly whole."
)
ROUND_WORST = _declare("round_worst", 0.9, "So is each eighth of it.")
LARGE_RADIUS = _declare(
    "large_radius", 0.5, "A larger seal has room for letters, and overlaps other print."
)
WORN_RING = _declare(
    "worn_ring", 0.88, "A worn or overlapped seal has gaps of an eighth in its ring."
)
WORST_EIGHTH = _declare(
    "worst_eighth", 0.66, "In no eighth of a ring is more than a third missing."
)
LARGE_LETTERS = _declare(
    "large_letters",
    40,
    "Changes of ink and paper: twenty letters stand in a large one.",
)
LARGE_RINGS = _declare(
    "large_rings", 2, "The words of a large seal stand between two rings."
)
SMALLEST_RADIUS = _declare(
    "smallest_radius", 0.2, "In a smaller ring no letters can be told at a scan's dots."
)
CLEAR_RING = _declare(
    "clear_ring", 0.9, "From here on a ring is whole enough to be looked at closely."
)
WORN_INK = _declare(
    "worn_ink",
    0.3,
    "A worn seal whose letters are gone is still inked; a plain ring is not.",
)
DOUBTFUL_LETTERS = _declare(
    "doubtful_letters", 15, "With as many changes of ink and paper it may be lettering."
)

# The closer look, at full resolution.
SAMPLES = _declare(
    "samples", 720, "Points along a ring: two for each degree, ten for a letter."
)
CLOSER_REACH = _declare(
    "closer_reach", 2.3, "Of the radius: the words about an emblem lie within."
)
LINE_REACH = _declare(
    "line_reach",
    1.4,
    "Of the radius: the largest line that is searched for lies within.",
)
CLOSER_RING = _declare(
    "closer_ring", 0.96, "The line of a seal is closed but for what a scan loses."
)
CLOSER_WORST = _declare(
    "closer_worst", 0.9, "So is each eighth of it; a clock and a polygon have corners."
)
OUTERMOST = _declare(
    "outermost", 0.05, "Of the radius: lines as near as this are sides of one stroke."
)
MIN_CHANGES = _declare(
    "min_changes", 24, "A dozen letters go from paper to ink and back."
)
BAND = _declare(
    "band", 3, "Circles that letters are as high as; a line cut aslant is thinner."
)
FAINT_BAND = _declare(
    "faint_band", 6, "Where contrast is low, letters must be found on more circles."
)
CLEAR = _declare(
    "clear", 0.5, "Of the span of the place: clear letters have half of its contrast."
)
CLEAR_DARK = _declare(
    "clear_dark", 3, "In percent: its ink, without the few darkest dots."
)
CLEAR_LIGHT = _declare(
    "clear_light", 97, "In percent: its paper, without the few lightest dots."
)
INNERMOST = _declare(
    "innermost", 0.6, "Of the radius: letters within belong to the middle of a seal."
)
OUTMOST = _declare(
    "outmost", 0.93, "Of the radius: farther out is the blur of the line itself."
)
STEP = _declare("step", 0.03, "Of the radius, from one circle to the next.")
MIN_STEP = _declare(
    "min_step", 1.2, "In dots: nearer circles would see the same dots twice."
)
EVEN_STEPS = _declare(
    "even_steps", 0.75, "With more steps alike it is beads, ticks or rays: no letters."
)
LIKE_USUAL = _declare(
    "like_usual", 0.25, "A step is like the usual one up to this part of its length."
)
ABOUT_FROM = _declare(
    "about_from", 1.15, "Of the radius of beads: words about them begin beyond."
)
ABOUT_TO = _declare("about_to", 2.2, "Of the radius of beads: words end before.")
ABOUT_MARGIN = _declare(
    "about_margin", 2, "Circles of paper before the words, and behind them."
)
SIDES = _declare("sides", 6, "Words about beads stand on all sides but one.")
MIN_EDGE = _declare(
    "min_edge", 28, "The same as for a first look: below it is the grain of paper."
)
MIN_SPAN = _declare(
    "min_span", 40, "Grey values from ink to paper: the same as of the faintest page."
)
BLURRED = _declare(
    "blurred", 0.2, "An edge this much weaker than those about it is their blur."
)

# Seals of wax, foil or paper.
WAX_LEVELS = _declare(
    "wax_levels",
    (60, 100, 140, 190),
    "Grey values: a seal is darker than one of them, also on a coloured ground.",
)
SMALLEST_WAX = _declare(
    "smallest_wax", 0.6, "Across: a smaller toothed disk is an ornament."
)
LARGEST_WAX = _declare("largest_wax", 2.6, "Across: a larger one is a picture.")
TOOTH_SAMPLES = _declare(
    "tooth_samples", 512, "Points along an edge: five for each of the most teeth."
)
FEWEST_TEETH = _declare(
    "fewest_teeth", 16, "With fewer teeth it is a star or a flower."
)
MOST_TEETH = _declare(
    "most_teeth", 99, "With more, teeth are no larger than the steps between dots."
)
SHALLOWEST = _declare(
    "shallowest", 0.02, "Of the radius: less is the roughness of a smooth disk."
)
DEEPEST = _declare("deepest", 0.25, "Of the radius: deeper teeth make a star.")
VALLEYS = _declare(
    "valleys", 10, "In percent of the edge: its valleys, without a single scratch."
)
TIPS = _declare("tips", 90, "In percent of the edge: its tips, likewise.")
EVEN_TEETH = _declare(
    "even_teeth", 0.35, "Of the course of the edge, so much must be even teeth."
)
SLOW_WAVES = _declare(
    "slow_waves", 6, "Waves before this one are the shape of the whole disk."
)
FULL = _declare("full", 0.6, "A disk of wax is dark throughout; a ring is not.")
NARROWEST = _declare(
    "narrowest", 0.88, "Width by height: a disk that is turned away looks narrower."
)
WIDEST = _declare("widest", 1.14, "Width by height: the same, the other way round.")

# Handwriting.
SURE = _declare(
    "sure", 3.1, "Points, of the table of features: from here on it is a signature."
)
DOUBTFUL = _declare("doubtful", 2.7, "Points: from here on it may be a signature.")
SHORTEST_LINE = _declare(
    "shortest_line", 1.2, "A shorter line is for a date or a number, not for a name."
)
LONGEST_LINE = _declare(
    "longest_line", 4.2, "A longer line divides a page: it is not for a signature."
)
UNDERSCORES = _declare("underscores", 8, "Fewer underscores in text are no line.")
NEAR_LINE = _declare(
    "near_line", 0.4, "How far the word for signing may stand from its line."
)
OVER_LINE = _declare(
    "over_line", 0.05, "A word below the line may reach over it, as OCR's boxes do."
)
INTO_LINE = _declare(
    "into_line", 0.1, "A word left of the line may reach into its beginning."
)
LEVEL = _declare(
    "level", 0.15, "How much higher or lower a word beside the line may stand."
)
NOWHERE = _declare(
    "nowhere", 9.0, "Farther than any feature asks for: no such word is on the page."
)
FEWEST = _declare("fewest", 150, "Dots of ink: a page with fewer holds no signature.")
MIN_FILL = _declare(
    "min_fill", 0.012, "Of the box: strokes that fill less of it are a ruled line."
)
MAX_FILL = _declare(
    "max_fill", 0.30, "Of the box: what fills more of it is print or a picture."
)
WIDEST_STROKE = _declare("widest_stroke", 0.045, "A pen is no wider.")
MAX_RULES = _declare(
    "max_rules", 2000, "A limit of the work: no form has as many ruled lines."
)
CORE = _declare(
    "core",
    10,
    "In percent of the strokes, the darkest: a thin pen has pale edges, no pale core.",
)
PALE = _declare("pale", 170, "A watermark is paler than this, to the core.")
PAPER = _declare("paper", 150, "What is written on is lighter than this.")
PAPER_SHARE = _declare(
    "paper_share", 30, "In percent of what lies about the strokes: most of it is paper."
)
JOINED_ACROSS = _declare(
    "joined_across", 0.13, "Strokes as near as this, sideways, are one signature."
)
JOINED_DOWN = _declare(
    "joined_down", 0.06, "Up and down less, as lines of print lie near each other."
)
SHORTEST_STROKE = _declare(
    "shortest_stroke", 0.07, "A shorter one is a speck or a dot."
)
LEAST_STROKE = _declare("least_stroke", 12, "Dots of ink: fewer are a speck.")
WIDEST_GROUP = _declare("widest_group", 4, "What is wider is a line or a drawing.")
HIGHEST_GROUP = _declare("highest_group", 1.8, "What is higher is a drawing.")
SOLID = _declare("solid", 0.62, "Of its box: strokes leave paper between them.")
SOLID_LENGTH = _declare(
    "solid_length", 0.15, "A dot of a pen is solid, too, but no longer than this."
)
NARROWEST_SIGNATURE = _declare(
    "narrowest_signature", 0.5, "What is narrower is an initial, or a mark."
)
LOWEST_SIGNATURE = _declare(
    "lowest_signature", 0.16, "What is lower is a line of print, or a stroke of a pen."
)
HIGHEST_SIGNATURE = _declare("highest_signature", 1.7, "What is higher is a drawing.")
FLATTEST = _declare(
    "flattest", 14, "Width by height: a flatter group is a line that was not erased."
)
STEEPEST = _declare(
    "steepest", 1.5, "Height by width: people sign across, and not down."
)
BELOW_STROKES = _declare(
    "below_strokes", 0.2, "A line to sign on runs so far below the strokes at most."
)
CROWD_REACH = _declare(
    "crowd_reach", 0.4, "So far about the strokes a map or a drawing would go on."
)
STRAIGHT_SIDE = _declare(
    "straight_side",
    0.3,
    "Of the longer side: a straight piece as long is drawn by rule.",
)

# Barcodes.
MAX_CODES = _declare(
    "max_codes",
    20,
    "A limit of the work, and of what is sent: documents have one or two.",
)
MAX_LENGTH = _declare(
    "max_length", 2000, "Characters that are kept: a QR code holds up to 4,296."
)
CODE_MARGIN = _declare(
    "code_margin", 0.005, "Of the page: the white about a code tells where it ends."
)
SMALL_PICTURE = _declare(
    "small_picture", 1600, "Dots: a smaller picture is read again twice as large."
)
SMALLEST_PICTURE = _declare("smallest_picture", 16, "Dots: no code has fewer.")

# Faces.
ENLARGED = _declare(
    "enlarged", 1, "Times to double the picture: the detector sees faces of 80 dots."
)
LEAST_FACE = _declare("least_face", 0.0, "The detector's own bound of a proposal.")
MOST_PROPOSED = _declare(
    "most_proposed", 12, "A limit of the work: each proposal is confirmed by itself."
)
FACE_ROOM = _declare(
    "face_room",
    0.5,
    "Of its width: the confirming model is shown a face with what is about it.",
)
FACE_SHOWN = _declare(
    "face_shown", 240, "Dots that the confirming model is shown: more take longer."
)
LONG_WORD = _declare(
    "long_word",
    8,
    "Letters of a word for signing that OCR may misread by one: shorter words differ by one letter from too many others.",
)
