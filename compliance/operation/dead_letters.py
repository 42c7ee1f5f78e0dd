"""Dead letters: rows that failed permanently, the reasons, and retries by a person.

Apps register their kinds. A retry moves the row by compare-and-swap, and is recorded in the trail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# The most rows that one request retries. Each is a separate transaction.
MOST_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Letter:
    """One such row, described for an operator.

    `what` is its kind and number, never personal data.
    """

    key: str  # of the row
    what: str
    why: str
    at: datetime
    address: str = ""  # of its page; empty: it has none


@dataclass(frozen=True)
class Kind:
    """One kind of dead letters.

    `rows` returns the rows that a person may see, newest first; for None all rows, to count them.
    `retry` makes a row due again in the name of that person; False if it is no longer dead. `hint`
    tells the operator what to know before a retry.
    """

    name: str
    title: StrOrPromise
    hint: StrOrPromise
    permission: str
    rows: Callable[[User | None], QuerySet[Any]]
    letter: Callable[[Any], Letter]
    retry: Callable[[Any, User], bool]


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    _kinds[kind.name] = kind


def registered() -> list[Kind]:
    return list(_kinds.values())


def kinds_of(user: User) -> list[Kind]:
    """The kinds that the user may retry."""
    return [kind for kind in registered() if user.has_perm(kind.permission)]


def find(name: str, user: User) -> Kind | None:
    """The kind with this name; None if it does not exist, or the user has no permission."""
    for kind in kinds_of(user):
        if kind.name == name:
            return kind
    return None


def retry_all(kind: Kind, user: User) -> int:
    """Retry the rows of a kind, newest first, at most MOST_AT_ONCE. Returns how many became due."""
    rows = list(kind.rows(user)[:MOST_AT_ONCE])
    return sum(kind.retry(row, user) for row in rows)
