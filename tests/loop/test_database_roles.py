"""The application runs as a role that owns no table: deploy/roles.sql."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings

from tests.loop.installations import SERVER, Distributed, assert_everything_once

pytestmark = pytest.mark.processes


def dsn_of(role: str, dsn: str) -> str:
    parts = urlsplit(dsn)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{role}@{host}").geturl()


@pytest.fixture
def split(broker, tmp_path, broker_url) -> Iterator[Distributed]:
    """An installation whose tables belong to desk_owner and which runs as desk."""
    distributed = Distributed(
        tmp_path / "var",
        server=SERVER,
        database=f"loop_roles_{os.getpid()}",
        redis=broker_url,
    )
    distributed.drop()
    distributed.create()
    distributed.execute(Path(settings.BASE_DIR, "deploy/roles.sql").read_text())
    distributed.env["DATABASE_URL"] = dsn_of("desk_owner", distributed.dsn)
    distributed.manage("demo")  # it migrates
    distributed.env["DATABASE_URL"] = dsn_of("desk", distributed.dsn)
    yield distributed
    distributed.stop()
    distributed.drop()


# What the unit of web runs before its start, in the environment of web.
COMMANDS_BEFORE_WEB = re.findall(
    r"^ExecStartPre=\S+/compliance-desk manage (.+)$",
    Path(settings.BASE_DIR, "deploy/systemd/compliance-web.service").read_text(),
    re.MULTILINE,
)
FORBIDDEN = [
    "ALTER TABLE reviews_caseevent DISABLE TRIGGER ALL",
    "TRUNCATE reviews_caseevent CASCADE",
    "DROP TABLE reviews_seal",
    "ALTER TABLE reviews_decision DROP COLUMN rationale",
    "CREATE TABLE mine (id int)",
    "SET session_replication_role = replica",
    "SET ROLE desk_owner",
]


@pytest.mark.slow
def test_the_application_does_its_work_without_owning_a_table(split):
    owners = split.rows("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")  # fmt: skip
    assert owners == [("desk_owner",)]
    for command in COMMANDS_BEFORE_WEB:
        split.manage(*command.split())
    split.start()
    assert_everything_once(split)
    assert "hold" in split.manage("audit_verify")
    refused = []
    for sql in FORBIDDEN:
        with (
            psycopg.connect(dsn_of("desk", split.dsn)) as db,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            db.execute(sql)
        refused.append(sql)
    assert refused == FORBIDDEN
