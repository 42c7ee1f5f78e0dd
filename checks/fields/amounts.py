"""Amounts of money in the words of a page, in the formats of many countries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from checks.evidence import Evidence
from checks.fields.layout.cells import Cell, cells_of
from checks.text.words import Span

# Signs and abbreviations that mean only one currency.
CODES: Mapping[str, str] = {
    "€": "EUR", "£": "GBP", "₹": "INR", "rs": "INR", "fr": "CHF", "sfr": "CHF", "zł": "PLN", "zl": "PLN", "kč": "CZK", "ft": "HUF",
    "lei": "RON", "₺": "TRY", "tl": "TRY", "ksh": "KES", "₦": "NGN", "¥": "JPY", "円": "JPY", "元": "CNY", "rmb": "CNY", "₱": "PHP",
    "rm": "MYR", "฿": "THB", "rp": "IDR", "₫": "VND", "₪": "ILS", "r$": "BRL", "s/": "PEN", "us$": "USD", "c$": "CAD", "ca$": "CAD",
    "a$": "AUD", "au$": "AUD", "s$": "SGD", "hk$": "HKD", "nz$": "NZD", "gh₵": "GHS", "r": "ZAR", "₩": "KRW", "дин": "RSD", "лв": "BGN",
    "đồng": "VND", "грн": "UAH", "₴": "UAH", "ש\"ח": "ILS", "nis": "ILS", "₾": "GEL", "֏": "AMD", "\u0434\u0435\u043d": "MKD", "\u0440\u0443\u0431": "RUB", "₽": "RUB",
}  # fmt: skip
ISO = (
    "EUR|USD|GBP|CHF|CAD|AUD|NZD|INR|JPY|CNY|SGD|HKD|AED|SAR|QAR|NGN|ZAR|KES|GHS|UGX|TZS|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|MXN|BRL"
    "|COP|CLP|PEN|ARS|UYU|PHP|MYR|THB|IDR|VND|ILS|KRW|PKR|BDT|LKR|EGP|MAD|RSD|UAH|GEL|AMD|MKD|ALL|RUB|KZT|TND|JOD|KWD|OMR|BHD"
)
# Signs that several currencies share. The country of the bill decides.
OF_COUNTRIES: Mapping[str, Mapping[str, str]] = {
    "$": {
        "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "MX": "MXN", "CL": "CLP", "CO": "COP", "AR": "ARS",
    },
    "kr": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "rs": {"IN": "INR", "PK": "PKR", "LK": "LKR"},
}  # fmt: skip
CURRENCY = (
    rf"(?:\b(?:{ISO})\b|(?:US|CA|C|AU|A|S|HK|NZ|R)?\$|GH₵|[€£₹₺₦¥円元₱฿₫₪₩]|\bkr\b\.?|zł|\bzl\b|Kč|\bFt\b|\bRs\b\.?|\bS?Fr\b\.?|\blei\b|\bTL\b|\bKSh\b|\bRMB\b"
    r"|\bRM(?= ?\d)|\bRp\b\.?|\bS/\.?|\bR(?= ?\d)|дин|лв|đồng|грн|[₴₾֏₽]|ש\"ח|\bNIS\b|\b\u0434\u0435\u043d\b|\b\u0440\u0443\u0431\b)"
)
AMOUNT = re.compile(
    rf"(?<![\w.,/])(?P<before>{CURRENCY})?[ :]{{0,2}}(?P<minus>[-\u2212(])?[ ]?(?P<second>{CURRENCY})? ?"
    r"(?P<number>\d{1,3}(?:(?P<mark>[.,'\u2019 \u00a0\u202f])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d{2})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{2})?|\d+(?:[.,]\d{2})?)"
    rf"(?![\w.,]*\d)(?P<after_minus>-)?(?: ?(?P<behind>{CURRENCY}))?",
)
DECIMALS = re.compile(r"[.,](\d{2})$")


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
    if plain.upper() in ISO.split("|"):
        return plain.upper()
    return CODES.get(plain, "")


def sums_of(evidence: Evidence) -> Sums:
    """Return the amounts, for `Evidence.once`.

    A number without two decimals counts only beside a currency.
    """
    cells = cells_of(evidence.text)
    amounts = []
    for index, cell in enumerate(cells):
        amounts += _amounts(index, cell)
    return Sums(cells, amounts)


def _amounts(index: int, cell: Cell) -> list[Amount]:
    amounts = []
    for match in AMOUNT.finditer(cell.text):
        sign = match["before"] or match["second"] or match["behind"] or ""
        value = number_of(match["number"])
        # “19.00 %” is the rate of a tax and not an amount.
        is_rate = cell.text[match.end() :].lstrip().startswith("%")
        # Numbers without decimals and currency are dates, quantities or account numbers.
        if is_rate or not (sign or DECIMALS.search(match["number"])):
            continue
        if match["minus"] or match["after_minus"]:
            value = -value
        start = cell.span.start + match.start("number")
        span = Span(start, start + len(match["number"]))
        amounts.append(Amount(value, sign, index, match.start(), span))
    return amounts


def number_of(text: str) -> Decimal:
    """Return the number: `1.234,56`, `1,234.56`, `1 234,56`, `1'234.50` and `1,23,456.00` are
    understood.
    """
    # Only two digits after the last mark are decimals. All other marks separate thousands.
    decimals = DECIMALS.search(text)
    whole = text
    cents = "00"
    if decimals:
        whole = text[: decimals.start()]
        cents = decimals[1]
    digits = re.sub(r"\D", "", whole)
    return Decimal(f"{digits}.{cents}")
