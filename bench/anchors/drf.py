"""A receiver as it is usually written with DRF: APIView, serializer, get_or_create."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from typing import Any

import dj_database_url
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="of-the-bench",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "rest_framework",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    DATABASES={
        "default": dj_database_url.parse(
            os.environ["ANCHOR_DATABASE"], conn_max_age=None
        )
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Event(models.Model):
    objects: models.Manager[Event]
    digest = models.CharField(max_length=64, unique=True)
    payload = models.JSONField()
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "anchor"

    def __str__(self) -> str:
        return self.digest


class EventSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(required=False)
    job_id = serializers.UUIDField(required=False)
    tool_id = serializers.CharField(required=False)
    status = serializers.CharField(required=False)
    recommendation = serializers.CharField(required=False)
    results = serializers.JSONField(required=False)
    input_payload = serializers.JSONField(required=False)


class Receive(APIView):
    def post(self, request: Request) -> Response:
        body = request.body
        secret = os.environ["ANCHOR_SECRET"].encode()
        expected = base64.b64encode(
            hmac.new(secret, body, hashlib.sha256).digest()
        ).decode()
        if not hmac.compare_digest(
            expected, request.headers.get("X-Signature-SHA256", "")
        ):
            return Response({"error": "bad signature"}, status=401)
        serializer = EventSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        Event.objects.get_or_create(
            digest=hashlib.sha256(body).hexdigest(), defaults={"payload": request.data}
        )
        return Response({"status": "ok"})


urlpatterns = [path("webhooks/bench/", Receive.as_view())]
application = get_wsgi_application()
if Event._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Event)
connection.close()
