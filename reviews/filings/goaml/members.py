"""Writes members of the XML, and keeps what does not fit into one."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from papers import countries
from reviews.filings import days

# Characters that XML 1.0 cannot hold.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Characters that the form accepts for comments, names, long texts, numbers, cities and postal
# codes.
COMMENTS, NAME, LONG_TEXT, NUMBER, CITY, ZIP = 4_000, 100, 255, 50, 255, 10
_CUT = " […]"


def plain(text: str) -> str:
    return " ".join(_NO_XML.sub("", text).split())


def add(parent: Element, name: str, text: str) -> None:
    """Adds a text element. An empty text adds nothing, because the schema rejects empty
    elements.
    """
    line = plain(text)
    if line:
        SubElement(parent, name).text = line


class Members:
    """The members of a person or an entity.

    What does not fit into a member stands whole in the comments, so that nothing is lost.
    """

    def __init__(self, element: Element) -> None:
        self.element = element
        self._comments: list[str] = []

    def add(
        self, name: str, text: str, most: int = 0, *, parent: Element | None = None
    ) -> None:
        line = plain(text)
        if most and len(line) > most:
            self.comment(name, line)
            line = line[:most].rstrip()
        add(self.element if parent is None else parent, name, line)

    def day(self, name: str, text: str) -> None:
        day = days.accepted(text)
        if day is None:
            self.comment(name, text)
            return
        # Midnight at the start of the day.
        self.add(name, f"{day.isoformat()}T00:00:00")

    def country(self, name: str, text: str) -> None:
        code = country_code(text)
        if not code:
            self.comment(name, text)
        self.add(name, code)

    def comment(self, name: str, text: str) -> None:
        """A value that has no member of its own, or is too long for it."""
        line = plain(text)
        if line:
            self._comments.append(f"{name.replace('_', ' ')}: {line}")

    def end(self) -> None:
        """Adds the comments, which the schema has last."""
        text = "; ".join(self._comments)
        if len(text) > COMMENTS:
            text = f"{text[: COMMENTS - len(_CUT)]}{_CUT}"
        add(self.element, "comments", text)


def country_code(text: str) -> str:
    """The code of a country that was attested by its code or name; "" if it is unknown."""
    if code := countries.code(text):
        return code
    # An authority may know more codes than the desk.
    return text.upper() if re.fullmatch(r"[A-Za-z]{2}", text) else ""
