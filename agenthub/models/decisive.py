"""The hub's fields whose changes are recorded (compliance.security.decisive_rows)."""

from __future__ import annotations

from django.db import models

from agenthub.models.accounts import Account, Agent, ApiKey, SigningSecret
from agenthub.models.companies import RegistryLoad
from agenthub.models.documents import QuarantinedFile
from agenthub.models.lists import HeldVersion, ListSource, ListVersion
from agenthub.models.subjects import AddressList

FIELDS: dict[type[models.Model], str] = {
    Account: "name is_active",
    ApiKey: "account name prefix digest created_at expires_at revoked_at",
    SigningSecret: "account secret signs_from expires_at",
    Agent: "account key name kind checks requirements is_active",
    ListSource: "slug title format url max_age_days max_shrink topics columns canaries",
    QuarantinedFile: "account sha256 signature status ended_by ended_at reason",
    HeldVersion: "version status file_name sha256 released_by released_at reason",
    ListVersion: "source status published_at file_name sha256 size",
    # The companies and addresses are in other tables. The last hash stands for all of them.
    RegistryLoad: "slug title status file_name sha256 company_count has_leis rows_sha256",
    AddressList: "slug title file_name sha256 address_count rows_sha256",
}
# Fields that were added when the table's rows were already in the audit trail.
LATER: dict[type[models.Model], str] = {
    Account: "share max_open_jobs max_open_documents",
    # The entries are in other tables. This hash stands for all of them.
    ListVersion: "entries_sha256",
}
