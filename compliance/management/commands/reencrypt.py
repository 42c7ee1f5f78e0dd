from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import models, transaction

from compliance.security import data_keys
from compliance.security.encryption import (
    EncryptedTextField,
    decrypt,
    encrypt,
    key_changed,
)

# Members of an authenticator's data that our django-allauth adapter has encrypted.
ENCRYPTED_MEMBERS = ("secret", "seed")


class Command(BaseCommand):
    help = "Encrypt every stored secret and data key again with the first key of ENCRYPTION_KEY."

    def handle(self, *args: object, **options: object) -> None:
        for model in apps.get_models():
            names = [
                field.name
                for field in model._meta.fields
                if isinstance(field, EncryptedTextField)
            ]
            if names:
                count = _reencrypt(model, names)
                self.stdout.write(f"{model._meta.label}: {count}")
        count = _reencrypt_second_factors()
        self.stdout.write(f"{Authenticator._meta.label}: {count}")
        # Only the data keys are wrapped again. The data that they encrypt is unchanged.
        count = data_keys.rewrap_all()
        self.stdout.write(f"{data_keys.DataKey._meta.label}: {count}")
        with transaction.atomic():
            key_changed.send(sender=Command)


@transaction.atomic
def _reencrypt(model: type[models.Model], fields: list[str]) -> int:
    rows = model._default_manager.select_for_update()
    for row in rows:
        # Reading decrypts with any of the keys; saving encrypts with the first.
        row.save(update_fields=fields)
    return len(rows)


@transaction.atomic
def _reencrypt_second_factors() -> int:
    count = 0
    for row in Authenticator.objects.select_for_update():
        members = [name for name in ENCRYPTED_MEMBERS if row.data.get(name)]
        for name in members:
            row.data[name] = encrypt(decrypt(row.data[name]))
        if members:
            row.save(update_fields=["data"])
            count += 1
    return count
