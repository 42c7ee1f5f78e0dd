"""Runs code that parses untrusted files in a child process with limits, which can be killed.

Libraries that parse PDFs and images are written in C: a crafted file can crash them, make them loop
or fill the memory, and no time limit inside Python stops them. So each document gets its own
process, forked from a warm one that has the libraries loaded. The process is sandboxed (sandbox.py)
before it sees the document. It answers in MessagePack, because a crafted pickle would run code in
the parent.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import math
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import msgpack

from compliance.work import sandbox, timing

log = logging.getLogger(__name__)

# Modules that the fork server imports once, so that children start with them loaded.
PRELOAD = [
    "compliance.work.erase_environment",
    "checks.engine",
    "checks.readers.ocr.recognition",
    "checks.readers.pdf.repainting",
    "checks.readers.pdf.revisions",
    "checks.readers.pdf.signatures",
    "checks.readers.pictures.forensics",
    "checks.readers.pdf.overlays.erased_words",
    "checks.readers.pdf.overlays.replaced_text",
    "checks.readers.pdf.overlays.field_looks",
    "checks.readers.pdf.overlays.scan_patches",
    "checks.readers.pdf.overlays.unseen_text",
    "checks.vision.wax_seals",
    "checks.vision.codes",
    "checks.vision.seals",
    "checks.vision.signatures",
    "papers.pages",
    "checks.warm_up",
]
# A second OCR engine needs more memory, if it is installed (docs/decisions/0015).
SECOND_ENGINE = all(map(importlib.util.find_spec, ("rapidocr", "onnxruntime")))
MEMORY_BYTES = (1536 + 512 * SECOND_ENGINE) << 20
# A child may take this many times its limit of CPU time in wall time: on a machine with more to do
# it waits for a processor. Behind that it hangs.
WALL_TIMES = 4
# A child that sleeps for so many seconds while its parent waits for it hangs: reading is computing,
# and a sandboxed child has nobody to wait for. Behind a busy processor or disk it does not sleep.
IDLE_SECONDS = 15.0
# States of proc_pid_stat(5): it runs or waits for a processor; it waits for a disk.
BUSY_STATES = frozenset("RD")
# A parent looks at its child every second. After a gap as long as a lease (LEASE_SECONDS) it stood
# still, alone or with its machine: it cannot say how much of the time the child had, and another
# worker may read the document by now.
STILL_SECONDS = 30.0
# Limits of a child's answer in bytes: per item, and in total. The largest item is a page of 2,200
# pixels with its words, below 4 MiB; a document has 50 pages.
ITEM_BYTES = 16 << 20
ANSWER_BYTES = 256 << 20
CHUNK_BYTES = 1 << 20  # read at once
# Lists and maps of an item, and their levels. An empty list is one byte of the answer and 56 bytes
# here. A full page has some 6,000, and no tool nests more than 12 levels.
MOST_CONTAINERS = 200_000
DEEPEST = 64
# Characters of an error message, which names an exception class and no content.
MOST_WORDS = 200
TOO_MUCH = "it answered more than a document can hold"
NOT_PLAIN = "its answer has another shape"

# The fork server starts children from one warm process. Forking this process would copy its open
# connections, and its threads' locks in an undefined state.
_context = multiprocessing.get_context("forkserver")
_starting = threading.Lock()


class IsolationError(Exception):
    """The child did not finish. The message says how it ended and contains no content.

    `cpu_seconds`: the CPU time that it had used when it was last measured.
    """

    cpu_seconds = 0.0


class TimeLimitError(IsolationError):
    """The child was stopped after `seconds`, of CPU time or of wall time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it took too long and was stopped after {seconds:g} s")
        self.seconds = seconds


class HangError(TimeLimitError):
    """The child was stopped because it slept for `seconds`."""


class StoppedError(Exception):
    """This process is shutting down, or stood still, and stopped the child. The work is repeated."""


# Set once at shutdown, for the streams of all threads.
_stopping = threading.Event()


def stop() -> None:
    """Call at shutdown: every running stream raises StoppedError within TICK_SECONDS."""
    _stopping.set()


def is_stopping() -> bool:
    """Whether this process is shutting down: it handles no further rows."""
    return _stopping.is_set()


def stream(
    target: str,
    kwargs: Mapping[str, object],
    *,
    seconds: float,
    tick: Callable[[], object] = lambda: None,
    readable: Sequence[str] = (),
) -> Iterator[Any]:
    """Run the generator function `target` ("package.module:name") in a child and yield its items.

    Items are plain values: what JSON can hold and a database can store, and bytes, as the item or a
    member of it; tuples arrive as lists. The caller must check their shape: a compromised child may
    send anything. The child has `seconds` of CPU time, WALL_TIMES as many of wall time, and
    IDLE_SECONDS for sleeping; it may read the paths in `readable` in addition to the code. `tick` is called about every second; it
    may extend a lease, and it stops the child by raising.

    Raises IsolationError if the child crashes, raises, or sends too much or unreadable data;
    TimeLimitError if it takes too long, HangError if it sleeps; StoppedError after stop(), or if this process stood still.
    """
    if _stopping.is_set():
        raise StoppedError
    _warn_once()
    ours, theirs = _context.Pipe(duplex=False)
    arguments = (theirs, target, dict(kwargs), seconds, list(readable))
    # A daemon: it is terminated when this process exits.
    child = _context.Process(target=_run, args=arguments, daemon=True)
    with _starting:  # the fork server is started once, not by two threads at a time
        _context.set_forkserver_preload(PRELOAD)
        child.start()
    # Close our copy of the child's end: while it is open, the end of the child would go unnoticed.
    theirs.close()
    meter = _Meter(child.pid or 0)

    def measure_and_tick() -> None:
        meter.look()
        tick()

    try:
        yield from _messages(ours, seconds=seconds, tick=measure_and_tick)
    except IsolationError as exc:
        exc.cpu_seconds = meter.read()
        raise
    except EOFError:
        child.join()
        # This process may have stood still, with its machine: then another worker has the row.
        tick()
        # The kernel sends these at the limits of CPU time and of wall time that _limit() set.
        if child.exitcode == -signal.SIGXCPU:
            raise TimeLimitError(seconds) from None
        if child.exitcode == -signal.SIGALRM:
            raise TimeLimitError(seconds * WALL_TIMES) from None
        crash = IsolationError("it crashed or ran out of memory")
        crash.cpu_seconds = meter.seconds
        raise crash from None
    finally:
        # Also reached when the caller stops iterating, which closes this generator.
        ours.close()
        child.kill()
        child.join()
        child.close()


class _Meter:
    """The CPU time of a child, as the kernel lists it in /proc. Elsewhere it stays 0."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")
        self._path = self._folder / "stat"
        self.seconds = 0.0
        self._idle = 0

    def look(self) -> None:
        """Measure after a wait of TICK_SECONDS in which no answer came. Raises HangError."""
        before = self.seconds
        if self.read() > before or self._is_busy():
            return
        self._idle += 1
        if self._idle * timing.TICK_SECONDS >= IDLE_SECONDS:
            raise HangError(IDLE_SECONDS)

    def _is_busy(self) -> bool:
        """Whether a thread of the child does not sleep now, or nobody knows."""
        states = []
        for path in self._folder.glob("task/*/stat"):
            # The thread may end meanwhile.
            with contextlib.suppress(OSError):
                states.append(_stat_fields(path)[0])
        return not states or not BUSY_STATES.isdisjoint(states)

    def read(self) -> float:
        """Measure again. A child that has ended keeps its last value."""
        try:
            fields = _stat_fields(self._path)
        except OSError:
            return self.seconds
        # utime and stime are the fields 14 and 15.
        ticks = int(fields[11]) + int(fields[12])
        self.seconds = ticks / os.sysconf("SC_CLK_TCK")
        return self.seconds


def _stat_fields(path: Path) -> list[str]:
    """The fields of proc_pid_stat(5) from the third one, the state, on. Raises OSError."""
    text = path.read_text(encoding="utf-8", errors="replace")
    # The name in parentheses may have spaces.
    return text.rpartition(")")[2].split()


@cache
def _warn_once() -> None:
    for part in sandbox.missing():
        log.warning("The sandbox of documents is not whole: %s", part)


def _messages(
    ours: Connection, *, seconds: float, tick: Callable[[], object]
) -> Iterator[Any]:
    """Yield the child's items as they arrive, until it is done.

    Data is read as far as it has arrived, so an incomplete item cannot block beyond the time limit.
    """
    limit = _WallTime(seconds * WALL_TIMES)
    containers = _Containers()
    unpacker = msgpack.Unpacker(
        max_buffer_size=ITEM_BYTES,
        unicode_errors="surrogatepass",
        list_hook=containers.count,
        object_hook=containers.count,
    )
    total = 0
    while True:
        for kind, value in _complete_messages(unpacker):
            if kind == "done":
                return
            containers.number = 0
            yield _plain(value)
        _wait(ours, limit, tick=tick)
        total += _feed(unpacker, ours)
        if total > ANSWER_BYTES:
            raise IsolationError(TOO_MUCH)


class _Containers:
    """Counts the lists and maps of an item while it is unpacked. Raises ValueError if they are too
    many.
    """

    def __init__(self) -> None:
        self.number = 0

    def count(self, container: object) -> object:
        self.number += 1
        if self.number > MOST_CONTAINERS:
            raise ValueError
        return container


def _plain(value: object, level: int = 0) -> object:
    """The value with characters that a database can store. Raises IsolationError if it is more than
    plain data: JSON has no other numbers, names and types.
    """
    match value:
        case None | bool():
            return value
        case str():
            return _storable(value)
        case int():
            return value
        case float() if math.isfinite(value):
            return value
        case bytes() if level < 2:
            return value
        case list() if level < DEEPEST:
            return [_plain(member, level + 1) for member in value]
        case dict() if level < DEEPEST and all(isinstance(key, str) for key in value):
            return {
                _storable(key): _plain(member, level + 1)
                for key, member in value.items()
            }
    raise IsolationError(NOT_PLAIN)


def _storable(text: str) -> str:
    """The text with U+FFFD for NUL and for lone surrogates, which no database stores."""
    if text.isascii() and "\x00" not in text:
        return text
    # The codec passes the two halves of a surrogate on as three bytes each; "replace" ends that.
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded.decode("utf-8", "replace").replace("\x00", "\ufffd")


class _WallTime:
    """The wall time of a child."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = time.monotonic()
        self._end = self._last + seconds

    def left(self) -> float:
        """The seconds that are left. Raises TimeLimitError, or StoppedError after a gap."""
        moment = time.monotonic()
        gap = moment - self._last
        self._last = moment
        if gap > STILL_SECONDS:
            log.warning("This process stood still for %d s", gap)
            raise StoppedError
        if moment >= self._end:
            raise TimeLimitError(self._seconds)
        return self._end - moment


def _wait(ours: Connection, limit: _WallTime, *, tick: Callable[[], object]) -> None:
    """Wait until data has arrived. Raises StoppedError or TimeLimitError."""
    while True:
        if _stopping.is_set():
            raise StoppedError
        timeout = min(timing.TICK_SECONDS, limit.left())
        # The connection is also ready when the child has ended: the next read then finds the end.
        is_ready = wait([ours], timeout=timeout)
        limit.left()
        if is_ready:
            return
        tick()


def _feed(unpacker: msgpack.Unpacker, ours: Connection) -> int:
    """Read the available data into the unpacker.

    Returns the number of bytes; EOFError at the end.
    """
    chunk = os.read(ours.fileno(), CHUNK_BYTES)
    if not chunk:
        raise EOFError
    try:
        unpacker.feed(chunk)
    except msgpack.BufferFull:
        raise IsolationError(TOO_MUCH) from None
    return len(chunk)


def _complete_messages(unpacker: msgpack.Unpacker) -> Iterator[tuple[str, object]]:
    """The messages that have arrived completely: `["item", value]` or `["done", None]`.

    Raises IsolationError for `["error", text]` and for anything that is no message.
    """
    while True:
        try:
            kind, value = unpacker.unpack()
        except msgpack.OutOfData:
            # The rest of the message has not arrived yet.
            return
        except Exception:  # noqa: BLE001 - the bytes may be anything
            raise IsolationError("its answer cannot be read") from None
        if kind == "error":
            raise IsolationError(str(value)[:MOST_WORDS])
        yield str(kind), value


def _run(
    theirs: Connection,
    target: str,
    kwargs: dict[str, object],
    seconds: float,
    readable: list[str],
) -> None:
    # The limits come first: importing the code takes time and memory, too.
    _limit(seconds)
    module, _, name = target.partition(":")
    answers_to = theirs.fileno()
    try:
        # Import the code before the sandbox closes the file system.
        generator = getattr(import_module(module), name)
        sandbox.confine(answers_to=answers_to, readable=readable)
        for value in generator(**kwargs):
            _send(answers_to, "item", value)
        _send(answers_to, "done", None)
    except MemoryError:
        # Handled separately: the memory limit is ours, and the person can send a smaller file.
        _send(answers_to, "error", "it ran out of memory")
    except Exception as exc:  # noqa: BLE001 - every error is reported to the parent
        # Only the class: the message may quote the document.
        with contextlib.suppress(OSError):
            _send(answers_to, "error", f"it failed ({type(exc).__name__})")


def _send(answers_to: int, kind: str, value: object) -> None:
    message = msgpack.packb([kind, value], unicode_errors="surrogatepass")
    rest = memoryview(message)
    # os.write() may write only a part.
    while rest:
        rest = rest[os.write(answers_to, rest) :]


def _limit(seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    # A last resort if the parent is killed.
    signal.alarm(math.ceil(seconds * WALL_TIMES) + 5)
    os.nice(5)  # serving pages takes precedence over reading documents
    # Whole seconds, at least one. The hard limit is higher: there the kernel sends SIGKILL, which
    # does not say why.
    cpu = max(1, math.ceil(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # not supported on every system
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
