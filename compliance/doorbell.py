"""The bell between the processes of one machine, without a broker: a named pipe in the data folder.

Who rings writes the lane's name into it; the worker that reads it is awake at once, knows which
lane to call, and need not look into the database all the time. A ring that nobody hears, because no
worker runs or the folder holds no pipes, costs a moment: workers look by themselves, too.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import time
from pathlib import Path

from django.conf import settings

# More is waiting than a worker will have read by the time that it has looked for all lanes anyway.
MOST_BYTES = 65_536


# By when a lane will be drained because this process has rung for it.
_due_by: dict[str, float] = {}


def press(lane: str, within: float = 0.0) -> None:
    """Ring for the lane, which may wait so many seconds. Never waits itself, and never fails."""
    moment = time.monotonic()
    if moment < _due_by.get(lane, 0.0) <= moment + within:
        return
    _due_by[lane] = moment + within
    with contextlib.suppress(OSError):  # none listens, or the pipe is full of rings
        pipe = os.open(_path(), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, f"{lane} {within}\n".encode())
        finally:
            os.close(pipe)


class Door:
    """Where a worker waits for rings."""

    def __init__(self) -> None:
        self._pipes: list[int] = []
        with contextlib.suppress(OSError):
            if not _path().exists():
                os.mkfifo(_path(), 0o600)
            if _path().is_fifo():
                # For writing, too: else a pipe that its last writer has closed is always "ready".
                self._pipes = [os.open(_path(), os.O_RDWR | os.O_NONBLOCK)]

    def wait(self, seconds: float) -> dict[str, float]:
        """The lanes that were rung for, as soon as there are any, and how long each may wait."""
        ready, _, _ = select.select(self._pipes, [], [], seconds)
        rung: dict[str, float] = {}
        for pipe in ready:
            for line in _read(pipe).splitlines():
                lane, _, within = line.rpartition(" ")
                with contextlib.suppress(ValueError):  # nothing that was written here
                    rung[lane] = min(float(within), rung.get(lane, math.inf))
        return rung

    def close(self) -> None:
        for pipe in self._pipes:
            os.close(pipe)


def _read(pipe: int) -> str:
    try:
        return os.read(pipe, MOST_BYTES).decode("ascii", "replace")
    except BlockingIOError:  # another worker of this machine has read it
        return ""


def _path() -> Path:
    folder: Path = settings.VAR_DIR
    return folder / "bell"
