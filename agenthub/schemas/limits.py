"""Limits of requests, and what is wrong with one. Workers import it: it loads no serializer."""

from __future__ import annotations

from typing import NamedTuple

from agenthub.wire import Wire

MOST_COLUMNS = 200  # of a file of cases
MOST_SCHEMAS = 1000  # a chunk of a batch: more are a file, or several requests
# The members to blame that are told at once: a huge body may break the schema a million times.
MOST_DETAILS = 100


class Problem(NamedTuple):
    """Why a schema is refused: a sentence, and the places as in an answer with status 400."""

    reason: str
    detail: list[Wire]
