"""The job loop as it is usually written: one Celery task for each job and for each webhook, out
and in.

Desk and service are one small Django project. Steps and payloads are those of the real loop. Celery
closes the database connections before each task, as in every Django project.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import uuid
from typing import Any

import dj_database_url
import django
import requests
from celery import Celery
from django.conf import settings

from bench.plugin import PAYLOAD

BASE = f"http://127.0.0.1:{os.environ['PORT']}"
SECRET = os.environ["ANCHOR_SECRET"]
CHECKS = ("one", "two", "three")

settings.configure(
    SECRET_KEY="of-the-bench",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="bench.anchors.naive",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "rest_framework",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
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
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

app = Celery("naive", broker=os.environ["ANCHOR_BROKER"])
app.conf.update(
    task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=1
)


class Job(models.Model):
    """A job as the desk stores it."""

    objects: models.Manager[Job]
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    status = models.CharField(max_length=16, default="queued")

    class Meta:
        app_label = "naive"

    def __str__(self) -> str:
        return str(self.id)


class Result(models.Model):
    objects: models.Manager[Result]
    job = models.ForeignKey(Job, models.CASCADE)
    tool_id = models.CharField(max_length=100)
    body = models.JSONField()

    class Meta:
        app_label = "naive"

    def __str__(self) -> str:
        return self.tool_id


class Event(models.Model):
    objects: models.Manager[Event]
    digest = models.CharField(max_length=64, unique=True)
    payload = models.JSONField()

    class Meta:
        app_label = "naive"

    def __str__(self) -> str:
        return self.digest


class Run(models.Model):
    """A run as the service stores it."""

    objects: models.Manager[Run]
    id = models.UUIDField(primary_key=True)
    status = models.CharField(max_length=16, default="pending")
    results = models.JSONField(default=dict)

    class Meta:
        app_label = "naive"

    def __str__(self) -> str:
        return str(self.id)


@app.task
def start(job_id: str) -> None:
    requests.post(
        f"{BASE}/start/", json={"job_id": job_id}, timeout=30
    ).raise_for_status()
    Job.objects.filter(id=job_id, status="queued").update(status="running")


@app.task
def run(job_id: str) -> None:
    run_ = Run.objects.get(id=job_id)
    run_.status = "running"
    run_.save()
    for check in CHECKS:
        results = {"passed": True, "explanation": "Instant.", "payload": PAYLOAD}
        run_.results[check] = results
        run_.save()
        send.delay({"job_id": job_id, "tool_id": check, "results": results})
    run_.status = "complete"
    run_.save()
    send.delay({"id": job_id, "status": "complete", "recommendation": "Approve"})


@app.task
def send(payload: dict[str, Any]) -> None:
    body = json.dumps(payload).encode()
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    headers = {"X-Signature-SHA256": base64.b64encode(digest).decode()}
    headers["Content-Type"] = "application/json"
    requests.post(
        f"{BASE}/webhooks/bench/", body, headers=headers, timeout=30
    ).raise_for_status()


@app.task
def apply(event_id: int) -> None:
    payload = Event.objects.get(id=event_id).payload
    if "tool_id" not in payload:
        Job.objects.filter(id=payload["id"]).update(status="complete")
        return
    Result.objects.get_or_create(
        job_id=payload["job_id"],
        tool_id=payload["tool_id"],
        defaults={"body": payload["results"]},
    )


class Start(APIView):
    authentication_classes = ()

    def post(self, request: Request) -> Response:
        result: Any = request.data
        run_, created = Run.objects.get_or_create(id=result["job_id"])
        if created:
            run.delay(str(run_.id))
        return Response({"status": "pending"})


class Receive(APIView):
    authentication_classes = ()

    def post(self, request: Request) -> Response:
        body = request.body
        expected = base64.b64encode(
            hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
        )
        if not hmac.compare_digest(
            expected, request.headers["X-Signature-SHA256"].encode()
        ):
            return Response({"error": "bad signature"}, status=401)
        event, created = Event.objects.get_or_create(
            digest=hashlib.sha256(body).hexdigest(), defaults={"payload": request.data}
        )
        if created:
            apply.delay(event.pk)
        return Response({"status": "ok"})


urlpatterns = [
    path("start/", Start.as_view()),
    path("webhooks/bench/", Receive.as_view()),
]
application = get_wsgi_application()


def create_tables() -> None:
    with connection.schema_editor() as editor:
        for model in (Job, Result, Event, Run):
            editor.create_model(model)


def submit(count: int) -> None:
    for _ in range(count):
        start.delay(str(Job.objects.create().pk))
