"""Code that reads foreign files runs in a child process with limits, and can be killed.

Libraries that parse PDFs and images are written in C: a crafted file can crash them, loop in them
or fill the memory, and no time limit inside Python stops them. So each document gets a process of
its own, forked from a warm one that has the libraries loaded.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from compliance.work import timing

# Imported once in the process that all children are forked from.
PRELOAD = [
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
    kwargs: Mapping[str, Any],
    *,
    seconds: float,
    tick: Callable[[], object] = lambda: None,
) -> Iterator[Any]:
    """Yield what the generator function `target` ("package.module:name") yields, from a child.

    The child has `seconds` of wall time and of CPU time. `tick` is called about every second: it
    may extend a lease, and ends the child by raising. Raises IsolationError when the child crashes
    or raises, TimeLimitError when it takes too long, StoppedError after stop().
    """
    if _stopping.is_set():
        raise StoppedError
    ours, theirs = _context.Pipe(duplex=False)
    arguments = (theirs, target, dict(kwargs), seconds)
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


def _messages(
    ours: Connection, *, seconds: float, tick: Callable[[], object]
) -> Iterator[Any]:
    end = time.monotonic() + seconds
    while True:
        if _stopping.is_set():
            raise StoppedError
        left = max(0.0, end - time.monotonic())
        has_message = ours.poll(min(timing.TICK_SECONDS, left))
        if not has_message:
            if time.monotonic() >= end:
                raise TimeLimitError(seconds)
            tick()
            continue
        kind, value = ours.recv()
        if kind == "done":
            return
        if kind == "error":
            raise IsolationError(value)
        yield value


def _run(
    theirs: Connection, target: str, kwargs: dict[str, Any], seconds: float
) -> None:
    _limit(seconds)
    module, _, name = target.partition(":")
    try:
        generator = getattr(import_module(module), name)
        for value in generator(**kwargs):
            theirs.send(("item", value))
        theirs.send(("done", None))
    except MemoryError:
        # By itself: the limit of memory is ours, and the person can send a smaller file.
        theirs.send(("error", "it ran out of memory"))
    except Exception as exc:  # noqa: BLE001 - the parent learns of all
        # The class alone: a message may quote the document.
        with contextlib.suppress(OSError):
            theirs.send(("error", f"it failed ({type(exc).__name__})"))


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
