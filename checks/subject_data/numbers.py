"""The written forms of a number, and words for the rules of python-stdnum and for mistakes.

People write a number with the name of its register or the place: “KVK 33011433”, “552 100 554 RCS Paris”.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from stdnum import exceptions

from checks.data import table
from checks.text.characters import has_digit, only_letters_and_digits
from checks.text.folding import folded

# Names of registers, of taxes and of numbers that stand before a number or behind it.
NUMBER_WORDS = frozenset(
    re.split(
        r"\s+",
        "ABN ACN ARBN BCE BIN BN CIF CIN CN CNPJ COC COMPANY CRN CRO CUI CUIT CVR DIC EDRPOU EIN EORI FN GST GSTIN"
        " ICO ID IDE INN IVA KBO KRS KVK LLPIN MBS MOMS MVA MWST NCC NIF NIP NIPC NIRE NIT NO NR NUMBER OGRN OIB ON"
        " ORG ORGNR PAN RC RCS REA REG REGISTER REGISTRATION REGON RFC RSIN RUC RUT SIREN SIRET STNR TAX TIN TRN TVA"
        " UBN UEN UID USCC USTIDNR UTR VAT",
    )
)
MISTAKES: dict[type[exceptions.ValidationError], str] = {
    exceptions.InvalidLength: "wrong number of characters",
    exceptions.InvalidFormat: "wrong format",
    exceptions.InvalidChecksum: "wrong check digit",
    exceptions.InvalidComponent: "a part of it is not possible",
}


def format_name(module: ModuleType) -> str:
    """The name of the number that a module of python-stdnum validates: EIN, SIREN, Aadhaar."""
    title = (module.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    short = title.partition(" (")[0].partition(",")[0].strip()
    return short or module.__name__.removeprefix("stdnum.")


def mistake(exc: exceptions.ValidationError) -> str:
    """Return what is wrong with a number, in words."""
    return MISTAKES.get(type(exc), "not valid")


def spellings(number: str, country: str) -> Iterator[str]:
    """Yield the number as it was attested, then without what people write around it and within it."""
    yield number
    yield only_letters_and_digits(number)
    plain = _without_words(number, country)
    yield plain
    plain = only_letters_and_digits(plain).upper()
    yield plain
    for line in table("number_forms"):
        form = re.fullmatch(line["pattern"], plain, re.ASCII)
        if line["country"] == country and form:
            yield form[1]


def _without_words(number: str, country: str) -> str:
    """Return the number without the words of `NUMBER_WORDS`, the code of the country and a place behind."""
    words = re.split(r"[\s:]+", number)
    kept: list[str] = []
    for word in words:
        is_place = bool(kept) and word.isalpha() and len(word) > len("AB")
        if _plain(word) not in {*NUMBER_WORDS, country} and not is_place:
            kept.append(word)
    first = kept[0] if kept else ""
    prefix = re.match(r"[^\W\d_]+", first)
    if prefix and _plain(prefix[0]) in {*NUMBER_WORDS, country} and has_digit(first):
        kept[0] = first[prefix.end() :].lstrip("-.")
    return " ".join(kept)


def _plain(word: str) -> str:
    return only_letters_and_digits(folded(word)).upper()
