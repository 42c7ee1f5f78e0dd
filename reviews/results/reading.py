"""Readers for JSON of unknown origin. Every function accepts any value and never raises."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import orjson

from compliance.http.responses.hidden_characters import isolated
from papers import countries
from reviews.results.words import country_name, translated, value_in_words
from reviews.wire import JsonObject

# Limits: letters of a text, letters of raw JSON, items of a list, levels of nesting.
MAX_TEXT = 4_000
MAX_JSON = 40_000
MAX_ITEMS = 400
MAX_DEPTH = 4
# Words that services send in place of booleans.
_WORDS = {
    "true": True,
    "yes": True,
    "passed": True,
    "false": False,
    "no": False,
    "failed": False,
}
_ACRONYMS = {
    "ein": "EIN", "lei": "LEI", "tin": "TIN", "id": "ID", "mcc": "MCC", "pep": "PEP", "kyb": "KYB", "kyc": "KYC",
    "url": "URL", "mrz": "MRZ", "vat": "VAT", "sr": "SR", "iban": "IBAN", "ip": "IP",
}  # fmt: skip


def obj(value: object) -> JsonObject:
    """The value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The first MAX_ITEMS items if the value is a list, else an empty list."""
    if isinstance(value, list):
        return value[:MAX_ITEMS]
    return []


def worst_first(
    value: object, gravity: Callable[[object], int], limit: int = MAX_ITEMS
) -> list[object]:
    """The items of a list, at most `limit`. Of more, those that speak against the case come first, so
    that they are not what is left out: the smallest `gravity` is the worst."""
    if not isinstance(value, list):
        return []
    if len(value) <= limit:
        return value
    return sorted(value, key=gravity)[:limit]


def objects(value: object, limit: int = MAX_ITEMS) -> list[JsonObject]:
    """The non-empty objects among the first `limit` items of a list."""
    rows = []
    for item in items(value)[:limit]:
        members = obj(item)
        if members:
            rows.append(members)
    return rows


def is_empty(value: object) -> bool:
    return value in (None, "", [], {})


def truth(value: object) -> bool | None:
    """A boolean, or a word that means one. None for any other value."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    word = value.strip().casefold()
    return _WORDS.get(word)


def number(value: object) -> float | None:
    # bool is a subclass of int.
    if isinstance(value, bool):
        return None
    if not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    if not math.isfinite(as_float):
        return None
    return as_float


def string(value: object, limit: int = MAX_TEXT) -> str:
    """The value if it is a string, stripped and cut to `limit`; else ""."""
    if not isinstance(value, str):
        return ""
    return _tidy(value, limit)


def text(value: object, limit: int = MAX_TEXT) -> str:
    """Any value as text for a reader: addresses on one line, items of lists separated by
    semicolons.
    """
    if not isinstance(value, str):
        value = _text(value, MAX_DEPTH, _AS_SENT)
    return _tidy(value, limit)


def shown(value: object, limit: int = MAX_TEXT) -> str:
    """The same text for a page: names of members, yes and no, kinds of documents and countries in
    the language of the request.
    """
    words = _text(value, MAX_DEPTH, _FOR_READERS)
    return _tidy(words, limit)


def strings(value: object) -> tuple[str, ...]:
    """Alerts as texts. Services send them as null, a text, an object, or a list."""
    if value is None or isinstance(value, bool):
        return ()
    texts = []
    if isinstance(value, dict):
        for key, member in value.items():
            words = text(member)
            if words:
                texts.append(_with_label(str(key), words))
    else:
        for item in items(value) or [value]:
            texts.append(text(item))
    lines = []
    for line in texts[:MAX_ITEMS]:
        # An empty list within a list is not an alert.
        if line and line != "[]":
            lines.append(line)
    return tuple(lines)


def _with_label(key: str, words: str) -> str:
    # A numbered name such as alert_1 does not help the reader, so it is left out.
    if re.fullmatch(r"\D*[_ ]?\d+", key):
        return words
    return f"{label(key)}: {words}"


def versions(value: object) -> tuple[tuple[str, str], ...]:
    """Pairs of name and version of what a result was made with, sorted by name."""
    pairs = []
    for name, version in obj(value).items():
        pair = text(name, 100), text(version, 300)
        pairs.append(pair)
    pairs.sort()
    complete = []
    for name, version in pairs[:MAX_ITEMS]:
        if name and version:
            complete.append((name, version))
    return tuple(complete)


def pretty(value: object, limit: int = MAX_JSON) -> str:
    """The JSON as it was sent, indented and cut to `limit`."""
    try:
        document = json.dumps(
            value,
            indent=2,
            ensure_ascii=False,
            default=str,
        )
    except (RecursionError, ValueError, TypeError):
        return "(nested too deeply to be shown)"
    if len(document) > limit:
        document = document[:limit] + "\n… (cut here)"
    return _clean(document)


def same(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except RecursionError:
        return False


def identical(one: object, other: object) -> bool:
    """Whether two values would be the same JSON. For `same`, 1 and true are equal."""
    try:
        return same(one, other) and orjson.dumps(one) == orjson.dumps(other)
    except TypeError:
        return False  # nested too deeply, or half of a letter


# Where a word of a camel-case name begins; capitals in a row are one word.
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def label(name: str) -> str:
    """The name of a member as a label: incorporation_date or incorporationDate → "Incorporation
    date".
    """
    return _label(name[:120])


# The names are few, and the page of a case asks for each of them many times.
@lru_cache(maxsize=1024)
def _label(name: str) -> str:
    words = _CAMEL_CASE.sub(" ", name)
    for separator in "_-.":
        words = words.replace(separator, " ")
    spelled = []
    for word in words.split():
        # A word in capitals among others is an acronym, such as a currency.
        if word.isupper() and not name.isupper() and len(word) > 1:
            spelled.append(word)
        else:
            spelled.append(_ACRONYMS.get(word.lower(), word.lower()))
    line = " ".join(spelled)
    return _clean(line[:1].upper() + line[1:])


def is_address(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return not value.keys().isdisjoint({"street_1", "city", "postal_code"})


@dataclass(frozen=True)
class _Writing:
    """How the pieces of a text are written: as a service sent them, or for a reader."""

    word: Callable[[str], str]
    """A label, or yes or no."""
    member: Callable[[str, str], str]
    """A text below its label."""


def _as_sent(_label: str, value: str) -> str:
    return value


_OF_COUNTRIES = re.compile("country|nationality|citizenship")


def _for_readers(label: str, value: str) -> str:
    if _OF_COUNTRIES.search(label.casefold()) and value in countries.NAMES:
        value = f"{country_name(value)} ({value})"
    # The order of a value from left to right, such as a machine-readable zone, does not depend on
    # the labels around it.
    return isolated(value_in_words(label, value))


_AS_SENT = _Writing(str, _as_sent)
_FOR_READERS = _Writing(translated, _for_readers)


def _text(
    value: object,
    depth: int,
    writing: _Writing,
    *,
    is_inner: bool = False,
) -> str:
    """The text of a value. The members of an inner object stand in parentheses: otherwise nobody
    could tell them from those of the object around it.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return writing.word("yes" if value else "no")
    if isinstance(value, int | float):
        return _digits(value)
    if isinstance(value, list) and depth:
        lines = []
        rows = items(value)
        is_inner = is_inner or len(rows) > 1
        for item in rows:
            line = _text(item, depth - 1, writing, is_inner=is_inner)
            lines.append(line)
        return "; ".join(filter(None, lines))
    if isinstance(value, dict) and depth:
        if is_address(value):
            return _address(value)
        members = _members(value.items(), depth, writing)
        return f"({members})" if is_inner and members else members
    return pretty(value, MAX_TEXT)


def _members(
    pairs: Iterable[tuple[object, object]], depth: int, writing: _Writing
) -> str:
    lines = []
    for key, value in pairs:
        if key == "type":
            continue
        name = label(str(key))
        words = _text(value, depth - 1, writing, is_inner=True)
        if isinstance(value, str):
            words = writing.member(name, words)
        if words:
            lines.append(f"{writing.word(name)}: {words}")
    return "; ".join(lines)


def _digits(value: float) -> str:
    if not isinstance(value, int):
        return f"{value:,.10g}"
    try:
        return str(value)
    except ValueError:  # Python prints no integers of more than 4,300 digits
        return "(a number too long to be shown)"


def _address(value: JsonObject) -> str:
    """The address on one line, in the order of an envelope."""
    state = string(value.get("state"))
    postal_code = string(value.get("postal_code"))
    lines = [
        string(value.get("street_1")),
        string(value.get("street_2")),
        string(value.get("city")),
        f"{state} {postal_code}".strip(),
        string(value.get("country_code")),
    ]
    return ", ".join(filter(None, lines))


def _tidy(value: str, limit: int) -> str:
    if not value:
        return ""
    # Cut before cleaning, so that a huge text costs no more than a short one.
    tidy = _clean(value[: limit + 1]).strip()
    if len(tidy) > limit:
        return tidy[:limit] + "…"
    return tidy


def _clean(value: str) -> str:
    """Replaces lone surrogates and NUL: both are valid in JSON, but break the encoding or the
    database.
    """
    if value.isascii() and "\x00" not in value:
        return value
    encoded = value.encode("utf-8", "replace")
    return encoded.decode().replace("\x00", "�")
