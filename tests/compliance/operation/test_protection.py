"""An installation that others reach does not start without its protection, and says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core import checks

from compliance.operation import protection
from compliance.operation.doctor import machine
from tests.compliance.operation.test_doctor import states
from tests.docs.pages import ROOT

pytestmark = pytest.mark.processes

WAIVED = ",".join(sorted(protection.NAMES - {"secret_files"}))
DISTRIBUTED = {
    "DATABASE_URL": "postgres://desk@127.0.0.1:1/none",
    "DESK_URL": "https://desk.example.com",
}


def start(folder: Path, **environment: str) -> str:
    """What the system checks say to a process with this environment."""
    process = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return process.stdout + process.stderr


def secrets(folder: Path, mode: int = 0o400) -> Path:
    for name in ("secret_key", "encryption_key"):
        path = folder / name
        path.write_text("a" * 50)
        path.chmod(mode)
    return folder


def test_it_does_not_start_where_others_reach_it(tmp_path):
    words = start(tmp_path, **DISTRIBUTED, SECRET_KEY="a" * 50, ENCRYPTION_KEY="b" * 50)
    for part in protection.PARTS:
        assert part.missing in words
    assert words.count("compliance.E010") == len(protection.PARTS)


SERVERS = {
    "web": ["-c", "import compliance.wsgi"],
    "worker": ["-m", "celery", "-A", "compliance", "worker", "--pool", "solo"],
    "beat": ["-m", "celery", "-A", "compliance", "beat"],
}


@pytest.mark.parametrize("command", SERVERS.values(), ids=SERVERS)
def test_web_workers_and_beat_do_not_start_either(tmp_path, command):
    """They are no commands of manage.py, which look by themselves."""
    process = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **DISTRIBUTED,
            "PATH": os.environ["PATH"],
            "VAR": str(tmp_path),
            "SECRETS_DIR": str(secrets(tmp_path)),
            "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert process.returncode not in {0, None}
    assert "FILE_SCANNER is not set" in process.stderr
    assert "PROTECTION_WAIVED: scanner" in process.stderr


def test_what_is_set_up_or_waived_by_name_is_not_missing(tmp_path):
    words = start(
        tmp_path,
        **DISTRIBUTED,
        SECRETS_DIR=str(secrets(tmp_path)),
        PROTECTION_WAIVED=WAIVED,
    )
    assert "System check identified no issues" in words


def test_a_waiver_of_nothing_known_is_refused(tmp_path):
    words = start(tmp_path, PROTECTION_WAIVED="scaner")
    assert "compliance.E009" in words


def test_a_secret_that_others_may_read_is_told(tmp_path):
    words = start(
        tmp_path,
        **DISTRIBUTED,
        CREDENTIALS_DIRECTORY=str(secrets(tmp_path, 0o444)),
        PROTECTION_WAIVED=WAIVED,
    )
    assert words.count("compliance.E010") == 1
    assert "files that others may read" in words


def test_a_password_in_the_address_of_the_database_is_a_secret_of_the_environment(
    tmp_path,
):
    words = start(
        tmp_path,
        DATABASE_URL="postgres://desk:secret@127.0.0.1:1/none",
        DESK_URL="https://desk.example.com",
        SECRETS_DIR=str(secrets(tmp_path)),
        PROTECTION_WAIVED=WAIVED,
    )
    assert words.count("compliance.E010") == 1


def test_one_machine_starts_and_is_warned(tmp_path):
    assert "no issues" in start(tmp_path)


@pytest.mark.django_db
def test_an_operator_is_warned_by_check_and_doctor(settings):
    settings.FILE_SCANNER = settings.LOG_COLLECTOR = ""
    settings.PROTECTION_WAIVED = frozenset({"breached_passwords", "outbound_hosts"})
    settings.SECRET_PLACES = {}  # those of the tests may stand in the environment
    result = checks.run_checks(include_deployment_checks=True)
    ids = {message.msg for message in result if message.id == "compliance.W010"}
    names = {"scanner", "log_collector"}
    wanted = {part.missing for part in protection.PARTS if part.name in names}
    assert ids == wanted
    _, found_states, words = states("protection")
    assert found_states == {"warning"}
    assert "FILE_SCANNER" in words


def test_a_collector_that_is_away_is_told(settings):
    settings.LOG_COLLECTOR = "syslog+tls://localhost:1"
    settings.LOG_COLLECTOR_CA = settings.LOG_COLLECTOR_CERTIFICATE = ""
    [finding] = machine.collector()
    assert finding.state == "failed"
