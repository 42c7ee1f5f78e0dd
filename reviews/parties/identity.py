"""Digests of names and numbers, to recognise a party in another case without reading either."""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Iterable, Iterator

from compliance.security import data_keys
from papers.letters import WORD, without_accents
from reviews.parties import labels

# The least number of letters and digits. Shorter values may belong to many parties.
SHORTEST = 5
# Each number of these kinds has some: a LEI and an IBAN have two as their check digits.
FEWEST_DIGITS = 2
SHORTEST_NAME = 3
# Countries whose registers of companies are those of courts, states, provinces or free zones.
SEVERAL_REGISTERS = frozenset({"AE", "CA", "DE", "ES", "IT", "MX", "US"})


def digest(kind: str, label: str, value: str, issuer: str = "") -> str:
    """The HMAC of a number or a name in its normalised form, in hexadecimal.

    Empty if the value is too short or too common to identify anybody.
    """
    if kind == "identifier":
        return _of_identifier(label, value, issuer)
    if kind == "name":
        return _of_name(value)
    return ""


def digests_of_number(value: str, label: str, issuers: Iterable[str]) -> set[str]:
    """The HMACs of a number for each country that may have issued it; none where it identifies nobody."""
    key = _key()
    digests = set()
    for content in _contents(label, value, issuers):
        digests.add(_hmac(key, content))
    return digests


def is_strong(label: str, issuer: str, kind: str) -> bool:
    """Whether equal numbers mean that two parties of this kind are the same.

    A number that is unique only within a country needs its `issuer`. That of an account, a wallet or
    a vessel identifies the account, the wallet or the vessel: several people may have it.
    """
    if label not in labels.STRONG:
        return False
    if labels.OF_THINGS.get(label, kind) != kind:
        return False
    return label in labels.WORLDWIDE or bool(issuer)


def is_of_a_place(label: str, issuer: str) -> bool:
    """Whether several registers of the country give equal numbers: HRB 12345 is at most courts.

    Then only an equal name beside an equal number makes two parties the same.
    """
    return label == "registration_number" and issuer in SEVERAL_REGISTERS


def _of_identifier(label: str, value: str, issuer: str) -> str:
    for content in _contents(label, value, [issuer]):
        return _hmac(_key(), content)
    return ""


def _contents(label: str, value: str, issuers: Iterable[str]) -> Iterator[str]:
    """The texts of a number that are hashed, one for each country. The first hash is stored."""
    plain = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", value)).upper()
    # People type 000000000, 99-9999999, "pending" or "to be confirmed" when they have no number.
    if len(plain) < SHORTEST or len(set(plain)) < 3:
        return
    digit_count = sum(character.isdigit() for character in plain)
    # An address of a wallet may be of letters alone.
    if digit_count < FEWEST_DIGITS and label != "wallet_address":
        return
    if label == "wallet_address":
        plain = value.strip()
        yield f"{label}::{_of_wallet(plain)}"
    if label == "imo_number":
        # It is written with and without these letters.
        yield f"{label}::{plain.removeprefix('IMO')}"
    # Of a wallet and a vessel this is what earlier versions have stored.
    if label in labels.WORLDWIDE:
        yield f"{label}::{plain}"
        return
    for issuer in issuers:
        short = _short(label, plain, issuer)
        yield f"{label}:{issuer}:{short}"
        # As earlier versions have stored it.
        if short != plain:
            yield f"{label}:{issuer}:{plain}"


# Registers fill a number up with zeros, and forms leave them out: 00044821, SC004482.
_ZEROS = re.compile("(?<=[A-Z])0+(?=[0-9]{4,}$)|^0+(?=[0-9]{5,}$)")


def _short(label: str, plain: str, issuer: str) -> str:
    """The number without what one writer adds to it: zeros at its beginning, the code of its country."""
    if label == "registration_number":
        return _ZEROS.sub("", plain)
    rest = plain.removeprefix(issuer)
    if label == "tax_number" and rest.isdigit():
        return rest
    return plain


def _of_wallet(value: str) -> str:
    """The address without a scheme, in small letters where capitals say nothing."""
    address = value.rpartition(":")[2]
    if _WITHOUT_CASE.match(address):
        return address.lower()
    return address


# Addresses of Ethereum and alike, and those in Bech32. All others differ in capitals.
_WITHOUT_CASE = re.compile(
    r"0x[0-9a-f]{40}$|(?:bc|ltc)1[0-9a-z]{11,87}$", re.IGNORECASE
)


def _of_name(value: str) -> str:
    """The digest of a name without accents, punctuation, case and order of the words."""
    letters = without_accents(value.casefold())
    words = sorted(WORD.findall(letters))
    if len("".join(words)) < SHORTEST_NAME:
        return ""
    joined = " ".join(words)
    return _hmac(_key(), f"name:{joined}")


def _key() -> bytes:
    return data_keys.derive(data_keys.INSTALLATION, b"parties")


def _hmac(key: bytes, content: str) -> str:
    # JSON may contain a lone surrogate, which UTF-8 cannot encode. It must not raise here.
    encoded = content.encode(errors="replace")
    return hmac.digest(key, encoded, "sha256").hex()
