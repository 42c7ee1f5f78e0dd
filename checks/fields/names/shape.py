"""Whether a text that one rule read as a name looks like a name at all.

Of the names that a single rule read, without a legal form and at one place alone, one in five was wrong on
papers that were not used to write the rules. Nearly all of the wrong ones were parts of labels, forms of
address or sentences. Their wordings cannot all be listed. So this looks at the form of the text instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from checks.data import table
from checks.fields import tunables
from checks.fields.dates import MONTHS
from checks.fields.layout.label_cells import labels
from checks.fields.names.companies import PARTICLE, split_legal_form
from checks.fields.names.quotations import end_of_quotation, is_open
from checks.text.folding import folded
from checks.text.words import Text

OPENING = "([{"
CLOSING = ")]}"
# “LES SALINES DE FOURAS. Son sigle est LSF”: the sentence of the name has ended.
NEXT_SENTENCE = re.compile(r"[^\W\d_]{5,}\.\s+[^\W\d_]")
# “3345678 NOVA SCOTIA LIMITED” begins with one; behind a name it is that of the company.
LONG_NUMBER = re.compile(r"(?<!^)\b\d(?:[ .,/-]?\d){4,}")
# “2/1. Tiszavirág Kft.”: the number of an entry. “družstva: Jihlavské plátno”: the rest of a label.
ENTRY = re.compile(r"^\d{1,3}(?:/\d{1,3})?[.:)]\s|^[^:]{1,40}:\s")
# Words of labels that names have, too: “FUNDACIÓN RÍO CLARO”.
OF_NAMES = frozenset(
    [
        "alta",
        "barrio",
        "cong",
        "cooperative",
        "fundacion",
        "fundacao",
        "fundatia",
        "grant",
        "sociale",
        "societa",
        "society",
        "stichting",
        "vereniging",
        "forening",
        "foreningen",
        "verein",
        "yhdistys",
    ]
)
# Forms of address before the name of a person: “Eheleute Karl und Ute Winkelmann”.
TITLES = frozenset(
    [
        "eheleute",
        "familie",
        "frau",
        "fru",
        "herr",
        "herrn",
        "madame",
        "mademoiselle",
        "messrs",
        "mevrouw",
        "monsieur",
        "senor",
        "senora",
        "senhor",
        "senhora",
        "signor",
        "signora",
        "pani",
        "pan",
        "sayin",
        "shri",
        "smt",
    ]
)
# The form in words of another script, with the name itself in the quotation on the next line.
BEFORE_QUOTATION = r"\s+[\"\u201c\u201e\u00ab](?!the )\w"
# Scripts without blanks between words, or without capitals.
WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # fmt: skip


@cache
def _words_of_names() -> frozenset[str]:
    """Return the words of legal forms, and those that many names of companies have."""
    words = set()
    for row in table("company_words"):
        # Words of a trade, such as "data", are words of papers, too.
        if row["kind"] != "trade":
            words.add(folded(row["word"]))
    for row in table("legal_forms"):
        for cell in row.values():
            words.update(folded(cell.replace("|", " ")).split())
    return frozenset(words)


@cache
def words_of_forms() -> frozenset[str]:
    """Return the words of legal forms alone."""
    words: set[str] = set()
    for row in table("company_words"):
        if row["kind"] == "form":
            words.add(folded(row["word"]))
    for row in table("legal_forms"):
        for cell in row.values():
            words.update(folded(cell.replace("|", " ")).split())
    return frozenset(words)


@cache
def paper_words() -> frozenset[str]:
    """Return the words of labels, headings and forms of address that names without a legal form do not have."""
    words: set[str] = set()
    for label in labels():
        words.update(label.split())
    for row in table("bill_words"):
        words.update(folded(row["words"].replace("|", " ")).split())
    long = {word for word in words if len(word) >= tunables.LONG_WORD}
    for row in table("paper_words"):
        long.update(folded(row["words"]).split())
    particles = {word for word in long if PARTICLE.fullmatch(word)}
    return frozenset(long - particles - _words_of_names() - OF_NAMES)


def _is_of_date(word: str) -> bool:
    return word.isdigit() or word in MONTHS


def looks_like_name(
    text: Text, name: str, *, may_be_single: bool = False, is_in_sentence: bool = False
) -> bool:
    """Whether nothing in the text that was read speaks against a name.

    With a legal form it may be anything that does not begin as a label and does not go on behind the form.
    Without one it has no words of papers, and more than one word. `may_be_single`: what gave it tells where the name
    begins and ends, so that it may be one word. `is_in_sentence`: the words of a sentence stand before it, so that it
    may begin with a word that is also a label.
    """
    words = folded(name).split()
    if not words or LONG_NUMBER.search(name) or ENTRY.match(name):
        return False
    if _has_note_behind(name) or _is_twice(words) or _is_cut(text, name):
        return False
    if all(map(_is_of_date, words)):
        # “30 January”: a date whose year stands on the next line.
        return False
    own = [word for word in words if not PARTICLE.fullmatch(word)]
    if split_legal_form(name)[1]:
        # “… certifies that DATA VISION LTD is …”: no label stands within a sentence.
        may_begin = is_in_sentence or paper_words().isdisjoint(own[:1])
        return bool(own) and may_begin and not _begins_with_label(words)
    if len(own) > tunables.WORDS_OF_NAME and own[0] in TITLES:
        own = own[1:]
    if NEXT_SENTENCE.search(name) or any(word in paper_words() for word in own):
        return False
    if all(word in _words_of_names() for word in own):
        return False
    is_enough = len(own) >= tunables.WORDS_OF_NAME or WITHOUT_BLANKS.search(name)
    return bool(own) and (may_be_single or bool(is_enough))


def _begins_with_label(words: Sequence[str]) -> bool:
    """Whether the first words are a label of several words: “company name alfa ltd”."""
    for count in range(2, len(words)):
        if " ".join(words[:count]) in labels():
            return True
    return False


def _has_note_behind(name: str) -> bool:
    """Whether a bracket is open, or the name ends with one behind its legal form that is no part of it."""
    opened = sum(name.count(mark) for mark in OPENING)
    if opened != sum(name.count(mark) for mark in CLOSING):
        return True
    head, bracket, note = name.rpartition("(")
    if not bracket or not name.rstrip().endswith(")"):
        return False
    is_of_form = set(folded(note).split()) <= _words_of_names()
    return bool(split_legal_form(head.strip())[1]) and not is_of_form


def _is_cut(text: Text, name: str) -> bool:
    """Whether the text has the name only within longer words: “… DE LA RIVIÈRE D” of “D'ÉTEL”.

    So it is where a quotation within it ends behind it.
    """
    pattern = r"\s+".join(map(re.escape, name.lower().split()))
    if re.search(rf"(?<!\w){pattern}{BEFORE_QUOTATION}", text.folded):
        return True
    if rest_of_quotation(text, name):
        return True
    places = list(re.finditer(pattern, text.folded))
    whole = re.compile(rf"(?<!\w){pattern}(?![\w'\u2019])")
    return bool(places) and not whole.search(text.folded)


def rest_of_quotation(text: Text, name: str) -> str:
    """Return what the text has behind an open quotation of the name, with the mark that closes it; else nothing."""
    if not is_open(name):
        return ""
    pattern = r"\s+".join(map(re.escape, name.split()))
    for match in re.finditer(pattern, text.value):
        behind = text.value[match.end() :][: tunables.REST_OF_QUOTATION]
        end = end_of_quotation(name, behind)
        if end is not None:
            return " ".join(behind[:end].split())
    return ""


def _is_twice(words: list[str]) -> bool:
    """Whether two words that follow one another do so again: the name was read with its short form below it."""
    long = [
        pair
        for pair in pairwise(words)
        if len("".join(pair)) >= tunables.LETTERS_OF_PAIR
    ]
    return len(long) > len(set(long))


def is_at_two_places(text: Text, name: str) -> bool:
    """Whether the text has the words of the name twice, each time as whole words."""
    whole = f" {' '.join(folded(text.value).split())} "
    return whole.count(f" {folded(name)} ") >= tunables.PLACES_OF_NAME
