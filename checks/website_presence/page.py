"""The words of a web page. It may be hostile: every step takes time in proportion to its length."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

MAX_WORDS, LONGEST_TITLE = 4000, 300
SILENT = ("script", "style", "noscript", "template", "svg")
CHARSET = re.compile(r"charset=[\"']?([A-Za-z0-9_-]{1,40})")
TAG = re.compile(r"/?[a-zA-Z][a-zA-Z0-9]*")


@dataclass(frozen=True, slots=True)
class Words:
    title: str
    text: str


def read(body: bytes, content_type: str) -> Words:
    """The title and the visible text of a page; empty where it is none of HTML or plain text."""
    said = content_type.casefold()
    if said and "html" not in said and "text/plain" not in said:
        return Words("", "")
    source = _decoded(body, content_type)
    title, shown, silent = "", [], ""
    for piece in source.split("<"):
        tag, closed, text = piece.partition(">")
        found = TAG.match(tag)
        name = found[0].casefold() if found else ""
        if silent:
            silent = "" if name == f"/{silent}" else silent
        elif name in SILENT:
            silent = name
        elif name == "title" and not title:
            title = text
        elif closed:
            shown.append(text)
    return Words(_tidy(title)[:LONGEST_TITLE], " ".join(_tidy(" ".join(shown)).split()[:MAX_WORDS]))


def _decoded(body: bytes, content_type: str) -> str:
    head = body[:1024].decode("ascii", "replace")
    named = CHARSET.search(content_type) or CHARSET.search(head)
    try:
        return body.decode(named[1] if named else "utf-8", "replace")
    except (LookupError, ValueError):  # no such encoding, or none of text
        return body.decode("utf-8", "replace")


def _tidy(text: str) -> str:
    plain = html.unescape(text)
    return " ".join("".join(c if c.isprintable() else " " for c in plain).split())
