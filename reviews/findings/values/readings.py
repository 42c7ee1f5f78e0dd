"""Notes how each field of a document was read, when a result arrives: given, or unsure."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils.timezone import now

from reviews import results
from reviews.models import Case, CheckResult, Document, FieldReading
from reviews.results.kinds import Extraction


def record(case: Case, rows: Sequence[CheckResult]) -> None:
    """Note the fields of the results. A later reading of a document replaces an earlier one."""
    if not _has_extraction(results.parts(rows, (), {})):
        return
    documents = list(Document.objects.filter(case=case))
    readings: dict[tuple[str, str], FieldReading] = {}
    for part in results.parts(rows, documents, {}):
        if not part.document or not isinstance(part.view, Extraction):
            continue
        for row in part.view.rows:
            if not row.extracted and not row.candidates:
                continue
            readings[part.document, row.field] = FieldReading(
                document_id=UUID(hex=part.document),
                field=row.field,
                candidates=len(row.candidates),
                at=now(),
            )
    FieldReading.objects.bulk_create(
        readings.values(),
        update_conflicts=True,
        unique_fields=["document", "field"],
        update_fields=["candidates", "at"],
    )


def _has_extraction(parts: Sequence[results.Part]) -> bool:
    return any(isinstance(part.view, Extraction) for part in parts)
