"""The parts of an address, which may stand in a block or within a sentence.

In a block each line is a part. In a sentence the line ends where the page does, so that only
commas, street types and units show where a part ends. A sentence also names cities and counties in
words.
"""

from __future__ import annotations

import re

from checks.text.characters import has_digit

# Words that end the name of a street.
STREET_TYPES = (
    r"(?:street|str?|avenue|ave?|road|rd|drive|dr|lane|ln|boulevard|blvd|way|court|ct|place|pl"
    r"|square|sq|parkway|pkwy|highway|hwy|terrace|ter|circle|cir|trail|trl|plaza|loop|alley|row"
    r"|walk|close|crescent|gardens|turnpike|pike|broadway|cent(?:er|re))"
)
DIRECTION = (
    r"(?:[NSEW]|[NS][EW]|north|south|east|west|northeast|northwest|southeast|southwest)"
)
UNIT_WORDS = (
    r"(?:suite|ste\.?|unit|apt\.?|apartment|floor|fl\.?|room|rm\.?|building|bldg\.?|#)"
)
ENDS_STREET = re.compile(rf"\b{STREET_TYPES}\.?(?: {DIRECTION}\.?)?$", re.IGNORECASE)
IS_UNIT = re.compile(rf"{UNIT_WORDS} ?[\w-]+", re.IGNORECASE)
UNIT_AND_CITY = re.compile(
    rf"(?P<unit>{UNIT_WORDS} ?[\w-]*\d[\w-]*) (?P<city>\D+)", re.IGNORECASE
)
# Words before an address within a sentence. A label would end with a colon or with its line
# instead.
IN_SENTENCE = re.compile(r"\b(?:is|are|at|be|being|as|of|in|located|situated)\s*$")
OF_CITY = r"(?:city\s+and\s+county|city|town|township|village|municipality)\s+of"
OF_COUNTY = r"(?:county|parish|borough)\s+of"
OF_STATE = r"(?:state|commonwealth)\s+of"
PLACE_PHRASE = re.compile(
    rf"\b(?:and\s+)?(?:in\s+)?(?:the\s+)?(?:{OF_CITY}|{OF_COUNTY}|{OF_STATE})\b",
    re.IGNORECASE,
)
CITY = re.compile(rf",?\s*\b(?:in\s+)?(?:the\s+)?{OF_CITY}\s+", re.IGNORECASE)
COUNTY_AFTER = re.compile(
    rf",?\s*\b(?:and\s+)?(?:in\s+)?(?:the\s+)?({OF_COUNTY})\b", re.IGNORECASE
)
STATE_AFTER = re.compile(rf",?\s*\b(?:in\s+)?(?:the\s+)?{OF_STATE}\s*$", re.IGNORECASE)
IN_BRACKETS = re.compile(r"\s*\([^()]*\b(?:county|parish)\b[^()]*\)", re.IGNORECASE)
IS_COUNTY = re.compile(
    rf"{OF_COUNTY}\s.+|.+\s(?:county|parish)", re.IGNORECASE | re.DOTALL
)


def without_place_phrases(text: str) -> str:
    """Replace "in the City of" by underscores of the same length.

    These words do not end an address, but would look like a new sentence.
    """
    return PLACE_PHRASE.sub(lambda match: "_" * len(match[0]), text)


def parts_of(before: str, *, in_sentence: bool) -> list[str]:
    """Return the parts of an address before its state and postal code, without counties."""
    # If joining the lines leaves one part only, the address has no commas, and its lines are the
    # better parts.
    if in_sentence:
        parts = _split(unwrapped(before))
        if len(parts) > 1:
            return parts
    return _split(before)


def unwrapped(before: str) -> str:
    """Join the lines of an address in a sentence where only the margin of the page ended them."""
    first, *others = before.split("\n")
    joined = first.rstrip()
    for line in others:
        last = re.split(r"[\n,]", joined)[-1].strip()
        # Three cases: a word broken with a hyphen is joined without it; a line that ends with a
        # street type or a unit is a complete part; every other line continues on the next one.
        is_broken_word = re.search(r"[a-z]-$", joined) and line[:1].islower()
        if is_broken_word:
            joined = joined[:-1] + line.rstrip()
        elif not last or ENDS_STREET.search(last) or IS_UNIT.fullmatch(last):
            joined += f"\n{line.rstrip()}"
        else:
            joined += f" {line.strip()}"
    return joined


def _split(before: str) -> list[str]:
    plain = IN_BRACKETS.sub("", before)
    plain = STATE_AFTER.sub("", plain.rstrip(" ,\n"))
    plain = CITY.sub(", ", plain)
    plain = COUNTY_AFTER.sub(r", \1", plain)
    lines: list[str] = []
    for part in re.split(r"[\n,]", plain):
        line = part.strip(" .,")
        # A part that ends with a colon is a label.
        if line and not line.endswith(":") and not _is_county(line):
            lines.append(line)
    if len(lines) < 2:
        return lines
    unit = UNIT_AND_CITY.fullmatch(lines[-1])
    if unit:
        return [*lines[:-1], unit["unit"], unit["city"].strip()]
    return lines


def _is_county(part: str) -> bool:
    if not IS_COUNTY.fullmatch(part):
        return False
    # "12 County Road" is a street; a county has no number.
    return not has_digit(part)
