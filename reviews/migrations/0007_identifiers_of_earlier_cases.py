"""What identifies the subjects of the cases that are there already."""

from __future__ import annotations

import hashlib
import re

from django.db import migrations

NAMES = ("business_name", "registered_business_name")
NUMBERS = ("business_registration_number", "tin_number", "document_number", "tax_id")
ADDRESSES = ("address_of_incorporation", "address_of_operation", "address", "business_address")
STREET = ("street_1", "street_2", "city", "postal_code")
SHORTEST = {"number": 5, "address": 8, "name": 2}


# What identified a subject when this migration was written.
def of(subject, attested):
    data = attested if isinstance(attested, dict) else {}
    said = [("name", subject)]
    said += [("name", text(value)) for value in values(data, NAMES)]
    said += [("number", text(value)) for value in values(data, NUMBERS)]
    said += [("address", address(value)) for value in values(data, ADDRESSES)]
    bare = {(kind, re.sub(r"[\W_]+", "", value.casefold())) for kind, value in said}
    return sorted(
        (kind, hashlib.sha256(f"{kind}:{value}".encode(errors="replace")).hexdigest())
        for kind, value in bare
        if len(value) >= SHORTEST[kind] and not (kind == "number" and len(set(value)) < 3)
    )


def values(data, names):
    for holder in (data, *(value for value in data.values() if isinstance(value, dict))):
        yield from (holder[name] for name in names if name in holder)


def address(value):
    if isinstance(value, dict):
        return " ".join(text(value.get(part)) for part in STREET)
    return text(value)


def text(value):
    if isinstance(value, list):
        return " ".join(text(one) for one in value[:200])
    return str(value)[:4000] if isinstance(value, str | int) else ""


def identify(apps, schema_editor):
    Case = apps.get_model("reviews", "Case")
    Identifier = apps.get_model("reviews", "Identifier")
    rows = []
    for case in Case.objects.only("subject", "self_attested_data").iterator(chunk_size=1000):
        rows += [
            Identifier(case_id=case.pk, kind=kind, digest=digest)
            for kind, digest in of(case.subject, case.self_attested_data)
        ]
        if len(rows) >= 1000:
            Identifier.objects.bulk_create(rows, ignore_conflicts=True)
            rows = []
    Identifier.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_case_page")]
    operations = [migrations.RunPython(identify, migrations.RunPython.noop)]
