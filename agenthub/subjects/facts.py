"""Facts by which earlier cases are found: e-mail address, phone number, website."""

from __future__ import annotations

from collections.abc import Mapping

from agenthub import digests
from agenthub.subjects import names
from agenthub.wire import JsonObject

SEARCHED = ("email", "phone", "website")
# The most facts of one case: a business may attest many websites.
MOST = 40


def plain(name: str, text: str) -> str:
    """A normal form of an e-mail address, a phone number or a website."""
    words = names.plain(text)
    if name == "phone":
        digits = "".join(filter(str.isdigit, words))
        # 0041… and +41… are the same number.
        return digits.lstrip("0")
    if name == "website":
        _, _, address = words.partition("://")
        address = (address or words).removeprefix("www.")
        host, _, _ = address.partition("/")
        return host
    return words


def texts(value: object) -> list[str]:
    """The non-empty texts of an attested value, which may be a list."""
    if isinstance(value, list):
        values = value
    else:
        values = [value]
    texts: list[str] = []
    for text in values:
        if isinstance(text, str) and text.strip():
            texts.append(text)
    return texts


def key(name: str, text: str) -> str:
    """The digest of a fact, as stored in `fact_key`."""
    return digests.of(f"{name}:{plain(name, text)}")


def key_of(schema: JsonObject) -> str:
    """The digests of all facts of a case, with a blank around each.

    A search looks for one digest.
    """
    data = schema.get("self_attested_data")
    if not isinstance(data, Mapping):
        return ""
    words = []
    for name in SEARCHED:
        for text in texts(data.get(name)):
            words.append(f"{name}:{plain(name, text)}")
    return digests.joined(words[:MOST])
