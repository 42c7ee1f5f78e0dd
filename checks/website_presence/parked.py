"""Whether a web page is no page of a business: parked, for sale, unfinished, or the first of a server.

Genuine pages have the same words ("New collection coming soon"), so they count on short pages only.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from checks.data import table
from checks.website_presence import tunables
from checks.website_presence.naming import count_words

# Kinds of phrases that count in a title however long the page is.
_IN_TITLE = frozenset({"sale", "parked", "default"})
# Kinds whose pages may have many words: lists of links beside the offer.
_LONG = frozenset({"sale", "parked"})


def phrase_of(title: str, text: str) -> str:
    """The phrase by which a page is known as parked or unfinished; empty for any other page."""
    plain_title, plain = _plain(title), _plain(text)
    count = count_words(plain)
    for kind, phrase, pattern in _phrases():
        if kind in _IN_TITLE and pattern.search(plain_title):
            return phrase
        most = (
            tunables.WORDS_OF_PARKED if kind in _LONG else tunables.WORDS_OF_UNFINISHED
        )
        if count <= most and pattern.search(f"{plain_title} {plain}"):
            return phrase
    return ""


def _plain(text: str) -> str:
    """Small letters without accents, with blanks and apostrophes of one kind."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = [char for char in decomposed if not unicodedata.combining(char)]
    return " ".join("".join(letters).replace("\u2019", "'").split())


@cache
def _phrases() -> list[tuple[str, str, re.Pattern[str]]]:
    """Kind, phrase as the table has it, and the pattern that finds it."""
    phrases = []
    for row in table("parked_pages"):
        for phrase in row["phrases"].split("|"):
            pattern = re.escape(_plain(phrase))
            # Scripts without blanks have no ends of words.
            if " " in phrase or phrase.isascii():
                pattern = rf"(?<!\w){pattern}(?!\w)"
            phrases.append((row["kind"], phrase, re.compile(pattern)))
    return phrases
