"""Amounts of money in the words of a page, in the formats of many countries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from checks.evidence import Evidence
from checks.fields.layout.cells import Cell, cells_of
from checks.text.words import Span

# Signs and abbreviations that mean only one currency.
CODES: Mapping[str, str] = {
    "€": "EUR", "£": "GBP", "₹": "INR", "fr": "CHF", "sfr": "CHF", "zł": "PLN", "zl": "PLN", "kč": "CZK", "ft": "HUF",
    "lei": "RON", "₺": "TRY", "tl": "TRY", "ksh": "KES", "₦": "NGN", "円": "JPY", "rmb": "CNY", "₱": "PHP",
    "rm": "MYR", "฿": "THB", "บาท": "THB", "rp": "IDR", "₫": "VND", "₪": "ILS", "r$": "BRL", "s/": "PEN", "us$": "USD", "c$": "CAD", "ca$": "CAD",
    "a$": "AUD", "au$": "AUD", "s$": "SGD", "hk$": "HKD", "nz$": "NZD", "gh₵": "GHS", "r": "ZAR", "₩": "KRW", "원": "KRW", "дин": "RSD", "лв": "BGN",
    "đồng": "VND", "грн": "UAH", "₴": "UAH", "ש\"ח": "ILS", "nis": "ILS", "₾": "GEL", "֏": "AMD", "\u0434\u0435\u043d": "MKD", "\u0440\u0443\u0431": "RUB", "₽": "RUB",
    "₸": "KZT", "тг": "KZT", "kd": "KWD", "د.ك": "KWD", "bd": "BHD", "dt": "TND", "د.إ": "AED", "ر.س": "SAR", "\u0631\u06cc\u0627\u0644": "IRR",
}  # fmt: skip
ISO = (
    "EUR|USD|GBP|CHF|CAD|AUD|NZD|INR|JPY|CNY|SGD|HKD|AED|SAR|QAR|NGN|ZAR|KES|GHS|UGX|TZS|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|MXN|BRL"
    "|COP|CLP|PEN|ARS|UYU|PHP|MYR|THB|IDR|VND|ILS|KRW|PKR|BDT|LKR|EGP|MAD|RSD|UAH|GEL|AMD|MKD|ALL|RUB|KZT|TND|JOD|KWD|OMR|BHD"
)
# Codes that are words of English, too: “for ALL 1,200.00”. They are currencies only in these countries.
WORDS: Mapping[str, str] = {"ALL": "AL", "TRY": "TR", "MAD": "MA"}
# Signs that several currencies share. The country of the bill decides.
OF_COUNTRIES: Mapping[str, Mapping[str, str]] = {
    "$": {
        "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "MX": "MXN", "CL": "CLP", "CO": "COP", "AR": "ARS",
    },
    "kr": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "rs": {"IN": "INR", "PK": "PKR", "LK": "LKR"},
    "lei": {"MD": "MDL"},
    "¥": {"JP": "JPY", "CN": "CNY"},
    "元": {"CN": "CNY", "TW": "TWD", "HK": "HKD"},
    "dh": {"MA": "MAD", "AE": "AED"},
    "dhs": {"MA": "MAD", "AE": "AED"},
    "درهم": {"MA": "MAD", "AE": "AED"},
    "ريال": {"SA": "SAR", "QA": "QAR", "YE": "YER"},
    "دينار": {"KW": "KWD", "BH": "BHD", "JO": "JOD", "TN": "TND", "IQ": "IQD"},
    "جنيه": {"EG": "EGP"},
}  # fmt: skip
CURRENCY = (
    rf"(?:\b(?:{ISO})\b|(?:US|CA|C|AU|A|S|HK|NZ|R)?\$|GH₵|[€£₹₺₦¥円元원₱฿₫₪₩₸]|\bkr\b\.?|zł|\bzl\b|Kč|\bFt\b|\bRs\b\.?|\bS?Fr\b\.?|\blei\b|\bTL\b|\bKSh\b|\bRMB\b"
    r"|\bRM(?= ?-?\d)|\bRp\b\.?|\bS/\.?|\bR(?= ?-?\d)|дин|лв|đồng|грн|[₴₾֏₽]|ש\"ח|\bNIS\b|\b\u0434\u0435\u043d\b|\b\u0440\u0443\u0431\b"
    r"|\b\u0442\u0433\b|\b(?:KD|BD|DT|DHS?|Dhs?)\b\.?|บาท|درهم|ريال|\u0631\u06cc\u0627\u0644|دينار|جنيه|د\.ك|د\.إ|ر\.س)"
)
# Currencies whose thousandth part is the smallest: “1,884.750”.
OF_THOUSANDTHS = frozenset({"KWD", "BHD", "OMR", "JOD", "TND"})
# Of these, the ones whose papers have a comma before the decimals, as in French.
WITH_COMMA = frozenset({"TND"})
# The marks of Arabic digits: a momayyez before decimals, and one between thousands.
MARKS = str.maketrans("\u066b\u066c", ".,")
NUMBER = (
    r"(?P<number>\d{1,3}(?:(?P<mark>[.,'\u2019 \u00a0\u202f])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d{2}|(?!(?P=mark))[.,]\d{3})?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{2})?|\d+(?:[.,]\d{2,3})?)"
)
# “88.20 CR”, “1.204,00 S”: on which side of the account the amount is.
SIDE = r"(?: ?(?P<side>(?:CR|DR|Cr|Dr)(?!\w)|(?<=\d )[SH](?![\w.])))?"
AMOUNT = re.compile(
    rf"(?<![\w.,/])(?P<before>{CURRENCY})?[ :]{{0,2}}(?P<minus>[-\u2212(])?[ ]?(?P<second>{CURRENCY})? ?"
    rf"(?P<after_sign>[-\u2212])?{NUMBER}(?![\w.,]*\d)(?P<after_minus>-)?(?: ?(?P<behind>{CURRENCY}))?{SIDE}",
)
# “USD 100K”, “Rs 3.5 crore”, “2,5 Mio. €”. A word that means two numbers has none: “mil” is a thousand in Spanish
# and a million in Romanian.
SCALES: Mapping[str, int | None] = {
    "k": 1_000, "thousand": 1_000, "tausend": 1_000, "tsd": 1_000, "тыс": 1_000, "тис": 1_000, "tys": 1_000, "tis": 1_000, "mil": None,
    "m": 1_000_000, "mn": 1_000_000, "mln": 1_000_000, "mio": 1_000_000, "million": 1_000_000, "millions": 1_000_000, "millionen": 1_000_000,
    "millones": 1_000_000, "milioni": 1_000_000, "milhões": 1_000_000, "miljoen": 1_000_000, "млн": 1_000_000, "milyon": 1_000_000,
    "bn": 1_000_000_000, "billion": None, "billions": None, "mrd": 1_000_000_000, "milliarden": 1_000_000_000, "milliards": 1_000_000_000, "млрд": 1_000_000_000,
    "lakh": 100_000, "lakhs": 100_000, "lac": 100_000, "lacs": 100_000, "crore": 10_000_000, "crores": 10_000_000,
}  # fmt: skip
SCALED = re.compile(
    rf"(?<![\w.,/])(?P<before>{CURRENCY})?[ :]{{0,2}}(?P<number>\d{{1,3}}(?:[.,]?\d{{3}})*(?:[.,]\d{{1,2}})?)"
    rf"(?P<space> ?)(?P<scale>{'|'.join(sorted(SCALES, key=len, reverse=True))})(?:\b\.?|(?=€))(?: ?(?P<behind>{CURRENCY}))?",
    re.IGNORECASE,
)
DECIMALS = re.compile(r"[.,](\d{2})$")
THOUSANDTHS = re.compile(r"[.,](\d{3})$")
# Decimals of one digit or two, before a word such as “million”.
FEW_DECIMALS = re.compile(r"[.,](\d{1,2})$")


@dataclass(frozen=True, slots=True)
class Written:
    """An amount in a text, with the place of its number. `side` is that of an account, such as `CR`."""

    value: Decimal
    sign: str
    side: str
    number: str
    start: int
    span: Span


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in a cell.

    `sign` is the text of its currency, `cell` the index of the cell, and `start` the position
    within the cell. `span` is the position in the text.
    """

    value: Decimal
    sign: str
    cell: int
    start: int
    span: Span

    def currency(self, country: str) -> str:
        return currency_of(self.sign, country)


@dataclass(frozen=True)
class Sums:
    """The cells of a document, and the amounts in them in the order of the text."""

    cells: list[Cell]
    amounts: list[Amount]

    def of_cell(self, index: int) -> list[Amount]:
        return [amount for amount in self.amounts if amount.cell == index]


def currency_of(sign: str, country: str) -> str:
    """Return the code of ISO 4217, or an empty string if it is not known.

    The sign decides; if several countries use it, the country of the document does.
    """
    plain = sign.strip(". ").lower()
    if plain in OF_COUNTRIES and country in OF_COUNTRIES[plain]:
        return OF_COUNTRIES[plain][country]
    code = plain.upper()
    if code in ISO.split("|"):
        return code if WORDS.get(code, country) == country else ""
    return CODES.get(plain, "")


def in_digits(value: Decimal, code: str) -> str:
    """Return the digits of an amount with the decimals of its currency: two, or three."""
    return f"{value:.3f}" if code in OF_THOUSANDTHS else f"{value:.2f}"


def sums_of(evidence: Evidence) -> Sums:
    """Return the amounts, for `Evidence.once`.

    A number without two decimals counts only beside a currency.
    """
    cells = cells_of(evidence.text)
    codes = {currency_of(sign, "") for sign in _signs(cells)} - {""}
    has_thousandths = bool(codes) and codes <= OF_THOUSANDTHS
    amounts = []
    for index, cell in enumerate(cells):
        amounts += _amounts(index, cell, has_thousandths=has_thousandths)
    return Sums(cells, amounts)


# The heading of a column, or the end of a label, may name the currency of all amounts: “Total KD”.
OF_COLUMN = re.compile(rf"(?:\((?P<first>{ISO}|KD|BD|DT)\)|\b(?P<last>{ISO}|KD))$")


def _signs(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the signs of currencies beside amounts, and in headings."""
    for cell in cells:
        for written in amounts_in(cell.text):
            yield written.sign
        heading = OF_COLUMN.search(cell.text.strip(" :"))
        if heading:
            yield heading["first"] or heading["last"]


def amounts_in(text: str, *, has_thousandths: bool = False) -> Iterator[Written]:
    """Yield the amounts of a text in its order. Those on the side of a credit keep their sign.

    `has_thousandths`: numbers without a currency may have three decimals.
    """
    plain = text.translate(MARKS)
    spans = []
    for match in SCALED.finditer(plain):
        spans.append(match.span("number"))
        written = _scaled(match)
        if written:
            yield written
    for match in AMOUNT.finditer(plain):
        start, end = match.span("number")
        if any(first < end and start < last for first, last in spans):
            continue
        sign = match["before"] or match["second"] or match["behind"] or ""
        value = _value(match["number"], sign, has_thousandths=has_thousandths)
        # “19.00 %” is the rate of a tax and not an amount.
        is_rate = plain[match.end() :].lstrip().startswith("%")
        if value is None or is_rate:
            continue
        if match["minus"] or match["after_sign"] or match["after_minus"]:
            value = -value
        side = (match["side"] or "").upper()
        yield Written(
            value, sign, side, match["number"], match.start(), Span(start, end)
        )


def _scaled(match: re.Match[str]) -> Written | None:
    scale = SCALES[match["scale"].lower()]
    sign = match["before"] or match["behind"] or ""
    # A letter alone stands close to its number: “£3 m” may be metres.
    is_close = len(match["scale"]) > 1 or not match["space"]
    if scale is None or not sign or not is_close:
        return None
    text = match["number"]
    decimals = FEW_DECIMALS.search(text)
    whole = text[: decimals.start()] if decimals else text
    number = re.sub(r"\D", "", whole)
    if decimals:
        number += f".{decimals[1]}"
    value = Decimal(number) * scale
    span = Span(match.start("number"), match.end("scale"))
    return Written(value, sign, "", text, match.start(), span)


def _value(number: str, sign: str, *, has_thousandths: bool) -> Decimal | None:
    """Return the value of a number beside the sign of a currency, or None if it may be several."""
    code = currency_of(sign, "")
    is_fine = code in OF_THOUSANDTHS if sign else has_thousandths
    decimals = THOUSANDTHS.search(number)
    groups = re.findall(r"[^\d]", number)
    has_three = decimals is not None and (len(set(groups)) > 1 or _is_long(number))
    if not is_fine:
        # Three decimals are a quantity, or an amount of a currency that is not known.
        return None if has_three else number_of(number)
    if decimals is None:
        return number_of(number)
    if not has_three and len(groups) == 1:
        # “85,000 KD” is thousands, and “85.000 KD” is not; Tunisia writes “88,442 DT”.
        with_comma = code in WITH_COMMA
        if groups[0] == ",":
            has_three = with_comma
        elif with_comma:
            return None
        else:
            has_three = groups[0] == "."
    return number_of(number, has_thousandths=has_three)


def _is_long(number: str) -> bool:
    """Whether more than three digits stand before the mark, so that it does not separate thousands."""
    return bool(re.match(r"\d{4}", number))


def _amounts(index: int, cell: Cell, *, has_thousandths: bool) -> list[Amount]:
    amounts = []
    for written in amounts_in(cell.text, has_thousandths=has_thousandths):
        decimals = DECIMALS.search(written.number)
        if has_thousandths:
            decimals = decimals or THOUSANDTHS.search(written.number)
        # Numbers without decimals and currency are dates, quantities or account numbers.
        if not (written.sign or decimals):
            continue
        # On a bill a credit lowers what is to be paid.
        value = -written.value if written.side in {"CR", "H"} else written.value
        start = cell.span.start + written.span.start
        span = Span(start, cell.span.start + written.span.end)
        amounts.append(Amount(value, written.sign, index, written.start, span))
    return amounts


def number_of(text: str, *, has_thousandths: bool = False) -> Decimal:
    """Return the number: `1.234,56`, `1,234.56`, `1 234,56`, `1'234.50` and `1,23,456.00` are
    understood.
    """
    # Only two digits after the last mark are decimals, or three. All other marks separate thousands.
    decimals = (THOUSANDTHS if has_thousandths else DECIMALS).search(text)
    whole = text
    cents = "00"
    if decimals:
        whole = text[: decimals.start()]
        cents = decimals[1]
    digits = re.sub(r"\D", "", whole)
    return Decimal(f"{digits}.{cents}")
