"""Fair turns for reading documents: a process reads few at a time, and accounts alternate.

The rule is that of claims (compliance.work.fairness). A document may hold its place for minutes. So
a place that is held for LONG_SECONDS does not count for an account that has none; while one account
has all places, one of them does not count at once.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Seconds after which a place does not count for others. Nearly all documents are read in less.
LONG_SECONDS = 10.0


class Turns:
    """A semaphore with fair order. A free place goes to urgent jobs before bulk jobs; then to the
    account with the fewest places for its share; then to the one that has waited longest."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._in_use: Counter[int] = Counter()  # account → places in use
        self._since: dict[_Waiter, float] = {}  # who has a place → since when
        self._waiting: list[_Waiter] = []  # in order of arrival
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self,
        account: int,
        *,
        every: float,
        tick: Callable[[], object],
        share: int = 1,
        is_bulk: bool = False,
    ) -> Iterator[None]:
        """Wait for a place and hold it inside this context.

        While waiting, `tick` is called every `every` seconds. It may extend a lease, and stops the
        wait by raising."""
        waiter = _Waiter(account, share, is_bulk=is_bulk)
        with self._changed:
            self._waiting.append(waiter)
        try:
            while not self._take(waiter, seconds=every):
                tick()
        except BaseException:
            with self._changed:
                self._waiting.remove(waiter)
                self._changed.notify_all()
            raise
        try:
            yield
        finally:
            with self._changed:
                self._in_use[account] -= 1
                del self._since[waiter]
                self._changed.notify_all()

    def _take(self, waiter: _Waiter, *, seconds: float) -> bool:
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_next(waiter), seconds):
                return False
            self._waiting.remove(waiter)
            self._in_use[waiter.account] += 1
            self._since[waiter] = time.monotonic()
            self._changed.notify_all()  # another place may be free for the next waiter
            return True

    def _is_next(self, waiter: _Waiter) -> bool:
        total = self._in_use.total()
        ready = [each for each in self._waiting if total < self._places_for(each)]
        return waiter is min(ready, key=self._rank, default=None)

    def _places_for(self, waiter: _Waiter) -> int:
        if self._in_use[waiter.account]:
            return self._places
        long_ago = time.monotonic() - LONG_SECONDS
        extra = sum(since < long_ago for since in self._since.values())
        if max(self._in_use.values(), default=0) == self._places:
            extra = max(extra, 1)
        return self._places + min(extra, self._places)

    def _rank(self, waiter: _Waiter) -> tuple[bool, float]:
        return waiter.is_bulk, self._in_use[waiter.account] / waiter.share


class _Waiter:
    def __init__(self, account: int, share: int, *, is_bulk: bool) -> None:
        self.account = account
        self.share = share
        self.is_bulk = is_bulk
