"""Asks parts outside of the database side by side, each in a thread of its own.

Nobody waits longer than SECONDS for a part, however many of them are silent. A thread that hangs,
for example on a network disk, stays the only one of its part.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from compliance.db import clock

# A monitor stops waiting after some seconds, and would learn nothing.
SECONDS = 3.0
SILENT = f"does not answer within {SECONDS:g} s"


class Question:
    """A question about one part, for `check`. It may be asked again and again."""

    def __init__(self, check: Callable[[], str]) -> None:
        self._check = check
        self._thread: threading.Thread | None = None
        self._asked_at = 0.0  # in seconds of the steady clock
        self._answer = ""

    def ask(self) -> None:
        """Ask, unless the question before is not answered yet. Returns at once."""
        self._asked_at = clock.steady()
        if self._thread is not None and self._thread.is_alive():
            return
        self._answer = ""
        name = self._check.__name__
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def answer(self) -> str:
        """The answer to the last question, or SILENT."""
        left = self._asked_at + SECONDS - clock.steady()
        if self._thread is not None:
            self._thread.join(max(0.0, left))
        return self._answer or SILENT

    def _run(self) -> None:
        try:
            self._answer = self._check()
        except Exception as exc:  # noqa: BLE001 - nobody else hears of an error in a thread
            self._answer = f"cannot be asked ({type(exc).__name__})"
