"""A receiver without a framework: verify, parse, one INSERT. The lower bound for the cost of a
receiver.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import threading
from collections.abc import Callable
from typing import Any

import orjson
import psycopg

TABLE = """
CREATE TABLE IF NOT EXISTS event (
    id bigserial PRIMARY KEY, digest bytea UNIQUE, body bytea, received_at timestamptz DEFAULT now()
)"""
INSERT = "INSERT INTO event (digest, body) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING id"
_SECRET = os.environ["ANCHOR_SECRET"].encode()
_DATABASE = os.environ["ANCHOR_DATABASE"]
_kept = threading.local()

with psycopg.connect(_DATABASE, autocommit=True) as _setup:
    _setup.execute(TABLE)


def application(
    environ: dict[str, Any], start_response: Callable[..., Any]
) -> list[bytes]:
    if environ["REQUEST_METHOD"] == "GET":
        return _say(start_response, "200 OK")
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    try:
        signature = base64.b64decode(environ["HTTP_X_SIGNATURE_SHA256"], validate=True)
    except ValueError:
        return _say(start_response, "401 Unauthorized")
    if not hmac.compare_digest(hmac.digest(_SECRET, body, "sha256"), signature):
        return _say(start_response, "401 Unauthorized")
    orjson.loads(body)
    if not hasattr(_kept, "database"):
        _kept.database = psycopg.connect(_DATABASE, autocommit=True)
    _kept.database.execute(INSERT, (hashlib.sha256(body).digest(), body)).fetchone()
    return _say(start_response, "200 OK")


def _say(start_response: Callable[..., Any], status: str) -> list[bytes]:
    text = b'{"status":"ok"}'
    start_response(
        status, [("Content-Type", "application/json"), ("Content-Length", "15")]
    )
    return [text]
