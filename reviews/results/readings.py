"""The words that a service read from the documents of a case, for the full-text search.

For a scan or a photograph these are the only words the desk has: values of fields and of barcodes,
not the running text.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviews.models import CheckResult, Document
from reviews.results.kinds import Extraction, Visual
from reviews.results.parts import parts

MOST_LETTERS = 20_000  # per case


def readings(rows: Sequence[CheckResult], documents: Sequence[Document]) -> str:
    """One value per line, each once. Never raises, whatever the bodies hold."""
    values: dict[str, None] = {}
    for part in parts(rows, documents, {}):
        if isinstance(part.view, Extraction):
            for row in part.view.rows:
                words = row.extracted.split()
                values[" ".join(words)] = None
        elif isinstance(part.view, Visual):
            for barcode in part.view.barcodes:
                values[barcode.text] = None
    values.pop("", None)
    return "\n".join(values)[:MOST_LETTERS]
