"""Exports spans to a collector by OTLP over HTTP. Needs the extra `otel`.

Other options of the SDK, such as the sampler, are set by OpenTelemetry's own variables. Messages of
exceptions are not recorded, because they repeat data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from urllib.parse import unquote

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

import compliance
from compliance.tracing import spans
from compliance.tracing.spans import HEADER, Kind, Span, Value

# The path for spans below the collector's URL, as OTLP defines it.
PATH = "/v1/traces"
# Seconds for one export including retries. An exiting process waits for it.
TIMEOUT = 2
# Seconds that an exiting process waits at most. TIMEOUT does not end a response that comes byte by
# byte; the SDK's own limit is 30 seconds, after which a service manager may kill the process.
EXIT_SECONDS = 8

_KINDS = {
    Kind.INTERNAL: trace.SpanKind.INTERNAL,
    Kind.SERVER: trace.SpanKind.SERVER,
    Kind.CLIENT: trace.SpanKind.CLIENT,
    Kind.CONSUMER: trace.SpanKind.CONSUMER,
}


def start(endpoint: str, *, headers: str, service: str) -> Callable[[], None]:
    """Record the spans of this process and of its forks. Returns a function that stops this.

    `headers`: "name=value,name=value", for example with the collector's key. At the exit of the
    process it stops by itself.
    """
    exporter = _exporter(endpoint, headers)
    # Not Resource.create(): its detectors may add host names and process arguments.
    resource = Resource(
        {SERVICE_NAME: service, SERVICE_VERSION: compliance.__version__}
    )
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(_Processor(exporter))
    spans.record_by(OpenTelemetry(provider))

    def end() -> None:
        spans.record_by(None)
        provider.shutdown()

    return end


def is_accepted(endpoint: str, *, headers: str) -> bool:
    """Whether the collector accepts an export, which contains no span."""
    exporter = _exporter(endpoint, headers)
    return exporter.export([]) is SpanExportResult.SUCCESS


def _exporter(endpoint: str, headers: str) -> OTLPSpanExporter:
    return OTLPSpanExporter(
        endpoint=endpoint.rstrip("/") + PATH,
        headers=_read_headers(headers),
        timeout=TIMEOUT,
    )


class _Processor(BatchSpanProcessor):
    """Ends within EXIT_SECONDS. Spans that are left are dropped."""

    def shutdown(self) -> None:
        # The SDK has no public way to give a limit.
        self._batch_processor.shutdown(timeout_millis=EXIT_SECONDS * 1000)


def _read_headers(text: str) -> dict[str, str]:
    """Parse headers. Raises ValueError without the text, which contains a key."""
    headers = {}
    for item in text.split(","):
        name, separator, value = item.partition("=")
        if item and not separator:
            raise ValueError("OTEL_EXPORTER_OTLP_HEADERS must be name=value,name=value")
        if item:
            headers[unquote(name).strip().lower()] = unquote(value).strip()
    return headers


class OpenTelemetry:
    """Records spans with OpenTelemetry's SDK."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("compliance", compliance.__version__)
        self._propagator = TraceContextTextMapPropagator()

    def span(
        self, name: str, *, kind: Kind, parent: str, attributes: Mapping[str, Value]
    ) -> AbstractContextManager[Span]:
        return self._span(name, kind, parent, attributes)

    @contextmanager
    def _span(
        self, name: str, kind: Kind, parent: str, attributes: Mapping[str, Value]
    ) -> Iterator[Span]:
        context = self._propagator.extract({HEADER: parent}) if parent else None
        with self._tracer.start_as_current_span(
            name,
            context=context,
            kind=_KINDS[kind],
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            current = _Recorded(span)
            try:
                yield current
            except Exception as exc:
                current.fail(type(exc).__name__)
                raise

    def current(self) -> str:
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get(HEADER, "")


class _Recorded:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set(self, attributes: Mapping[str, Value]) -> None:
        self._span.set_attributes(attributes)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def fail(self, error: str) -> None:
        self._span.set_attribute("error.type", error)
        self._span.set_status(trace.StatusCode.ERROR)
