from __future__ import annotations

import re
import time
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection

from compliance.security.encryption import decrypt
from reviews.audit import trail, verification
from reviews.models import WebhookSecret
from tests.factories import make_connection, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings, tmp_path):
    settings.AUDIT_KEYS_DIR = tmp_path / "keys"
    settings.AUDIT_ANCHORS = tmp_path / "anchors.jsonl"


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
    # A fresh database has the key of the installation, wrapped with the key of the tests.
    old = f"old,{settings.ENCRYPTION_KEY}"
    settings.ENCRYPTION_KEY = old
    make_connection(secret="quite secret")
    settings.ENCRYPTION_KEY = f"new,{old}"
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "new"
    assert WebhookSecret.objects.get().secret == "quite secret"


def test_after_a_change_of_the_key_everything_still_verifies(client, settings):
    """As docs/deploy.md has it: the new key before the old one, reencrypt, the new key alone."""
    # A fresh database has lines already, which the key of the tests has signed.
    old = f"old,{settings.ENCRYPTION_KEY}"
    settings.ENCRYPTION_KEY = old
    connection = make_connection(secret="quite secret", api_key="ck_live")
    ana = make_user("ana")
    client.force_login(ana)
    page = client.get("/account/2fa/totp/activate/").content.decode()
    secret = re.search(r'value="([A-Z2-7]{32})"', page)
    assert secret
    code = format_hotp_value(hotp_value(secret[1], int(time.time()) // 30))
    client.post("/account/2fa/totp/activate/", {"code": code})
    codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    trail.seal_all()
    settings.ENCRYPTION_KEY = f"new,{old}"
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "new"
    connection.refresh_from_db()
    assert connection.api_key == "ck_live"
    totp = Authenticator.objects.get(type="totp").wrap()
    assert decrypt(totp.instance.data["secret"]) == secret[1]
    again = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    assert again == codes
    assert [*trail.verify(), *verification.faults()] == []
    # And after the next change, too.
    settings.ENCRYPTION_KEY = "newest,new"
    trail.record(None, "something", user=ana)
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "newest"
    trail.record(None, "something_else", user=ana)
    trail.seal_all()
    assert [*trail.verify(), *verification.faults()] == []


def test_who_knows_the_old_key_writes_no_new_line(settings):
    settings.ENCRYPTION_KEY = f"new,old,{settings.ENCRYPTION_KEY}"
    trail.record(None, "something")
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "old"
    trail.record(None, "forged")
    trail.seal_all()
    settings.ENCRYPTION_KEY = "new"
    faults = list(trail.verify())
    assert any("the desk did not write it" in fault for fault in faults)


def test_the_wrong_key_is_said_plainly(settings):
    make_connection(secret="quite secret")
    settings.ENCRYPTION_KEY = "another"
    with pytest.raises(ImproperlyConfigured, match="ENCRYPTION_KEY"):
        WebhookSecret.objects.get()
