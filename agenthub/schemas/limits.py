"""Limits of requests, and the errors of one. Workers import it, so it must load no serializer."""

from __future__ import annotations

from typing import NamedTuple

from agenthub.wire import Wire

MOST_COLUMNS = 200  # of an uploaded file
MOST_LEVELS = 32  # of objects in a column name; a body may have 64 levels in all
MOST_SCHEMAS = 1000  # per request; more cases need a file, or several requests
# The most faulty members in one response: a huge body may violate the schema a million times.
MOST_DETAILS = 100


class Problem(NamedTuple):
    """Why a case is refused: a sentence, and the faulty members as in a response with status
    400."""

    reason: str
    detail: list[Wire]
