from __future__ import annotations

from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection

from reviews.models import WebhookSecret
from tests.factories import make_connection

pytestmark = pytest.mark.django_db


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM reviews_webhooksecret")
        return str(cursor.fetchone()[0])


def test_a_secret_is_not_in_the_database_in_plain():
    make_connection(secret="quite secret")
    assert "quite secret" not in stored()
    assert WebhookSecret.objects.get().secret == "quite secret"


def test_keys_turn(settings):
    settings.ENCRYPTION_KEY = "old"
    make_connection(secret="quite secret")
    settings.ENCRYPTION_KEY = "new,old"
    assert WebhookSecret.objects.get().secret == "quite secret"
    WebhookSecret.objects.get().save()
    settings.ENCRYPTION_KEY = "new"
    assert WebhookSecret.objects.get().secret == "quite secret"


def test_all_secrets_are_encrypted_anew(settings):
    settings.ENCRYPTION_KEY = "old"
    make_connection(secret="quite secret")
    settings.ENCRYPTION_KEY = "new,old"
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "new"
    assert WebhookSecret.objects.get().secret == "quite secret"


def test_the_wrong_key_is_said_plainly(settings):
    make_connection(secret="quite secret")
    settings.ENCRYPTION_KEY = "another"
    with pytest.raises(ImproperlyConfigured, match="ENCRYPTION_KEY"):
        WebhookSecret.objects.get()
