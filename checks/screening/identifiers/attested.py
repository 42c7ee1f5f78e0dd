"""Which members of attested data contain numbers: of a company, a vessel, a wallet.

A wallet address belongs to the party that attests it, in whatever member it is: alone, in a list,
or with its currency: {"address": …, "currency": "ETH"}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from checks.screening import tunables
from checks.screening.identifiers.normal_forms import IdentifierType, visible
from checks.screening.identifiers.wallets import addresses as known_addresses

Number = tuple[IdentifierType, str]
_Data = Mapping[str, object]

_MEMBERS: Mapping[str, IdentifierType] = {
    "tinnumber": "tax", "tin": "tax", "taxnumber": "tax", "taxid": "tax", "ein": "tax",
    "vatnumber": "tax", "vat": "tax", "inn": "tax",
    "businessregistrationnumber": "registration", "registrationnumber": "registration",
    "companynumber": "registration", "registernumber": "registration", "ogrn": "registration",
    "lei": "lei", "leicode": "lei", "legalentityidentifier": "lei",
    "imo": "imo", "imonumber": "imo", "imono": "imo", "vesselimo": "imo", "shipimo": "imo",
    "swift": "swift", "swiftcode": "swift", "bic": "swift", "biccode": "swift", "swiftbic": "swift",
    "passport": "passport", "passportnumber": "passport",
    "nationalid": "national_id", "nationalidnumber": "national_id", "nationalnumber": "national_id",
}  # fmt: skip
# Kinds of which a party has only one. It may have several of the others.
_SINGLE = frozenset({"tax", "lei", "imo"})
_OF_BUSINESS = frozenset({"tax", "registration", "lei", "imo", "swift"})
_OF_PERSON = frozenset({"tax", "passport", "national_id"})
_WALLET = re.compile(r"wallet|(?:crypto|blockchain|bitcoin|ethereum|coin).*address")
_ADDRESS = ("address", "walletaddress", "publickey", "value", "number", "id")


def of_business(data: _Data) -> Iterator[Number]:
    yield from _of_members(data, _OF_BUSINESS)
    yield from wallets(data)


def of_person(data: _Data) -> Iterator[Number]:
    yield from _of_members(data, _OF_PERSON)
    yield from wallets(data)


def _of_members(data: _Data, kinds: frozenset[str]) -> Iterator[Number]:
    keys: set[str] = set()
    for key, value in data.items():
        kind = _MEMBERS.get(_plain(key))
        if kind is None or kind not in kinds or kind in keys:
            continue
        for text in _texts(value):
            yield kind, text
            if kind in _SINGLE:
                keys.add(kind)
                break


def wallets(data: _Data) -> Iterator[Number]:
    """Yield the wallet addresses among the members."""
    for key, value in data.items():
        if _WALLET.search(_plain(key)):
            for address in _addresses(value, 0):
                yield "wallet", address


def _addresses(value: object, depth: int) -> Iterator[str]:
    if depth > tunables.DEEPEST_WALLET:
        return
    if isinstance(value, str):
        yield from _addresses_of_text(value)
        return
    for item in _items(value):
        yield from _addresses(item, depth + 1)


def _addresses_of_text(text: str) -> Iterator[str]:
    # A text may have several, and other words: "0x…, 0x…" and the page of an explorer.
    known = known_addresses(visible(text))
    if known:
        yield from known
    elif _may_be_address(text):
        yield text.strip()


def _items(value: object) -> list[object]:
    """Return the values within a list or an object that may contain an address."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return []
    items = value.items()
    return [item for key, item in items if _may_hold_address(key, item)]


def _may_hold_address(key: object, item: object) -> bool:
    """Whether an item may contain an address, as in {"address": …, "currency": …} and
    {"ETH": …}.
    """
    if _plain(key) in _ADDRESS or not isinstance(item, str):
        return True
    return len(item) >= tunables.SHORTEST_WALLET and " " not in item.strip()


def _may_be_address(text: str) -> bool:
    """Whether a text may be an address, and not “yes”, “MetaMask” or a URL."""
    longest = max(map(len, text.split()), default=0)
    has_digit = any(map(str.isdigit, text))
    return longest >= tunables.SHORTEST_WALLET and has_digit and "//" not in text


def _texts(value: object) -> Sequence[str]:
    values = value if isinstance(value, list) else [value]
    texts: list[str] = []
    for item in values:
        if isinstance(item, Mapping):
            for key, inner in item.items():
                if _plain(key) in _ADDRESS and isinstance(inner, str):
                    texts.append(inner)
        elif isinstance(item, str):
            texts.append(item)
    return [text.strip() for text in texts if text.strip()]


def _plain(key: object) -> str:
    """Return one form for walletAddress, wallet_address and Wallet address."""
    return re.sub(r"[\W_]+", "", str(key)).casefold()
