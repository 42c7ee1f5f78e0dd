"""Reading JSON that anybody may have sent: every function takes any value and never raises."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

MAX_TEXT = 4_000
MAX_JSON = 40_000
MAX_ITEMS = 400
MAX_DEPTH = 4
_WORDS = {"true": True, "yes": True, "passed": True, "false": False, "no": False, "failed": False}


def obj(value: Any) -> Mapping[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The value where it is a list (its first items), else an empty one."""
    return value[:MAX_ITEMS] if isinstance(value, list) else []


def truth(value: Any) -> bool | None:
    """A boolean, also in words; None where the value says neither."""
    if isinstance(value, bool):
        return value
    return _WORDS.get(value.strip().casefold()) if isinstance(value, str) else None


def number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def string(value: Any, limit: int = MAX_TEXT) -> str:
    """The value where it is a string, tidy and not too long; else an empty one."""
    return _tidy(value, limit) if isinstance(value, str) else ""


def text(value: Any, limit: int = MAX_TEXT) -> str:
    """Any value in words for a reader: addresses on one line, lists with semicolons."""
    return _tidy(_text(value, MAX_DEPTH), limit)


def strings(value: Any) -> tuple[str, ...]:
    """What was sent as null, a text, an object or a list, as texts: alerts come as all of these."""
    if value is None or value is False or value is True:
        return ()
    if isinstance(value, dict):
        pairs = ((str(key), text(said)) for key, said in value.items())
        found = [_named(key, said) for key, said in pairs if said]
    else:
        found = [text(item) for item in (items(value) or [value])]
    return tuple(item for item in found[:MAX_ITEMS] if item and item != "[]")


def versions(value: Any) -> tuple[tuple[str, str], ...]:
    """What a result says it was made with, each by its name, in the order of the names."""
    named = sorted((text(name, 100), text(said, 300)) for name, said in obj(value).items())
    return tuple((name, said) for name, said in named[:MAX_ITEMS] if name and said)


def _named(key: str, said: str) -> str:
    """A numbered name (alert_1) says nothing that the reader needs."""
    return said if re.fullmatch(r"\D*[_ ]?\d+", key) else f"{label(key)}: {said}"


def pretty(value: Any, limit: int = MAX_JSON) -> str:
    """The JSON as it came, indented."""
    try:
        shown = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (RecursionError, ValueError, TypeError):
        return "(nested too deeply to be shown)"
    return _clean(shown if len(shown) <= limit else shown[:limit] + "\n… (cut here)")


def same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except RecursionError:
        return False


def label(name: str) -> str:
    """A member's name in words: incorporation_date, incorporationDate → Incorporation date."""
    spaced = name[:120].lower()
    if spaced != name[:120] and not name.isupper():
        spaced = "".join(f" {char.lower()}" if char.isupper() else char for char in name[:120])
    words = spaced.replace("_", " ").replace("-", " ").replace(".", " ").split()
    joined = " ".join(_ACRONYMS.get(word, word) for word in words)
    return _clean(joined[:1].upper() + joined[1:])


_ACRONYMS = {
    "ein": "EIN", "lei": "LEI", "tin": "TIN", "id": "ID", "mcc": "MCC", "pep": "PEP", "kyb": "KYB", "kyc": "KYC",
    "url": "URL", "mrz": "MRZ", "vat": "VAT", "sr": "SR", "iban": "IBAN", "ip": "IP",
}  # fmt: skip


def is_address(value: Any) -> bool:
    return isinstance(value, dict) and bool({"street_1", "city", "postal_code"} & value.keys())


def _text(value: Any, depth: int) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list) and depth:
        return "; ".join(filter(None, (_text(item, depth - 1) for item in items(value))))
    if isinstance(value, dict) and depth:
        return _address(value) if is_address(value) else _members(value.items(), depth)
    return pretty(value, MAX_TEXT)


def _members(pairs: Iterable[tuple[Any, Any]], depth: int) -> str:
    shown = ((label(str(key)), _text(value, depth - 1)) for key, value in pairs if key != "type")
    return "; ".join(f"{name}: {said}" for name, said in shown if said)


def _number(value: float) -> str:
    try:
        return str(value) if isinstance(value, int) else f"{value:,.10g}"
    except ValueError:  # Python prints no integers of more than 4,300 digits
        return "(a number too long to be shown)"


def _address(value: Mapping[str, Any]) -> str:
    """In the order of an envelope."""
    town = " ".join(filter(None, (string(value.get(k)) for k in ("state", "postal_code"))))
    names = ("street_1", "street_2", "city")
    lines = [string(value.get(name)) for name in names]
    return ", ".join(filter(None, [*lines, town, string(value.get("country_code"))]))


def _tidy(value: str, limit: int) -> str:
    if not value:
        return ""
    tidy = _clean(value[: limit + 1]).strip()
    return tidy if len(tidy) <= limit else tidy[:limit] + "…"


def _clean(value: str) -> str:
    """A half of a surrogate pair is valid in JSON, but cannot be sent to a browser."""
    if value.isascii() and "\x00" not in value:
        return value
    return value.encode("utf-8", "replace").decode().replace("\x00", "�")
