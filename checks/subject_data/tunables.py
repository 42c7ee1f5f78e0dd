"""Thresholds of the checks of attested data, each with its reason.

Similarities of names are from 0 to 1, as `checks.screening` computes them. The similarity of texts
is from 0 to 100.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# Names.
SAME = _declare(
    "same", 0.88, "A strong match of screening: two names are then one person's."
)
ANOTHER = _declare("another", 0.70, "Below it, screening does not even show a match.")
SAME_BUSINESS = _declare(
    "same_business", 0.85, "Two names of companies that are less alike are different."
)
SAME_IN_ZONE = _declare(
    "same_in_zone",
    0.85,
    "Zones cut names and leave out letters: less must agree than in full names.",
)
SAME_OWNER = _declare(
    "same_owner",
    0.95,
    "An owner is the business itself: names of a group are alike, too.",
)
ALIKE = _declare(
    "alike", 0.85, "What others say of a business: the same name as above."
)
MAILBOX_LIKE_NAME = _declare(
    "mailbox_like_name", 85, "Of 100: a mailbox may leave out or add a letter or two."
)
SHORTEST_NAME = _declare(
    "shortest_name", 3, "Letters: a shorter name is found in too many mailboxes."
)

# Dates.
YOUNG_DAYS = _declare(
    "young_days", 183, "Half a year: shell companies are often younger."
)
OLDEST_YEAR = _declare(
    "oldest_year", 1800, "Hardly any company is older: more likely a typing error."
)
OLDEST_KNOWN_YEAR = _declare(
    "oldest_known_year", 1200, "Registers of companies know of nothing that is older."
)
MONTHS_UP_TO_YEARS = _declare(
    "months_up_to_years", 2, "In the first years, an age in years says too little."
)
SOON_DAYS = _declare(
    "soon_days", 90, "People are asked for the next document before this one expires."
)
LONGEST_YEARS = _declare(
    "longest_years", 15, "No country issues a document for longer."
)
FIRST_ZONES = _declare(
    "first_zones",
    1980,
    "The first passports with a zone; until 2079 no date of expiry fits two centuries.",
)
SHORTEST_NUMBER = _declare(
    "shortest_number", 6, "Characters: personal numbers in a zone are longer."
)
FOREVER_AGE = _declare(
    "forever_age",
    60,
    "Years: Spain gave cards without an end from 60, and gives them from 70.",
)

# Owners.
MOST_SHARES = _declare(
    "most_shares",
    100.01,
    "Percent: shares are rounded, and may exceed a hundred by it.",
)
FEWEST_SHARES = _declare(
    "fewest_shares", 75.0, "Percent: with less, an owner of a quarter may be left out."
)
BENEFICIAL_OWNER = _declare(
    "beneficial_owner", 25, "Percent: such owners are to be identified by law."
)
DEEPEST = _declare(
    "deepest", 8, "Owners of owners: chains are seldom longer, and data may be hostile."
)
MOST_CIRCLES = _declare("most_circles", 10, "A person reads no more of them.")

# Addresses.
CROWD = _declare(
    "crowd",
    5,
    "So many other businesses at an address are more than a shared building.",
)
ZIP = _declare(
    "zip", 5, "Digits of a US postal code; the last four are often left out."
)

# The kind of business.
CLEARLY_LESS = _declare(
    "clearly_less",
    0.75,
    "Of its weight: with a nearer second candidate none is proposed.",
)
MOST_CANDIDATES = _declare("most_candidates", 5, "A person chooses among no more.")
LONGEST = _declare(
    "longest", 4_000, "Characters of each member: descriptions are short, data hostile."
)
FEWEST_LETTERS = _declare(
    "fewest_letters", 3, "A description with fewer letters says nothing."
)
