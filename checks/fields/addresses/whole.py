"""Divides an address into parts, where a label or a name shows which lines it has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.fields import tunables
from checks.fields.addresses.postal import Address, find_in
from checks.text.characters import count_digits, count_letters, has_digit

# The postal codes of countries.
CODES: dict[str, str] = {
    "AM": r"\d{4}", "AR": r"[A-Z]?\d{4}(?:[A-Z]{3})?", "AT": r"\d{4}", "AZ": r"(?:AZ ?)?\d{4}", "BA": r"\d{5}",
    "BD": r"\d{4}", "BE": r"\d{4}", "BG": r"\d{4}", "BR": r"\d{5}-?\d{3}|\d{2}\.\d{3}-\d{3}", "CH": r"\d{4}",
    "CL": r"\d{7}", "CN": r"\d{6}", "CO": r"\d{6}", "CR": r"\d{5}", "CY": r"\d{4}", "CZ": r"\d{3} ?\d{2}",
    "DE": r"\d{5}", "DK": r"\d{4}", "DO": r"\d{5}", "DZ": r"\d{5}", "EC": r"\d{6}", "EE": r"\d{5}",
    "EG": r"\d{5}", "ES": r"\d{5}", "FI": r"\d{5}", "FR": r"\d{5}", "GE": r"\d{4}", "GR": r"\d{3} ?\d{2}",
    "GT": r"\d{5}", "HR": r"\d{5}", "HU": r"\d{4}", "ID": r"\d{5}", "IE": r"[A-Z]\d[\dW] ?[A-Z\d]{4}",
    "IL": r"\d{7}|\d{5}", "IN": r"\d{3} ?\d{3}", "IT": r"\d{5}", "JO": r"\d{5}", "JP": r"\d{3}-\d{4}",
    "KE": r"\d{5}", "KG": r"\d{6}", "KH": r"\d{5,6}", "KR": r"\d{5}", "KW": r"\d{5}", "KZ": r"\d{6}",
    "LI": r"\d{4}", "LK": r"\d{5}", "LT": r"(?:LT-)?\d{5}", "LU": r"(?:L-)?\d{4}", "LV": r"LV-\d{4}",
    "MA": r"\d{5}", "MC": r"980\d{2}", "MD": r"(?:MD-?)?\d{4}", "ME": r"\d{5}", "MK": r"\d{4}", "MN": r"\d{5}",
    "MT": r"[A-Z]{3} ?\d{4}", "MX": r"\d{5}", "MY": r"\d{5}", "NG": r"\d{6}", "NL": r"\d{4} ?[A-Z]{2}",
    "NO": r"\d{4}", "NP": r"\d{5}", "NZ": r"\d{4}", "PE": r"\d{5}", "PH": r"\d{4}", "PK": r"\d{5}",
    "PL": r"\d{2}-\d{3}", "PT": r"\d{4}-\d{3}", "PY": r"\d{4}", "RO": r"\d{6}", "RS": r"\d{5}", "RU": r"\d{6}",
    "SA": r"\d{5}", "SE": r"\d{3} ?\d{2}", "SG": r"\d{6}", "SI": r"\d{4}", "SK": r"\d{3} ?\d{2}",
    "SM": r"4789\d", "SN": r"\d{5}", "TH": r"\d{5}", "TJ": r"\d{6}", "TM": r"\d{6}", "TN": r"\d{4}",
    "TR": r"\d{5}", "TZ": r"\d{5}", "UA": r"\d{5}", "UY": r"\d{5}", "UZ": r"\d{6}", "VA": r"00120",
    "VE": r"\d{4}", "VN": r"\d{5,6}", "ZA": r"\d{4}", "ZM": r"\d{5}",
}  # fmt: skip
# If the country is not known, codes of four plain digits are not accepted: they may be a year.
ANY_CODE = (
    r"\d{5,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{4} ?[A-Z]{2}(?=[ ,\n])"
)
# “L - 2449”, “2100 - 127”
SPACED_CODE = re.compile(r"\b([A-Z]{1,2}|\d{4}(?= - \d{3}\b)) - (\d{3,5})\b")
# “Makariou III, 42”
HOUSE_NUMBER = re.compile(r"\d{1,4}[A-Za-z]?")
CODE_LABEL = re.compile(
    r"\b(?:CEP|C\.?P\.?|CAP|PLZ|PIN(?: ?code)?|zip(?: ?code)?|post(?:al)? ?code|código postal|kod pocztowy|cod po[șşs]tal|po[sš]tanski broj|PSČ|posta kodu|kode pos|poskod|irányítószám|postnummer|postinumero|\u03a4\.?\u039a\.?|индекс|поштовий індекс|пощенски код)(?!\w)[ .:]*",
    re.IGNORECASE,
)


def address_of_lines(lines: str, country: str) -> Address | None:
    """Return the address in the lines, or None if there is none.

    `country` is a code of two letters, or empty if it is not known. An address has a number and a
    word: a line without a number may only be the name of a town.
    """
    for placed in find_in(lines):
        return placed.value.address
    flat = " ".join(lines.replace("\n", ", ").split()).strip(" ,;.")
    flat = re.sub(r"(?:, ?){2,}", ", ", flat)
    flat = SPACED_CODE.sub(r"\1-\2", flat)
    of_register = POLISH.search(flat)
    if of_register:
        return _of_polish_register(of_register)
    if not _may_be_address(flat):
        return None
    return _parsed(CODE_LABEL.sub("", flat), country)


# “ul. PORTOWA, nr 8, lok. ---, miejsc. USTKA, kod 76-270, poczta USTKA, kraj POLSKA”: the register of Poland names each
# part, and sets dashes for one that is missing.
POLISH = re.compile(
    r"(?P<street>[^,]*[^\W\d_][^,]*|-{2,3}), nr (?P<number>[^,]+), lok\. (?P<flat>[^,]+), miejsc\. (?P<city>[^,]+), kod (?P<code>\d{2}-\d{3})"
    r"(?:, poczta [^,]+)?(?:, kraj [^,]+)?",
    re.IGNORECASE,
)


def _of_polish_register(match: re.Match[str]) -> Address:
    street = match["street"].strip(" -")
    number = match["number"].strip(" -")
    flat = match["flat"].strip(" -")
    # A village without streets has its name before the number.
    line = f"{street or match['city'].strip()} {number}".strip()
    return Address(
        street_1=f"{line}/{flat}" if flat else line,
        city=match["city"].strip(),
        postal_code=match["code"],
        country_code="PL",
    )


# A line with a date is a row of a table and not an address.
DATED = re.compile(r"\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}\b")

# “5/1., 8.”: marks of entries between the parts, so that several entries were read as one.
ENTRIES = re.compile(r"(?:^|, )\d{1,2}/\d{1,2}\.?(?=,|$)")


def _may_be_address(flat: str) -> bool:
    if DATED.search(flat) or len(ENTRIES.findall(flat)) > 1:
        return False
    letters = count_letters(flat)
    digits = count_digits(flat)
    if (
        letters < tunables.ADDRESS_LETTERS
        or not digits
        or len(flat) > tunables.ADDRESS_LENGTH
    ):
        return False
    return digits <= letters and flat.count(" ") >= 1


def _parts(text: str, marks: str) -> list[str]:
    """Return the parts between commas that have more than these marks."""
    parts = []
    for part in text.split(","):
        if part.strip(marks):
            parts.append(part.strip())
    return parts


def _parsed(flat: str, country: str) -> Address:
    """Divide the address at its postal code. If no code is found, keep the whole as the street."""
    pattern = CODES.get(country, ANY_CODE)
    matches = list(re.finditer(rf"(?<![\w/-])(?:{pattern})(?![\w/-])", flat))
    # A number at the very beginning is that of the house. The postal code comes later, and the last
    # match is taken.
    matches = [match for match in matches if match.start() > 0]
    if not matches:
        return Address(street_1=flat, country_code=country)
    match = matches[-1]
    before = _parts(flat[: match.start()], " -")
    after = _parts(flat[match.end() :], " -.")
    if _is_street_behind(before, after):
        return Address(street_1=flat, country_code=country)
    code = match[0]
    city = ""
    if after and len(after[0]) <= tunables.TOWN_LETTERS and not has_digit(after[0]):
        city = after[0]
    elif len(before) > 1:
        city = before.pop().strip(" -")
    if len(before) > 1 and HOUSE_NUMBER.fullmatch(before[1]):
        before[:2] = [f"{before[0]}, {before[1]}"]
    street = before[0].strip(" -") if before else flat
    rest = ", ".join(before[1:]).strip(" -") or None
    return Address(street, rest, city.strip(" -."), "", country, code)


def _is_street_behind(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the street stands behind the postal code, as in Bulgaria and Ukraine.

    The whole is then kept as it is written.
    """
    return not any(map(has_digit, before)) and any(map(has_digit, after))
