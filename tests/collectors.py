"""A collector of traces for tests: it takes OTLP over HTTP, and keeps the spans."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)


class Received(NamedTuple):
    """A span, as the collector has it."""

    name: str
    trace: bytes
    id: bytes
    parent: bytes
    attributes: dict[str, object]
    is_failed: bool


class Collector(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Received]:
        return [span for body in self.bodies for span in _read(body)]

    def resources(self) -> list[dict[str, object]]:
        rows = []
        for body in self.bodies:
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                rows.append(_values(group.resource.attributes))
        return rows


def _read(body: bytes) -> Iterator[Received]:
    for group in ExportTraceServiceRequest.FromString(body).resource_spans:
        for scope in group.scope_spans:
            for span in scope.spans:
                yield Received(
                    span.name,
                    span.trace_id,
                    span.span_id,
                    span.parent_span_id,
                    _values(span.attributes),
                    is_failed=span.status.code == 2,
                )


def _values(attributes) -> dict[str, object]:
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes
    }


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert isinstance(self.server, Collector)
        self.server.bodies.append(body)
        self.server.headers.append(dict(self.headers))
        self.server.paths.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def collector() -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
