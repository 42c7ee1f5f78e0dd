"""Spans, and the `traceparent` that joins those of several processes to one trace.

A row of work keeps the traceparent of the span that made it, and requests carry it to other
services (W3C Trace Context). While no collector is set, nothing is recorded and kept.

>>> with span("check", attributes={"check": check.id}) as current:
...     current.set({"verdict": verdict})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from typing import Protocol, TypeAlias

Value: TypeAlias = str | int | bool

HEADER = "traceparent"
LENGTH = 55
_FIT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


class Kind(Enum):
    """How a span stands to others: the words of OpenTelemetry."""

    INTERNAL = "internal"
    SERVER = "server"  # it answers a request
    CLIENT = "client"  # it sends a request and waits
    CONSUMER = "consumer"  # it works on what another span has queued


class Span(Protocol):
    """The span under way."""

    def set(self, attributes: Mapping[str, Value]) -> None:
        """Add attributes. None may hold personal data."""

    def rename(self, name: str) -> None: ...

    def fail(self, error: str) -> None:
        """It did not do what it should. `error` is a class or a status, never a message."""


class Tracer(Protocol):
    """What records spans: see exporting.py."""

    def span(
        self, name: str, *, kind: Kind, parent: str, attributes: Mapping[str, Value]
    ) -> AbstractContextManager[Span]: ...

    def current(self) -> str: ...


class _NoSpan:
    def set(self, attributes: Mapping[str, Value]) -> None: ...

    def rename(self, name: str) -> None: ...

    def fail(self, error: str) -> None: ...


_tracer: Tracer | None = None
_OFF: AbstractContextManager[Span] = nullcontext(_NoSpan())


def record_by(tracer: Tracer | None) -> None:
    """Have this process record its spans; None: no longer."""
    global _tracer
    _tracer = tracer


def is_on() -> bool:
    return _tracer is not None


def span(
    name: str,
    *,
    kind: Kind = Kind.INTERNAL,
    parent: str = "",
    attributes: Mapping[str, Value] | None = None,
) -> AbstractContextManager[Span]:
    """Record a span while the context lasts. An exception that leaves it makes it a failed one.

    `parent`: the traceparent of the span that caused it; empty: the one under way, if there is one.
    """
    if _tracer is None:
        return _OFF
    return _tracer.span(name, kind=kind, parent=parent, attributes=attributes or {})


def current() -> str:
    """The traceparent of the span under way; empty where there is none."""
    return _tracer.current() if _tracer else ""


def current_trace() -> str:
    """The id of the trace of the span under way; empty where there is none."""
    text = current()
    return text.split("-")[1] if text else ""


def fitting(text: str) -> str:
    """What another system sent as traceparent, if it is one; else ""."""
    return text if _FIT.fullmatch(text) else ""
