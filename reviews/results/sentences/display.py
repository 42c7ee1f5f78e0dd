"""Sentences as pages show them: by the catalogue, with values as the reader writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from django.utils import formats
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from compliance.http.responses.hidden_characters import isolated
from compliance.languages import ENGLISH, current
from papers import countries
from reviews.results.sentences import (
    business,
    data,
    desk,
    documentation,
    documents,
    fraud,
    identity,
    readings,
    screening,
    visual,
)
from reviews.results.sentences.matching import PLACE, Catalogue, Value
from reviews.results.words import LABELS, country_name

CATALOGUE = Catalogue(
    (
        *fraud.SENTENCES,
        *documents.SENTENCES,
        *readings.SENTENCES,
        *screening.SENTENCES,
        *data.SENTENCES,
        *data.FILES,
        *data.ROWS,
        *visual.SENTENCES,
        *identity.SENTENCES,
        *business.SENTENCES,
        *documentation.PARAGRAPHS,
        *desk.SENTENCES,
        *desk.SHARED,
    )
)
# Between two sentences. A value may hold such a place, too, so that neighbours are tried as one.
_END = re.compile(r"(?<=[.!?])\s+")
# Pieces of one sentence that are tried as one, and pieces of one text that are looked at.
MOST_JOINED = 6
MOST_PIECES = 80
# Values in values: a list of changes in a sentence, and what each change says.
MOST_LEVELS = 4
# Different texts that one process remembers: those of some hundred cases.
MOST_TEXTS = 4096
LABELLED = _("{label}: {words}")
PERCENT = _("{number}%")
COMMA, SEMICOLON = _(", "), _("; ")
# What a service puts between the parts of a value with this name, and what the page does.
SEPARATORS: Mapping[str, tuple[str, str]] = {
    "changes": ("; ", SEMICOLON),
    "facts": (" and ", COMMA),
    "kinds": (", ", COMMA),
    "list": (", ", COMMA),
    "lists": (", ", COMMA),
    "predicates": (" and ", SEMICOLON),
    "shared": (", ", COMMA),
}
# Lists whose last part stands behind "and"; of earlier versions all have commas.
WITH_AND = frozenset({"shared"})
# Data, even where it looks like words of the catalogue.
DATA = frozenset(
    {"after", "before", "file", "fonts", "name", "names", "program", "quotes"}
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, and whether it is as the service wrote it although the reader has another language."""

    text: str
    is_foreign: bool


def in_words(text: str) -> str:
    """A text of a result in the language of this request; what has no pattern stays as it is."""
    if current() == ENGLISH:
        return text
    return " ".join(piece.text for piece in pieces(text))


def labelled(label: str, words: str) -> str:
    """A name and what is said of it, with a colon as the reader sets it."""
    return _filled(LABELLED, {"{label}": label, "{words}": words})


def pieces(text: str) -> tuple[Piece, ...]:
    """The same in parts, each of them translated or not."""
    language = current()
    if language == ENGLISH or not text:
        return (Piece(text, is_foreign=False),)
    return _pieces(text, language)


@lru_cache(maxsize=MOST_TEXTS)
def _pieces(text: str, _language: str) -> tuple[Piece, ...]:
    """By the language, too: it is the key of what is remembered."""
    return tuple(_read(text, 0))


def forget() -> None:
    """Drop what was translated: where the translations of a language have changed in this process."""
    _pieces.cache_clear()


def _read(text: str, level: int) -> Iterator[Piece]:
    whole = _constant(text)
    if whole is not None:
        yield Piece(whole, is_foreign=False)
        return
    head, colon, rest = text.partition(": ")
    title = _constant(head) if colon and level < MOST_LEVELS else None
    if title is None:
        yield from _read_untitled(text, level)
        return
    # A check and its words, or the title of a finding and what it says.
    first, *others = _read(rest, level + 1)
    if first.is_foreign:
        # Or a sentence that begins with such words: "Strong match: “…” on …".
        parts = list(_parts_of(text, level))
        if not parts[0].is_foreign:
            yield from parts
            return
    words = "" if first.is_foreign else first.text
    yield Piece(labelled(title, words).rstrip(), is_foreign=False)
    if first.is_foreign:
        yield first
    yield from others


def _read_untitled(text: str, level: int) -> list[Piece]:
    parts = list(_parts_of(text, level))
    if level == 0 and parts and parts[0].is_foreign:
        return _of_document(text) or parts
    return parts


def _of_document(text: str) -> list[Piece]:
    """The name of a file, and what a check says of it. Nothing unless all of that can be read.

    A name may hold a colon, too.
    """
    for colon in islice(re.finditer(": ", text), MOST_LEVELS):
        first, *others = _read(text[colon.end() :], 1)
        if not any(part.is_foreign for part in (first, *others)):
            name = isolated(text[: colon.start()])
            return [Piece(labelled(name, first.text), is_foreign=False), *others]
    return []


def _parts_of(text: str, level: int) -> Iterator[Piece]:
    """Sentence by sentence; what fits no pattern is joined to one part."""
    sentences = _END.split(text, maxsplit=MOST_PIECES)
    foreign: list[str] = []
    start = 0
    while start < len(sentences):
        words, end = _shortest(sentences, start, level)
        if words is None:
            foreign.append(sentences[start])
        else:
            if foreign:
                yield Piece(" ".join(foreign), is_foreign=True)
                foreign = []
            yield Piece(words, is_foreign=False)
        start = end
    if foreign:
        yield Piece(" ".join(foreign), is_foreign=True)


def _shortest(sentences: list[str], start: int, level: int) -> tuple[str | None, int]:
    """The translation that begins at this sentence, and where it ends.

    The shortest counts: the value at the end of a pattern would take in all sentences that follow.
    """
    last = min(len(sentences), start + MOST_JOINED)
    for end in range(start + 1, last + 1):
        joined = " ".join(sentences[start:end])
        words = _named_sentence(joined) if level == 0 else None
        words = words or _sentence(joined, 0)
        if words is not None:
            return words, end
    return None, start + 1


def _sentence(text: str, level: int) -> str | None:
    """One sentence or part of one in the language of this request; None where it fits no pattern."""
    if level > MOST_LEVELS:
        return None
    # A sentence that the catalogue has in whole may also fit a wider pattern.
    whole = _constant(text)
    if whole is not None:
        return whole
    match = CATALOGUE.find(text)
    if match is None:
        words = _labelled_sentence(text, level) or _title(text, level)
        return words or _constants(text)
    pattern, values = match
    return _filled(pattern, {value.place: _value(value, level) for value in values})


def _filled(pattern: str, values: Mapping[str, str]) -> str:
    """The translation with its values. A value that holds a brace is not read again."""
    return PLACE.sub(lambda match: values[match[0]], gettext(pattern))


def _title(text: str, level: int) -> str | None:
    """What stands in the catalogue without a full stop, also as a sentence with one; and a label."""
    words = _constant(text)
    if words is None and text.endswith(".") and not text.endswith(".."):
        words = _sentence(text.removesuffix("."), level)
        return f"{words}." if words else None
    return words


def _labelled_sentence(text: str, level: int) -> str | None:
    """A label and its sentence, such as "Seal: 1 seal on page 1.", after other sentences."""
    head, colon, rest = text.partition(": ")
    title = _constant(head) if colon else None
    if title is None:
        return None
    words = _sentence(rest, level + 1)
    return None if words is None else labelled(title, words)


def _named_sentence(text: str) -> str | None:
    """A name of the data and a sentence about it, such as "Ann Lee: No match on Demo sanctions."."""
    head, colon, rest = text.partition(": ")
    if not colon or not rest.endswith(".") or _constant(head) is not None:
        return None
    if CATALOGUE.find(text) is not None:
        return None
    words = _sentence(rest, 1)
    return None if words is None else labelled(isolated(head), words)


def _constants(text: str) -> str | None:
    """Several of the catalogue with commas between them, such as the ways in which a value was read."""
    words: list[str] = []
    for part in text.split(", "):
        word = _constant(part)
        if word is None:
            return None
        words.append(word)
    return gettext(COMMA).join(words)


def _constant(text: str) -> str | None:
    if text in CATALOGUE.constants.texts or text in LABELS:
        return gettext(text)
    return None


def _value(value: Value, level: int) -> str:
    write = FORMATS.get(value.kind)
    if write:
        return write(value.text)
    if value.kind in SEPARATORS:
        sent, shown = SEPARATORS[value.kind]
        text = value.text
        if value.kind in WITH_AND:
            text = sent.join(text.rsplit(" and ", 1))
        parts = []
        for part in _split(text, sent):
            parts.append(_part(part, level))
        return gettext(shown).join(parts)
    is_title = value.kind == "title"
    if value.kind in DATA or (value.is_quoted and not is_title):
        return isolated(value.text)
    return _words_or_isolated(value.text, level)


def _split(text: str, separator: str) -> Iterator[str]:
    """The parts of a value. A separator within brackets or quotation marks belongs to its part."""
    begun: list[str] = []
    depth = 0
    for part in text.split(separator):
        begun.append(part)
        depth += part.count("(") + part.count("“")
        depth -= part.count(")") + part.count("”")
        if depth <= 0:
            yield separator.join(begun)
            begun = []
            depth = 0
    if begun:
        yield separator.join(begun)


def _part(text: str, level: int) -> str:
    """One of a list: a label, or one with what is said of it in brackets behind it.

    A label within a sentence may begin with a small letter.
    """
    whole = _label(text)
    if whole is not None:
        return whole
    label, bracket, rest = text.partition(" (")
    head = _label(label)
    if head is None or not rest.endswith(")"):
        return _words_or_isolated(text, level)
    return f"{head}{bracket}{_words_or_isolated(rest[:-1], level)})"


def _label(text: str) -> str | None:
    return _constant(text) or _constant(text[:1].upper() + text[1:])


def _country(text: str) -> str:
    """The name of a country, which a service writes in English."""
    code = countries.code(text)
    return country_name(code) if code else isolated(text)


def _issuer(text: str) -> str:
    """A name, without the article that an English sentence puts before it."""
    article, _space, name = text.partition(" ")
    if article.casefold() == "the":
        return isolated(name)
    return isolated(text)


def _day(text: str) -> str:
    try:
        return formats.date_format(date.fromisoformat(text), "DAY")
    except ValueError:  # such as 2026-13-01, of a service that does not look
        return text


def _number(text: str) -> str:
    """As the reader writes numbers, with as many digits as the service wrote."""
    _, point, decimals = text.partition(".")
    return formats.number_format(
        Decimal(text.replace(",", "")),
        decimal_pos=len(decimals) if point else 0,
        force_grouping="," in text,
    )


def _percent(text: str) -> str:
    number = text.removesuffix("%").rstrip()
    return _filled(PERCENT, {"{number}": _number(number)})


def _countries(text: str) -> str:
    return gettext(COMMA).join(map(_country, text.split(", ")))


def _places(text: str) -> str:
    """Countries joined by "and", which is also a part of some names."""
    names: list[str] = []
    begun = ""
    for part in text.split(" and "):
        begun = f"{begun} and {part}" if begun else part
        if countries.code(begun):
            names.append(_country(begun))
            begun = ""
    if begun:
        names.append(isolated(begun))
    return gettext(COMMA).join(names)


# How the value of a name is written.
FORMATS: Mapping[str, Callable[[str], str]] = {
    "count": _number,
    "countries": _countries,
    "country": _country,
    "day": _day,
    "issuer": _issuer,
    "percent": _percent,
    "places": _places,
}


def _words_or_isolated(text: str, level: int) -> str:
    words = _sentence(text, level + 1)
    return isolated(text) if words is None else words
