"""The sentences of a suspicious activity report, as they are stored.

The files for authorities read them here: what drafts the sentences asks in turn what the files take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reviews.models import SuspicionReport


@dataclass(frozen=True)
class Sentence:
    """One sentence of the narrative. `evidence` is a key of Evidence, or "" if none is chosen
    yet.
    """

    text: str
    evidence: str = ""

    @classmethod
    def of(cls, row: Mapping[str, object]) -> Sentence:
        return cls(str(row.get("text", "")), str(row.get("evidence", "")))

    def to_json(self) -> dict[str, str]:
        return {"text": self.text, "evidence": self.evidence}


def sentences(report: SuspicionReport) -> list[Sentence]:
    """The sentences of a report. Empty if it was erased or the reader's role is masked."""
    rows = report.sentences
    if not isinstance(rows, list):
        return []
    sentences: list[Sentence] = []
    for row in rows:
        if isinstance(row, dict):
            sentences.append(Sentence.of(row))
    return sentences
