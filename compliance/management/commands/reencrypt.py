from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import models, transaction

from compliance.security.encryption import EncryptedTextField


class Command(BaseCommand):
    help = "Encrypt every stored secret again with the first key of ENCRYPTION_KEY."

    def handle(self, *args: Any, **options: Any) -> None:
        for model in apps.get_models():
            names = [
                field.name
                for field in model._meta.fields
                if isinstance(field, EncryptedTextField)
            ]
            if names:
                count = _reencrypt(model, names)
                self.stdout.write(f"{model._meta.label}: {count}")


@transaction.atomic
def _reencrypt(model: type[models.Model], fields: list[str]) -> int:
    rows = model._default_manager.select_for_update()
    for row in rows:
        # Read with any of the keys, written with the first.
        row.save(update_fields=fields)
    return len(rows)
