"""Rows that failed for good: what they are, why they failed, and how a person has them tried again.

Apps register their kinds. A retry moves the row by compare-and-swap, and is a line of the trail.
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

# At once, by one request: each is a transaction of its own.
MOST_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Letter:
    """One such row, in words for an operator: what it is by its kind and number."""

    key: str  # of the row
    what: str
    why: str
    at: datetime
    address: str = ""  # of its page; empty: it has none


@dataclass(frozen=True)
class Kind:
    """One kind. `rows` gives those that a person may see, newest first; None: all of them, to be counted.

    `retry` makes a row due again in that person's name; False where it is not dead any more. `hint` says
    what an operator should know before.
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
    """Those that the user may have tried again."""
    return [kind for kind in registered() if user.has_perm(kind.permission)]


def find(name: str, user: User) -> Kind | None:
    """The kind of this name; None where there is none, or the user may not."""
    for kind in kinds_of(user):
        if kind.name == name:
            return kind
    return None


def retry_all(kind: Kind, user: User) -> int:
    """Have all of a kind tried again, the newest first. Returns how many were."""
    rows = list(kind.rows(user)[:MOST_AT_ONCE])
    return sum(kind.retry(row, user) for row in rows)
