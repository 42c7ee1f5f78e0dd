"""Reader of the World Bank's debarred firms and individuals, JSON as its web page loads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    date,
    listed_names,
)
from agenthub.screening.formats.files import Files, single
from agenthub.wire import JsonObject
from checks.screening.records import Entity, NameKind

# The real list has one or two megabytes, so it is read at once.
MOST_BYTES = 64 << 20
DEBARMENT = "debarment"
_FOOTNOTE = re.compile(r"\s*\*+\s*\d*\s*$")
# Other names in the text of a name: (formerly known as Foo Ltd.), (also known as Bar), f/k/a …
_OTHERS = re.compile(
    r"\(?\b(formerly known as|formerly|f/k/a|also known as|also doing business as|a/k/a|d/b/a)\b:?\s*"
    r"([^()]+?)\s*(?:\)|$)",
    re.IGNORECASE,
)
_ADDRESS = (
    "SUPP_ADDR",
    "SUPP_CITY",
    "SUPP_STATE_CODE",
    "SUPP_ZIP_CODE",
    "COUNTRY_NAME",
)


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    for row in _rows(files):
        yield _entity(row, options)


def _rows(files: Files) -> list[JsonObject]:
    with single(files)() as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ListError("The file is too large for the World Bank's list.")
    try:
        rows = json.loads(content)["response"]["ZPROCSUPP"]
        # Raises UnicodeEncodeError, a ValueError, for lone surrogates, which no database accepts.
        json.dumps(rows, ensure_ascii=False).encode()
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise ListError(
            "The file is not the World Bank's list: cut off, or another format."
        ) from exc
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ListError("The file is not the World Bank's list: it has no firms.")
    return rows


def _entity(row: JsonObject, options: Options) -> Entity:
    number = _text(row, "SUPP_ID")
    # The list rarely says whether an entry is a firm or an individual.
    is_person = _text(row, "SUPP_TYPE_CODE") == "I"
    # A debarment is no sanction, so the topic "sanction" is replaced.
    topics = [topic for topic in options.topics if topic != "sanction"] or [DEBARMENT]
    until = _text(row, "INELIGIBLY_STATUS") or _text(row, "DEBAR_TO_DATE")
    grounds = _text(row, "DEBAR_REASON")
    return Entity(
        id=f"worldbank-{number}" if number else "",
        schema="Person" if is_person else "LegalEntity",
        names=listed_names(_names(row)),
        countries=codes([_text(row, "COUNTRY_NAME")]),
        addresses=[address for address in [_address(row)] if address],
        topics=topics,
        programs=["World Bank debarment"],
        listed_on=date(_text(row, "DEBAR_FROM_DATE")),
        reason=", until ".join(filter(None, [grounds, until])),
    )


def _text(row: JsonObject, member: str) -> str:
    value = row.get(member)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return " ".join(str(value).replace("\0", " ").split())


def _names(row: JsonObject) -> Iterator[tuple[str, NameKind]]:
    whole = _text(row, "SUPP_NAME")
    yield _FOOTNOTE.sub("", _OTHERS.sub("", whole)), "primary"
    for words in (whole, _text(row, "ADD_SUPP_INFO")):
        for kind, name in _OTHERS.findall(words):
            is_former = kind.casefold().startswith("f")
            yield _FOOTNOTE.sub("", name), "former" if is_former else "alias"


def _address(row: JsonObject) -> str:
    return ", ".join(filter(None, (_text(row, member) for member in _ADDRESS)))
