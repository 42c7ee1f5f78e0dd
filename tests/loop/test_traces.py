"""One trace from the form to the finding, over real sockets, as a collector gets it."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.live_server_helper import LiveServer

from agenthub.models import AgentJob
from checks import samples
from compliance.operation import system_checks
from compliance.tracing import exporting, spans
from reviews.models import Case, Job
from tests.collectors import collector
from tests.factories import make_connection, make_hub, make_user
from webhooks.models import Event

# From the finding up to the form.
OF_FINDING = [
    "write findings",
    "apply webhooks",
    "POST",
    "send webhook",
    "POST agenthub.api.views.jobs.StartKybAgentJob",
    "POST",
    "reviews.tasks.advance_jobs",
    "POST case-new",
]
OF_CHECK = ["check", "agenthub.tasks.run_document_jobs", *OF_FINDING[4:]]
OF_RECEIVER = ["POST webhook", *OF_FINDING[2:]]


@pytest.fixture
def traces(settings, transactional_db):
    """Desk and hub behind a socket; a collector that has their spans; what sends all that wait."""
    first = settings.MIDDLEWARE.index("compliance.http.request_ids.name_requests")
    middleware = [*settings.MIDDLEWARE]
    middleware.insert(first + 1, "compliance.operation.request_spans.trace_requests")
    settings.MIDDLEWARE = middleware
    with collector() as server:
        end = exporting.start(server.address, headers="", service="tests")
        # Not the one that other tests share: it has loaded its middleware.
        web = LiveServer("127.0.0.1")
        settings.DESK_URL = settings.CALLBACK_URL = web.url
        address = (web.thread.host, web.thread.port)
        settings.OUTBOUND_ALLOW = settings.OUTBOUND_ALLOW | {address}
        yield server, web.url, end
        web.stop()
        end()


def test_one_trace_goes_from_the_form_to_the_finding(traces, client, work_off):
    server, address, end = traces
    hub = make_hub(make_connection(base_url=f"{address}/api/v1"))
    client.force_login(make_user())
    sample = samples.good_certificate()
    response = client.post(
        "/cases/new/?kind=kyb",
        {
            "agent": hub["desk_kyb"].pk,
            "reference": "case-1",
            **{
                name: sample.attested[name]
                for name in ("business_name", "registered_business_name")
            },
            "incorporation_documents": SimpleUploadedFile(
                sample.file_name, sample.content
            ),
        },
    )
    assert response.status_code == 303
    work_off()
    assert Case.objects.get().status == Case.Status.TO_REVIEW
    end()
    received = server.spans()
    by_id = {span.id: span for span in received}

    def path(span):
        """The names from the span up to its root."""
        names = []
        while span:
            assert span.trace == trace
            names.append(span.name)
            span = by_id.get(span.parent) if span.parent else None
        return names

    [form] = [span for span in received if span.name == "POST case-new"]
    trace = form.trace
    assert not form.parent
    assert form.attributes["http.response.status_code"] == 303
    of_trace = [span for span in received if span.trace == trace]
    paths = {tuple(path(span)): span for span in of_trace}
    finding = paths[tuple(OF_FINDING)]
    assert "document_fraud_check" in finding.attributes["checks"]
    check = paths[tuple(OF_CHECK)]
    assert check.attributes == {
        "check": "kyb.incorporation_document_verification",
        "job": str(AgentJob.objects.get().job_id),
        "verdict": "pass",
    }
    assert paths[tuple(OF_RECEIVER)].attributes["http.response.status_code"] == 200
    assert not any(span.is_failed for span in of_trace)
    # The rows keep what joins the processes.
    keepers = [Job.objects.get(), AgentJob.objects.get()]
    assert {row.parent_span().split("-")[1] for row in keepers} == {trace.hex()}
    assert {e.headers["traceparent"].split("-")[1] for e in Event.objects.all()} == {
        trace.hex()
    }
    for word in (
        "case-1",
        sample.file_name,
        sample.attested["business_name"],
        hub["account"].name,
    ):
        assert not any(word.encode() in body for body in server.bodies), word


SCRIPT = """
import django, sys
django.setup()
from django.test import Client
client = Client(SERVER_NAME="localhost", raise_request_exception=False)
trace = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
# Without tables it cannot be stored.
client.post("/webhooks/none/?q=Ada", {}, headers={"traceparent": trace})
client.get("/health/live", headers={"traceparent": trace})
client.get("/api/v1/getJobById?job_id=Ada", headers={"traceparent": "00-Ada"})
print("opentelemetry" in sys.modules)
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    values = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "VAR": str(folder),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=values, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip


def test_a_process_with_the_setting_sends_what_it_did(tmp_path):
    with collector() as server:
        run(
            tmp_path,
            OTEL_EXPORTER_OTLP_ENDPOINT=server.address + "/",
            OTEL_EXPORTER_OTLP_HEADERS="x-key=secret%201",
            OTEL_SERVICE_NAME="desk-web",
        )
    assert set(server.paths) == {"/v1/traces"}
    assert server.headers[0]["x-key"] == "secret 1"
    [resource, *_] = server.resources()
    assert resource.keys() == {"service.name", "service.version"}
    assert resource["service.name"] == "desk-web"
    joined, unjoined = server.spans()
    assert (joined.trace, joined.parent) == (b"\xaa" * 16, b"\xbb" * 8)
    assert (joined.name, joined.is_failed) == ("POST webhook", True)
    # What does not fit is no parent, and health is not traced.
    assert not unjoined.parent
    assert not any(b"Ada" in body for body in server.bodies)


def test_a_collector_that_is_away_holds_up_nothing(tmp_path):
    start = time.monotonic()
    run(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert time.monotonic() - start < 20


def test_a_collector_that_answers_byte_by_byte_holds_no_process_up(monkeypatch):
    monkeypatch.setattr(exporting, "EXIT_SECONDS", 1)
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer_slowly, args=(server, ended))
        thread.start()
        port = server.getsockname()[1]
        end = exporting.start(f"http://127.0.0.1:{port}", headers="", service="tests")
        with spans.span("a", kind=spans.Kind.SERVER, parent="", attributes={}):
            pass
        start = time.monotonic()
        end()
        # The SDK would wait for 30 seconds.
        assert time.monotonic() - start < 15
        ended.set()
        thread.join()


def _answer_slowly(server: socket.socket, ended: threading.Event) -> None:
    connection, _ = server.accept()
    with connection, contextlib.suppress(OSError):
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not ended.wait(0.2):
            connection.sendall(b"x")


@pytest.mark.parametrize(
    ("protocol", "ids"),
    [("grpc", ["compliance.W002"]), ("http/protobuf", [])],
)
def test_a_protocol_that_is_not_spoken_is_named(settings, protocol, ids):
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4317"
    settings.OTEL_EXPORTER_OTLP_PROTOCOL = protocol
    messages = system_checks.traces_are_sent_by_http()
    assert [message.id for message in messages] == ids


def test_without_the_setting_nothing_is_loaded(tmp_path):
    assert run(tmp_path).stdout.strip() == "False"
