"""What browsers report of our content security policy: something tried to run that is not ours.

Reports go to the log, without the address of the page, which may be personal. Anybody may send one,
so only a few a minute are written.
"""

from __future__ import annotations

import json
import logging
import re
import time
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from compliance.http import counters

log = logging.getLogger(__name__)

MOST_A_MINUTE = 20
MOST_BYTES = 16_384
# Names of directives, and schemes and hosts of addresses: nothing else is written.
_DIRECTIVE = re.compile(r"[a-z-]{1,40}")
_SOURCE = re.compile(r"(?:https?://)?[A-Za-z0-9.:-]{1,100}|[a-z-]{1,20}")


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """Log one report. The answer is always 204: a browser does nothing with another."""
    minute = int(time.time() // 60)
    count = counters.count(f"csp-reports:{minute}", seconds=120)
    if count <= MOST_A_MINUTE:
        _write(request.read(MOST_BYTES))
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _write(body: bytes) -> None:
    try:
        report = json.loads(body)["csp-report"]
        directive = str(
            report.get("effective-directive") or report["violated-directive"]
        )
        source = str(report.get("blocked-uri", ""))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    name = _DIRECTIVE.match(directive)
    origin = _SOURCE.match(source)
    log.warning(
        "A page tried what its policy forbids: %s from %s.",
        name[0] if name else "?",
        origin[0] if origin else "?",
    )
