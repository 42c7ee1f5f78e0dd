"""Views for one page of a document: its image and its words."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import IO
from uuid import UUID

from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from compliance.db import masks
from compliance.http import unavailable
from compliance.storage import stored_files
from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.documents import page_images
from reviews.models import Page
from reviews.results import sheets

THUMB = (116, 480)  # largest width and height in pixels; shown at half of that size


@readers_only
@require_safe
def page_image(
    request: HttpRequest, document_id: UUID, number: int
) -> HttpResponseBase:
    """The image of a page; with `?thumb` a small one."""
    pages = Page.objects.select_related("document")
    pages = roles.only_visible(request.user, pages, "document__case__connection")
    page = get_object_or_404(pages, document_id=document_id, number=number)
    headers = {
        # Images of passports must not stay in the browser's cache on disk.
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
    }
    # An image cannot be masked, so a masked role gets an empty page.
    if masks.is_hidden():
        return HttpResponse(_blank(), content_type="image/webp", headers=headers)
    try:
        file = page_images.image(page)
    except stored_files.MissingError as exc:
        raise Http404 from exc
    except stored_files.StoredError as exc:
        content_type = "text/plain; charset=utf-8"
        response = HttpResponse(str(exc), status=exc.status, content_type=content_type)
        return unavailable.add_retry_after(response)
    if "thumb" not in request.GET:
        return FileResponse(file, content_type="image/webp", headers=headers)
    with file:
        return HttpResponse(_thumb(file), content_type="image/webp", headers=headers)


@lru_cache(maxsize=1)
def _blank() -> bytes:
    """The replacement of every page for users who see no names: a grey page."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("L", (210, 297), 225).save(buffer, "WEBP", quality=70)
    return buffer.getvalue()


def _thumb(file: IO[bytes]) -> bytes:
    # Imported here, so that web processes load Pillow only if needed.
    from PIL import Image

    buffer = io.BytesIO()
    with Image.open(file, formats=("WEBP",)) as image:
        image.thumbnail(THUMB)
        image.save(buffer, "WEBP", quality=70)
    return buffer.getvalue()


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def page_text(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    """The words of a page as an HTML page; with `?layer` as JSON lines for the viewer's text
    layer.
    """
    pages = Page.objects.select_related("document__case")
    pages = roles.only_visible(request.user, pages, "document__case__connection")
    page = get_object_or_404(pages, document_id=document_id, number=number)
    lines = sheets.lines(page)
    if "layer" in request.GET:
        return JsonResponse([list(line) for line in lines], safe=False)
    context = {
        "nav": "queue",
        "page": page,
        "lines": lines,
        "case": page.document.case,
    }
    return render(request, "reviews/case_page_text.html", context)
