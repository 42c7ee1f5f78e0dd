"""Tracing spans, and the `traceparent` that joins spans of several processes to one trace.

A work row stores the traceparent of the span that created it, and requests carry it to other
services (W3C Trace Context). Without a collector nothing is recorded or stored.

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
    """The role of a span, in OpenTelemetry's terms."""

    INTERNAL = "internal"
    SERVER = "server"  # handles a request
    CLIENT = "client"  # sends a request and waits for the response
    CONSUMER = "consumer"  # handles work that another span has queued


class Span(Protocol):
    """The current span."""

    def set(self, attributes: Mapping[str, Value]) -> None:
        """Add attributes. None may hold personal data."""

    def rename(self, name: str) -> None: ...

    def fail(self, error: str) -> None:
        """Mark the span as failed. `error` is a class or a status, never a message."""


class Tracer(Protocol):
    """The interface of a recorder of spans: see exporting.py."""

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
    """Set the recorder of this process' spans; None: stop recording."""
    global _tracer
    _tracer = tracer


def span(
    name: str,
    *,
    kind: Kind = Kind.INTERNAL,
    parent: str = "",
    attributes: Mapping[str, Value] | None = None,
) -> AbstractContextManager[Span]:
    """Record a span while the context lasts. An exception marks it as failed.

    `parent`: the traceparent of the span that caused it; empty: the current span, if any.
    """
    if _tracer is None:
        return _OFF
    return _tracer.span(name, kind=kind, parent=parent, attributes=attributes or {})


def current() -> str:
    """The traceparent of the current span; empty if there is none."""
    return _tracer.current() if _tracer else ""


def current_trace() -> str:
    """The id of the current trace; empty if there is none."""
    text = current()
    return text.split("-")[1] if text else ""


def fitting(text: str) -> str:
    """A traceparent that another system sent; empty if it is invalid."""
    return text if _FIT.fullmatch(text) else ""
