"""Outgoing webhooks as they are usually sent: one Celery task per event, with requests.post in
it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sys

import dj_database_url
import django
import requests
from celery import Celery
from django.conf import settings

from bench.load import SECRET

settings.configure(
    SECRET_KEY="of-the-bench",
    INSTALLED_APPS=["django.contrib.contenttypes"],
    DATABASES={
        "default": dj_database_url.parse(os.environ["DATABASE_URL"], conn_max_age=None)
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.db import connection, models  # noqa: E402

app = Celery("outgoing", broker=os.environ["ANCHOR_BROKER"])
app.conf.update(
    task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=4
)


class Event(models.Model):
    objects: models.Manager[Event]
    url = models.URLField()
    payload = models.JSONField()
    status = models.CharField(max_length=16, default="pending")
    response = models.TextField(default="")

    class Meta:
        app_label = "outgoing"

    def __str__(self) -> str:
        return self.url


@app.task(name="outgoing.send")
def send(event_id: int) -> None:
    event = Event.objects.get(id=event_id)
    body = json.dumps(event.payload).encode()
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).digest()
    headers = {"X-Signature-SHA256": base64.b64encode(digest).decode()}
    headers["Content-Type"] = "application/json"
    answer = requests.post(event.url, body, headers=headers, timeout=10)
    event.status = "delivered" if answer.ok else "failed"
    event.response = answer.text
    event.save()


def create_tables() -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Event)


def submit(url: str, count: int) -> None:
    from bench.load import bodies

    for body in bodies(count):
        send.delay(Event.objects.create(url=url, payload=json.loads(body)).pk)


if __name__ == "__main__":
    create_tables() if sys.argv[1] == "create" else submit(
        sys.argv[1], int(sys.argv[2])
    )
