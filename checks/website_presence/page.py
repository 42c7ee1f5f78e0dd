"""The words of a web page.

A page may be hostile, so every step takes time proportional to its length.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from checks.website_presence import tunables

SILENT = ("script", "style", "noscript", "template", "svg")
# Only these text encodings are allowed, because others that Python knows are slow to decode.
CHARSET = re.compile(
    r"charset=[\"']?((?:utf-?8|iso-8859-\d{1,2}|windows-\d{3,4}|koi8-[ru]|gb\w{1,6}|big5|shift_jis|euc-\w\w))\b",
    re.IGNORECASE,
)
TAG = re.compile(r"/?[a-zA-Z][a-zA-Z0-9]*")


@dataclass(frozen=True, slots=True)
class Words:
    title: str
    text: str


def read(body: bytes, content_type: str) -> Words:
    """Return the title and the visible text of a page; empty if it is neither HTML nor
    plain text.
    """
    kind = content_type.casefold()
    if kind and "html" not in kind and "text/plain" not in kind:
        return Words("", "")
    source = _decoded(body, content_type)
    title = ""
    texts = []
    silent = ""
    for piece in source.split("<"):
        tag, closed, text = piece.partition(">")
        element = TAG.match(tag)
        if element:
            name = element[0].casefold()
        else:
            name = ""
        if silent and name != f"/{silent}":
            continue
        silent = name if name in SILENT else ""
        if silent:
            continue
        if name == "title" and not title:
            title = text
        elif closed:
            texts.append(text)
    return Words(
        _tidy(title)[: tunables.LONGEST_TITLE],
        " ".join(_tidy(" ".join(texts)).split()[: tunables.MAX_WORDS]),
    )


def _decoded(body: bytes, content_type: str) -> str:
    head = body[:1024].decode("ascii", "replace")
    charset = CHARSET.search(content_type) or CHARSET.search(head)
    try:
        return body.decode(charset[1] if charset else "utf-8", "replace")
    except (LookupError, ValueError):  # no such encoding, or none of text
        return body.decode("utf-8", "replace")


def _tidy(text: str) -> str:
    characters = []
    for char in html.unescape(text):
        characters.append(char if char.isprintable() else " ")
    return " ".join("".join(characters).split())
