"""The numbered fields on the front of a driving licence.

Directive 2006/126/EC numbers the fields of licences in the European Union (1 surname, 2 other
names, 3 date and place of birth, 4a issue, 4b expiry, 4c authority, 5 number, 8 address, 9
categories). British licences and those of many other countries use the same numbers. The AAMVA
standard uses them in North America, with 4d for the number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from checks.driving_licence import tunables
from checks.driving_licence.forms import DAY, LICENCE_NUMBER, MORE_NAMES
from checks.driving_licence.order import spans_by_order
from checks.evidence import Evidence
from checks.fields.dates import month_named
from checks.text.characters import has_digit, only_letters
from checks.text.words import Span

# The number of a field: at the beginning of a line, or within it if it has a full stop.
MARK = re.compile(
    r"(?:^|(?<=\s))(?P<mark>4\s?[abcd]|5\s?[ab])[.,:)]?(?=\s)|^(?P<first>[123589]|1[1-9])[.,:)]{0,2}(?=\s)"
    r"|(?<=\s)(?P<within>[123589]|1[1-9])(?:\.(?=\s)|a?(?= (?:class|rest|end|sex|hgt|wgt|eyes?|hair)\b))",
    re.IGNORECASE | re.MULTILINE,
)
# Labels that American cards print between the number of a field and its value.
LABELS = re.compile(
    r"^(?:(?:fn|ln|dob|exp|iss|dln?|dl ?no|lic(?:en[cs]e)?(?: ?(?:no|#))?|cust ?id|dd|sex|hgt|eyes|class|end|rest|"
    r"date of (?:birth|issue|expiry)|expires|issued|customer identifier|no)\b\.?[:#]?\s*)+",
    re.IGNORECASE,
)
AMERICAN = re.compile(r"\b(?:DOB|EXP|ISS|DLN?|USA)\b")
DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{2,4}")
# “31 418 827 DUPS: 00”: the label of another field behind the number.
LABEL_BEHIND = re.compile(r"\s+[A-Z]{2,}\s?:.*$", re.IGNORECASE)
MISTAKABLE = re.compile(r"[O0QIL1S5B8Z2]")
ALIKE = str.maketrans("OQILSBZ", "0011582")
# The format of a British driver number: surname, decade, month, day and year of birth, initials.
BRITISH = re.compile(
    r"(?P<surname>[A-Z9]{5})(?P<decade>\d)(?P<month>[0156]\d)(?P<day>\d{2})(?P<year>\d)(?P<initials>[A-Z9]{2})"
)
# The count of issues, which a British licence prints behind the number: “MORGA753116SM9IJ 35”.
WITH_ISSUE = re.compile(
    rf"(?P<number>{BRITISH.pattern}[A-Z0-9]{{3}}) ?\d\d", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Field:
    """The value of a numbered field. `sure`: OCR was sure of each word, if it read it."""

    value: str
    span: Span
    sure: bool = True
    by_ocr: bool = False


@dataclass(frozen=True, slots=True)
class Front:
    """The front, by the numbers of its fields.

    A date with an ambiguous order or century is None. `by_order`: the numbers were not read, and the
    order of the lines stands for them.
    """

    fields: Mapping[str, Field]
    is_american: bool
    born: date | None
    issued: date | None
    expires: date | None
    by_order: bool = False

    @property
    def surname(self) -> str:
        return self._text("1")

    @property
    def given_names(self) -> str:
        return self._text("2")

    @property
    def name(self) -> str:
        return f"{self.given_names} {self.surname}".strip()

    @property
    def number_field(self) -> str:
        """The field that contains the number of the licence."""
        if self.is_american and "4d" in self.fields:
            return "4d"
        return "5"

    @property
    def number(self) -> str:
        match = LICENCE_NUMBER.match(
            LABEL_BEHIND.sub("", self._text(self.number_field))
        )
        if match is None:
            return ""
        number = without_issue(match[0].strip(" .-/"))
        if has_digit(number):
            return number
        return ""

    @property
    def has_mistakable_number(self) -> bool:
        """Whether OCR read a number with characters that it often confuses."""
        field = self.fields.get(self.number_field)
        if field is None or not field.by_ocr:
            return False
        return bool(MISTAKABLE.search(self.number.upper()))

    @property
    def authority(self) -> str:
        return self._text("4c")

    def is_sure(self, *numbers: str) -> bool:
        return all(self.fields[n].sure for n in numbers if n in self.fields)

    def _text(self, number: str) -> str:
        field = self.fields.get(number)
        return field.value if field else ""


def is_american_order(text: str) -> bool:
    """Whether the month stands before the day: words of American cards, and no day that has none so.

    India prints DOB, too: “DOB 11-02-1990” beside “20-05-2033”.
    """
    if not AMERICAN.search(text):
        return False
    for day in DAY.finditer(text):
        if _is_day_first(day):
            return False
    return True


def front_of(evidence: Evidence) -> Front | None:
    """Return the front of a licence among the words of a document; None if its fields are
    missing.
    """
    text = evidence.text.value
    fields = _fields(evidence)
    by_order = not _is_whole(fields)
    if by_order:
        fields = _fields_by_order(evidence)
    if not _is_whole(fields):
        return None
    # European licences also have field 4c, which American ones do not use.
    is_american = is_american_order(text) and not text.count("4c")
    issued = None
    if "4a" in fields:
        days = possible_days(fields["4a"].value, is_american=is_american)
        issued = max((day for day in days if day <= evidence.today), default=None)
    born = _birth(fields["3"].value, issued or evidence.today, is_american=is_american)
    expires = _expiry(fields["4b"].value, issued, born, is_american=is_american)
    return Front(fields, is_american, born, issued, expires, by_order)


def _is_whole(fields: Mapping[str, Field]) -> bool:
    """Whether the fields are there that every licence has. Without them the numbers are those of a list."""
    number = "5" in fields or "4d" in fields
    if not number or not {"1", "2", "3", "4b"} <= fields.keys():
        return False
    return bool(DAY.search(fields["3"].value) and DAY.search(fields["4b"].value))


def _fields_by_order(evidence: Evidence) -> dict[str, Field]:
    """Return the fields whose numbers OCR did not read. One reading alone, so none of them is sure."""
    text = evidence.text.value
    fields = {}
    for number, span in spans_by_order(text).items():
        value = text[span.start : span.end]
        fields[number] = replace(_field(evidence, value, span), sure=False)
    return fields


def without_issue(number: str) -> str:
    match = WITH_ISSUE.fullmatch(number)
    return match["number"] if match else number


def alike(number: str) -> str:
    """Return a number without separators, in which characters that OCR confuses are the same."""
    return re.sub(r"[^A-Z0-9]", "", number.upper()).translate(ALIKE)


def british_disagreement(front: Front) -> str:
    """Return how the number of a British licence contradicts its fields; empty if it does not.

    The month is increased by 50 for women, so it is taken modulo 50.
    """
    match = BRITISH.match(re.sub(r"\W", "", front.number.upper()))
    if match is None or front.born is None or front.is_american:
        return ""
    # The number may be misread, or be of another field, so a difference proves nothing.
    if front.has_mistakable_number or front.by_order:
        return ""
    month = int(match["month"]) % 50
    printed = (int(match["decade"]), month, int(match["day"]), int(match["year"]))
    born = front.born
    decade, year = divmod(born.year % 100, 10)
    if printed != (decade, born.month, born.day, year):
        return "The number of the licence encodes another date of birth."
    letters = only_letters(front.surname.upper())
    # The number has only the letters of English, and Mac may be Mc in it. How it writes other
    # letters is not known.
    may_be = {letters[:5], re.sub("^MAC", "MC", letters)[:5]}
    if letters.isascii() and match["surname"].rstrip("9") not in may_be:
        return "The number of the licence encodes another surname."
    return ""


def _fields(evidence: Evidence) -> dict[str, Field]:
    text = evidence.text.value
    marks = list(MARK.finditer(text))
    fields: dict[str, Field] = {}
    for place, match in enumerate(marks):
        mark = match["mark"] or match["first"] or match["within"]
        number = re.sub(r"\s", "", mark).lower()
        # New Zealand has the number of the card beside that of the licence.
        number = "5" if number == "5a" else number
        end = text.find("\n", match.end())
        if end < 0:
            end = len(text)
        if place + 1 < len(marks):
            end = min(end, marks[place + 1].start())
        if number == "2":
            end = _with_more_names(text, end)
        # The first occurrence counts. Later ones may be on the back of the card.
        if number in fields:
            continue
        start = match.end()
        behind = text[start:end]
        words = behind.lstrip()
        start += len(behind) - len(words)
        label = LABELS.match(words)
        if label:
            start += label.end()
        value = " ".join(text[start:end].split())[: tunables.LONGEST_VALUE]
        value = value.strip(" :,;|_")
        if value:
            span = Span(start, end)
            fields[number] = _field(evidence, value, span)
    return fields


def _with_more_names(text: str, end: int) -> int:
    """Return the end of the other names, which may have a second line before field 3."""
    line, _, behind = text[end + 1 :].partition("\n")
    if MORE_NAMES.match(line) and re.match(r"3[.,:)]?\s", behind):
        return end + 1 + len(line)
    return end


def _field(evidence: Evidence, value: str, span: Span) -> Field:
    words = evidence.text.words(span)
    recognised = [word.confidence for word in words if word.source == "OCR"]
    is_sure = min(recognised, default=1.0) >= tunables.CLEAR
    return Field(value, span, is_sure, by_ocr=bool(recognised))


def _is_day_first(day: re.Match[str]) -> bool:
    """Whether a day is written as no American card has it beside days in digits: 20-05-2033, 11.09.27, 22 Aug 1991."""
    first, second = day["a"], day["b"]
    if len(first) > 2:
        return False
    if not second.isdigit():
        return bool(month_named(second.upper()))
    return int(first) > tunables.MONTHS or DOTTED.fullmatch(day[0]) is not None


def possible_days(text: str, *, is_american: bool) -> list[date]:
    """Return the days that a date may mean. A year of two digits gives one in each century."""
    match = DAY.search(text)
    if match is None:
        return []
    first, second, third = match["a"], match["b"].upper(), match["c"]
    if month := month_named(second):
        second = str(month)
        is_american = False
    if not second.isdigit():
        return []
    if len(first) == 4:
        return _days(third, second, first)
    if is_american:
        return _days(second, first, third)
    return _days(first, second, third)


def _days(day: str, month: str, year: str) -> list[date]:
    years = [int(year)]
    if len(year) == 2:
        years = [century + int(year) for century in tunables.CENTURIES]
    days = []
    for full_year in years:
        try:
            days.append(date(full_year, int(month), int(day)))
        except ValueError:
            continue
    return days


def _birth(text: str, bound: date, *, is_american: bool) -> date | None:
    """Return the latest day on which the holder was old enough when the licence was issued."""
    days = []
    for day in possible_days(text, is_american=is_american):
        age = bound.year - day.year
        if tunables.MIN_AGE <= age <= tunables.MAX_AGE:
            days.append(day)
    return max(days, default=None)


def _expiry(
    text: str, issued: date | None, born: date | None, *, is_american: bool
) -> date | None:
    """Return the first possible day after the issue; if that was not read, after the
    minimum age.
    """
    first_year = 0
    if issued:
        first_year = issued.year
    elif born:
        first_year = born.year + tunables.MIN_AGE
    days = []
    for day in possible_days(text, is_american=is_american):
        is_behind = issued is None or day > issued
        last_year = first_year + tunables.LONGEST_TERM
        if first_year <= day.year <= last_year and is_behind:
            days.append(day)
    return min(days, default=None)
