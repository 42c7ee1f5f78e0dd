"""Finds cases by what an analyst remembers: a name, a reference, a number, words of a document.

Two steps, so that no term is slow: first up to CAP hits from the index of trigrams alone, then
the queue's filters and order among them.
"""

from __future__ import annotations

from django.db import connection
from django.db.models.expressions import RawSQL

CAP = 1000
SHORTEST = 3  # letters; below that no trigram holds, and a search looks at beginnings


def hits(text: str) -> RawSQL:
    """The ids of cases that hold every word of `text`, for `pk__in`; at most about CAP."""
    words = text.lower().split()
    sql, params = _beginning(text.lower())
    if any(len(word) >= SHORTEST for word in words):
        more, given = _trigrams(words)
        sql, params = f"{sql} UNION ALL {more}", [*params, *given]
    # Materialised: else PostgreSQL may walk the whole queue in its order, and look for hits there.
    return RawSQL(f"WITH hit AS MATERIALIZED ({sql}) SELECT case_id FROM hit", params)  # noqa: S608, S611


def _trigrams(words: list[str]) -> tuple[str, list[str]]:
    likes = [f"%{_escaped(word)}%" for word in words]
    where = " AND ".join(["t.text LIKE %s ESCAPE '\\'"] * len(words))
    source, params = "reviews_searchtext t", likes
    order = ""
    if connection.vendor == "sqlite":
        source = "reviews_search s JOIN reviews_searchtext t ON t.id = s.rowid"
        where = f"reviews_search MATCH %s AND {where}"
        quoted = [word.replace('"', '""') for word in words if len(word) >= SHORTEST]
        params = [" AND ".join(f'"{word}"' for word in quoted), *likes]
        order = "ORDER BY s.rowid DESC"
    inner = f"SELECT t.case_id FROM {source} WHERE {where} {order} LIMIT {CAP + 1}"  # noqa: S608
    return f"SELECT * FROM ({inner}) trigrams", params  # noqa: S608


def _beginning(text: str) -> tuple[str, list[str]]:
    """The whole reference; or, of one or two letters, how a reference or name begins."""
    if len(text) >= SHORTEST:
        one = "SELECT case_id FROM reviews_searchtext WHERE reference = %s LIMIT 50"
        return f"SELECT * FROM ({one}) whole", [text[:40]]  # noqa: S608
    parts, params = [], []
    for column in ("reference", "name"):
        if connection.vendor == "sqlite":
            where, given = f"{column} >= %s AND {column} < %s", [text, text + "\U0010ffff"]
        else:
            where, given = f"{column} LIKE %s", [_escaped(text) + "%"]
        inner = f"SELECT case_id FROM reviews_searchtext WHERE {where} LIMIT {CAP // 2}"  # noqa: S608
        parts.append(f"SELECT * FROM ({inner}) {column}_begins")  # noqa: S608
        params += given
    return " UNION ALL ".join(parts), params


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
