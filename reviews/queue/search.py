"""Finds cases by what an analyst remembers: a name, a reference, a number, words of a document.

Two steps, so that no term is slow: first up to CAP hits from the index of trigrams alone, then
the queue's filters and order among them.
"""

from __future__ import annotations

import re

from django.db import connection
from django.db.models.expressions import RawSQL

from compliance.db import masks

CAP = 1000
# So many texts that have the words with trigrams are searched for the words without.
MAX_SCAN = 3000
# An index of trigrams needs three letters or digits in a row. Without them it reads all there is,
# which takes a fifth of a second with a million cases: such words only narrow the hits of others,
# and alone they are the beginning of a reference or a name.
TRIGRAM = re.compile(r"[^\W_]{3}")
# A condition or a query with its parameters.
SQL = tuple[str, list[str]]


def hits(text: str) -> RawSQL:
    """The ids of cases that have every word of `text`, for `pk__in`; at most about CAP."""
    text = text.lower()
    if masks.is_hidden():
        # Whoever sees no names must not find out by a search whose case it is.
        return _select(*_by_reference(text))
    long_words = []
    short_words = []
    for word in dict.fromkeys(text.split()):
        if TRIGRAM.search(word):
            long_words.append(word)
        else:
            short_words.append(word)
    if long_words:
        sql, params = _by_reference(text)
        more_sql, more_params = _by_words(long_words, short_words)
        sql = f"{sql} UNION ALL {more_sql}"
        params = params + more_params
    else:
        sql, params = _by_beginning(text)
    return _select(sql, params)


def _select(sql: str, params: list[str]) -> RawSQL:
    # Materialised: else PostgreSQL may read the whole queue in its order, and look for hits there.
    return RawSQL(f"WITH hit AS MATERIALIZED ({sql}) SELECT case_id FROM hit", params)  # noqa: S608, S611


def _by_words(long_words: list[str], short_words: list[str]) -> SQL:
    where, params = _contains(long_words)
    source = "reviews_searchtext t"
    order = ""
    if connection.vendor == "sqlite":
        source = "reviews_search s JOIN reviews_searchtext t ON t.id = s.rowid"
        where = f"reviews_search MATCH %s AND {where}"
        order = "ORDER BY s.rowid DESC"
        params = [_match(long_words), *params]
    if not short_words:
        query = f"SELECT t.case_id FROM {source} WHERE {where} {order} LIMIT {CAP + 1}"  # noqa: S608
        return f"SELECT * FROM ({query}) trigrams", params  # noqa: S608
    texts = (
        f"SELECT t.case_id, t.text FROM {source} WHERE {where} {order} LIMIT {MAX_SCAN}"  # noqa: S608
    )
    narrow, short_params = _contains(short_words)
    query = f"SELECT t.case_id FROM ({texts}) t WHERE {narrow} LIMIT {CAP + 1}"  # noqa: S608
    return f"SELECT * FROM ({query}) trigrams", params + short_params  # noqa: S608


def _match(words: list[str]) -> str:
    """The words as a query of SQLite's full-text index."""
    phrases = []
    for word in words:
        quoted = word.replace('"', '""')
        phrases.append(f'"{quoted}"')
    return " AND ".join(phrases)


def _contains(words: list[str]) -> SQL:
    conditions = ["t.text LIKE %s ESCAPE '\\'"] * len(words)
    params = []
    for word in words:
        params.append(f"%{_escape(word)}%")
    return " AND ".join(conditions), params


def _by_reference(text: str) -> SQL:
    query = "SELECT case_id FROM reviews_searchtext WHERE reference = %s LIMIT 50"
    return f"SELECT * FROM ({query}) whole", [text[:40]]  # noqa: S608


def _by_beginning(text: str) -> SQL:
    """The beginning of a reference or a name."""
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
    """For LIKE."""
    for character in "\\%_":
        text = text.replace(character, f"\\{character}")
    return text
