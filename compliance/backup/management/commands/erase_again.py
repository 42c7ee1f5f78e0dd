"""The command that repeats erasures after a backup was restored."""

from __future__ import annotations

from django.core.management.base import BaseCommand
from django.db import transaction

from compliance.security import data_keys
from compliance.security.encryption import erased_again


class Command(BaseCommand):
    help = "Erase again what was erased before a backup was restored, by the file ERASED_KEYS."

    @transaction.atomic
    def handle(self, *args: object, **options: object) -> None:
        ids = data_keys.brought_back()
        # Receivers first: they find unencrypted data through values that these keys still decrypt.
        erased_again.send(sender=Command, ids=ids)
        for key_id in ids:
            data_keys.erase(key_id)
        self.stdout.write(f"{len(ids)} keys were erased again.")
