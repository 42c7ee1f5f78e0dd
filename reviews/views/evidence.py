"""The evidence pack of a case, as a download."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reviews import evidence
from reviews.views.access import readers_only
from reviews.views.decide import person, seen_case


@readers_only
@never_cache
@require_GET
def pack(request: HttpRequest, pk: int) -> FileResponse:
    case = seen_case(request, pk)
    file = evidence.pack(case, actor=person(request))
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in case.reference)[:60]
    return FileResponse(file, as_attachment=True, filename=f"evidence-{name}.zip")
