"""Few documents are read at a time in a process; its accounts take turns as at a claim (compliance.work.fairness)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Turns:
    """Places for a few at a time. A free one goes to who is urgent before who is bulk; then to the
    account that has the fewest for its share; of several such, to the one that waits longest."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._in_use: Counter[int] = Counter()  # places by account
        self._waiting: list[_Waiter] = []  # in the order in which they came
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
        """Wait for a place, and hold it. `tick` is called about every so many seconds meanwhile:
        it may extend a lease, and ends the waiting by raising."""
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
                self._changed.notify_all()

    def _take(self, waiter: _Waiter, *, seconds: float) -> bool:
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_next(waiter), seconds):
                return False
            self._waiting.remove(waiter)
            self._in_use[waiter.account] += 1
            self._changed.notify_all()  # there may be a place for the one after it
            return True

    def _is_next(self, waiter: _Waiter) -> bool:
        if self._in_use.total() >= self._places:
            return False
        return waiter is min(self._waiting, key=self._rank)

    def _rank(self, waiter: _Waiter) -> tuple[bool, float]:
        return waiter.is_bulk, self._in_use[waiter.account] / waiter.share


class _Waiter:
    def __init__(self, account: int, share: int, *, is_bulk: bool) -> None:
        self.account = account
        self.share = share
        self.is_bulk = is_bulk
