"""A case with unusual names goes through desk and hub, is decided and erased; then nothing of it is found."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection

from agenthub.models import AgentJob
from checks import samples
from compliance.security.personal_fields import Sealed
from reviews.decisions import decisions
from reviews.decisions.decisions import DecisionRequest
from reviews.models import Case, Decision, Document, Erasure, ReasonCode
from reviews.people import notes
from reviews.records import evidence_pack
from tests.factories import make_connection, make_hub, make_user

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "Zquorvax Ydrillbeam"
WORDS = (NAME, "Quibblethorne", "Vexilmarrow", "Wombatsnuffle")


@pytest.fixture
def hub(served):
    return make_hub(make_connection(base_url=f"{served}/api/v1"))


def columns_with(*words: str) -> list[str]:
    """Columns of any table of desk and hub in which one of the words stands."""
    names = set()
    for model in apps.get_models(include_auto_created=True):
        for row in model._default_manager.values():
            for name, value in row.items():
                if _has(value, words):
                    names.add(f"{model._meta.label}.{name}")
    return sorted(names)


def _has(value: Any, words: tuple[str, ...]) -> bool:
    if isinstance(value, Sealed):
        value = value.open()
    if isinstance(value, bytes | memoryview):
        value = bytes(value).decode("utf-8", "replace")
    text = json.dumps(value, default=str, ensure_ascii=False).casefold()
    return any(word.casefold() in text for word in words)


def stored_files() -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


def database_files() -> list[Path]:
    """The files of SQLite: the database, and its write-ahead log."""
    if connection.vendor != "sqlite":
        return []
    path = Path(str(connection.settings_dict["NAME"]))
    return [path, *path.parent.glob(f"{path.name}-*")]


def files_with(*contents: bytes) -> list[str]:
    rows = []
    for path in stored_files():
        if any(part in path.read_bytes() for part in contents):
            rows.append(path.name)
    return rows


def decided_case(client, hub, work_off) -> tuple[Case, bytes]:
    analyst = make_user()
    client.force_login(analyst)
    sample = samples.good_certificate()
    response = client.post(
        "/cases/new/?kind=kyb",
        {
            "agent": hub["desk_kyb"].pk,
            "reference": "case-4711",
            "business_name": NAME,
            "registered_business_name": f"{NAME} Ltd",
            "incorporation_date": sample.attested["incorporation_date"],
            "incorporation_documents": SimpleUploadedFile(
                "Quibblethorne.pdf", sample.content
            ),
        },
    )
    assert response.status_code in {302, 303}, response.content.decode()
    work_off()
    case = Case.objects.get()
    notes.add(case, actor=analyst, text="Asked Vexilmarrow about it.")
    code = ReasonCode.objects.filter(outcome="reject", claim="")[0]
    decisions.decide(
        case,
        actor=analyst,
        request=DecisionRequest(
            outcome="reject",
            reasons=[code.code],
            rationale="Wombatsnuffle does not add up.",
        ),
        revision=Case.objects.get().revision,
    )
    Decision.objects.filter(status=Decision.Status.PROPOSED).update(
        status=Decision.Status.STANDING
    )
    work_off()
    case.refresh_from_db()
    return case, sample.content


def test_after_an_erasure_no_name_is_found_at_desk_or_hub(client, hub, work_off):
    case, content = decided_case(client, hub, work_off)
    assert case.status == Case.Status.DECIDED
    assert {"reviews.Case.subject", "agenthub.AgentJob.input_payload"} <= {
        *columns_with(*WORDS)
    }
    assert stored_files()

    client.force_login(make_user("adm", role="administrator"))
    answer = client.post(f"/cases/{case.pk}/erase/", {"reason": "Request 12"})
    assert answer.status_code == 303
    work_off()

    erasure = Erasure.objects.get()
    assert (erasure.status, erasure.refusal, erasure.waits_for) == ("done", "", "")
    assert "The service erased it: jobs 1" in erasure.service
    assert columns_with(*WORDS) == []
    assert files_with(content[:200], NAME.encode()) == []
    assert stored_files() == []
    assert AgentJob.objects.get().erased_at
    assert Document.objects.get().sha256

    # Not in freed pages either.
    for path in database_files():
        if path.exists():
            raw = path.read_bytes().lower()
            for word in WORDS:
                place = raw.find(word.lower().encode())
                assert place < 0, (word, raw[max(place - 300, 0) : place + 100])

    page = client.get(case.get_absolute_url()).content.decode()
    assert NAME not in page
    for words in ("Request 12", "adm", "What remains", "The service erased it"):
        assert words in page
    call_command("audit_verify")
    auditor = make_user("aud", role="auditor")
    case.refresh_from_db()
    with (
        evidence_pack.pack(case, actor=auditor) as file,
        zipfile.ZipFile(file) as pack,
    ):
        result = json.loads(pack.read("case.json"))
        assert result["erasures"][0]["reason"] == "Request 12"
        assert "were erased at" in pack.read("README.txt").decode()
        for name in pack.namelist():
            if name != "audit.txt":
                assert NAME.encode() not in pack.read(name), name
