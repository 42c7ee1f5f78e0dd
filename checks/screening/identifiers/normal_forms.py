"""The normal form of a number: without labels, spaces and dashes, with ASCII digits.

An index stores this form, and it is compared. A number without a declared kind gets the kind that
its own checksum reveals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Literal

from stdnum import imo, lei

from checks.screening import tunables
from checks.screening.identifiers import wallets
from checks.screening.romanisation import scripts
from checks.text.characters import with_ascii_digits
from papers import countries

IdentifierType = Literal[
    "passport",
    "national_id",
    "tax",
    "registration",
    "lei",
    "imo",
    "swift",
    "wallet",
    "other",
]

# A label before the number: INN 7707083893, IMO: 9187629.
_CALLED = re.compile(
    r"^\W*(?:(?:passport|n[oº°r]|number|num|inn|инн|kpp|ogrn|огрн|vat|tin|ein|tax id|lei|imo|swift|bic|code"
    r"|паспорт|номер)\b[\W_]*)+(?=[\w\s./-]*\d|[A-Z]{4})",
    re.IGNORECASE,
)
_NOT_OF_NUMBER = re.compile("[^0-9A-Z]")
# VAT numbers of the EU, Switzerland and Norway: a country code stands before the number.
_VAT = re.compile(
    "(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)"
    "(?=[0-9A-Z]{7,13}$)(?=[A-Z]?[0-9A-Z]?[0-9]{5})"
)
# The code of any other country before a number of digits alone: RU7707083893.
_COUNTRY = re.compile("[A-Z]{2}(?=[0-9]{8,15}$)")
# Registers fill a number up with zeros, and forms leave them out: 00012345, SC012345.
_ZEROS = re.compile("(?<=[A-Z])0+(?=[0-9]{4,}$)|^0+(?=[0-9]{4,}$)")
_IMO = re.compile("[0-9]{7}")
_BIC = re.compile("[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?")


def normal_form(kind: IdentifierType, value: str) -> str:
    """Return the number in the form for comparison; "" if there is none."""
    return _FORMS.get(type_of(kind, value), plain)(value)


def type_of(kind: IdentifierType, value: str) -> IdentifierType:
    """Return the kind of a number. If none is declared, its own checksum may reveal it."""
    if kind != "other":
        return kind
    if wallets.is_wallet(value):
        return "wallet"
    if lei.is_valid(plain(value)):
        return "lei"
    return kind


def plain(value: str) -> str:
    """Return only Latin capitals and digits.

    Similar-looking Cyrillic letters and the digits of other scripts are converted.
    """
    text = _CALLED.sub("", unicodedata.normalize("NFKC", value))
    text = text.translate(scripts.LOOK_ALIKES)
    return _NOT_OF_NUMBER.sub("", with_ascii_digits(text).upper())


def _of_tax(value: str) -> str:
    """Return the number without the country code of a VAT number, which lists and forms
    may omit.
    """
    number = _VAT.sub("", plain(value))
    if number[:2] in countries.NAMES:
        return _COUNTRY.sub("", number)
    return number


def _of_registration(value: str) -> str:
    """Return the number without the zeros that fill it up to the length of its register."""
    return _ZEROS.sub("", plain(value))


def _of_imo(value: str) -> str:
    number = _IMO.search(plain(value))
    if number is None:
        return plain(value)
    return number.group()


def _of_swift(value: str) -> str:
    """Return the bank, which has eight characters.

    Three more characters name a branch; XXX is the head office.
    """
    code = plain(value)
    if _BIC.fullmatch(code):
        return code[: tunables.CHARACTERS_OF_BANK]
    return code


def _of_wallet(value: str) -> str:
    return wallets.normal_form(visible(value))


def visible(value: str) -> str:
    """Return the text without invisible characters."""
    return scripts.without_invisible(unicodedata.normalize("NFKC", value))


_FORMS: Mapping[IdentifierType, Callable[[str], str]] = {
    "tax": _of_tax,
    "registration": _of_registration,
    "imo": _of_imo,
    "swift": _of_swift,
    "wallet": _of_wallet,
}


def fault(kind: IdentifierType, value: str) -> str:
    """Return what is wrong with a number that can be checked by itself, as a sentence; "" if
    nothing is.
    """
    form = normal_form(kind, value)
    if kind == "wallet" and wallets.checksum(form) is False:
        return "A wallet address has a wrong checksum, and cannot be compared reliably."
    if kind == "imo" and not imo.is_valid(form):
        return "An IMO number has a wrong check digit, and cannot be compared reliably."
    if kind == "swift" and not _BIC.fullmatch(plain(value)):
        return "A SWIFT code does not have eight or eleven characters, and cannot be compared reliably."
    if kind == "lei" and not lei.is_valid(form):
        return "An LEI has wrong check digits, and cannot be compared reliably."
    return ""
