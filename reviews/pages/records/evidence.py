"""The evidence pack of a case, as a download."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from reviews.access.decorators import readers_only
from reviews.models import Case
from reviews.pages.case.decide import person, seen_case
from reviews.records import evidence_pack


@readers_only
@never_cache
@require_GET
def pack(request: HttpRequest, pk: int) -> FileResponse:
    case = seen_case(request, pk)
    file = evidence_pack.pack(case, actor=person(request))
    return FileResponse(
        file, as_attachment=True, filename=f"evidence-{plain_name(case)}.zip"
    )


def plain_name(case: Case) -> str:
    """Its reference as any system takes it in the name of a file."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in case.reference)[
        :60
    ]
