"""Lines that were written before there was a chain: sign them, and have them sealed."""

from __future__ import annotations

import hashlib
import hmac
import json

from django.conf import settings
from django.db import migrations


# How lines were signed when this migration was written: docs/audit.md.
def sign(content, *, key):
    derived = hashlib.sha256(b"reviews.audit.trail:" + key.strip().encode()).digest()
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(derived, text.encode(), "sha256").hexdigest()


def plain(value):
    if isinstance(value, dict):
        return {plain(str(name)): plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if value is None or isinstance(value, bool | int):
        return value
    return str(value).replace("\0", "").encode(errors="replace").decode()


def sign_lines(apps, schema_editor):
    Event = apps.get_model("reviews", "CaseEvent")
    Unsealed = apps.get_model("reviews", "Unsealed")
    key = settings.ENCRYPTION_KEY.split(",")[0]
    waiting = []
    for event in Event.objects.filter(mac="").select_related("user").iterator(chunk_size=1000):
        event.data = plain(event.data)
        event.by = event.user.username if event.user else ""
        event.mac = sign(
            {
                "at": event.at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
                "case": event.case_id,
                "actor": event.actor,
                "user": event.user_id,
                "by": event.by,
                "what": event.what,
                "data": event.data,
            },
            key=key,
        )
        event.save(update_fields=["data", "by", "mac"])
        waiting.append(Unsealed(event_id=event.pk))
    Unsealed.objects.bulk_create(waiting, batch_size=1000, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0002_decisions_and_trail")]
    operations = [migrations.RunPython(sign_lines, migrations.RunPython.noop)]
