"""Wake-ups between the processes of one machine, without a broker: a named pipe in the data folder.

A process that has work for a queue writes the queue's name into it; the worker that reads it is
awake at once and knows which queue to drain. A wake-up that nobody reads, because no worker runs or
the folder holds no pipes, costs a moment: workers look by themselves, too.
"""

from __future__ import annotations

import contextlib
import os
import select
from pathlib import Path

from django.conf import settings

# More waits than a worker will have read by the time that it has looked at all queues anyway.
MAX_BYTES = 65_536


def write(queue: str) -> None:
    """Wake the worker of this machine for the queue. Never waits, and never fails."""
    with contextlib.suppress(OSError):  # nobody listens, or the pipe is full of wake-ups
        descriptor = os.open(_path(), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(descriptor, f"{queue}\n".encode())
        finally:
            os.close(descriptor)


class Reader:
    """Where a worker waits for wake-ups."""

    def __init__(self) -> None:
        self._descriptors: list[int] = []
        with contextlib.suppress(OSError):
            if not _path().exists():
                os.mkfifo(_path(), 0o600)
            if _path().is_fifo():
                # For writing, too: else a pipe that its last writer has closed is always "ready".
                self._descriptors = [os.open(_path(), os.O_RDWR | os.O_NONBLOCK)]

    def wait(self, seconds: float) -> set[str]:
        """The queues that were notified, as soon as there are any."""
        ready, _, _ = select.select(self._descriptors, [], [], seconds)
        queues: set[str] = set()
        for descriptor in ready:
            queues.update(_read(descriptor).split())
        return queues

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)


def _read(descriptor: int) -> str:
    try:
        return os.read(descriptor, MAX_BYTES).decode("ascii", "replace")
    except BlockingIOError:  # another worker of this machine has read it
        return ""


def _path() -> Path:
    folder: Path = settings.VAR_DIR
    return folder / "wake-up"
