"""Finds cases by what an analyst remembers: a name, a reference, a number, words of a document.

Two steps, so that no term is slow: first up to CAP hits from the index of trigrams alone, then
the queue's filters and order among them.
"""

from __future__ import annotations

import re

from django.db import connection
from django.db.models.expressions import RawSQL

CAP = 1000
# So many of what holds the words with trigrams are looked through for the words without.
LOOKED_THROUGH = 3000
# An index of trigrams is asked for three letters or digits in a row. For less it reads all there
# is, which takes a fifth of a second with a million cases: such words only narrow what others find,
# and alone they are what a reference or a name begins with.
TELLING = re.compile(r"[^\W_]{3}")


def hits(text: str) -> RawSQL:
    """The ids of cases that hold every word of `text`, for `pk__in`; at most about CAP."""
    text = text.lower()
    words = list(dict.fromkeys(text.split()))
    telling = [word for word in words if TELLING.search(word)]
    if telling:
        sql, params = _whole(text)
        more, given = _trigrams(telling, [word for word in words if word not in telling])
        sql, params = f"{sql} UNION ALL {more}", [*params, *given]
    else:
        sql, params = _beginning(text)
    # Materialised: else PostgreSQL may walk the whole queue in its order, and look for hits there.
    return RawSQL(f"WITH hit AS MATERIALIZED ({sql}) SELECT case_id FROM hit", params)  # noqa: S608, S611


def _trigrams(telling: list[str], others: list[str]) -> tuple[str, list[str]]:
    where, params = _like(telling)
    source, order = "reviews_searchtext t", ""
    if connection.vendor == "sqlite":
        source = "reviews_search s JOIN reviews_searchtext t ON t.id = s.rowid"
        where = f"reviews_search MATCH %s AND {where}"
        quoted = [word.replace('"', '""') for word in telling]
        params = [" AND ".join(f'"{word}"' for word in quoted), *params]
        order = "ORDER BY s.rowid DESC"
    limit = LOOKED_THROUGH if others else CAP + 1
    found = f"SELECT t.case_id, t.text FROM {source} WHERE {where} {order} LIMIT {limit}"  # noqa: S608
    narrowed, given = _like(others) if others else ("1 = 1", [])
    return (
        f"SELECT * FROM (SELECT t.case_id FROM ({found}) t WHERE {narrowed} LIMIT {CAP + 1}) trigrams",  # noqa: S608
        [*params, *given],
    )


def _like(words: list[str]) -> tuple[str, list[str]]:
    each = " AND ".join(["t.text LIKE %s ESCAPE '\\'"] * len(words))
    return each, [f"%{_escaped(word)}%" for word in words]


def _whole(text: str) -> tuple[str, list[str]]:
    one = "SELECT case_id FROM reviews_searchtext WHERE reference = %s LIMIT 50"
    return f"SELECT * FROM ({one}) whole", [text[:40]]  # noqa: S608


def _beginning(text: str) -> tuple[str, list[str]]:
    """How a reference or a name begins."""
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
