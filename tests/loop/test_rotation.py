"""Every key is changed by its command, one after the other; after that all still verifies."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.signing import BadSignature, TimestampSigner
from django.test import Client

from compliance.environment import env_list, env_secret
from reviews.audit import signing, verification
from reviews.audit.bound_rows import BOUND
from reviews.models import Case, Connection, Subscription
from reviews.subscriptions import subscriptions
from tests.factories import make_connection, make_hub, make_user
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def installation(served, settings, tmp_path, monkeypatch) -> dict[str, Any]:
    """Desk and hub with secrets that they made themselves, as the embedded default does."""
    for name in ("SECRET_KEY", "ENCRYPTION_KEY", "SECRET_KEY_FALLBACKS"):
        monkeypatch.delenv(name, raising=False)
    settings.EMBEDDED = True
    settings.VAR_DIR = tmp_path
    (tmp_path / "secrets").mkdir()
    for name in ("SECRET_KEY", "ENCRYPTION_KEY"):
        path = tmp_path / "secrets" / name.lower()
        path.write_text(getattr(settings, name))
    hub = make_hub(make_connection(base_url=f"{served}/api/v1"))
    boss = make_user("boss", role="administrator")
    url = "https://example.com/hook"
    subscriptions.create(actor=boss, name="Ledger", url=url)
    # Rows that the factories made behind the desk have no line.
    verification.bind_existing(BOUND)
    return hub


def restart(settings: Any) -> None:
    """What a process reads at its start."""
    folder = settings.VAR_DIR / "secrets"
    for name in ("SECRET_KEY", "ENCRYPTION_KEY"):
        setattr(settings, name, env_secret(name, keep_in=folder))
    name = "SECRET_KEY_FALLBACKS"
    settings.SECRET_KEY_FALLBACKS = env_list(name, keep_in=folder)


def run(name: str, *words: str, stdin: str = "", **options: Any) -> str:
    out = StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        call_command(name, *words, stdout=out, **options)
    return out.getvalue().strip()


def holds() -> bool:
    return "lines hold" in run("audit_verify")


def examine(client: Any, hub: dict[str, Any], work_off: Any, reference: str) -> Case:
    """Send a case through desk and hub: its key is accepted, its webhooks come back."""
    data = {"agent": hub["desk_kyc"].pk, "first_name": "Ana", "last_name": "Reyes",
            "date_of_birth": "1990-01-01", "reference": reference}  # fmt: skip
    answer = client.post("/cases/new/?kind=kyc", data)
    assert answer.status_code == 303, answer.content
    work_off()
    return Case.objects.get(reference=reference, status=Case.Status.TO_REVIEW)


def take_pack(client: Any, case: Case, folder: Path) -> Path:
    answer = client.get(f"/cases/{case.pk}/evidence/")
    content = io.BytesIO(b"".join(answer.streaming_content))
    with zipfile.ZipFile(content) as archive:
        archive.extractall(folder)
    return folder


def verify_pack(folder: Path, public: str) -> bool:
    words = [sys.executable, "-I", "-S", str(folder / "verify.py"), "--key", public]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def test_every_key_is_changed_and_all_still_verifies(
    installation, client, work_off, settings, tmp_path
):
    hub = installation
    client.force_login(make_user("sen", role="senior"))
    first = examine(client, hub, work_off, "case-1")
    pack = take_pack(client, first, tmp_path / "pack")
    old_public = signing.current().public
    assert holds()

    # The secrets between desk and hub.
    name = hub["account"].name
    secret = run("rotate_signing_secret", name, hours=0)
    run("change_service_secret", "hub", "webhook-secret", stdin=secret)
    key = run("rotate_api_key", name, hours=48)
    run("change_service_secret", "hub", "api-key", stdin=key)
    assert run("rotate_api_key", name, hours=0) != key
    key_of_now = run("rotate_api_key", name, hours=0)
    run("change_service_secret", "hub", "api-key", stdin=key_of_now)
    examine(client, hub, work_off, "case-2")
    newest = Event.objects.order_by("-pk")[0].secret
    assert newest is not None
    assert newest.secret == secret
    assert Connection.objects.get().api_key == key_of_now
    valid = [one for one in hub["account"].api_keys.all() if one.is_valid]
    assert len(valid) == 1
    assert holds()

    # Those that receivers and readers of packs have.
    before = Subscription.objects.get().secret
    assert (
        run("rotate_subscription_secret", "Ledger") == Subscription.objects.get().secret
    )
    assert Subscription.objects.get().secret != before
    run("rotate_audit_key")
    assert signing.current().public != old_public
    published = client.get("/.well-known/audit-keys.json").json()["keys"]
    assert old_public in [entry["public"] for entry in published]
    assert holds()

    # The installation's own.
    signed = TimestampSigner(salt="x").sign("link")
    idle = Client()
    idle.force_login(make_user("ida", role="auditor"))
    old = settings.SECRET_KEY, settings.ENCRYPTION_KEY
    for name in ("SECRET_KEY", "ENCRYPTION_KEY"):
        assert "Restart all processes" in run("rotate_secret", name)
    restart(settings)
    assert holds()
    assert client.get("/").status_code == 200
    assert TimestampSigner(salt="x").unsign(signed) == "link"
    for name in ("SECRET_KEY", "ENCRYPTION_KEY"):
        run("rotate_secret", name, end=True)
    restart(settings)
    assert settings.SECRET_KEY not in old
    assert settings.ENCRYPTION_KEY not in old
    assert settings.SECRET_KEY_FALLBACKS == []
    assert "," not in settings.ENCRYPTION_KEY
    # A login that was used meanwhile goes on with the new key; another one ends.
    assert client.get("/").status_code == 200
    assert idle.get("/").status_code == 302
    with pytest.raises(BadSignature):
        TimestampSigner(salt="x").unsign(signed)

    # All of it together.
    assert holds()
    assert verify_pack(pack, old_public)
    client.force_login(make_user("sena", role="senior"))
    last = examine(client, hub, work_off, "case-3")
    assert verify_pack(
        take_pack(client, last, tmp_path / "p2"), signing.current().public
    )
    assert not verify_pack(tmp_path / "p2", old_public)
    assert holds()


def test_a_secret_of_the_environment_is_only_printed(settings, tmp_path, monkeypatch):
    """Who set it there has to change it there."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setenv("SECRET_KEY", "of the environment")
    settings.SECRET_KEY = "of the environment"
    settings.SECRET_KEY_FALLBACKS = []
    words = run("rotate_secret", "SECRET_KEY")
    assert "comes from the environment" in words
    assert "SECRET_KEY_FALLBACKS=of the environment" in words
    assert not (tmp_path / "secrets").exists()


def test_an_end_without_an_earlier_key_is_refused(settings):
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(CommandError, match="no earlier"):
        run("rotate_secret", "SECRET_KEY", end=True)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("rotate_signing_secret", ["nobody"]),
        ("rotate_api_key", ["nobody"]),
        ("rotate_subscription_secret", ["nobody"]),
        ("change_service_secret", ["nobody", "api-key"]),
    ],
)
def test_an_unknown_name_is_refused(command, words):
    with pytest.raises(CommandError, match="nobody"):
        run(command, *words)


def test_an_empty_secret_is_refused():
    make_connection()
    with pytest.raises(CommandError, match="standard input is empty"):
        run("change_service_secret", "hub", "api-key", stdin="\n")
