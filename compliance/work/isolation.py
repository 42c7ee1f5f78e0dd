"""Code that reads foreign files runs in a child process with limits, and can be killed.

Libraries that parse PDFs and images are written in C: a crafted file can crash them, loop in them
or fill the memory, and no time limit inside Python stops them. So each document gets a process of
its own, forked from a warm one that has the libraries loaded. It is shut in (sandbox.py) before it
sees the document, and answers in MessagePack: a crafted pickle would run code in the parent.
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
from typing import Any

import msgpack

from compliance.work import sandbox, timing

log = logging.getLogger(__name__)

# Imported once in the process that all children are forked from.
PRELOAD = [
    "compliance.work.erase_environment",
    "checks.engine",
    "checks.readers.ocr.recognition",
    "checks.readers.pdf.repainting",
    "checks.readers.pdf.revisions",
    "checks.readers.pdf.signatures",
    "checks.readers.pictures.forensics",
    "checks.readers.pdf.hidden_text",
    "checks.vision.wax_seals",
    "checks.vision.codes",
    "checks.vision.seals",
    "checks.vision.signatures",
    "papers.pages",
]
# A second engine for OCR needs more, where one is installed (docs/decisions/0015).
SECOND_ENGINE = all(map(importlib.util.find_spec, ("rapidocr", "onnxruntime")))
MEMORY_BYTES = (1536 + 512 * SECOND_ENGINE) << 20
# What a child may answer: one item, and all together. The largest item is a page of 2,200 pixels
# with its words, below 4 MiB; a document has 50 pages.
ITEM_BYTES = 16 << 20
ANSWER_BYTES = 256 << 20
CHUNK_BYTES = 1 << 20  # read at a time
MOST_WORDS = 200  # characters of an error: it names a class and no content
TOO_MUCH = "it answered more than a document can hold"

# The fork server starts children from one warm process. To fork this process itself would copy its
# threads' locks in whatever state they are, and its open connections.
_context = multiprocessing.get_context("forkserver")
_starting = threading.Lock()


class IsolationError(Exception):
    """The child did not finish; the text says how it ended and names no content."""


class TimeLimitError(IsolationError):
    """The child was stopped after so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it took too long and was stopped after {seconds:g} s")
        self.seconds = seconds


class StoppedError(Exception):
    """This process ends, and the child was stopped for it: another process repeats the work."""


_stopping = threading.Event()


def stop() -> None:
    """For a process that ends: every stream raises StoppedError within TICK_SECONDS."""
    _stopping.set()


def stream(
    target: str,
    kwargs: Mapping[str, object],
    *,
    seconds: float,
    tick: Callable[[], object] = lambda: None,
    readable: Sequence[str] = (),
) -> Iterator[Any]:
    """Yield what the generator function `target` ("package.module:name") yields, from a child.

    Items are plain values: what MessagePack carries; tuples arrive as lists. Whoever takes them
    checks their shape: a child that was taken over may send anything. The child has `seconds` of
    wall time and of CPU time, and may read the paths in `readable` beside the code. `tick` is
    called about every second: it may extend a lease, and ends the child by raising. Raises
    IsolationError when the child crashes, raises, or sends what cannot be read or is too much;
    TimeLimitError when it takes too long, StoppedError after stop().
    """
    if _stopping.is_set():
        raise StoppedError
    _warn_once()
    ours, theirs = _context.Pipe(duplex=False)
    arguments = (theirs, target, dict(kwargs), seconds, list(readable))
    # A daemon: it ends with this process, whatever this process ends by.
    child = _context.Process(target=_run, args=arguments, daemon=True)
    with _starting:  # the fork server is started once, not by two threads at a time
        _context.set_forkserver_preload(PRELOAD)
        child.start()
    # Our copy of its end: while it is open, we would not notice that the child is gone.
    theirs.close()
    try:
        yield from _messages(ours, seconds=seconds, tick=tick)
    except EOFError:
        child.join()
        # The kernel sends SIGXCPU at the limit of CPU time, which _limit() set.
        if child.exitcode == -signal.SIGXCPU:
            raise TimeLimitError(seconds) from None
        raise IsolationError("it crashed or ran out of memory") from None
    finally:
        # Also where the caller takes no more items, which closes this generator.
        ours.close()
        child.kill()
        child.join()
        child.close()


@cache
def _warn_once() -> None:
    for part in sandbox.missing():
        log.warning("The sandbox of documents is not whole: %s", part)


def _messages(
    ours: Connection, *, seconds: float, tick: Callable[[], object]
) -> Iterator[Any]:
    """What the child sends, item by item. Never waits in the middle of an item beyond the limit."""
    end = time.monotonic() + seconds
    unpacker = msgpack.Unpacker(
        max_buffer_size=ITEM_BYTES, unicode_errors="surrogatepass"
    )
    total = 0
    while True:
        for kind, value in _complete_messages(unpacker):
            if kind == "done":
                return
            yield value
        _wait(ours, end, seconds=seconds, tick=tick)
        total += _feed(unpacker, ours)
        if total > ANSWER_BYTES:
            raise IsolationError(TOO_MUCH)


def _wait(
    ours: Connection, end: float, *, seconds: float, tick: Callable[[], object]
) -> None:
    """Wait until something has come. Raises StoppedError or TimeLimitError."""
    while True:
        if _stopping.is_set():
            raise StoppedError
        left = end - time.monotonic()
        if left <= 0:
            raise TimeLimitError(seconds)
        if wait([ours], timeout=min(timing.TICK_SECONDS, left)):
            return
        tick()


def _feed(unpacker: msgpack.Unpacker, ours: Connection) -> int:
    """Read what has come. Returns how many bytes that was; raises EOFError at the end."""
    chunk = os.read(ours.fileno(), CHUNK_BYTES)
    if not chunk:
        raise EOFError
    try:
        unpacker.feed(chunk)
    except msgpack.BufferFull:
        raise IsolationError(TOO_MUCH) from None
    return len(chunk)


def _complete_messages(unpacker: msgpack.Unpacker) -> Iterator[tuple[str, object]]:
    """The messages that have come whole: `["item", value]` or `["done", None]`.

    Raises IsolationError for `["error", words]`, and for what is no message.
    """
    while True:
        try:
            kind, value = unpacker.unpack()
        except msgpack.OutOfData:
            return
        except Exception:  # noqa: BLE001 - bytes of any kind may come
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
    _limit(seconds)
    module, _, name = target.partition(":")
    answers_to = theirs.fileno()
    try:
        generator = getattr(import_module(module), name)
        sandbox.confine(answers_to=answers_to, readable=readable)
        for value in generator(**kwargs):
            _send(answers_to, "item", value)
        _send(answers_to, "done", None)
    except MemoryError:
        # By itself: the limit of memory is ours, and the person can send a smaller file.
        _send(answers_to, "error", "it ran out of memory")
    except Exception as exc:  # noqa: BLE001 - the parent learns of all
        # The class alone: a message may quote the document.
        with contextlib.suppress(OSError):
            _send(answers_to, "error", f"it failed ({type(exc).__name__})")


def _send(answers_to: int, kind: str, value: object) -> None:
    message = msgpack.packb([kind, value], unicode_errors="surrogatepass")
    rest = memoryview(message)
    while rest:
        rest = rest[os.write(answers_to, rest) :]


def _limit(seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.alarm(math.ceil(seconds) + 5)  # should the parent be killed meanwhile
    os.nice(5)  # pages are served before documents are read
    # A little more than the wall time: who computes alone is stopped by the parent's clock. The hard
    # limit is above it, or the kernel would end the child by a signal that does not say why.
    cpu = math.ceil(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # not every system knows this limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
