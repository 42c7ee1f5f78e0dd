"""The receiver as a view of Django's, where nothing stands in front of it: its test client, say."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from webhooks import receiver


@csrf_exempt
def receive(request: HttpRequest, slug: str) -> HttpResponse:
    said = receiver.receive(request.META, slug, request)
    headers = {**dict(said.headers), "Content-Type": "application/json"}
    return HttpResponse(said.body, status=said.status.value, headers=headers)
