"""Why a file of a list was not loaded, in the language of the reader.

Versions and refreshes keep these texts in English: the trail proves them, and commands and logs
show them. A text that is not in the catalogue stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from compliance import languages

# The sentences of ListError and HeldError, and of agenthub.screening.plausibility.
SENTENCES = (
    _("Say where the list is fetched from."),
    _("The file holds no entry."),
    _("The file says that it holds %(stated)s entries, and holds %(count)s."),
    _("%(nameless)s of %(count)s entries have no name."),
    _(
        "The file holds %(count)s entries, the active version %(before)s: it shrank by %(share)s."
    ),
    _("If that is right, load it with --force."),
    _("This list is being loaded already."),
    _(
        "%(count)s entries tell %(fact)s, %(before)s of the active version did: another layout?"
    ),
    _("Another load took the place of this one, which was slow."),
    _("Held for a person:"),
    _("The active version stays."),
    _("No version is active."),
    _(
        "If that is right, release it on the page of the list, or load it with --accept."
    ),
    _("The list could not be fetched: it is sent on too often."),
    _("The list could not be fetched: the server answered %(status)s."),
    _("The list could not be fetched: %(reason)s"),
    _("Say which format %(list)s has: %(formats)s."),
    _("The file does not say how many entries it holds."),
    _("The file's own record count is not a number."),
    _("The list does not say when it was generated."),
    _("The XML ends early or is damaged at line %(line)s, column %(column)s."),
    _("The XML declares a document type or entities, which is refused."),
    _("The XML is in an encoding that cannot be read."),
    _("The file is another one: <%(tag)s>, not <%(root)s>."),
    _("There is no SDN.CSV (or CONS_PRIM.CSV) among the files."),
    _(
        "%(file)s, row %(number)s: %(count)s cells that do not fit; the file ends early or is "
        "of another format."
    ),
    _("There is no format %(format)s. Known: %(formats)s."),
    _("An entry has no id: the file is damaged, or of another layout."),
    _("The column %(column)s is there twice: one of the two would not be read."),
    _("The file is not a %(format)s: the column %(column)s is missing."),
    _("The CSV ends early or is damaged at line %(line)s."),
    _(
        "The file is not text in %(encoding)s (after line %(line)s): save it as CSV in UTF-8."
    ),
    _(
        "Row %(number)s has %(count)s cells, not %(width)s as the header says: the file ends "
        "early or is of another format."
    ),
    _("The file has no column %(column)s."),
    _("The CSV is damaged at line %(line)s: it holds a NUL."),
    _("There is no column name, and no column map that says which it is."),
    _("The column map names %(meaning)s. Known: %(known)s."),
    _("The column map names the column %(column)s, which is not there."),
    _("There are two files with the name %(file)s."),
    _("%(file)s is empty."),
    _("One file is expected, not %(count)s."),
    _("%(file)s cannot be read from the archive."),
    _("A line is longer than %(most)s MB: the file is of another format."),
    _("The file unpacks to more than %(most)s MB, which is refused."),
    _("The archive ends early or is damaged."),
    _("The archive is packed with a method that cannot be read here."),
    _("The file is packed, and ends early or is damaged."),
    _("The archive is encrypted."),
    _("Line %(number)s is not text."),
    _("Line %(number)s is not an entity."),
    _("Line %(number)s is not an entity: cut off, or another format."),
    _("The file does not say when it was generated."),
    _("The file is too large for the list of the United Kingdom."),
    _("The file is not a UK sanctions list: there is no column Unique ID."),
    _("Row %(number)s has %(count)s cells, not %(width)s: the file ends early."),
    _("The file is not a spreadsheet, or ends early."),
    _("The spreadsheet unpacks to more than 1 GB."),
    _(
        "The file is not Australia's consolidated list: the columns Reference and Name of "
        "Individual or Entity are missing."
    ),
    _(
        "Row %(number)s has no reference such as 2 or 2a: the file is damaged, or of another "
        "layout."
    ),
    _("The file is too large for the World Bank's list."),
    _("The file is not the World Bank's list: it has no firms."),
    _("The file is not the World Bank's list: cut off, or another format."),
    _("The list does not say of which day it is."),
    _("The file has no reference values: it is another one, or cut."),
    _("A party has no profile: the file is damaged, or of another layout."),
    _("A target is neither an individual nor an entity nor an object."),
    _("The workbook is damaged: a cell names a text that there is not."),
    _("The workbook has too many columns."),
    _("The workbook has too many texts."),
    _("It is of %(day)s, older than the active version of %(active)s."),
    _("It is dated in the future: %(day)s."),
    _("%(alike)s of %(count)s entries have one name: %(name)s."),
    _("%(count)s of %(total)s names hold no word: columns were shifted?"),
    _("%(count)s of %(total)s names show a wrong encoding."),
    _("%(count)s entries stand in it twice."),
    _("%(count)s of %(total)s entries have the id of another entry."),
    _(
        "%(count)s of %(total)s names are longer than %(most)s characters, and cannot be "
        "compared whole."
    ),
    _(
        "%(count)s of %(total)s entries are not what they were: %(changed)s changed, "
        "%(renamed)s have another id or were exchanged."
    ),
    _("It grew from %(before)s entries by %(growth)s."),
    _("It lost %(removed)s of %(before)s entries."),
    _("It is the very file that was loaded on %(day)s, and replaced since."),
    _(
        "%(count)s of %(total)s entries that are new in it are as an earlier version had them."
    ),
    _("It holds %(count)s names, the active version %(before)s."),
    _("%(missing)s of %(total)s names of the active version are not found in it."),
    _("Names that must be found are not found in it: %(names)s."),
)
# The values that are counts and days. Others, such as names of files and columns, are any text.
_COUNTS = {
    "alike",
    "before",
    "changed",
    "count",
    "growth",
    "line",
    "missing",
    "most",
    "nameless",
    "number",
    "removed",
    "renamed",
    "stated",
    "status",
    "total",
    "width",
}
_DAYS = ("active", "day")
_PLACE = re.compile(r"%\\\((\w+)\\\)s")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
# Where a sentence may end.
_ENDS = re.compile(r"[.?:](?=\s)|$")


def in_words(text: str) -> str:
    """The text in the language of the request, if it consists of sentences of the catalogue."""
    sentences = _sentences(text.strip())
    return text if sentences is None else " ".join(sentences)


def _sentences(text: str) -> list[str] | None:
    """The sentences of the text, translated; None if one of them is not in the catalogue."""
    if not text:
        return []
    for words, end in _beginnings(text):
        rest = _sentences(text[end:].lstrip())
        if rest is not None:
            return [words, *rest]
    return None


def _beginnings(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of the catalogue that the text may begin with, and where each would end. A
    value may have a full stop, such as the name of a file.
    """
    ends = [match.end() for match in _ENDS.finditer(text)]
    for sentence, pattern in _patterns():
        if not pattern.match(text):
            continue
        for end in ends:
            match = pattern.fullmatch(text, 0, end)
            if match:
                values = match.groupdict()
                shown = {name: _shown(value) for name, value in values.items()}
                yield gettext(sentence) % shown, end


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    patterns = []
    for sentence in SENTENCES:
        pattern = _PLACE.sub(_group, re.escape(sentence))
        patterns.append((sentence, re.compile(pattern)))
    return tuple(patterns)


def _group(place: re.Match[str]) -> str:
    name = place[1]
    if name in _COUNTS:
        return rf"(?P<{name}>[\d,]+)"
    if name in _DAYS:
        return rf"(?P<{name}>[\d-]+)"
    return rf"(?P<{name}>.+?)"


def _shown(value: str) -> str:
    """A count as the reader writes it; any other value as it is."""
    if _GROUPED.fullmatch(value):
        return languages.number(int(value.replace(",", "")))
    return value
