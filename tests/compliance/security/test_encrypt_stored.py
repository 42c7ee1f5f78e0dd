"""An installation of a version that stored personal data in the clear, before and after the command."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection

from compliance.security import data_keys, encrypted_files
from compliance.security.personal_fields import is_personal, opened
from reviews.audit import bound_rows, trail, verification
from reviews.models import Case, CaseEvent, Document, Identifier
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db


def personal_columns() -> list[tuple[Any, Any]]:
    columns = []
    for model in apps.get_models():
        for field in model._meta.fields:
            # The words of a line are written once. Earlier lines have none.
            if is_personal(field) and model is not CaseEvent:
                columns.append((model, field))
    return columns


def store_in_the_clear() -> None:
    """As a version before had it: text and JSON in the columns, plain files, no keys."""
    for model, field in personal_columns():
        for pk, value in model._base_manager.values_list("pk", field.name):
            plain = field.to_bytes(opened(value))
            stored: Any = plain
            # SQLite has kept text as text.
            if connection.vendor == "sqlite" and not isinstance(opened(value), bytes):
                stored = plain.decode()
            key = model._meta.pk.get_db_prep_value(pk, connection)
            sql = f"UPDATE {model._meta.db_table} SET {field.column} = %s WHERE {model._meta.pk.column} = %s"  # noqa: S608
            with connection.cursor() as cursor:
                cursor.execute(sql, [stored, key])
    for document in Document.objects.exclude(file=""):
        content = _content(document)
        Path(default_storage.path(str(document.file.name))).write_bytes(content)
    Case.objects.update(data_key=None)
    data_keys.DataKey.objects.exclude(pk=data_keys.INSTALLATION).delete()
    data_keys.forget()


def clear_columns() -> list[str]:
    rows = []
    for model, field in personal_columns():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {field.column} FROM {model._meta.db_table}")  # noqa: S608
            for (value,) in cursor.fetchall():
                if value and (
                    isinstance(value, str) or not data_keys.is_token(bytes(value))
                ):
                    rows.append(f"{model.__name__}.{field.name}")
    return rows


@pytest.fixture
def case() -> Case:
    one_person()
    case = open_case(recommendation="Approve", subject="Änne Köhler & Søn")
    decide(case, someone("analyst"), rationale="We know them.")
    document = Document.objects.create(case=case, kind="other", file_name="paß.pdf")
    document.file.save("original.pdf", ContentFile(b"%PDF-1.4 passport"))
    Case.objects.update(summary={"checks": [["a", "fail"]], "finding": "Seal gone"})
    case.refresh_from_db()
    return case


def _content(document: Document) -> bytes:
    with document.file.open() as file:
        return bytes(file.read())


def texts(case: Case) -> list[object]:
    case = Case.objects.get(pk=case.pk)
    [document] = case.documents.filter(kind="other")
    decision = case.decisions.get()
    return [
        *(case.subject, case.self_attested_data, case.finding, document.file_name),
        *(_content(document), decision.rationale),
    ]


def test_what_was_stored_in_the_clear_is_read_and_then_encrypted(case):
    before = texts(case)
    store_in_the_clear()
    assert "Case.subject" in clear_columns()
    assert texts(case) == before

    call_command("encrypt_stored", stdout=StringIO())

    assert clear_columns() == []
    assert texts(case) == before
    assert Case.objects.get().data_key_id
    assert Case.objects.get().summary == {"checks": [["a", "fail"]]}
    [document] = Document.objects.filter(kind="other")
    with Path(default_storage.path(str(document.file.name))).open("rb") as file:
        assert encrypted_files.is_encrypted(file)
    assert Identifier.objects.exists()


def test_it_may_be_interrupted_and_run_again(case, monkeypatch):
    before = texts(case)
    store_in_the_clear()

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Document._meta.get_field("file_name"), "sealed_for", stop)
    with pytest.raises(KeyboardInterrupt):
        call_command("encrypt_stored", stdout=StringIO())
    monkeypatch.undo()
    assert texts(case) == before
    call_command("encrypt_stored", stdout=StringIO())
    assert clear_columns() == []
    out = StringIO()
    call_command("encrypt_stored", stdout=out)
    counts = [line.rpartition(": ")[2] for line in out.getvalue().splitlines()]
    assert set(counts) == {"0"}
    assert texts(case) == before


def test_lines_of_an_earlier_version_keep_verifying(case):
    """Their words are in the clear in the line, and the hashes of their rows have no salt."""
    line = CaseEvent(case=case, actor="system", what="decided", data={"reason": "So."})
    line.bindings = [
        {"table": "reviews_case", "id": str(case.pk), "sha256": _old_digest(case)}
    ]
    line.save()
    trail.seal_all()
    name = f"reviews_case {case.pk} "
    assert [one for one in verification.faults() if name in one] == []
    assert list(trail.verify()) == []
    assert line.details == {"reason": "So."}
    assert "personal_sha256" not in json.dumps(line.content())
    Case.objects.filter(pk=case.pk).update(country="GB")
    assert any(name in fault for fault in verification.faults())


def _old_digest(case: Case) -> str:
    return bound_rows.digest(case)  # without a salt
