"""The search for cases: by name, reference, number, or words of a document.

It works in two steps, so that no word is slow: first it reads up to CAP hits from the trigram
index alone, then the filters and the order of the queue apply to these hits. A word in another
script is found by its Latin spelling, and a word of five letters or more with one wrong letter.
Words in quotes are matched exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models.expressions import RawSQL

from compliance.db import masks
from reviews.models.search import forms

CAP = 1000  # hits of a search
# Hits with another spelling have their own limit, so that they do not displace exact hits.
NEAR_CAP = 200
MOST_SPELLINGS = 6  # spellings of one word
# The number of texts, found by words with trigrams, in which the words without are searched.
MAX_SCAN = 3000
# A trigram index needs three letters or digits in a row. For shorter words PostgreSQL would
# read all texts (0.2 s with a million cases). So short words only narrow the hits of longer
# ones; alone, they match the start of a reference or a name.
TRIGRAM = re.compile(r"[^\W_]{3}")
# Words in quotes, or a single word.
_TERM = re.compile(r'"([^"]+)"|(\S+)')
# A condition or a query, and its parameters.
SQL = tuple[str, list[str]]


@dataclass(frozen=True)
class Term:
    """A typed word, with the forms in which texts may contain it."""

    word: str
    forms: Sequence[str]
    is_exact: bool = False  # it was in quotes

    @classmethod
    def of(cls, word: str, *, is_exact: bool) -> Term:
        if is_exact:
            return cls(word, [word], is_exact=True)
        spellings = [word]
        spelled = forms.latin(word)
        if spelled != word:
            spellings.append(spelled)
        # Arabic and Hebrew names are also stored as their consonants.
        letters = forms.consonants(word)
        if letters:
            spellings.append(f"{forms.EDGE}{letters}{forms.EDGE}")
        return cls(word, spellings)

    @property
    def with_trigrams(self) -> list[str]:
        return [form for form in self.forms if TRIGRAM.search(form)]

    @property
    def may_be_misspelt(self) -> bool:
        return not self.is_exact and bool(forms.neighbours(forms.latin(self.word)))


def terms(text: str) -> list[Term]:
    """The words of a search without duplicates; none for users from whom names are hidden."""
    if masks.is_hidden():
        return []
    terms: dict[str, Term] = {}
    for quoted, word in _TERM.findall(text.lower()):
        phrase = quoted.strip() or word
        terms.setdefault(phrase, Term.of(phrase, is_exact=bool(quoted.strip())))
    return list(terms.values())


def exactly(text: str) -> str:
    """The same search with all words in quotes, which matches no other spelling."""
    without_quotes = text.replace('"', " ")
    words = [f'"{term.word}"' for term in terms(without_quotes)]
    return " ".join(words)


def hits(text: str) -> RawSQL:
    """The ids of cases that have every word of `text`, for `pk__in`; at most about CAP."""
    text = text.lower()
    if masks.is_hidden():
        # A user from whom names are hidden must not find out by a search whose case it is.
        return _select(*_by_reference(text))
    long_words: list[list[str]] = []
    short_words: list[list[str]] = []
    typed = terms(text)
    for term in typed:
        if term.with_trigrams:
            long_words.append(term.with_trigrams)
        else:
            short_words.append(list(term.forms))
    if not long_words:
        return _select(*_by_beginning(text))
    # Three sources: the whole reference, the words as typed, and the words with one wrong
    # letter.
    queries = [_by_reference(text), _by_words(long_words, short_words, CAP)]
    spellings = near(typed)
    if any(spellings):
        by_term = zip(typed, spellings, strict=True)
        long_words = [
            [*term.with_trigrams, *others]
            for term, others in by_term
            if term.with_trigrams
        ]
        queries.append(_by_words(long_words, short_words, NEAR_CAP))
    sql = " UNION ALL ".join(query for query, _ in queries)
    values: list[str] = []
    for _, params in queries:
        values += params
    return _select(sql, values)


def near(typed: Sequence[Term]) -> list[list[str]]:
    """For each term, the stored words of names at a distance of one letter."""
    words = []
    for term in typed:
        if term.is_exact:
            word = ""
        else:
            word = forms.latin(term.word)
        words.append(forms.neighbours(word))
    spellings = sorted(set().union(*words))
    present = _present(spellings) if spellings else []
    return [
        [word for word in present if word in neighbours][:MOST_SPELLINGS]
        for neighbours in words
    ]


def _present(words: list[str]) -> list[str]:
    """Those of the words that occur in a name: one index look-up each."""
    if connection.vendor == "postgresql":
        sql = (
            "SELECT near.word FROM unnest(%s::text[]) near(word), LATERAL"
            " (SELECT 1 FROM reviews_searchword s WHERE s.word = near.word LIMIT 1) hit"
        )
        params: list[list[str]] | list[str] = [words]
    else:
        values = ", ".join(["(%s)"] * len(words))
        sql = (
            f"WITH near(word) AS (VALUES {values}) SELECT word FROM near WHERE EXISTS"  # noqa: S608
            " (SELECT 1 FROM reviews_searchword s WHERE s.word = near.word)"
        )
        params = list(words)
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return sorted(word for (word,) in cursor.fetchall())


def _select(sql: str, params: list[str]) -> RawSQL:
    # MATERIALIZED: otherwise PostgreSQL may scan the whole queue in its order and test each
    # row.
    return RawSQL(f"WITH hit AS MATERIALIZED ({sql}) SELECT case_id FROM hit", params)  # noqa: S608, S611


def _by_words(
    long_words: Sequence[Sequence[str]], short_words: Sequence[Sequence[str]], cap: int
) -> SQL:
    """The query for texts with all words. Each word is a list of forms, any of which may occur."""
    where, params = _contains(long_words)
    source = "reviews_searchtext t"
    order = ""
    if connection.vendor == "sqlite":
        source = "reviews_search s JOIN reviews_searchtext t ON t.id = s.rowid"
        where = f"reviews_search MATCH %s AND {where}"
        order = "ORDER BY s.rowid DESC"
        params = [_match(long_words), *params]
    if not short_words:
        query = f"SELECT t.case_id FROM {source} WHERE {where} {order} LIMIT {cap + 1}"  # noqa: S608
        return f"SELECT * FROM ({query}) trigrams", params  # noqa: S608
    texts = (
        f"SELECT t.case_id, t.text FROM {source} WHERE {where} {order} LIMIT {MAX_SCAN}"  # noqa: S608
    )
    narrow, short_params = _contains(short_words)
    query = f"SELECT t.case_id FROM ({texts}) t WHERE {narrow} LIMIT {cap + 1}"  # noqa: S608
    return f"SELECT * FROM ({query}) trigrams", params + short_params  # noqa: S608


def _match(words: Sequence[Sequence[str]]) -> str:
    """The words as a MATCH expression of SQLite's FTS5 index."""
    conditions = []
    for alternatives in words:
        phrases = []
        for form in alternatives:
            quoted = form.replace('"', '""')
            phrases.append(f'"{quoted}"')
        conditions.append(f"({' OR '.join(phrases)})")
    return " AND ".join(conditions)


def _contains(words: Iterable[Sequence[str]]) -> SQL:
    conditions = []
    params = []
    for alternatives in words:
        likes = ["t.text LIKE %s ESCAPE '\\'"] * len(alternatives)
        conditions.append(f"({' OR '.join(likes)})")
        for form in alternatives:
            params.append(f"%{_escape(form)}%")
    return " AND ".join(conditions), params


def _by_reference(text: str) -> SQL:
    query = "SELECT case_id FROM reviews_searchtext WHERE reference = %s LIMIT 50"
    return f"SELECT * FROM ({query}) whole", [text.replace('"', "")[:40]]  # noqa: S608


def _by_beginning(text: str) -> SQL:
    """The query for texts whose reference or name starts with `text`."""
    queries = []
    params = []
    for column in ("reference", "name"):
        if connection.vendor == "sqlite":
            where = f"{column} >= %s AND {column} < %s"
            params += [text, text + "\U0010ffff"]
        else:
            where = f"{column} LIKE %s"
            params += [_escape(text) + "%"]
        query = f"SELECT case_id FROM reviews_searchtext WHERE {where} LIMIT {CAP // 2}"  # noqa: S608
        queries.append(f"SELECT * FROM ({query}) {column}_begins")  # noqa: S608
    return " UNION ALL ".join(queries), params


def _escape(text: str) -> str:
    """Escape the special characters of LIKE."""
    for character in "\\%_":
        text = text.replace(character, f"\\{character}")
    return text
