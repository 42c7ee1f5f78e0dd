"""A service that does as it is told: what the desk must survive, over a real socket."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit


@dataclass
class Step:
    """What to do with one request, instead of answering well."""

    status: int = 0
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    reset: bool = False
    hang: float = 0.0
    # Do what was asked, and then answer as above: the caller never learns.
    done: bool = False


@dataclass
class FakeService:
    url: str = ""
    plan: list[Step] = field(default_factory=list)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    queries: list[dict[str, str]] = field(default_factory=list)
    jobs: dict[str, dict[str, Any]] = field(default_factory=dict)
    batch: dict[str, Any] = field(default_factory=dict)  # the one that it has

    def paths(self) -> list[str]:
        return [f"{method} {path}" for method, path, _ in self.asked]


def _answer(
    service: FakeService, path: str, query: dict[str, list[str]], body: Any
) -> Any:
    if path.startswith("start") or path == "runCheck":
        job_id = body["job_id"]
        if job_id in service.jobs:
            return 409, {
                "error": "Job with the provided ID already exists.",
                "job_id": job_id,
            }
        schema = body.get("kyb_schema") or body.get("kyc_schema")
        job = {
            "id": job_id,
            "status": "PENDING",
            "agent_id": "fake",
            "input_payload": schema,
        }
        service.jobs[job_id] = job
        return 200, {"status": "ok", "job_id": job_id, "message": "", "job": job}
    if path == "lookUpName":
        return 200, {"hits": [], "lists": []}
    if "atch" in path or path == "enqueueFromCSV":
        return 200, [service.batch] if path == "getJobBatches" else service.batch
    row = service.jobs.get(query.get("job_id", [""])[0])
    return (
        (200, row) if row else (404, {"error": "Not found", "message": "No such job."})
    )


@contextmanager
def running() -> Iterator[FakeService]:
    service = FakeService()

    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True  # or the body of an answer waits for the client
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            is_json = self.headers.get("Content-Type") == "application/json"
            body = json.loads(raw) if raw and is_json else raw or None
            path = parts.path.removeprefix("/api/v1/")
            service.asked.append((self.command, path, body))
            service.headers.append(dict(self.headers))
            service.queries.append(dict(parse_qsl(parts.query)))
            step = service.plan.pop(0) if service.plan else Step()
            if step.hang:
                time.sleep(step.hang)
            if step.reset:
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True
                return
            status: int = 0
            text: Any = None
            if step.done or not (step.status or step.body is not None):
                status, text = _answer(service, path, parse_qs(parts.query), body)
            if step.status or step.body is not None:
                status = step.status or 200
            content = (
                step.body if step.body is not None else json.dumps(text or {}).encode()
            )
            self.send_response(status)
            for name, value in step.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815 - the name is http.server's

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}/api/v1"
    # It looks so often, in seconds, whether it is to end: each test waits for that.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
