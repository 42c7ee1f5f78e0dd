"""The words of a web page.

A page may be hostile, so every step takes time proportional to its length.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from checks.website_presence import tunables

PICTURES = ("img", "area", "input")
SILENT = ("script", "style", "noscript", "template", "svg")
# Only these text encodings are allowed, because others that Python knows are slow to decode.
CHARSET = re.compile(
    r"charset=[\"']?((?:utf-?8|iso-8859-\d{1,2}|windows-\d{3,4}|koi8-[ru]|gb\w{1,6}|big5|shift_jis|euc-\w\w))\b",
    re.IGNORECASE,
)
TAG = re.compile(r"/?[a-zA-Z][a-zA-Z0-9]*")


# Attributes that say what a picture or the page is. Each pattern ends at the same quotation mark.
ALTERNATIVE = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
CONTENT = re.compile(r"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
NAMING_META = re.compile(
    r"\b(?:name|property)\s*=\s*[\"']?(?:og:site_name|og:title|application-name|author|copyright|description)\b",
    re.IGNORECASE,
)
COMMENT, END_OF_COMMENT = "!--", "-->"


@dataclass(frozen=True, slots=True)
class Words:
    """What a page says: its title, its visible text, and how it labels itself and its pictures."""

    title: str
    text: str
    labels: str = ""


def read(body: bytes, content_type: str) -> Words:
    """Return the title and the visible text of a page; empty if it is neither HTML nor
    plain text.
    """
    kind = content_type.casefold()
    if kind and "html" not in kind and "text/plain" not in kind:
        return Words("", "")
    title = ""
    texts: list[str] = []
    labels: list[str] = []
    for element in _elements(_decoded(body, content_type)):
        if label := _label(element):
            labels.append(label)
        if element.name == "title" and not title:
            title = element.text
        else:
            texts.append(element.text)
    tidy_title = _tidy(title)[: tunables.LONGEST_TITLE]
    return Words(tidy_title, _words(texts), _words(labels))


class _Element(NamedTuple):
    """A tag with the text after it. `name` begins with a slash for an end tag."""

    name: str
    tag: str
    text: str


def _elements(source: str) -> Iterator[_Element]:
    """The tags that a reader sees something of: no scripts, and nothing within a comment."""
    silent = ""
    is_comment = False
    first, *pieces = source.split("<")
    yield _Element("", "", first)
    for piece in pieces:
        is_comment = is_comment or piece.startswith(COMMENT)
        end = END_OF_COMMENT if is_comment else ">"
        tag, closed, text = piece.partition(end)
        if is_comment:
            # A comment may hold tags, which are no part of the page.
            is_comment = not closed
            name = ""
        else:
            match = TAG.match(tag)
            name = match[0].casefold() if match else ""
        if silent and name != f"/{silent}":
            continue
        silent = name if name in SILENT else ""
        if closed and not silent:
            yield _Element(name, tag, text)


def _label(element: _Element) -> str:
    """What a tag says by an attribute: a picture, or the page by its description."""
    if element.name in PICTURES:
        match = ALTERNATIVE.search(element.tag)
    elif element.name == "meta" and NAMING_META.search(element.tag):
        match = CONTENT.search(element.tag)
    else:
        match = None
    if match is None:
        return ""
    return match[1] or match[2] or ""


def _words(texts: list[str]) -> str:
    everything = _tidy(" ".join(texts))
    first_words = everything.split()[: tunables.MAX_WORDS]
    words = " ".join(first_words)
    return words[: tunables.MAX_CHARACTERS]


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
