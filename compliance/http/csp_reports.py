"""Receives browsers' reports about violations of our Content-Security-Policy.

A report means that a page tried to load or run something that the policy forbids. Reports go to the
log and to a table that administrators read. Of the page's address only the name of its view is
stored, because the rest may be personal data. Anybody may send a report, so only MOST_A_MINUTE
count.
"""

from __future__ import annotations

import json
import logging
import re
import time
from http import HTTPStatus
from urllib.parse import urlsplit

from django.apps import apps
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from compliance.http import counters

log = logging.getLogger(__name__)

MOST_A_MINUTE = 20
MOST_BYTES = 16_384
# Rows in the table: older ones are deleted.
MOST_KEPT = 1000
# What is stored of a report: the directive's name, and the scheme and host of the blocked address.
# The patterns keep any other text of the sender out of the log and the table.
_DIRECTIVE = re.compile(r"[a-z-]{1,40}")
_SOURCE = re.compile(r"(?:https?://)?[A-Za-z0-9.:-]{1,100}|[a-z-]{1,20}")


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """Store one report. The answer is always 204, because a browser ignores any other."""
    # The number of the minute is part of the name, so each minute has a counter of its own.
    minute = int(time.time() // 60)
    count = counters.count(f"csp-reports:{minute}", seconds=120)
    if count <= MOST_A_MINUTE:
        _keep(request.read(MOST_BYTES))
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _keep(body: bytes) -> None:
    # Anybody may send a report, so each part of it may be missing or of another type.
    try:
        report = json.loads(body)["csp-report"]
        directive = str(
            report.get("effective-directive") or report["violated-directive"]
        )
        source = str(report.get("blocked-uri", ""))
        address = str(report.get("document-uri", ""))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    name = _DIRECTIVE.match(directive)
    origin = _SOURCE.match(source)
    forbidden = name[0] if name else "?"
    blocked = origin[0] if origin else "?"
    words = "A page tried what its policy forbids: %s from %s."
    log.warning(words, forbidden, blocked)
    _store(forbidden, blocked, page=_page(address))


def _page(address: str) -> str:
    try:
        return resolve(urlsplit(address).path).view_name[:80]
    except (Resolver404, ValueError):
        return ""


def _store(directive: str, source: str, *, page: str) -> None:
    rows = apps.get_model("compliance", "CspReport")._default_manager
    try:
        row = rows.create(directive=directive, source=source, page=page)
        # Ids only increase, so the rows with lower ids are the oldest.
        rows.filter(pk__lte=row.pk - MOST_KEPT).delete()
    except DatabaseError as exc:
        log.warning("A report is not kept (%s).", type(exc).__name__)
