"""The tables of the hub that are settings: changes are recorded, and may need a second person."""

from __future__ import annotations

from typing import Any

from agenthub.accounts.permissions import MANAGES
from agenthub.models import Account, Agent, ApiKey, SigningSecret
from agenthub.models.lists import HeldVersion, ListRefresh, ListSource
from compliance.approvals.registry import Setting
from compliance.approvals.registry import register as add


def register() -> None:
    for setting in _SETTINGS:
        add(setting)


# Revoking a key reduces risk, so it takes effect without a second person.
def _only_revokes(changes: dict[str, Any]) -> bool:
    return set(changes) == {"revoked_at"} and changes["revoked_at"][0] is None


_SETTINGS = (
    Setting(
        Account,
        kind="hub",
        fields="name is_active share max_open_jobs max_open_documents",
        permission=MANAGES,
    ),
    Setting(
        ApiKey,
        kind="hub",
        fields="account name prefix digest expires_at revoked_at",
        secret="digest",  # noqa: S106 - the name of a field
        permission=MANAGES,
        is_at_once=_only_revokes,
    ),
    Setting(
        SigningSecret,
        kind="hub",
        fields="account secret signs_from expires_at",
        secret="secret",  # noqa: S106 - the name of a field
        permission=MANAGES,
    ),
    Setting(
        Agent,
        kind="hub",
        fields="account key name kind checks requirements is_active",
        permission=MANAGES,
    ),
    # The URL of a list may contain a token, so it is treated as a secret.
    Setting(
        ListSource,
        kind="lists",
        fields="slug title format url max_age_days max_shrink topics columns canaries",
        secret="url",  # noqa: S106 - the name of a field
        permission=MANAGES,
    ),
    Setting(
        ListRefresh,
        kind="lists",
        fields="source status",
        carried="due_at error leased_until",
        permission=MANAGES,
    ),
    Setting(
        HeldVersion,
        kind="lists",
        fields="released_by released_at reason",
        carried="version status due_at error",
        permission=MANAGES,
    ),
)
