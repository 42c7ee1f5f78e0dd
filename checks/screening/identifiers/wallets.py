"""Wallet addresses: their normal form, their network, and whether the checksum is right.

Capitals matter in some kinds of address and not in others, and in some networks one key has several
addresses. An address of an unknown kind is kept unchanged.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from stdnum import bitcoin

from checks.screening import tunables

# Whether the checksum of an address is right; None if its kind has none that can be checked.
Checksum = bool | None
Kind = Literal["base58", "bech32", "cash", "hex", "tron_hex", "other"]

_BASE58 = "[1-9A-HJ-NP-Za-km-z]"
_BECH32 = "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]"


@dataclass(frozen=True, slots=True)
class _Network:
    name: str
    kind: Kind
    pattern: re.Pattern[str]


def _network(name: str, kind: Kind, pattern: str) -> _Network:
    flags = re.IGNORECASE if kind in {"bech32", "cash", "hex", "tron_hex"} else 0
    return _Network(name, kind, re.compile(pattern, flags))


# The first pattern that matches wins. Addresses with 0x are the same on all networks that use them.
_NETWORKS: Sequence[_Network] = (
    _network("Ethereum and alike", "hex", "0x[0-9a-f]{40}"),
    _network("Tron", "tron_hex", "(?:0x)?41[0-9a-f]{40}"),
    _network("Bitcoin", "bech32", f"bc1{_BECH32}{{11,87}}"),
    _network("Litecoin", "bech32", f"ltc1{_BECH32}{{11,87}}"),
    _network("Bitcoin Cash", "cash", f"[qp]{_BECH32}{{41}}"),
    _network("Bitcoin", "base58", f"[13]{_BASE58}{{25,34}}"),
    _network("Tron", "base58", f"T{_BASE58}{{33}}"),
    _network("Litecoin", "base58", f"[LM]{_BASE58}{{26,33}}"),
    _network("Dogecoin", "base58", f"[DA9]{_BASE58}{{33}}"),
    _network("Dash", "base58", f"[X7]{_BASE58}{{33}}"),
    _network("Zcash", "base58", f"t[13]{_BASE58}{{33}}"),
    _network("Bitcoin Gold", "base58", f"[GA]{_BASE58}{{33}}"),
    _network("Monero", "other", f"[48]{_BASE58}{{94}}(?:{_BASE58}{{11}})?"),
    _network("XRP Ledger", "other", f"r{_BASE58}{{24,34}}"),
    _network("Stellar", "other", "G[A-Z2-7]{55}"),
    _network("Solana and alike", "other", f"{_BASE58}{{43,44}}"),
)
# Addresses as URIs: bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT?amount=1
_SCHEME = re.compile(r"^(?:[a-z]+:)(?://)?", re.IGNORECASE)
_AFTER = re.compile(r"[?@#/].*$")


_WORD = re.compile("[0-9A-Za-z]+")


def addresses(text: str) -> list[str]:
    """Return the addresses of known kinds within a text, each once: "ETH: 0x…, BTC: 1Boat…"."""
    words = dict.fromkeys(_WORD.findall(text))
    return [word for word in words if _network_of(word)]


def normal_form(text: str) -> str:
    """Return the normal form of an address.

    Text around it is removed, capitals become small letters where they do not matter, and one of
    two encodings is used.
    """
    if known := addresses(text):
        return _form_of(known[0])
    words = text.split()
    if not words:
        return ""
    address = max(words, key=len)
    # An address may be written in groups: 1BoatSL RHtKNng.
    if len(address) < tunables.SHORTEST_WALLET:
        address = "".join(words)
    return _form_of(_AFTER.sub("", _SCHEME.sub("", address)))


@lru_cache(10_000)
def _form_of(address: str) -> str:
    network = _network_of(address)
    if network is None:
        return address
    return _FORMS[network.kind](address)


def network(address: str) -> str:
    """Return the network with such addresses; "" if none is known."""
    network = _network_of(address)
    if network is None:
        return ""
    return network.name


def is_wallet(text: str) -> bool:
    """Whether a text of no declared kind is certainly an address: by its checksum, or 0x and 40
    digits.
    """
    address = text.strip()
    network = _network_of(address)
    if network is None:
        return False
    return network.kind == "hex" or checksum(address) is True


def _has_lost_capitals(address: str) -> bool:
    """Whether an address in which capitals matter was written without them, or in them alone.

    It cannot be restored, and so it cannot be compared.
    """
    if not (address.islower() or address.isupper()):
        return False
    for network in _NETWORKS:
        if network.kind == "base58":
            pattern = re.compile(network.pattern.pattern, re.IGNORECASE)
            if pattern.fullmatch(address):
                return True
    return False


def checksum(address: str) -> Checksum:
    """Return whether the checksum is right; None if the kind has none, or none that is
    known here.
    """
    network = _network_of(address)
    if network is None:
        return False if _has_lost_capitals(address) else None
    if network.kind == "base58":
        return _has_base58_checksum(address)
    if network.kind == "bech32":
        return _has_bech32_checksum(address.lower())
    if network.kind == "cash":
        return _cash_checksum(_cash_values(address)) == 0
    return None


def _network_of(address: str) -> _Network | None:
    for candidate in _NETWORKS:
        if candidate.pattern.fullmatch(address):
            return candidate
    return None


def _has_base58_checksum(address: str) -> bool:
    content = bitcoin.b58decode(address)
    return _double_hash(content[:-4])[:4] == content[-4:]


def _double_hash(content: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(content).digest()).digest()


# The remainders of Bech32 and of its successor Bech32m.
_REMAINDERS = {1, 0x2BC830A3}


def _has_bech32_checksum(address: str) -> bool:
    prefix, _, data = address.rpartition("1")
    high = [ord(letter) >> 5 for letter in prefix]
    low = [ord(letter) & 31 for letter in prefix]
    values = [_VALUES[letter] for letter in data]
    return bitcoin.bech32_checksum([*high, 0, *low, *values]) in _REMAINDERS


_VALUES = {
    letter: value for value, letter in enumerate("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
}


def _as_it_is(address: str) -> str:
    return address


# Every address of Bitcoin Cash has two encodings: its own and that of Bitcoin.


def _cash_as_base58(address: str) -> str:
    plain = address.lower()
    values = _cash_values(plain)
    if _cash_checksum(values):
        return plain
    content = _bytes_of(values[:-8])
    version = {0: b"\x00", 8: b"\x05"}.get(content[0])
    if version is None:
        return plain
    return _base58(version + content[1:21])


def _cash_values(address: str) -> list[int]:
    return [_VALUES[letter] for letter in address.lower()]


_CASH_GENERATORS = (
    0x98F2BC8E61,
    0x79B76D99E2,
    0xF33E5FB3C4,
    0xAE2EABE2A8,
    0x1E4F43E470,
)


def _cash_checksum(values: Sequence[int]) -> int:
    """Return the remainder of the checksum; 0 if it is right."""
    prefix = [ord(letter) & 31 for letter in "bitcoincash"]
    remainder = 1
    for value in (*prefix, 0, *values):
        top = remainder >> 35
        remainder = ((remainder & 0x07FFFFFFFF) << 5) ^ value
        for bit, generator in enumerate(_CASH_GENERATORS):
            if top >> bit & 1:
                remainder ^= generator
    return remainder ^ 1


def _bytes_of(values: Sequence[int]) -> bytes:
    """Convert values of five bits into bytes. Bits at the end that fill no byte are padding."""
    number = 0
    for value in values:
        number = number << 5 | value
    left_over = len(values) * 5 % 8
    return (number >> left_over).to_bytes(len(values) * 5 // 8, "big")


_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def _base58(content: bytes) -> str:
    """Return the encoding with the checksum that addresses have."""
    whole = content + _double_hash(content)[:4]
    number = int.from_bytes(whole, "big")
    letters: list[str] = []
    while number:
        number, value = divmod(number, 58)
        letters.append(_ALPHABET[value])
    zeros = len(whole) - len(whole.lstrip(b"\x00"))
    return "1" * zeros + "".join(reversed(letters))


def _tron_as_base58(address: str) -> str:
    digits = address.lower().removeprefix("0x")
    return _base58(bytes.fromhex(digits))


_FORMS: Mapping[Kind, Callable[[str], str]] = {
    "base58": _as_it_is,
    "bech32": str.lower,
    "cash": _cash_as_base58,
    "hex": str.lower,
    "tron_hex": _tron_as_base58,
    "other": _as_it_is,
}
