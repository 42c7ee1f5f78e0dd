"""The evidence pack of a case as a download."""

from __future__ import annotations

import re

from django.http import FileResponse, HttpRequest
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reviews.access.decorators import person_of, readers_only
from reviews.models import Case
from reviews.pages.case.decide import seen_case
from reviews.records import evidence_pack


@readers_only
@never_cache
@require_GET
def pack(request: HttpRequest, pk: int) -> FileResponse:
    case = seen_case(request, pk)
    file = evidence_pack.pack(case, actor=person_of(request))
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"evidence-{plain_name(case)}.zip",
    )


def plain_name(case: Case) -> str:
    """The reference in characters that every system accepts in a file name."""
    return re.sub(r"[^A-Za-z0-9]", "-", case.reference)[:60]
