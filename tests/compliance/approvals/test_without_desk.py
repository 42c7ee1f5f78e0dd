"""An installation without a desk has no audit trail: it keeps lines of its own."""

from __future__ import annotations

import pytest
from django.test import Client

from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from agenthub.models import Account
from compliance.approvals import lines
from compliance.approvals.models import AppendOnlyError, Line
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def no_desk(monkeypatch) -> None:
    """Nobody listens, as where the desk is not installed."""
    monkeypatch.setattr(lines.recorded, "receivers", [])
    monkeypatch.setattr(lines.recorded, "sender_receivers_cache", {})


def test_the_hub_keeps_who_changed_what(no_desk, caplog):
    caplog.set_level("INFO")
    account = Account.objects.create(name="Client")
    client = Client()
    client.force_login(make_user("hana", role=HUB_ADMINISTRATOR))
    client.post(f"/hub/accounts/{account.pk}/switch/")
    client.post(f"/hub/accounts/{account.pk}/keys/", {"name": "core"})
    result, closed = Line.objects.all()
    assert (closed.by, closed.what) == ("hana", "setting_changed")
    assert closed.data["changes"] == {"is_active": [True, False]}
    assert result.data["changes"]["digest"] == [None, "…"]
    assert f"administration: line {closed.pk}, setting_changed" in caplog.text


def test_a_line_is_never_changed(no_desk):
    lines.record("setting_changed", {}, user=None)
    line = Line.objects.get()
    with pytest.raises(AppendOnlyError):
        line.save()
    with pytest.raises(AppendOnlyError):
        line.delete()
