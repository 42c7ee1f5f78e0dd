"""Whose turn it is: the one rule by which the rows of many owners share the workers.

A claim takes rows of the owner that stands first by:

1. class: who has an urgent row before who has bulk rows only. Somebody waits for an urgent row; a batch
   can wait. Every fourth claim looks for bulk rows first, so that a batch goes on however much is urgent;
2. rows under way, divided by its share: the fewest first;
3. the time since its last claim, multiplied by its share: the longest first.

Of one owner the urgent rows come first, and the oldest of them. An owner with a thousand rows so delays the
others by one row, and an owner with share 2 is served up to twice as often as one with share 1.
"""

from __future__ import annotations

import itertools
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models

# Of so many claims of a process one takes bulk rows first.
BULK_EVERY = 4


@dataclass(frozen=True)
class FairShare:
    """How the rows of a queue are shared.

    `owner` names the foreign key of the rows, such as "account". `share` names a column of the owner
    with its share, a whole number from 1; empty: all have the same. `bulk` names a boolean column of the
    rows that is true where nobody waits for the row; empty: all are urgent.
    The model needs a `claimed_at`, and indexes that begin with the owner (see AgentJob).
    """

    owner: str
    share: str = ""
    bulk: str = ""

    def order(self, *, bulk_first: bool) -> str:
        """SQL: in which order the rows of the owner are taken."""
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
        """SQL: the row `this` belongs to the owner whose turn it is.

        `free` and `condition` are those of the queue, `moment` is the time now, and `elapsed` the
        seconds since a time, as a format.
        """
        field: Any = model._meta.get_field(self.owner)
        owners = field.related_model._meta
        key = f'owner."{owners.pk.column}"'
        same_owner = f'this."{field.column}" = {key}'
        rows = f'FROM "{model._meta.db_table}" this WHERE {same_owner}'
        of_queue = f"{rows} AND {condition}" if condition else rows
        has_work = f"EXISTS (SELECT 1 {rows} AND {free})"
        under_way = f"(SELECT count(*) {of_queue} AND this.leased_until >= {moment})"
        # NOT NULL makes the database read the index of claimed rows only.
        last_claim = (
            f"(SELECT max(this.claimed_at) {of_queue} AND this.claimed_at IS NOT NULL)"
        )
        waited = elapsed.format(last_claim)
        if self.share:
            under_way = f"{under_way} * 1.0 / owner.{self.share}"
            waited = f"{waited} * owner.{self.share}"
        ranks = [under_way, f"{waited} DESC NULLS FIRST", key]
        if self.bulk:
            first = "TRUE" if bulk_first else "FALSE"
            preferred = (
                f"EXISTS (SELECT 1 {rows} AND this.{self.bulk} = {first} AND {free})"
            )
            ranks.insert(0, f"CASE WHEN {preferred} THEN 0 ELSE 1 END")
        return (
            f'this."{field.column}" = (SELECT {key} FROM "{owners.db_table}" owner'
            f" WHERE {has_work} ORDER BY {', '.join(ranks)} LIMIT 1)"
        )


_lock = threading.Lock()
_claims: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))


def is_turn_of_bulk(queue: str) -> bool:
    """Whether this claim of the queue, counted in this process, looks for bulk rows first."""
    with _lock:
        return next(_claims[queue]) % BULK_EVERY == 0
