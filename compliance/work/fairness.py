"""Fair scheduling: how the rows of many owners share the workers.

A claim takes rows of the owner that comes first by these rules, in this order:

1. Class: owners with an urgent row come before owners with only bulk rows. A person waits for an
   urgent row; a batch can wait. Every fourth claim looks for bulk rows first, so that batches make
   progress however many rows are urgent.
2. Running rows divided by the owner's share: the fewest first.
3. The time since the owner's last claim multiplied by its share: the longest first.

Within an owner, urgent rows come first, then the oldest. So an owner with a thousand rows delays
the others by one row, and an owner with share 2 is served up to twice as often as one with share 1.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)
# One of this many claims of a process prefers bulk rows.
BULK_EVERY = 4


@dataclass(frozen=True)
class FairShare:
    """How the owners of a queue's rows share it.

    `owner` names the foreign key of the rows to their owner, such as "account". `share` names a
    column of the owner with its share, an integer from 1; empty: all owners have the same share.
    `bulk` names a boolean column of the rows that is true if nobody waits for the row; empty: all
    rows are urgent.

    The model needs a column `claimed_at`, and indexes that begin with the owner (see AgentJob).
    """

    owner: str
    share: str = ""
    bulk: str = ""

    def order(self, *, bulk_first: bool) -> str:
        """The ORDER BY of rows within one owner."""
        if not self.bulk:
            return "due_at"
        direction = "DESC" if bulk_first else "ASC"
        return f"{self.bulk} {direction}, due_at"

    def next_in_turn(
        self,
        model: type[models.Model],
        *,
        free: str,
        condition: str,
        moment: str,
        elapsed: str,
        bulk_first: bool,
    ) -> str:
        """A condition in SQL: the row `this` belongs to the owner whose turn it is.

        `free` and `condition` are the conditions of the queue, `moment` is SQL for the current
        time, and `elapsed` a format string for the seconds since a time.
        """
        # Parts of the condition. `owner` is a row of the owners' table, `this` a row of work.
        field: Any = model._meta.get_field(self.owner)
        owners = field.related_model._meta
        key = f'owner."{owners.pk.column}"'
        same_owner = f'this."{field.column}" = {key}'
        rows = f'FROM "{model._meta.db_table}" this WHERE {same_owner}'
        of_queue = f"{rows} AND {condition}" if condition else rows
        has_work = f"EXISTS (SELECT 1 {rows} AND {free})"
        under_way = f"(SELECT count(*) {of_queue} AND this.leased_until >= {moment})"
        # NOT NULL lets the database use the partial index of claimed rows.
        last_claim = (
            f"(SELECT max(this.claimed_at) {of_queue} AND this.claimed_at IS NOT NULL)"
        )
        waited = elapsed.format(last_claim)
        # Rules 2 and 3 of the module's docstring, weighted by the share. The key breaks ties.
        if self.share:
            under_way = f"{under_way} * 1.0 / owner.{self.share}"
            waited = f"{waited} * owner.{self.share}"
        ranks = [under_way, f"{waited} DESC NULLS FIRST", key]
        if self.bulk:
            # Rule 1: owners with a row of the preferred class first.
            first = "TRUE" if bulk_first else "FALSE"
            preferred = (
                f"EXISTS (SELECT 1 {rows} AND this.{self.bulk} = {first} AND {free})"
            )
            ranks.insert(0, f"CASE WHEN {preferred} THEN 0 ELSE 1 END")
        return (
            f'this."{field.column}" = (SELECT {key} FROM "{owners.db_table}" owner'
            f" WHERE {has_work} ORDER BY {', '.join(ranks)} LIMIT 1)"
        )


class InHand:
    """The owners of the claims that the threads of one process handle."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._claims: Counter[int] = Counter()  # owner → claims

    def owners_of(self, number: int) -> list[int]:
        """The owners of so many claims, or more."""
        return [owner for owner, count in self._claims.items() if count >= number]

    @contextmanager
    def claimed(
        self, claim: Callable[[], list[Row]], *, owner: Callable[[Row], int]
    ) -> Iterator[list[Row]]:
        """Rows of `claim`, all of one owner, who has them until the end of this context."""
        # One claim at a time: the next one must count this one.
        with self._lock:
            rows = claim()
            owners = [owner(row) for row in rows[:1]]
            self._claims.update(owners)
        try:
            yield rows
        finally:
            with self._lock:
                self._claims.subtract(owners)
                self._claims += Counter()  # drops owners without claims


_lock = threading.Lock()
# Queue → a counter of this process' claims.
_claims: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))


def is_turn_of_bulk(queue: str) -> bool:
    """Whether this claim of the queue prefers bulk rows. Claims are counted per process."""
    with _lock:
        return next(_claims[queue]) % BULK_EVERY == 0
