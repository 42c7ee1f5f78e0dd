"""Notifications between processes of one machine without a broker: a named pipe in the data folder.

A process that has work for a queue writes the queue's name into the pipe. The worker reads the name
and drains that queue. If nobody reads it, because no worker runs or the folder cannot hold a pipe,
the work starts a moment later: workers also poll for due rows.
"""

from __future__ import annotations

import contextlib
import os
import select
from pathlib import Path

from django.conf import settings

# The capacity of a Linux pipe. The worker reads anything beyond this at its next read.
MAX_BYTES = 65_536


def write(queue: str) -> None:
    """Notify the worker of this machine about the queue. Never blocks and never raises."""
    # An OSError is no fault: no worker runs, or the pipe is full of wake-ups.
    with contextlib.suppress(OSError):
        descriptor = os.open(_path(), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(descriptor, f"{queue}\n".encode())
        finally:
            os.close(descriptor)


class Reader:
    """The worker's end of the pipe."""

    def __init__(self) -> None:
        # Empty if the folder cannot hold a pipe: then wait() only sleeps.
        self._descriptors: list[int] = []
        with contextlib.suppress(OSError):
            if not _path().exists():
                os.mkfifo(_path(), 0o600)
            if _path().is_fifo():
                # Open it for writing as well: otherwise the pipe is at its end, and so always
                # readable, as soon as its last writer has closed it.
                descriptor = os.open(_path(), os.O_RDWR | os.O_NONBLOCK)
                self._descriptors = [descriptor]

    def wait(self, seconds: float) -> set[str]:
        """The queues that were notified, as soon as there are any; an empty set after `seconds`."""
        ready, _, _ = select.select(self._descriptors, [], [], seconds)
        queues: set[str] = set()
        for descriptor in ready:
            names = _read(descriptor).split()
            queues.update(names)
        return queues

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)


def _read(descriptor: int) -> str:
    try:
        return os.read(descriptor, MAX_BYTES).decode("ascii", "replace")
    except BlockingIOError:  # another worker of this machine was faster
        return ""


def _path() -> Path:
    folder: Path = settings.VAR_DIR
    return folder / "wake-up"
